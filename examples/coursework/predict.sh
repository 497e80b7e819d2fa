#!/bin/sh
# Is a prediction right? predict.sh NN "answer". In a student's copy; every answer is noted in tasks/predictions.txt, the
# first one as the prediction. What is right stands in predictions.sum as checksums.
set -eu
task=${1:-}
case $task in [1-9]) task=0$task ;; esac # as make grade reads it
sum=$(awk -v t="$task" '$1 == t { print $2 }' predictions.sum)
if [ -z "$sum" ]; then
    echo "predict: say which task and what: make predict TASK=04 ANSWER=\"0 0\"; there is a prediction in $(awk '{ printf "%s ", $1 }' predictions.sum)" >&2
    exit 2
fi
# one space between words, small letters, no leading +, no zeros behind a point: as copy.sh has it
answer=$(printf '%s\n' "${2:-}" | awk -f pages/answer.awk)
if [ -z "$answer" ]; then
    sed -n '/^\*\*Predict/,/^$/p' "$(ls tasks/"$task"_*.md)"
    exit 0
fi
right=wrong
[ "$(printf '%s %s\n' "$task" "$answer" | cksum | cut -d ' ' -f 1)" = "$sum" ] && right=right
before=$(grep -c "^$task " tasks/predictions.txt 2> /dev/null || true)
echo "$task $right: $answer" >> tasks/predictions.txt
if [ $right = right ]; then
    echo "Right."
else
    echo "Not right. Work it out by hand, or run it and see; then say why it is so."
fi
[ "${before:-0}" = 0 ] || echo "(Your first answer stays the prediction: $(grep "^$task " tasks/predictions.txt | head -1 | sed 's/^.. //').)"
