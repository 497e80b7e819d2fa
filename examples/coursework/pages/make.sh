#!/bin/sh
# Makes a page of each exercise, to read or to print: its text and formula, the graph of what the library recorded for it,
# hints, and what the last `make grade` said. They ask for nothing elsewhere; index.html leads to them.
#   make.sh examples/coursework page.css folder [student [class]]
# TOOLS is the folder of the built grader. Reports of the last grading are looked for in $TOOLS/reports.
set -eu
from=$1 style=$2 to=$3 student=${4:-} class=${5:-}
mkdir -p "$to/graphs"
of_student() { "$TOOLS/grade" --tools "$TOOLS" --compiler cc --student "$student" --class "$class" "$@"; }
of_student --graphs "$to/graphs"
of_student --list-variants 1 > "$to/variants.txt"

escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }
title_of() { sed -n 's/^# //p' "$(ls "$from"/tasks/"$1"_*.md)"; }
name_of() { basename "$(ls "$from"/tasks/"$1"_*.md)" .md; }
# "7 of 10 points", or "10 points"
points_of() {
    if [ -f "$TOOLS/reports/$1.txt" ]; then
        sed -n 's/^[A0-9][0-9]  .*: \([0-9]* of [0-9]* points\)$/\1/p' "$TOOLS/reports/$1.txt"
    else
        awk -v t="$1" '$1 == t { print $3 " points" }' "$to/variants.txt"
    fi
}
link_to() { [ -z "$1" ] || echo "<a href=\"$(name_of "$1").html\">$2$(title_of "$1")$3</a>"; }

head_of() { # title
    printf '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>%s</title>\n' "$1"
    printf '<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>\n'
    cat "$style" "$from/pages/style.css"
    printf '</style>\n'
}
hints_of() { # the file of hints
    echo "<section class=\"hints\">"
    echo "<h2>Hints</h2>"
    for step in 1 2 3; do
        printf '<details><summary>Hint %s of 3</summary>\n<p>' $step
        awk -v step=$step '/^--- [0-9]$/ { now = $2; next } now == step' "$1" | escape
        printf '</p></details>\n'
    done
    echo "</section>"
}
result_of() { # number, file
    report=$TOOLS/reports/$1.txt
    [ -f "$report" ] || return 0
    echo "<h2>Your result</h2>"
    echo "<p>$(points_of "$1")$([ -z "$(find "$2" -newer "$report")" ] || echo "; the file has changed since: <code>make grade</code>")</p>"
    echo "<details><summary>The report</summary>"
    echo "<pre tabindex=\"0\">$(sed 1,3d "$report" | escape)</pre></details>"
}
page() { # number, the one before, the one after
    name=$(name_of "$1") variant=$(awk -v t="$1" '$1 == t { print $2 }' "$to/variants.txt")
    head_of "$(title_of "$1")"
    echo "<nav aria-label=\"Exercises\"><a href=\"index.html\">All exercises</a> $(link_to "$2" '&larr; ' '') $(link_to "$3" '' ' &rarr;')</nav>"
    echo "<main>"
    awk -v variant="$variant" -f "$from/variant.awk" "$from/tasks/$name.md" | awk -f "$from/pages/text.awk"
    echo "<h2>The formula, at the top of the file</h2>"
    printf '<pre class="comment">'
    awk -v variant="$variant" -f "$from/variant.awk" "$from/tasks/$name.c" |
        awk 'sub(/^\/\* /, "") { on = 1 } /\*\// { exit } on { sub(/^ \*( |$)/, ""); print }' | escape
    echo "</pre>"
    echo "<h2>What the library records</h2>"
    echo "<p>A line for each tensor, in the order of the tape, with its shape; an arc from each input. Behind it, where it is kept, the norm" \
        "of the gradient that backward left there. Bold: a leaf that wants a gradient; italic: one that does not.</p>"
    sed 's/ role="img"//' "$to/graphs/$1.graph"
    hints_of "$from/hints/$name.txt"
    result_of "$1" "$from/tasks/$name.c"
    echo "</main>"
}
index() {
    head_of "Exercises"
    echo "<main><h1>Exercises</h1>"
    echo "<table><tr><th scope=\"col\">exercise</th><th scope=\"col\">points</th></tr>"
    for number in $numbers; do
        now=$(awk -v t="$number" '$1 == t { sub(/^[^ ]* [^ ]* [^ ]* /, ""); print }' "$to/variants.txt")
        [ "$now" = "${chapter:-}" ] || echo "<tr><th scope=\"rowgroup\" colspan=\"2\">$now</th></tr>"
        chapter=$now
        echo "<tr><td>$(link_to "$number" '' '')</td><td>$(points_of "$number")</td></tr>"
    done
    echo "</table></main>"
}

numbers=$(awk '{ print $1 }' "$to/variants.txt")
set -- '' $numbers ''
while [ $# -gt 2 ]; do
    page "$2" "$1" "$3" > "$to/$(name_of "$2").html"
    shift
done
index > "$to/index.html"
rm -r "$to/graphs" "$to/variants.txt"
echo "the exercises' pages are in $to; open $to/index.html"
