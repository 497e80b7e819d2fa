#!/bin/sh
# Makes a student's copy: the tasks without solutions, their pages, the grader, the headers and the library.
#   copy.sh examples/coursework build/libtapegrad.a path
set -eu
from=$1 library=$2 to=$3

if [ -z "$to" ]; then
    echo "coursework: say where to: make coursework DIR=path" >&2
    exit 2
fi
if [ -e "$to" ] && { [ ! -d "$to" ] || [ -n "$(ls -A "$to")" ]; }; then
    echo "coursework: $to is not an empty folder; nothing was changed. Take a new path, or empty it first." >&2
    exit 2
fi

mkdir -p "$to/tasks" "$to/grader" "$to/core" "$to/optim"
for task in "$from"/tasks/*.c; do
    awk -f "$from/strip.awk" "$task" > "$to/tasks/$(basename "$task")"
done
cp "$from"/tasks/*.md "$to/tasks/"
cp "$from"/grader/*.c "$from"/grader/*.h "$to/grader/"
cp "$from/coursework.h" "$from/student/Makefile" "$from/student/README.md" "$library" "$to/"
cp core/tapegrad.h "$to/core/"
cp optim/optim.h "$to/optim/"
echo "the exercises are in $to; start with $to/README.md"
