#!/bin/sh
# Makes a page of one's own run of a task, step by step beside the library's; one file that loads nothing.
#   look.sh pages page.css number folder tasks [student [class]]
# TOOLS is the folder of the built grader.
set -eu
from=$1 style=$2 task=$3 to=$4 tasks=$5 student=${6:-} class=${7:-}
if [ -z "$task" ]; then
    echo "look: say which task: make look TASK=04" >&2
    exit 2
fi
case $task in [1-9]) task=0$task ;; esac # as make grade reads it
mkdir -p "$to"
"$TOOLS/grade" --tools "$TOOLS" --compiler "${CC:-cc}" --student "$student" --class "$class" \
    --tasks "$tasks" --build "$TOOLS/tasks" --task "$task" --look "$to/$task.json"
page=$to/$task.html
{
    printf '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>%s: your run</title>\n' "$task"
    printf '<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>\n'
    cat "$style" "$from/look.css"
    printf '</style>\n<main id="page"><noscript>This page draws itself by a script.</noscript></main>\n'
    printf '<script type="application/json" id="data">\n'
    cat "$to/$task.json"
    printf '</script>\n<script>\n'
    cat "$from/look.js"
    printf '</script>\n'
} > "$page"
rm "$to/$task.json"
echo "your run of task $task is in $page"
