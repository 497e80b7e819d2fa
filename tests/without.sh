#!/usr/bin/env bash
# The amalgamation without what core/package/without.mk lets be left out: hello learns the same, whatever it is, and what
# is left out says so. Prints bytes of text, as size has them, of hello (--gc-sections) and of the whole library.
#   usage: [CC=gcc OPT=-Os] tests/without.sh FOLDER [SWITCHES...], after make amalgamation; a word "a b": both together
set -euo pipefail
cc=${CC:-gcc} opt=${OPT:--Os} folder=$1
shift
switches=$(sed -n 's/^\(TG_NO_[A-Z_]*\) = .*/\1/p' core/package/without.mk)
[ $# -gt 0 ] || set -- "" $switches "TG_NO_THREADS TG_NO_FILES TG_NO_GRADCHECK TG_NO_WIDE_VECTORS" "$(echo $switches)"
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
sed '/include "optim/d; s|"nn/nn.h"|"tapegrad.h"|' examples/hello.c >"$dir/hello.c"
sed -n '/^It prints/,/^Copy/s/^    //p' README.md >"$dir/expected"
text() { size "$1" | awk 'END { print $1 }'; }
printf '%10s %10s  %s\n' hello library without
for without in "$@"; do
    flags="-std=c11 $opt -w -ffp-contract=off -fno-tree-vectorize -ffunction-sections -fdata-sections -I$folder"
    flags+=$(printf ' -D%s' ${without:-TG_ALL})
    $cc $flags -c "$folder/tapegrad.c" -o "$dir/tapegrad.o"
    for program in "$dir/hello.c" tests/without.c; do
        $cc $flags -Wl,--gc-sections "$program" "$dir/tapegrad.o" -pthread -lm -o "$dir/$(basename "$program" .c)"
    done
    "$dir/hello" | diff - "$dir/expected" >&2
    "$dir/without" >"$dir/said" || { cat "$dir/said" >&2; exit 1; }
    printf '%10d %10d  %s\n' "$(text "$dir/hello")" "$(text "$dir/tapegrad.o")" "${without:-nothing}"
done
