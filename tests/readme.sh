#!/bin/sh
# The pages for readers hold what they say. A comment with a file's name stands above that file, word for word; the lines
# below <!-- run --> print those below <!-- prints -->; links lead to files.
#   usage: [B=build] tests/readme.sh, after make lib
cd "$(dirname "$0")/.." || exit 1
build=$(cd "${B:-build}" && pwd) || exit 1
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
pages="README.md core/README.md tests/README.md tests/bench/README.md examples/README.md"
passed=0 failed=0
row() { # status, what is wrong unless it is 0
    if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$2"; fi
}
shown() { # the block of code below the comment $2 of page $1
    awk -v start="<!-- $2 -->" '$0 == start { on = 1; next } on && /^```/ { if (on == 2) exit; on = 2; next } on == 2' "$1"
}
below() { # the indented lines below every comment $1 of README.md
    awk -v start="<!-- $1 -->" '$0 == start { on = 1; next } on && /^    / { print substr($0, 5); next } { on = 0 }' README.md
}
steady() { sed 's/relative error .*/relative error .../'; } # which no two instruction sets have in common

for page in $pages; do
    for file in $(sed -n 's/^<!-- \([^ ]*\.c\) -->$/\1/p' $page); do
        shown $page "$file" | cmp -s - "$file"
        row $? "$page does not show $file as it is"
    done
    for link in $(grep -o '](\([^)]*\))' $page | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^http'); do
        [ -e "$(dirname $page)/$link" ]
        row $? "$page links to $link, which is not there"
    done
done

for name in core nn optim examples; do
    ln -s "$PWD/$name" "$dir/$name"
done
ln -s "$build" "$dir/build"
cp examples/hello.c "$dir"
below run > "$dir/commands"
below prints | steady > "$dir/expected"
(cd "$dir" && sh -e commands) > "$dir/said" 2>&1
row $? "a command of README.md fails: $(tail -n 1 "$dir/said")"
steady < "$dir/said" | diff "$dir/expected" -
row $? "the commands of README.md print something else (>)"
for said in 'y.npy x.npy:y.npy: (256,), but 3 dims wanted' 'x.npy new.npy:new.npy: (4, 8, 2), but 1 dims wanted' \
    '--help:tutorial x.npy y.npy learns' ':tutorial x.npy y.npy learns'; do
    (cd "$dir/mine" && ./tutorial ${said%%:*} 2>&1) | grep -qF "${said#*:}"
    row $? "tutorial ${said%%:*} does not say: ${said#*:}"
done
! git rev-parse --git-dir > /dev/null 2>&1 || [ "$(git check-ignore hello.c hello mine/tutorial | wc -l)" = 3 ]
row $? "what README.md has one make here is not in .gitignore"
shapes() { sed 's/fill="#[0-9a-f]*"//; s/: [0-9.e-]*<.title>//; /font-size="10"/d' "$1"; } # no weights, no colours
shapes "$dir/mine/attention.svg" > "$dir/drawn"
shapes examples/tutorial/attention.svg | cmp -s - "$dir/drawn"
row $? "examples/tutorial/attention.svg is not what the tutorial draws"
echo "README: $passed passed, $failed failed"
[ "$failed" = 0 ]
