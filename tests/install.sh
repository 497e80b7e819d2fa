#!/bin/sh
# make install as outsiders meet it: programs in C, C++ and CMake that know nothing of this tree build against what was
# installed and run; bad places are refused in one line; uninstall leaves nothing. And make clean.
#   usage: tests/install.sh [CC] [CXX] [BUILD], from the top folder
cc=${1:-cc} cxx=${2:-c++} build=${3:-build}
dir=$(mktemp -d) && trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
log=$dir/log passed=0
fail() { echo "install: $1" >&2; cat "$log" >&2; exit 1; }
pass() { passed=$((passed + 1)); echo "  $1"; }
ours() { make -s --no-print-directory B="$build" "$@" > "$log" 2>&1; }
version=$(sed -n 's/^#define TG_VERSION "\(.*\)"/\1/p' core/tapegrad/tape.h)

# The program of README.md with the headers where an installation has them, and the check of the version.
sed 's|"nn/nn.h"|<tapegrad/nn.h>|; s|"optim/optim.h"|<tapegrad/optim.h>|' examples/hello.c > "$dir/hello.c"
cat > "$dir/version.cc" <<'END'
#include <tapegrad/nn.h>
#include <tapegrad/optim.h>
#include <tapegrad/report.h>
#include <tapegrad/tapegrad.h>
#include <cstring>
int main() {
    tg_tape *t = tg_tape_new(TG_F64);
    bool good = tg_item(tg_square(tg_scalar(t, 3))) == 9 && std::strcmp(tg_version(), TG_VERSION) == 0;
    tg_tape_free(t);
    return good ? 0 : 1;
}
END
cat > "$dir/page.c" <<'END'
#include <tapegrad/report.h>
int main(void) {
    char why[600];
    report_plan plan = {.path = "/", .title = "none", .last = 1};
    report *page = report_new(&plan);
    bool refused = !report_write(page, "", why, sizeof why);
    report_free(page);
    return refused ? 0 : 1;
}
END
learns() { "$@" | tail -1 | grep -qx 'step 100  loss 0.0[0-9]*'; }

# ---- where it goes ----

prefix=$dir/usr
(umask 077 && ours install PREFIX="$prefix" libdir="$prefix/lib/here") || fail "make install does not work"
private=$(find "$prefix" ! -type l ! -perm -a+r; find "$prefix" -type d ! -perm -a+x)
[ -z "$private" ] || fail "others cannot read $private"
mkdir "$dir/said" && cp "$dir/hello.c" "$dir/said/program.c"
said=$(sed -n 's/^    cc \(program.c .*\)/\1/p' "$log")
(cd "$dir/said" && eval "$cc $said") >> "$log" 2>&1 && learns "$dir/said/a.out" || fail "the line for programs: $said"
pass "readable whatever the umask; a program compiles with the line that is printed, and runs"
odd="$dir/a b/it's"
ours install PREFIX="$odd" || fail "make install PREFIX with a space and a quote does not work"
line=$(tail -n 1 "$log")
(cd "$dir" && cp hello.c program.c && eval "$line -o odd") >> "$log" 2>&1 || fail "the line for an odd folder: $line"
learns "$dir/odd" || fail "the program of an odd folder does not run"
ours uninstall PREFIX="$odd" || fail "make uninstall from an odd folder does not work"
pass "and from a folder with a space and a quote"
for file in include/tapegrad/tapegrad.h include/tapegrad/nn.h include/tapegrad/optim.h \
    include/tapegrad/report.h include/tapegrad/report.c lib/here/libtapegrad.a lib/here/libtapegrad.so lib/here/libtapegrad.so.1 \
    "lib/here/libtapegrad.so.$version" lib/here/pkgconfig/tapegrad.pc \
    lib/here/cmake/tapegrad/tapegrad-config.cmake share/man/man3/tapegrad.3; do
    [ -s "$prefix/$file" ] || fail "$file is missing"
done
[ -z "$(find "$prefix" -name '.tapegrad*')" ] || fail "temporary files are left"
pass "every file is in its place"

export PKG_CONFIG_PATH=$prefix/lib/here/pkgconfig LD_LIBRARY_PATH=$prefix/lib/here
shared=$prefix/lib/here/libtapegrad.so
readelf -d "$shared" | grep -q 'SONAME.*\[libtapegrad.so.1\]' || fail "the SONAME is not libtapegrad.so.1"
foreign=$(nm -D --defined-only "$shared" | awk '$2 != "A" && $3 !~ /^tg_[a-z0-9_]*@@TAPEGRAD_0$/')
[ -z "$foreign" ] || fail "the shared library shows $foreign"
# what the headers promise is what the library has
sed -n 's/^TG_API [^(]*[ *]\(tg_[a-z0-9_]*\)(.*/\1/p' core/tapegrad/*.h nn/nn.h optim/optim.h | sort -u > "$dir/promised"
nm -D --defined-only "$shared" | sed -n 's/.* \(tg_[a-z0-9_]*\)@@.*/\1/p' | sort -u > "$dir/there"
diff "$dir/promised" "$dir/there" > "$log" || fail "the headers (<) and the shared library (>) differ"
[ "$(pkg-config --modversion tapegrad)" = "$version" ] || fail "pkg-config does not say $version"
pass "the shared library shows the $(wc -l < "$dir/there") functions of the headers, versioned, and nothing else"

# ---- programs from outside ----

(cd "$dir" && $cc hello.c $(pkg-config --cflags --libs tapegrad) -o hello) > "$log" 2>&1 || fail "cc, shared"
learns "$dir/hello" || fail "cc, shared: it does not run"
pass "cc hello.c \$(pkg-config --cflags --libs tapegrad)"
(cd "$dir" && $cc hello.c $(pkg-config --cflags tapegrad) "$prefix/lib/here/libtapegrad.a" -lm -pthread -o hello-static) \
    > "$log" 2>&1 || fail "cc, static"
learns env LD_LIBRARY_PATH= "$dir/hello-static" || fail "cc, static: it does not run"
pass "cc hello.c libtapegrad.a -lm -pthread"
for program in vit recurrence llama; do
    (cd "$dir" && $cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror "$OLDPWD/examples/gallery/$program.c" \
        $(pkg-config --variable=report tapegrad) $(pkg-config --cflags --libs tapegrad) -lm -o $program) > "$log" 2>&1 ||
        fail "examples/gallery/$program.c"
done
"$dir/recurrence" > "$log" && grep -q 'of the sums.* size: learnt$' "$log" || fail "the gallery's recurrence"
"$dir/vit" --report "$dir/page.html" > "$log" && grep -q '^of 1000 new images it reads 9' "$log" || fail "the gallery's vit"
grep -q '"loss":"cross entropy"' "$dir/page.html" || fail "its report"
"$dir/llama" --help > "$log" || fail "the gallery's llama"
pass "the gallery: a recurrence, a vision transformer with its report, Llama"
pkg-config --static --libs tapegrad | grep -q -- -lm || fail "pkg-config --static names no -lm"
if command -v "$cxx" > /dev/null; then
    (cd "$dir" && $cxx -Wall -Wextra -Wpedantic -Werror version.cc $(pkg-config --cflags --libs tapegrad) -o version) \
        > "$log" 2>&1 || fail "C++"
    "$dir/version" || fail "C++: it does not run, or tg_version() is not TG_VERSION"
    pass "c++ version.cc \$(pkg-config --cflags --libs tapegrad)"
fi
if command -v cmake > /dev/null; then
    mkdir "$dir/cmake" && cat > "$dir/cmake/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.10)
project(outside C)
find_package(tapegrad 0.2 REQUIRED)
add_executable(hello ../hello.c)
target_link_libraries(hello tapegrad::tapegrad)
add_executable(hello-static ../hello.c)
target_link_libraries(hello-static tapegrad::static)
add_executable(page ../page.c)
target_link_libraries(page tapegrad::tapegrad tapegrad::report m)
END
    at=$dir/cmake/build where=-Dtapegrad_DIR=$prefix/lib/here/cmake/tapegrad
    { cmake -S "$dir/cmake" -B "$at" "$where" && cmake --build "$at"; } > "$log" 2>&1 || fail "CMake"
    learns "$at/hello" && learns "$at/hello-static" && "$at/page" || fail "CMake: a program does not run"
    sed -i 's/tapegrad 0.2/tapegrad 9/' "$dir/cmake/CMakeLists.txt"
    ! cmake -S "$dir/cmake" -B "$at.9" "$where" > "$log" 2>&1 || fail "CMake takes $version for version 9"
    pass "find_package(tapegrad 0.2), tapegrad::tapegrad and tapegrad::static; version 9 is refused"
fi
if command -v man > /dev/null; then
    man -l --warnings "$prefix/share/man/man3/tapegrad.3" > "$dir/page" 2> "$log" && [ ! -s "$log" ] || fail "the manual"
    grep -q tg_backward "$dir/page" || fail "the manual does not name tg_backward"
    pass "man 3 tapegrad"
fi

# ---- an older version, and away again ----

mv "$prefix/lib/here/libtapegrad.so.$version" "$prefix/lib/here/libtapegrad.so.0.0.9"
ln -sf libtapegrad.so.0.0.9 "$prefix/lib/here/$(sed -n 's/.*IMPORTED_SONAME "\(.*\)".*/\1/p' "$prefix/lib/here/cmake/tapegrad/tapegrad-config.cmake")"
sed -i 's/^Version: .*/Version: 0.0.9/' "$prefix/lib/here/pkgconfig/tapegrad.pc"
ours install PREFIX="$prefix" libdir="$prefix/lib/here" || fail "install over an older version"
grep -q "replaced tapegrad 0.0.9 by $version" "$log" || fail "the older version is not named"
[ ! -e "$prefix/lib/here/libtapegrad.so.0.0.9" ] && learns "$dir/hello" || fail "the older version is still there"
pass "an older version is replaced, and said so"
ours uninstall PREFIX="$prefix" libdir="$prefix/lib/here" || fail "make uninstall does not work"
[ ! -e "$prefix" ] || fail "uninstall leaves $(find "$prefix")"
! ours uninstall PREFIX="$prefix" && grep -q 'there is no tapegrad in' "$log" || fail "nothing to uninstall is not said"
mkdir -p "$prefix/share/man" "$prefix/lib"
ours install PREFIX="$prefix" && touch "$prefix/include/theirs.h" && ours uninstall PREFIX="$prefix" || fail "again"
[ "$(cd "$prefix" && find . | sort | tr '\n' ' ')" = ". ./include ./include/theirs.h ./lib ./share ./share/man " ] ||
    fail "uninstall takes or leaves a folder that it should not: $(find "$prefix")"
pass "uninstall leaves nothing but folders that were there before, or that others use"

# ---- places ----

ours install DESTDIR="$dir/a folder/&c" PREFIX=/usr || fail "DESTDIR with spaces"
pc="$dir/a folder/&c/usr/lib/pkgconfig/tapegrad.pc"
grep -qx 'prefix=/usr' "$pc" || fail "DESTDIR is written into tapegrad.pc"
pass "DESTDIR with spaces"
refuses() { # words of the line; the arguments of make
    words=$1 && shift
    before=$(find "$dir" | sort)
    ! ours install "$@" || fail "installed with $*"
    grep -q "^install: .*$words" "$log" || fail "with $*: no line that says $words"
    find "$dir" | sort > "$dir.after"
    [ "$before" = "$(cat "$dir.after")" ] || fail "with $*: something was left behind"
    rm -f "$dir.after"
}
touch "$dir/file"
refuses 'file is not a folder' PREFIX="$dir/file/usr"
refuses 'not an absolute path' PREFIX=usr
mkdir "$dir/closed" && chmod a-w "$dir/closed"
[ -w "$dir/closed" ] || refuses 'closed is not writable' PREFIX="$dir/closed" # root may write anywhere
pass "places that cannot be written are refused, with nothing left behind"

make -s -n B="$dir/b" CFLAGS=-O2 CPPFLAGS=-DWITH_THIS LDFLAGS=-Wl,-z,now lib > "$log" 2>&1
grep -q -- '-std=c11.*-DWITH_THIS -O2' "$log" || fail "CFLAGS and CPPFLAGS are not behind the flags that must be"
grep -q -- '-O2 -Wl,-z,now.*-shared' "$log" || fail "LDFLAGS is not used to link"
! grep -q -- ' -g ' "$log" || fail "-g is there with CFLAGS=-O2"
make -s B="$dir/b" OPT=-O0 CFLAGS=-O1 "$dir/b/core/tape/shape.o" > "$log" 2>&1 || fail "make CFLAGS=-O1 does not build"
make -s -n B="$dir/c" lib > "$log" && grep -q -- ' -g ' "$log" || fail "without CFLAGS there is no -g"
pass "CPPFLAGS, CFLAGS and LDFLAGS are added to the flags that must be; -g is the default of CFLAGS"

make -s clean B="$dir/b" && [ ! -e "$dir/b" ] || fail "make clean B=folder leaves it"
mkdir -p "$dir/tree/core" "$dir/tree/in/core"
tar -c Makefile core/package/*.mk tests/*.mk examples/*/*.mk | tar -x -C "$dir/tree/in"
for folder in . .. "$dir/said"; do # the tree, a folder around it, one where nothing was built
    ! make -s -C "$dir/tree/in" clean B="$folder" > "$log" 2>&1 && grep -q 'left alone' "$log" || fail "clean B=$folder"
done
[ -e "$dir/tree/in/Makefile" ] && [ -e "$dir/said/program.c" ] || fail "make clean removed what it did not make"
pass "make clean B=folder removes that, if it was built in"
echo "install: $passed passed, 0 failed"
