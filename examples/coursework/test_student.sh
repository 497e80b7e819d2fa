# Sourced by test.sh: what a student sees in the copy: the path and its milestones, pages, predictions and hints, a task
# of the lecturer's own, the look at one's own run.

# ---- the path and its milestones ----

[ "$(points "$work/stub.txt" | cut -d ' ' -f 1 | tr '\n' ' ')" = "A1 01 02 03 04 05 A2 A3 A4 06 07 08 09 10 11 12 19 13 14 15 16 17 18 20 " ] &&
    grep -qx 'Next: A1 A tape of scalars: tasks/A1_scalar_tape.md' "$work/stub.txt" &&
    [ "$(grep -c '^      then `make ' "$work/stub.txt")" = 4 ]
check "make grade shows the path, its milestones and what is next" $? "$work/stub.txt"
! grep -q '^Next' "$work/full.txt" && [ "$(grep -c '^      `make ' "$work/full.txt")" = 4 ]
check "with full marks nothing is next" $? "$work/full.txt"
(cd "$work/copy" && make CC="$compiler" line) > "$work/stone.txt" 2>&1
[ $? != 0 ] && grep -q 'make grade TASK=A1' "$work/stone.txt"
check "without a tape there is no line" $? "$work/stone.txt"
cp "$from"/tasks/*.c "$work/copy/tasks/"
milestone() { # target, what it prints at the end
    (cd "$work/copy" && make CC="$compiler" "$1") > "$work/stone.txt" 2>&1 && grep -q "$2" "$work/stone.txt"
    check "milestone $1: $2" $? "$work/stone.txt"
}
milestone line 'your line: y = 1.9781 x -0.9973'
milestone xor 'Your engine has learnt XOR'
milestone recall 'Every question looks at its own key'
text_milestone() { # what it prints at the end; with the tools that were built for all tests, whose library is the faster one
    (cd "$work/copy" && TOOLS="$(cd "$root" && cd "$tools" && pwd)" sh milestones/run.sh text "$compiler" "$(cat student.txt 2> /dev/null)") > "$work/stone.txt" 2>&1 &&
        grep -q "$1" "$work/stone.txt"
    check "milestone text: $1" $? "$work/stone.txt"
}
# What the student's operations have learnt, from the last milestone's output: the library's loss, and lines of the poem.
learnt() { # the tasks that are the library's
    awk '/^the poem/ { near = $8 < 0.25 && $8 - $11 < 0.01 && $11 - $8 < 0.01 } END { exit !near }' "$work/stone.txt" &&
        [ "$(awk '$2 == "the" && $3 ~ /library/ { print $1 }' "$work/stone.txt" | tr '\n' ' ')" = "$1" ] &&
        grep -cxE 'When he nothing shines upon,|Then you show your little light,|Like a diamond in the sky.|Thanks you for your tiny spark:' "$work/stone.txt" > /dev/null
}
text_milestone 'differ by at most [0-9]e-1[0-9] of their size'
learnt ''
check "the student's operations learn a poem: $(grep '^the poem' "$work/stone.txt")" $? "$work/stone.txt"
# in other words, of another's variants, with one task not done
for answer in 05_float_sums 07_other_formula 09_float_sums 11_float; do
    awk -f "$from/block.awk" "$from/honest/$answer.txt" "$(ls "$from"/tasks/${answer%%_*}_*.c)" > "$work/copy/tasks/$(basename "$(ls "$from"/tasks/${answer%%_*}_*.c)")"
done
text_milestone 'differ by at most [0-9]e-0[5-9] of their size'
learnt ''
check "so do honest answers in other words: $(grep '^the poem' "$work/stone.txt")" $? "$work/stone.txt"
cp "$work"/ada/*.c "$work/copy/tasks/"
cp "$work/stubs/16_embedding.c" "$work/copy/tasks/"
echo ada > "$work/copy/student.txt"
text_milestone 'differ by at most [0-9]e-[01][0-9] of their size'
learnt '16 '
check "so do ada's variants, without an embedding: $(grep '^the poem' "$work/stone.txt")" $? "$work/stone.txt"
rm "$work/copy/student.txt"
cp "$work"/stubs/*.c "$work/copy/tasks/"

# ---- pages ----

# Of the lines read those that the first file holds and the second does not
lines_in() {
    awk 'FILENAME == ARGV[1] { text = text "\n" $0; next } FILENAME == ARGV[2] { given = given "\n" $0; next }
        index(text, $0) && !index(given, $0)' "$1" "$2" -
}
# What is wrong with the pages in a folder: one for each task, with a graph of the tape, gradients, hints and formula;
# nothing that a browser would load; no line of a solution, in whatever variant, but what the text gives away itself.
faults_of_pages() {
    for task in "$from"/tasks/*.c; do
        name=$(basename "$task" .c)
        page=$1/$name.html
        [ -s "$page" ] && grep -q "href=\"$name.html\"" "$1/index.html" || { echo "$name has no page"; continue; }
        grep -q '<text .*gradient [0-9]' "$page" && [ "$(grep -c '<details><summary>Hint' "$page")" = 3 ] &&
            [ "$(grep -c '<pre' "$page")" -ge 2 ] || echo "$name lacks a graph, hints or formula"
        grep -nE 'src=|href="[^"]*:|url\(|@import|<link|<script|<iframe' "$page"
        sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' "$page" > "$work/page.txt"
        cat "${task%.c}.md" "$from/hints/$name.txt" "$work/stubs/$name.c" > "$work/given.txt"
        awk '/--- solution \*\/$/ { on = 1; next } /--- student$/ { on = 0 } on && !/--- / { sub(/^ +/, ""); if (length > 11) print }' "$task" |
            lines_in "$work/page.txt" "$work/given.txt"
    done
}
cp "$from/tasks/04_softmax.c" "$work/copy/tasks/"
(cd "$work/copy" && make CC="$compiler" grade TASK=04 && make CC="$compiler" pages) > "$work/made.txt" 2>&1
check "in the copy, make pages works" $? "$work/made.txt"
faults_of_pages "$work/copy/build/pages" > "$work/faults.txt"
[ ! -s "$work/faults.txt" ]
check "every task has a page with graph, hints and formula, that loads nothing and holds no solution" $? "$work/faults.txt"
[ "$(grep -c '<p>10 of 10 points</p>' "$work/copy/build/pages/04_softmax.html")" = 1 ] &&
    grep -q '<td>0 of 20 points</td>' "$work/copy/build/pages/index.html"
check "the pages say what the last make grade said" $? "$work/copy/build/pages/index.html"
sh "$from/pages/make.sh" "$from" "$from/../common/page.css" "$work/pages" ada > "$work/made.txt" 2>&1 &&
    faults_of_pages "$work/pages" > "$work/faults.txt" && [ ! -s "$work/faults.txt" ] && ! grep -q ' of [0-9]* points<' "$work"/pages/*.html
check "so are those made from the tasks with their solutions, without a result" $? "$work/faults.txt"

# ---- predictions and hints ----

sed -n 's/^\([A0-9][0-9]\) = .*/\1/p' "$from/predictions.txt" | sort > "$work/a"
ls "$from"/tasks/*.c | sed 's|.*/||; s/_.*//' | sort | cmp -s - "$work/a" &&
    for task in "$from"/tasks/*.md; do grep -q '^\*\*Predict' "$task" && grep -q 'ANSWER=' "$task" || echo "$task"; done > "$work/lacks.txt" && [ ! -s "$work/lacks.txt" ]
check "every page has a prediction, and every prediction its answer" $? "$work/lacks.txt"
for copy in copy eves; do
    while read -r number variant rest; do
        [ $copy = copy ] || [ "$variant" != 0 ] || continue
        [ $copy = eves ] || variant=0
        answer=$(sed -n "s|^$number/$variant = ||p" "$from/predictions.txt")
        [ -n "$answer" ] || answer=$(sed -n "s|^$number = ||p" "$from/predictions.txt")
        (cd "$work/$copy" && sh predict.sh "$number" " $(echo "$answer" | sed 's/ / ,  /g') ") | grep -q '^Right' || echo "$copy $number $variant: $answer"
        (cd "$work/$copy" && sh predict.sh "$number" "$answer 7") | grep -q '^Not right' || echo "$copy $number: too much"
    done < "$work/evesvariants.txt"
done > "$work/lacks.txt" 2>&1
[ ! -s "$work/lacks.txt" ] && [ "$(wc -l < "$work/evesvariants.txt")" = "$tasks" ]
check "make predict: right answers are right, in each variant, others are not" $? "$work/lacks.txt"
(cd "$work/copy" && make predict TASK=4 ANSWER=1 && make predict TASK=4) > "$work/predict.txt" 2>&1
grep -q 'first answer stays the prediction: right: 0 0' "$work/predict.txt" && grep -q 'What is dx?' "$work/predict.txt"
check "make predict keeps the first answer, and asks when there is none" $? "$work/predict.txt"
! grep -rq '^04 = \|0 0' "$work/copy/predictions.sum"
check "what is right is not in the copy" $?
rm -f "$work/copy/tasks/predictions.txt"
for task in "$from"/tasks/*.md; do
    name=$(basename "$task" .md)
    words=$(sed '/^```/,/^```/d' "$task" | wc -w)
    [ "$words" -ge 300 ] && [ "$words" -le 580 ] || echo "$name: $words words"
    ! grep -n '<details\|<summary' "$task" || echo "$name spoils its hints in a terminal"
    # a line of a solution that is neither on the page nor in the stub, in the last hint
    sed '/\/\* /d' "$from/tasks/$name.c" | sed -n '/--- solution/,/--- student/p' | sed 's/^ *//; s/;$//; /---/d' | awk 'length > 14' > "$work/given.txt"
    sed -n '/^--- 3/,$p' "$from/hints/$name.txt" > "$work/page.txt"
    lines_in "$work/page.txt" /dev/null < "$work/given.txt" | sed "s/^/$name: the last hint is the answer: /"
done > "$work/lacks.txt"
[ ! -s "$work/lacks.txt" ]
check "pages have 300 to 580 words and hide nothing in details; no last hint is the answer" $? "$work/lacks.txt"

# ---- a task of one's own ----

mkdir -p "$work/own"
cp "$from/grader/tasks.c" "$from/own/grader/own.h" "$work/own/"
cp "$from"/tasks/*.c "$from"/own/tasks/*.c "$work/own/"
# shellcheck disable=SC2046,SC2086
$compiler -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -I. -I"$from" -I"$from/grader" -c "$work/own/tasks.c" -o "$work/own/tasks.o" > "$work/own.txt" 2>&1 &&
    $compiler $(ls "$tools"/*.o | grep -v -e '/tasks.o' -e '/runner.o') "$work/own/tasks.o" "$tools/libtapegrad.a" -o "$work/own/grade" -lm -pthread >> "$work/own.txt" 2>&1
grade_own() { "$work/own/grade" --tools "$tools" --compiler "$compiler" --tasks "$work/own" --build "$work/own/build" --task 21 > "$work/own.txt" 2>&1; }
[ -s "$work/own/grade" ] && rm "$work/own/tasks.c" && grade_own && grep -q 'RMS normalisation: 10 of 10 points' "$work/own.txt"
check "a task of one's own, RMSNorm, in $(find "$from/own" -type f | wc -l) files: its solution has full marks" $? "$work/own.txt"
sed 's/ - u\[j\] \* mean_du_u//' "$from/own/tasks/21_rms_norm.c" > "$work/own/21_rms_norm.c"
grade_own && grep -q '5 of 10 points' "$work/own.txt" && grep -q ': r treated as constant' "$work/own.txt"
check "its wrong answer has its name" $? "$work/own.txt"
awk -f "$from/strip.awk" "$from/own/tasks/21_rms_norm.c" > "$work/own/21_rms_norm.c"
grade_own && grep -q ' 0 of 10 points' "$work/own.txt" && ! grep -q warning "$work/own.txt"
check "its stub compiles and has none" $? "$work/own.txt"
mkdir -p "$work/own/from" "$work/own/tools"
cp -r "$from/tasks" "$from/hints" "$from/pages" "$from/variant.awk" "$work/own/from/"
cp -r "$from/own/tasks" "$from/own/hints" "$work/own/from/"
cp "$work/own/grade" "$work/own/tools/"
TOOLS="$work/own/tools" sh "$from/pages/make.sh" "$work/own/from" "$from/../common/page.css" "$work/own/pages" > "$work/own.txt" 2>&1 &&
    grep -q '<text .*gradient [0-9]' "$work/own/pages/21_rms_norm.html" && grep -q 'Of your own course' "$work/own/pages/index.html"
check "it has a page, under a heading of its own" $? "$work/own.txt"

# ---- a look at one's own run ----

# One of wrong/'s answers: task, name, folder to write it to
one_wrong() {
    one_source=$(ls "$from"/tasks/"$1"_*.c)
    mkdir -p "$work/answer.0/$1-$2"
    awk -v variant=0 -f "$from/variant.awk" "$one_source" > "$work/source.c"
    awk -v name="$2" '/^== / { on = $2 == name } on' "$from/wrong/$1.txt" > "$work/one_wrong.txt"
    awk -v to="$work/answer" -v source="$(basename "$one_source")" -f "$from/answers.awk" "$work/one_wrong.txt" "$work/source.c"
    cp "$work/answer.0/$1-$2/$(basename "$one_source")" "$3"
}

# The page of a task, of the solution or of a wrong answer: task, name of the wrong answer or ""
look() {
    rm -rf "$work/look"
    mkdir -p "$work/look"
    cp "$(ls "$from"/tasks/"$1"_*.c)" "$work/look/"
    [ -z "$2" ] || one_wrong "$1" "$2" "$work/look"
    TOOLS="$tools" CC="$compiler" sh "$from/pages/look.sh" "$from/pages" "$from/../common/page.css" "$1" "$work/looks" "$work/look" > "$work/look.txt" 2>&1 &&
        [ -s "$work/looks/$1.html" ] && ! grep -nE 'src=|href="[^"]*:|url\(|@import|<link|<iframe|fetch\(|XMLHttp' "$work/looks/$1.html" >> "$work/look.txt"
}
# The numbers of a page's data under a key, the k-th time that it comes
numbers_of() { grep -o "\"$2\":\\[[^]]*\\]" "$work/looks/$1.html" | sed -n "$3p" | sed 's/.*\[//; s/\]//' | tr ',' '\n'; }
for number in A1 A2 A3 A4 01 02 03 04 05 06 07 08 09 10 13 14 16 17 20; do
    look $number '' && grep -q '"failure":""' "$work/looks/$number.html" || { echo "$number has no page"; cat "$work/look.txt"; }
    for k in 1 2 3 4 5 6; do
        numbers_of $number mine $k > "$work/mine.txt"
        numbers_of $number mine_grad $k >> "$work/mine.txt"
        grep -q . "$work/mine.txt" && [ "$(grep -c . "$work/mine.txt")" -gt 0 ] && ! grep -q nan "$work/mine.txt" || [ $k -gt 1 ] || echo "$number shows nothing of one's own"
    done
done > "$work/faults.txt" 2>&1
[ ! -s "$work/faults.txt" ]
check "make look shows every operation and both tapes, and loads nothing" $? "$work/faults.txt"
look 03 not_summed
# b (5) of X (3, 5): the second Jacobian; 1 where the right one has 15 of them and only the first row's 5 come back
ones() { grep -c '^1$' "$work/ones.txt"; }
grep -o '"name":"b","result":"Y".*' "$work/looks/03.html" | grep -o '"mine":[^]]*' | sed 's/.*\[//' | tr ',' '\n' > "$work/ones.txt"
mine=$(ones)
grep -o '"name":"b","result":"Y".*' "$work/looks/03.html" | grep -o '"right":[^]]*' | sed 's/.*\[//' | tr ',' '\n' > "$work/ones.txt"
[ "$mine" = 5 ] && [ "$(ones)" = 15 ] && grep -q '"mistake":"not summed over the broadcast dim"' "$work/looks/03.html"
check "make look: of a row that was not summed 5 of 15 places are there" $? "$work/ones.txt"
look 06 mask_ignored
[ "$(numbers_of 06 right_grad 1 | grep -c '^0$')" = 5 ] && [ "$(numbers_of 06 mine_grad 1 | grep -c '^0$')" = 0 ]
check "make look: a mask that was not applied lets 5 elements through" $? "$work/look.txt"
look A1 mul_overwritten
[ "$(numbers_of A1 right_grad 1)" != "$(numbers_of A1 mine_grad 1)" ] && [ "$(numbers_of A1 right 1)" = "$(numbers_of A1 mine 1)" ]
check "make look: a gradient that was set in place of added to differs, its value does not" $? "$work/look.txt"
look 11 ''
[ $? != 0 ] && grep -q 'is no operation and no tape' "$work/look.txt"
check "make look says what it cannot show" $? "$work/look.txt"
awk '{ print } /^static int softmax_vjp/ { print "for (volatile int *p = 0; c; ) *p = 1;" }' "$from/tasks/04_softmax.c" > "$work/look/04_softmax.c"
TOOLS="$tools" CC="$compiler" sh "$from/pages/look.sh" "$from/pages" "$from/../common/page.css" 4 "$work/looks" "$work/look" > "$work/look.txt" 2>&1
grep -q '"failure":"[^"]*NULL pointer' "$work/looks/04.html"
check "make look says that the code ended" $? "$work/look.txt"
