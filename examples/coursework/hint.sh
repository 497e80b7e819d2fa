#!/bin/sh
# The next hint for a task: hint.sh NN. Three in all; which was the last one is kept in build/hints.
set -eu
task=${1:-}
case $task in [1-9]) task=0$task ;; esac # as make grade reads it
if [ -z "$task" ]; then
    echo "hint: say which task: make hint TASK=04" >&2
    exit 2
fi
file=$(ls hints/"$task"_*.txt 2>/dev/null | head -1)
if [ -z "$file" ]; then
    all=$(printf '%s\n' hints/A* hints/[0-9]* | sed 's|^hints/||; s|_.*||' | tr '\n' ' ')
    echo "hint: there is no task $task; they are ${all% }" >&2
    exit 2
fi
mkdir -p build/hints
seen=$(cat "build/hints/$task" 2>/dev/null || echo 0)
step=$((seen < 3 ? seen + 1 : 3))
echo "$step" > "build/hints/$task"
echo
echo "Hint $step of 3 for task $task"
awk -v step="$step" '/^--- [0-9]$/ { now = $2; next } now == step' "$file"
