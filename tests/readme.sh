#!/bin/sh
# The program texts in README.md are files of the tree, word for word: a comment names the file above each.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0
for file in $(sed -n 's/^<!-- \([^ ]*\.c\) -->$/\1/p' README.md); do
    if awk -v start="<!-- $file -->" '$0 == start { on = 1; next } on && /^```/ { if (on == 2) exit; on = 2; next } on == 2' \
        README.md | cmp -s - "$file"; then
        passed=$((passed + 1))
    else
        echo "README.md does not show $file as it is"
        failed=$((failed + 1))
    fi
done
echo "README: $passed passed, $failed failed"
[ "$failed" = 0 ]
