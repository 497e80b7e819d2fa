#!/bin/sh
# Checks with libabigail that programs compiled against an installed version run with this build: functions may be
# added; any other change is an error, unless SOVERSION differs.
#     usage: abi.sh OLD_LIBRARY NEW_LIBRARY SOVERSION
old=$1 new=$2 soversion=$3
fail() { echo "abi: $1" >&2; exit 1; }
command -v abidiff > /dev/null || fail "abidiff is not there (Debian's package abigail-tools)"
[ -e "$old" ] || fail "$old is not there; OLD=/path/libtapegrad.so names the library to compare with"
# types that these headers do not define are private
public=$(mktemp -d) && trap 'rm -rf "$public"' EXIT
cp core/tapegrad.h core/tapegrad/*.h nn/nn.h optim/optim.h "$public"
readelf -d "$old" | grep -q "SONAME.*\[libtapegrad.so.$soversion\]" ||
    { echo "abi: the SONAME is another; nothing has to stay"; exit 0; }
abidiff --no-added-syms --headers-dir1 "$public" --headers-dir2 "$public" "$old" "$new" ||
    fail "programs compiled against $old may break: SOVERSION in the Makefile has to change"
echo "abi: programs compiled against $old go on with $new"
