#!/bin/sh
# The wrong answers of wrong/, and what the grader says of them:
#   wrong.sh examples/coursework build/coursework cc table          a line for each: name, expected, named, element, why
#   wrong.sh examples/coursework build/coursework cc figures        how many say element, expected and came, and a name
#   wrong.sh examples/coursework build/coursework cc messages 7     20 messages drawn by this seed, without the answers
# A file holds the answers to one task. After "== NAME":
#   expect: the mistake's name, several with | between them where one is as true, or - where none of the lists' fits
#   variant: 1    graded as this variant
#   says: TEXT    the message's last line has this text: which terms are wrong, counted by hand
#   from: 0       the solution of variant 0 as it is; else "- " and "+ " lines, changes to it: see answers.awk
# KIND=stopped: those that end in a crash, or are refused. ONLY="04 05": these tasks. MADE=file: a table from before is taken, and nothing graded.
set -eu
from=$1 tools=$2 compiler=$3 what=$4 seed=${5:-1} kind=${KIND:-wrong}
work=$(mktemp -d "${TMPDIR:-/tmp}/coursework-wrong-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM
every() { # awk's further options
    for task in ${ONLY:-$(cd "$from/$kind" && ls | sed 's/\.txt$//')}; do
        source=$(ls "$from"/tasks/"$task"_*.c)
        [ -e "$work/$task.c" ] || awk -v variant=0 -f "$from/variant.awk" "$source" > "$work/$task.c"
        awk -v to="$work/answers" -v source="${source##*/}" "$@" -f "$from/answers.awk" "$from/$kind/$task.txt" "$work/$task.c"
    done
}
grade() {
    every -v list=1 | xargs mkdir -p
    every -v list=
    for variant in 0 1 2; do
        [ -d "$work/answers.$variant" ] || continue
        "$tools/grade" --tools "$tools" --compiler "$compiler" --submissions "$work/answers.$variant" --seed 1 \
            --csv "$work/marks.$variant.csv" --variant $variant --seconds 2 --jobs 2 > "$work/graded.txt" 2>&1 || cat "$work/graded.txt" >&2
    done
    find "$work" -path '*-feedback/*.txt' | sort | xargs awk '
        FNR == 1 {
            tell()
            name = FILENAME; sub(/.*\//, "", name); sub(/\.txt$/, "", name)
            task = substr(name, 1, 2); here = 0; first = ""; element = why = "-"
        }
        $0 ~ "^" task "  .*: [0-9]+ of [0-9]+ points$" { here = 1 }
        here && first == "" && /^    -> / { first = substr($0, 8); at = FNR }
        here && at && FNR == at + 1 { sub(/^ +/, ""); if (/ is .*; it should (be|come) /) element = $0; else why = $0 }
        here && at && FNR == at + 2 && element != "-" { sub(/^ +/, ""); why = $0 }
        END { tell() }
        function tell(    mistake) {
            if (name == "") return
            mistake = first; sub(/.*: /, "", mistake)
            print name "\t" (first == "" ? "full marks" : mistake) "\t" element "\t" why "\t" first
            at = 0
        }'
}
if [ -n "${MADE:-}" ]; then cp "$MADE" "$work/made.txt"; else grade > "$work/made.txt"; fi
# "name, expected, mistake, element, why, where: mistake"
awk -F '\t' '
    FILENAME != ARGV[ARGC - 1] {
        if (/^== /) { name = FILENAME; sub(/.*\//, "", name); name = substr(name, 1, 2) "-" substr($0, 4) }
        if (/^expect: /) expect[name] = substr($0, 9)
        if (/^says: /) says[name] = substr($0, 7)
        next
    }
    { print $1 "\t" expect[$1] "\t" $2 "\t" $3 "\t" $4 "\t" $5 "\t" says[$1] }' "$from/$kind"/*.txt "$work/made.txt" > "$work/table.txt"
case $what in
    made) cat "$work/made.txt" ;;
    table) cat "$work/table.txt" ;;
    figures) awk -F '\t' '
        { n++; element += $4 != "-" }
        { unnamed = $3 ~ /^(wrong |not finite|drifts away)/; right = index(" | " $2 " | ", " | " $3 " | ") > 0 }
        !unnamed && right { named++ }
        !unnamed && !right { untrue++; print "not expected: " $1 ": " $3 ", expected " $2 }
        unnamed && !right && index(" | " $2 " | ", " | - | ") == 0 { print "no name: " $1 ": " $3 ", expected " $2 }
        $4 == "-" { print "no element: " $1 }
        index($5, $7) == 0 { silent++; print "does not say \"" $7 "\": " $1 ": " $5 }
        END {
            printf "%d wrong answers: %d with element, expected and came; a true name in %d (%.0f %%); untrue ones %d\n", n, element,
                named, 100 * named / n, untrue
            exit n < 240 || element < n || named < 0.6 * n || untrue || silent
        }' "$work/table.txt" ;;
    messages) awk -F '\t' -v seed="$seed" '
        { line[NR] = $0 }
        END {
            srand(seed)
            for (k = 1; k <= 20 && k <= NR; k++) {
                i = k + int(rand() * (NR - k + 1))
                drawn = line[i]; line[i] = line[k]; split(drawn, part, "\t")
                printf "%d. task %s\n   %s\n   %s\n   %s\n\n", k, substr(part[1], 1, 2), part[6], part[4], part[5]
            }
        }' "$work/table.txt" ;;
esac
