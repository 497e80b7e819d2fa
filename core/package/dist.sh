#!/bin/sh
# The sources of the commit that is checked out as one tarball, with LICENSE and NEWS at its top. The same commit gives
# the same bytes anywhere.     usage: dist.sh BUILD VERSION
set -eu
build=$1 version=$2
name=tapegrad-$version
fail() { echo "dist: $1" >&2; exit 1; }
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed; nothing was made"
stage=$(mktemp -d) && trap 'rm -rf "$stage"' EXIT
git archive --prefix="$name/" HEAD | tar -x -C "$stage"
sed '1,/^## Licence$/d' README.md | sed 1d > "$stage/$name/LICENSE"
cp core/package/NEWS "$stage/$name/"
grep -q "^tapegrad $version" core/package/NEWS || fail "core/package/NEWS says nothing of version $version"
mkdir -p "$build"
tar --sort=name --format=ustar --mtime="@$(git log -1 --format=%ct)" --owner=0 --group=0 --numeric-owner \
    --mode=a+rX,u+w,go-w -C "$stage" -cf "$stage/tar" "$name"
gzip -9n < "$stage/tar" > "$build/$name.tar.gz"
echo "dist: $build/$name.tar.gz"
