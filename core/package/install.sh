#!/bin/sh
# Installs the build, or removes it again. Called by make install and make uninstall, with DESTDIR, PREFIX,
# includedir, libdir and mandir in the environment.     usage: install.sh install|uninstall BUILD VERSION SOVERSION
#
# Everything is copied under temporary names first, and renamed when all copies are complete, so that an installation is
# complete or not begun. Permissions do not depend on the umask. A list records the folders that were created.
set -u
umask 022
what=$1 build=$2 version=$3 soversion=$4
here=$(dirname "$0")
headers="$DESTDIR$includedir/tapegrad" lib="$DESTDIR$libdir" man="$DESTDIR$mandir/man3"
new=.tapegrad-new made=cmake/tapegrad/folders

fail() { echo "$what: $1" >&2; remove_new; exit 1; }
remove_new() {
    rm -rf "$headers/$new" "$lib/$new" "$lib/pkgconfig/$new" "$lib/cmake/tapegrad/$new" "$man/$new" 2>/dev/null
}

# The folder, or its nearest existing parent, must be writable.
check_writable() {
    folder=$1
    while [ ! -e "$folder" ]; do folder=$(dirname "$folder"); done
    [ -d "$folder" ] || fail "$folder is not a folder; nothing was installed. Choose another PREFIX or DESTDIR."
    [ -w "$folder" ] || fail "$folder is not writable; nothing was changed. Use sudo, or PREFIX=\$HOME/.local."
}

folders() { printf '%s\n' "$headers" "$lib" "$lib/pkgconfig" "$lib/cmake/tapegrad" "$man"; }

# The folders that do not exist yet, and their missing parents, without DESTDIR.
missing() {
    folders | while read -r folder; do
        while [ ! -e "$folder" ] && [ "${folder#"$DESTDIR/"}" != "$folder" ]; do
            echo "${folder#"$DESTDIR"}"
            folder=$(dirname "$folder")
        done
    done
}

# The installed version, from its pkg-config file; nothing if there is none.
installed() { sed -n 's/^Version: //p' "$lib/pkgconfig/tapegrad.pc" 2>/dev/null; }

# The library behind this SONAME; those of other SONAMEs may still be in use.
linked() { readlink "$lib/libtapegrad.so.$soversion" 2>/dev/null | sed -n '/^libtapegrad\.so\.[^/]*$/p'; }

filled() { # the template with its values; | and & and \ stand for themselves
    sed_value() { printf %s "$1" | sed 's/[&|\\]/\\&/g'; }
    sed -e "s|@PREFIX@|$(sed_value "$PREFIX")|" -e "s|@libdir@|$(sed_value "$libdir")|" \
        -e "s|@includedir@|$(sed_value "$includedir")|" -e "s|@VERSION@|$version|" -e "s|@SOVERSION@|$soversion|" "$here/$1"
}

copy_all() {
    cp "$build"/tapegrad/*.[ch] "$headers/$new/" || return 1
    cp "$build/libtapegrad.a" "$build/libtapegrad.so.$version" "$lib/$new/" || return 1
    chmod 644 "$headers/$new"/* "$lib/$new"/* || return 1
    ln -s "libtapegrad.so.$version" "$lib/$new/libtapegrad.so.$soversion" || return 1
    ln -s "libtapegrad.so.$soversion" "$lib/$new/libtapegrad.so" || return 1
    filled tapegrad.pc.in > "$lib/pkgconfig/$new/tapegrad.pc" || return 1
    for file in tapegrad-config tapegrad-config-version; do
        filled $file.cmake.in > "$lib/cmake/tapegrad/$new/$file.cmake" || return 1
    done
    page tapegrad core/tapegrad.h $(sed -n 's|^#include "\(core/tapegrad/[a-z]*\.h\)".*|\1|p' core/tapegrad.h) &&
        page tapegrad-nn nn/nn.h && page tapegrad-optim optim/optim.h
}

page() { # its name; its header, and that one's parts
    name=$1 header=$2
    shift
    awk -v name="$name" -v include="tapegrad/${header##*/}" -v version="$version" -f "$here/man.awk" "$@" \
        > "$man/$new/$name.3"
}

install_all() {
    old=$(installed) library=$(linked)
    folders | while read -r folder; do check_writable "$folder" || exit 1; done || exit 1
    to_make=$(missing; cat "$lib/$made" 2>/dev/null)
    folders | while read -r folder; do mkdir -p "$folder/$new" || exit 1; done || fail "nothing was installed"
    copy_all && echo "$to_make" > "$lib/cmake/tapegrad/$new/folders" || fail "a file could not be written; what was installed before is as it was"
    folders | while read -r folder; do
        mv -f "$folder/$new"/* "$folder/" || exit 1
    done || fail "the files could not be renamed into their places"
    remove_new
    [ -z "$library" ] || [ "$library" = "libtapegrad.so.$version" ] || rm -f "$lib/$library"
    [ -z "$old" ] || [ "$old" = "$version" ] || echo "install: replaced tapegrad $old by $version"
    echo "install: tapegrad $version is in $DESTDIR$PREFIX"
    [ -n "$DESTDIR" ] || say_how
}

quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }

# A command that works wherever the libraries are, and before ldconfig has run.
say_how() {
    echo "A program of it is compiled with"
    case $libdir$includedir in
    *[!A-Za-z0-9_./+-]*) # pkg-config does not quote what a shell would split
        echo "    cc program.c -I$(quoted "$includedir") -L$(quoted "$libdir") -ltapegrad -lm -pthread" \
            "-Wl,-rpath,$(quoted "$libdir")"
        return
        ;;
    esac
    echo "    cc program.c \$(PKG_CONFIG_PATH='$libdir/pkgconfig' pkg-config --cflags --libs tapegrad) -Wl,-rpath,'$libdir'"
}

uninstall_all() {
    old=$(installed) library=$(linked)
    [ -n "$old" ] || fail "there is no tapegrad in $lib; nothing was changed"
    folders | while read -r folder; do check_writable "$folder" || exit 1; done || exit 1
    to_remove=$(LC_ALL=C sort -ru "$lib/$made" 2>/dev/null)
    rm -f "$lib/libtapegrad.a" "$lib/libtapegrad.so" "$lib/libtapegrad.so.$soversion" "$lib/pkgconfig/tapegrad.pc" \
        "$man/tapegrad.3" "$man/tapegrad-nn.3" "$man/tapegrad-optim.3"
    [ -z "$library" ] || rm -f "$lib/$library"
    rm -rf "$headers" "$lib/cmake/tapegrad"
    # empty ones only, children before parents
    echo "$to_remove" | while read -r folder; do [ -z "$folder" ] || rmdir "$DESTDIR$folder" 2>/dev/null; done
    echo "uninstall: removed tapegrad $old from $DESTDIR$PREFIX"
}

cd "$here/../.." || exit 1
here=core/package
case $PREFIX in
/*) ;;
*) fail "PREFIX=$PREFIX is not an absolute path; nothing was changed" ;;
esac
case $what in
install) install_all ;;
uninstall) uninstall_all ;;
esac
