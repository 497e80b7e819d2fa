#!/bin/sh
# The one tapegrad.c: no warning under strict -std=c11 from gcc and clang, a program of a folder with nothing else in it.
# FOLDER/tapegrad.o, compiled as it says in the file, is left for the test suites.
#   usage: tests/amalgamation.sh FOLDER BUILD, from the top folder, after make amalgamation and make
set -eu
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
cp "$1/tapegrad.c" "$1/tapegrad.h" "$dir"
object=$PWD/$1/tapegrad.o
sed '/include "optim/d; s|"nn/nn.h"|"tapegrad.h"|' examples/hello.c > "$dir/hello.c"
hello=$PWD/$2/hello
cd "$dir"
for cc in gcc clang; do
    command -v $cc > /dev/null || continue
    for without in "" "-DTG_NO_THREADS -DTG_NO_FILES -DTG_NO_GRADCHECK -DTG_NO_VECTORS"; do
        $cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only $without tapegrad.c
    done
    for flag in -ffast-math -Ofast -ffinite-math-only; do
        ! $cc -std=c11 -w $flag -fsyntax-only tapegrad.c 2> log || { echo "amalgamation: $cc $flag compiles it" >&2; exit 1; }
        grep -q 'error.*compiled with -ffast-math' log || { cat log >&2; exit 1; }
    done
done
flags=$(sed -n 's/^ \* *cc \(.*\) program\.c tapegrad\.c -lm$/\1/p' tapegrad.c)
[ -n "$flags" ] || { echo "amalgamation: tapegrad.c does not say how to compile it" >&2; exit 1; }
cc $flags -w -c tapegrad.c -o "$object"
cc -std=c11 -O1 -w -pthread hello.c "$object" -lm -o hello
./hello > here
"$hello" | diff - here
echo "amalgamation: $(wc -l < tapegrad.c) lines, $(($(wc -c < tapegrad.c) / 1024)) KiB, compile alone; hello learns the same"
