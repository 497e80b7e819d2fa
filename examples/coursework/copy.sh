#!/bin/sh
# Makes a student's copy: the tasks without solutions, their pages, and the sources of grader and library.
#   copy.sh examples/coursework path [student [class]]
# With a student's name the tasks are that student's variants (build/coursework/grade chooses them).
set -eu
from=$1 to=$2 student=${3:-} class=${4:-}

if [ -z "$to" ]; then
    echo "coursework: say where to: make coursework DIR=path" >&2
    exit 2
fi
if [ -e "$to" ] && { [ ! -d "$to" ] || [ -n "$(ls -A "$to")" ]; }; then
    echo "coursework: $to is not an empty folder; nothing was changed. Take a new path, or empty it first." >&2
    exit 2
fi

mkdir -p "$to/tasks"
variants=
if [ -n "$student" ]; then
    variants=$("$TOOLS/grade" --tools "$TOOLS" --compiler cc --list-variants 1 --class "$class" --student "$student")
    printf '%s\n' "$student" > "$to/student.txt"
    printf '%s\n' "$class" > "$to/class.txt"
fi
for task in "$from"/tasks/*.c "$from"/tasks/*.md; do
    name=$(basename "$task")
    variant=$(printf '%s\n' "$variants" | awk -v t="${name%%_*}" '$1 == t { print $2 }')
    awk -v variant="${variant:-0}" -f "$from/variant.awk" "$task" > "$to/tasks/$name.all"
    case $name in
        *.c) awk -f "$from/strip.awk" "$to/tasks/$name.all" > "$to/tasks/$name" ;;
        *) cp "$to/tasks/$name.all" "$to/tasks/$name" ;;
    esac
    rm "$to/tasks/$name.all"
done
for source in core optim; do
    (find "$source" -name '*.[ch]') | while read -r file; do
        mkdir -p "$to/$(dirname "$file")"
        cp "$file" "$to/$file"
    done
done
cp -r "$from/grader" "$from/harness" "$from/hints" "$from/hint.sh" "$from/predict.sh" "$from/coursework.h" "$from/student/Makefile" \
    "$from/student/README.md" "$from/pages" "$from/milestones" "$from/variant.awk" "$to/"
mv "$to/Makefile" "$to/GNUmakefile" # which GNU make takes first; any other one reads the next
cp "$from/student/other.mk" "$to/Makefile"
cp "$from/../common/page.css" "$to/pages/"
# of each prediction the checksum of what is right in the student's variant
awk -v variants="$variants" '
    BEGIN { n = split(variants, line, "\n"); for (i = 1; i <= n; i++) { split(line[i], word, " "); mine[word[1]] = word[2] } }
    !/^#/ && / = / { split($0, part, " = "); split(part[1], key, "/"); answer[key[1], key[2] + 0] = part[2]; if (!(key[1] in seen)) list[++count] = key[1]; seen[key[1]] = 1 }
    END { for (i = 1; i <= count; i++) { t = list[i]; print t, ((t, mine[t] + 0) in answer) ? answer[t, mine[t] + 0] : answer[t, 0] } }' \
    "$from/predictions.txt" | while read -r task answer; do
    answer=$(printf '%s\n' "$answer" | awk -f "$from/pages/answer.awk")
    echo "$task $(printf '%s %s\n' "$task" "$answer" | cksum | cut -d ' ' -f 1)"
done > "$to/predictions.sum"
echo "the exercises are in $to; start with $to/README.md"
