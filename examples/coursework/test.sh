#!/bin/sh
# Tests the exercises: test.sh examples/coursework build/coursework cc
# Solutions have full marks in every variant, stubs none; each wrong answer loses points in its own task only and gets
# its diagnosis; honest answers in other words have full marks, hostile ones none for what they did not compute, and
# leave neither a process nor a file. Last line: N passed, N failed.
set -u
from=$1 tools=$2 compiler=$3
root=$(pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/coursework-test-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM
passed=0 failed=0
full=$("$tools/grade" --tools "$tools" --compiler "$compiler" --list-variants 1 | awk '{ sum += $3 } END { print sum }')
tasks=$(ls "$from"/tasks/*.c | wc -l)
export TOOLS="$tools"

check() { # name, then the exit status of what was tested
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
        printf '  ok      %s\n' "$1"
    else
        failed=$((failed + 1))
        printf '  FAILED  %s\n' "$1"
        if [ $# -gt 2 ]; then sed 's/^/          /' "$3" | head -40; fi
    fi
}

quick="$compiler -O0" # compiles in half the time; where an answer's text alone matters
by=$compiler
grade() { # folder of tasks, folder to build in, more options
    mine=$1 build=$2
    shift 2
    "$tools/grade" --tools "$tools" --compiler "$by" --tasks "$mine" --build "$build" --seconds 2 "$@"
}
grade_all() { # folder of submissions, CSV, more options
    submissions=$1 csv=$2
    shift 2
    "$tools/grade" --tools "$tools" --compiler "$by" --submissions "$submissions" --csv "$csv" --seconds 2 --seed 1 --jobs 2 "$@"
}

# "04 10" for every task of a report: its points
points() { awk '$1 ~ /^[A0-9][0-9]$/ && / \/ / { for (i = 2; i < NF; i++) if ($i == "/") { print $1, $(i - 1); break } }' "$1"; }
total() { awk '$1 == "total" { print $2 }' "$1"; }
# Do two reports have the same points in every task but one?
same_but() {
    points "$1" | grep -v "^$3 " > "$work/a"
    points "$2" | grep -v "^$3 " > "$work/b"
    cmp -s "$work/a" "$work/b"
}
points_of() { points "$1" | awk -v t="$2" '$1 == t { print $2 }'; }

# ---- solutions ----

grade "$from/tasks" "$work/full" > "$work/full.txt" 2>&1
[ "$(total "$work/full.txt")" = "$full" ] && [ "$full" -ge 150 ]
check "the solutions have full marks ($full)" $? "$work/full.txt"

for seed in 7 1234; do
    grade "$from/tasks" "$work/full" --seed $seed > "$work/seed.txt" 2>&1
    [ "$(total "$work/seed.txt")" = "$full" ]
    check "the solutions have full marks on other data (seed $seed)" $? "$work/seed.txt"
done

by=$quick

# ---- variants ----

# The solutions of variant $2, in the folder $1; of a task that has no such variant, as it is.
make_variant() {
    cp -rp "$from/tasks" "$1"
    for task in $(grep -le "--- variant $2" "$from"/tasks/*.c); do
        awk -v variant="$2" -f "$from/variant.awk" "$task" > "$1/$(basename "$task")"
    done
}
for variant in 1 2; do
    make_variant "$work/variant$variant" $variant
    cp -rp "$work/full" "$work/full$variant"
    grade "$work/variant$variant" "$work/full$variant" --variant $variant > "$work/variant.txt" 2>&1
    [ "$(total "$work/variant.txt")" = "$full" ]
    check "the solutions of variant $variant have full marks" $? "$work/variant.txt"
done
grade "$work/variant1" "$work/full1" > "$work/other.txt" 2>&1
points "$work/other.txt" > "$work/others.txt"
points "$work/full.txt" | grep -xFf - "$work/others.txt" > "$work/same.txt"
[ ! -s "$work/same.txt" ] && [ "$(wc -l < "$work/others.txt")" = "$tasks" ]
check "those of variant 1 lose points in every task of variant 0" $? "$work/same.txt"

# The solutions of a student's variants: folder, name
make_variants() {
    mkdir -p "$1"
    "$tools/grade" --tools "$tools" --compiler "$compiler" --list-variants 1 --student "$2" > "$work/variants.txt"
    while read -r number variant rest; do
        awk -v variant="$variant" -f "$from/variant.awk" "$from/tasks/$number"_*.c > "$1/$(basename "$from/tasks/$number"_*.c)"
    done < "$work/variants.txt"
}
for student in ada grace karen lise; do
    "$tools/grade" --tools "$tools" --compiler "$compiler" --list-variants 1 --student $student
done | awk '{ print $1, $2 }' | sort -u | cut -d ' ' -f 1 | uniq -d > "$work/differ.txt"
[ "$(wc -l < "$work/differ.txt")" = "$tasks" ]
check "every task differs between four students" $? "$work/differ.txt"

# sin(x^3) of one whose variant it is, by pow(): another last digit than that of x * x * x
make_variants "$work/eve" eve
cp "$work/variants.txt" "$work/evesvariants.txt"
sed 's/cos(x\[0\] \* x\[0\] \* x\[0\])/cos(pow(x[0], 3))/' "$work/eve/01_chain_rule.c" > "$work/pow.c"
cmp -s "$work/pow.c" "$work/eve/01_chain_rule.c"
differs=$?
mv "$work/pow.c" "$work/eve/01_chain_rule.c"
for seed in 1 2 3; do grade "$work/eve" "$work/eve.build" --student eve --task 01 --seed $seed; done > "$work/variant.txt" 2>&1
[ $differs = 1 ] && [ "$(grep -c '10 of 10 points' "$work/variant.txt")" = 3 ]
check "sin(x^3) may be differentiated with pow(x, 3)" $? "$work/variant.txt"

# What the gradient checker of one who is to count mistakes answers, written down for questions in the order of a table
make_variants "$work/ada" ada
sed 's/^ *return wrong;/static int calls; return wrong - wrong + (int[]){0, 1, 1, 1, 1, 2, 1}[calls++ % 7];/' \
    "$work/ada/18_gradient_check.c" > "$work/table.c"
mkdir -p "$work/table"
cp "$work/table.c" "$work/table/18_gradient_check.c"
grade "$work/table" "$work/table.build" --student ada --task 18 > "$work/variant.txt" 2>&1
grep -q calls "$work/table.c" && grep -q '18 .*: 0 of 10 points' "$work/variant.txt"
check "answers without looking do not pass as a gradient check" $? "$work/variant.txt"

# ---- options ----

refused() { # what it says, then options
    says=$1
    shift
    grade "$from/tasks" "$work/full" "$@" > "$work/refused.txt" 2>&1
    [ $? = 2 ] && [ "$(wc -l < "$work/refused.txt")" = 1 ] && grep -q "^grade: $says" "$work/refused.txt"
    check "refused in one line: $*" $? "$work/refused.txt"
}
for seed in abc "" 1e3 -1 99999999999999999999; do refused "the seed has to be a whole number" --task 01 --seed "$seed"; done
refused "there is no folder $work/none" --tasks "$work/none"
mkdir "$work/empty"
grade "$work/empty" "$work/empty" --json "$work/none/results.json" > "$work/refused.txt" 2>&1
[ $? = 2 ] && grep -q "^grade: cannot write $work/none/results.json" "$work/refused.txt"
check "results.json that cannot be written: said, and the exit status" $? "$work/refused.txt"

# ---- the student's copy ----

make_copy() { sh "$from/copy.sh" "$from" "$@"; }

make_copy "$work/copy" > "$work/copy.txt" 2>&1
check "a student's copy is made" $? "$work/copy.txt"
make_copy "$work/copy" > "$work/again.txt" 2>&1
[ $? != 0 ] && grep -q "not an empty folder" "$work/again.txt"
check "a folder that is not empty is refused" $? "$work/again.txt"
(cd "$work/copy" && make -f Makefile grade) > "$work/again.txt" 2>&1
[ $? != 0 ] && grep -q 'needs GNU make: gmake grade' "$work/again.txt"
check "in the copy, a make that is not GNU's asks for it by name" $? "$work/again.txt"
grep -rl -e '--- solution' "$work/copy" > "$work/leak.txt"
[ ! -s "$work/leak.txt" ]
check "no solution is in the copy" $? "$work/leak.txt"

(cd "$work/copy" && make CC="$compiler" OPT=-O0 grade) > "$work/stub.txt" 2>&1
[ "$(total "$work/stub.txt")" = 0 ] && [ "$(grep -c 'not started' "$work/stub.txt")" = $((tasks - 1)) ] # 13 has its bugs
check "in the copy, which builds from source, make grade works and the stubs have no point" $? "$work/stub.txt"
! grep -q 'warning:' "$work"/copy/build/reports/*.txt && [ "$(ls "$work"/copy/build/reports | wc -l)" = "$tasks" ]
check "the stubs compile without a warning" $?
sed '/ \/ /q' "$work/stub.txt" | grep -q '^compiling the library'
check "in the copy, the first make grade says that it compiles" $? "$work/stub.txt"
find "$work/copy" \( -name '*.a' -o -name '*.o' -o -name '*.so' \) ! -path '*/build/*' > "$work/built.txt"
[ ! -s "$work/built.txt" ]
check "nothing compiled is in the copy" $? "$work/built.txt"
for n in 1 2 3; do (cd "$work/copy" && make hint TASK=04); done > "$work/hints.txt" 2>&1
[ "$(grep -c 'Hint [123] of 3' "$work/hints.txt")" = 3 ] && [ "$(sort -u "$work/hints.txt" | wc -l)" -ge 6 ]
check "make hint gives three hints, one after another" $? "$work/hints.txt"
(cd "$work/copy" && make hint TASK=5 && make hint TASK=05) > "$work/hints.txt" 2>&1
[ "$(grep 'Hint [123] of 3' "$work/hints.txt" | tr '\n' ' ')" = "Hint 1 of 3 for task 05 Hint 2 of 3 for task 05 " ]
check "make hint TASK=5 is TASK=05, as for make grade" $? "$work/hints.txt"
for no in x 99; do
    (cd "$work/copy" && make hint TASK=$no) 2>&1 | grep '^hint: ' | sed 's/^hint: //' > "$work/hints.txt"
    (cd "$work/copy" && make CC="$compiler" grade TASK=$no) 2>&1 | grep '^grade: ' | sed 's/^grade: //' > "$work/graded.txt"
    grep -q "^there is no task $no; they are A1 " "$work/hints.txt" && cmp -s "$work/hints.txt" "$work/graded.txt"
    check "make hint TASK=$no says what make grade says" $? "$work/hints.txt"
done
(cd "$work/copy" && make hint) 2>&1 | grep -q "say which task"
check "make hint without a task asks for one" $?
for task in "$from"/tasks/*.c; do
    name=$(basename "$task" .c)
    { [ "$(grep -c '^--- [123]$' "$from/hints/$name.txt")" = 3 ] && grep -q '^```' "$from/tasks/$name.md"; } || echo "$name"
done > "$work/lacks.txt" 2>&1
[ ! -s "$work/lacks.txt" ]
check "every task has three hints and a page with a picture" $? "$work/lacks.txt"
make_copy "$work/eves" eve > "$work/copy.txt" 2>&1 && ! grep -rq -e '--- variant' "$work/eves/tasks"
check "a student's own variants are made" $? "$work/copy.txt"
for variant in 0 1 2; do
    awk -v variant=$variant -f "$from/variant.awk" "$from/tasks/02_matmul.c" | awk -f "$from/strip.awk" | grep -o 'add to dA.*'
done > "$work/shapes.txt"
printf 'add to dA (%s) and to dB (%s)\n' 'n, k' 'k, m' 'n, k' 'm, k' 'k, n' 'k, m' | cmp -s - "$work/shapes.txt"
check "the stub of 02 says how each variant's dA and dB are stored" $? "$work/shapes.txt"

cp -r "$work/copy/tasks" "$work/stubs"
cp "$from/tasks/04_softmax.c" "$work/copy/tasks/"
(cd "$work/copy" && make CC="$compiler" grade) > "$work/one.txt" 2>&1
same_but "$work/stub.txt" "$work/one.txt" 04 && [ "$(points_of "$work/one.txt" 04)" = 10 ]
check "in the copy, one task solved has its points" $? "$work/one.txt"
(cd "$work/copy" && make CC="$compiler" grade TASK=04) > "$work/one.txt" 2>&1
grep -q "10 of 10 points" "$work/one.txt" && ! grep -q '^compiling' "$work/one.txt"
check "in the copy, make grade TASK=04 shows one task" $? "$work/one.txt"

cp "$work/stubs/04_softmax.c" "$work/copy/tasks/"
touch -t 202001010000 "$work/copy/tasks/04_softmax.c"
(cd "$work/copy" && make CC="$compiler" grade TASK=04) > "$work/one.txt" 2>&1
grep -q " 0 of 10 points" "$work/one.txt"
check "in the copy, a file from before is compiled again" $? "$work/one.txt"
cp "$from/tasks/04_softmax.c" "$work/copy/tasks/"
name='a"b $(no) `no` '"o'brien"
printf '%s\n' "$name" | tee "$work/copy/student.txt" > "$work/copy/class.txt"
for what in grade pages; do (cd "$work/copy" && make CC="$compiler" $what TASK=A1) > "$work/one.txt" 2>&1 || break; done
check "in the copy, a name may hold quotes" $? "$work/one.txt"
rm "$work/copy/student.txt" "$work/copy/class.txt"
STUDENT="$name" DIR="$work/quoted" make -s coursework CC="$compiler" > "$work/one.txt" 2>&1 &&
    [ "$(cat "$work/quoted/student.txt")" = "$name" ]
check "so may one of make coursework" $? "$work/one.txt"
(cd "$work/copy" && make CC="$compiler" grade TASK=04) > "$work/one.txt" 2>&1

# shellcheck source=test_student.sh
. "$from/test_student.sh"

# ---- wrong answers ----

# The solutions, all or some, with one task replaced by the file $2; the report goes to $work/wrong.txt.
with_answer() { # task number, file, folder of solutions, report of these
    name=$(basename "$from"/tasks/"$1"_*.c)
    beside=$4
    rm -rf "$work/mine"
    cp -rp "$3" "$work/mine"
    cp "$2" "$work/mine/$name"
    grade "$work/mine" "$work/full" > "$work/wrong.txt" 2>&1
}

costs_only() { # task number
    same_but "$beside" "$work/wrong.txt" "$1" && [ -n "$(points_of "$work/wrong.txt" "$1")" ] &&
        [ "$(points_of "$work/wrong.txt" "$1")" -lt "$(points_of "$beside" "$1")" ]
}

# What costs other tasks points, if anything does: the tasks whose code others run with, and 04 for the rest. The first
# answer of each.
for task in A2 04 08 09 11; do
    first=$(sed -n 's/^== //p' "$from/wrong/$task.txt" | head -1)
    one_wrong "$task" "$first" "$work/first.c"
    with_answer "$task" "$work/first.c" "$from/tasks" "$work/full.txt"
    costs_only "$task"
    check "$task-$first: costs points in task $task only" $? "$work/wrong.txt"
done
wrong_answers() { KIND=$1 MADE=${3:-} sh "$from/wrong.sh" "$from" "$tools" "$quick" "$2"; }
one_by_one() { # the table of a kind: expected, or one of what is as true
    while IFS="$(printf '\t')" read -r name expect mistake element why; do
        case " | $expect | " in
            *" | $mistake | "*) true ;;
            *" | - | "*) case $mistake in wrong\ * | not\ finite | drifts\ away) true ;; *) false ;; esac ;;
            *) false ;;
        esac
        check "$name: $mistake" $?
    done < "$1"
}
wrong_answers wrong made > "$work/made.txt" 2> "$work/made.err"
[ ! -s "$work/made.err" ]
check "wrong answers: each fits its solution, and is graded" $? "$work/made.err"
wrong_answers wrong table "$work/made.txt" > "$work/table.txt"
one_by_one "$work/table.txt"
wrong_answers wrong figures "$work/made.txt" > "$work/figures.txt"
check "$(tail -1 "$work/figures.txt")" $? "$work/figures.txt"
wrong_answers stopped table > "$work/stopped.txt" 2>&1
one_by_one "$work/stopped.txt"

# ---- code that misbehaves ----

# Task 04 with something else at the start of its VJP, between 03 and 05.
mkdir "$work/three"
cp -p "$from"/tasks/0[345]_*.c "$work/three/"
grade "$work/three" "$work/full" > "$work/three.txt" 2>&1
misbehave() { # name, C statement, what the report has to say
    awk -v add="$2" '{ print } /^static int softmax_vjp/ { print add }' "$from/tasks/04_softmax.c" > "$work/answer.c"
    with_answer 04 "$work/answer.c" "$work/three" "$work/three.txt"
    costs_only 04 && grep -q "$3" "$work/wrong.txt"
    check "$1" $? "$work/wrong.txt"
}
misbehave "a crash" "*(volatile int *)16 = 1;" "NULL pointer"
misbehave "an endless loop" "for (volatile int i = 0; i < 1;) { }" "loop that does not end"
misbehave "endless recursion" "if (c) return softmax_vjp(c) + 1;" "segmentation fault"
misbehave "exit()" "extern void exit(int); exit(0);" "exit(0)"
misbehave "a corrupted heap" "extern void *malloc(size_t); extern void free(void *); char *p = malloc(8); for (int i = -16; i < 64; i++) ((volatile char *)p)[i] = 7; free(p); (void)malloc(4000);" "memory"
misbehave "a double free" "extern void *malloc(size_t); extern void free(void *); char *volatile p = malloc(8); char *volatile q = p; free(p); free(q);" "abort"
misbehave "abort()" "extern void abort(void); abort();" "a failed assert(), a call of abort()"
misbehave "too much scratch memory" "for (int i = 0; i < 9; i++) (void)course_keep(\"u\", 1, 1);" "at most 8 arrays for one call"
misbehave "a read past the end" "return 1 - (((volatile const double *)c->output_grad)[15] > -1e300);" "past the end of output_grad: element 15"
misbehave "all memory" "extern void *calloc(size_t, size_t); while (1) { volatile char *p = calloc(1 << 20, 16); p[0] = 1; }" "all memory (1024 MB) is taken"
misbehave "a malloc that failed" "extern void *malloc(size_t); volatile char *p = malloc((size_t)1 << 40); p[0] = 1;" "one that was never set, or malloc()'s"
misbehave "an error returned" "if (c) return 3;" "returned 3"
misbehave "writing into the grader's pipe" "extern long write(int, const void *, size_t); for (int fd = 1; fd < 20; fd++) write(fd, \"04  Softmax 10 / 10\\\\n\", 20);" "pipe"
misbehave "a library operation in place of one's own" "tg_tensor softmax = tg_softmax(TG_NULL, 0); (void)softmax;" "tg_softmax is not there"
misbehave "an error of the compiler" "int n = \"four\" this is not C;" "error:"

awk '{ print } /^static int softmax_vjp/ { print "printf(\"  04  Softmax   10 / 10\\n  05  Cross-entropy  99 / 10\\n\");" }
     /^#include/ && !done { print "#include <stdio.h>"; done = 1 }' "$from/tasks/04_softmax.c" |
    sed 's/dx\[j\] += .*/;/' > "$work/answer.c"
with_answer 04 "$work/answer.c" "$work/three" "$work/three.txt"
costs_only 04 && [ "$(points_of "$work/wrong.txt" 04)" = 0 ] && ! grep -q 99 "$work/wrong.txt"
check "printing points gives none, and does not disturb the report" $? "$work/wrong.txt"

sed 's/softmax_op/softmx_op/' "$from/tasks/04_softmax.c" > "$work/answer.c"
with_answer 04 "$work/answer.c" "$work/three" "$work/three.txt"
costs_only 04 && grep -q "softmax_op is not there" "$work/wrong.txt"
check "an operation that is not there" $? "$work/wrong.txt"

# ---- a lecturer's folder ----

mkdir -p "$work/all/best/tasks" "$work/all/stub" "$work/all/has, \"comma\"" "$work/all/nothing" "$work/all/broken"
cp "$from"/tasks/*.c "$work/all/best/tasks/"
cp "$work"/stubs/0[1-3]_*.c "$work/all/stub/"
cp "$from/tasks/01_chain_rule.c" "$work/all/has, \"comma\"/"
echo 'this is not C' > "$work/all/broken/04_softmax.c"
cp "$from/tasks/02_matmul.c" "$work/all/broken/"
ln -s ../best/tasks "$work/all/nothing/tasks"
mkfifo "$work/all/broken/03_broadcasting.c"
ln -s "$root/$from/tasks/05_cross_entropy.c" "$work/all/broken/"
cp "$from/tasks/06_masking.c" "$work/all/broken/06_masking (1).c"
head -c 3000000 /dev/zero > "$work/all/broken/07_layer_norm.c"
mv "$work/all/nothing" "$work/all/no$(printf '\033[2J\302\233\377')
thing"
SEED=1 sh "$from/grade_all.sh" "$tools" "$quick" "$work/all" "$work/marks.csv" > "$work/all.txt" 2>&1
[ "$(wc -l < "$work/marks.csv")" -eq 6 ] && grep -q "^name,A1 (10),A2 (20),.*,01 (10),02 (10),.*,total ($full),note" "$work/marks.csv" &&
    grep -q "^\"best\",10,20,.*,$full,\"\"" "$work/marks.csv" && grep -q '^"stub",0,0,.*,0,' "$work/marks.csv" &&
    grep -q '^"has, ""comma""",0,0,0,0,10,0,' "$work/marks.csv" && grep -q '^"no .*thing",0,' "$work/marks.csv" &&
    grep -q '^"broken",0,0,0,0,0,10,0,0,.*; 04 does not compile' "$work/marks.csv"
check "grade-all writes a row for every submission" $? "$work/marks.csv"
grep -qF '03 not taken: not a regular file; 04 does not compile; 05 not taken: a link; 06 missing: its name has to be 06_masking.c; 07 not taken: larger than 1 MB; 08 missing;' "$work/marks.csv"
check "grade-all says why a file was not taken" $? "$work/marks.csv"
grep -q '^"no.*thing",0,.*"A1 not taken: its folder is a link; ' "$work/marks.csv" && iconv -f UTF-8 -t UTF-8 "$work/marks.csv" > /dev/null
check "grade-all says that a folder is a link, and writes UTF-8 whatever a name is" $? "$work/marks.csv"
! LC_ALL=C grep -q "$(printf '[\001-\011\013-\037\200-\377]')" "$work/all.txt" && grep -qF '  no?[2J????thing' "$work/all.txt"
check "what a folder's name would do to a terminal is shown as ?" $? "$work/all.txt"
JOBS=2 sh "$from/grade_all.sh" "$tools" "$quick" "$work/all" "$work/marks2.csv" > "$work/all.txt" 2>&1
cmp -s "$work/marks.csv" "$work/marks2.csv" && grep -q "the data are those of SEED=[0-9]\{4,\}, which was drawn" "$work/all.txt"
check "grade-all gives the same marks with another, secret seed, and with two at a time; the seed is printed" $? "$work/all.txt"

# A copy's data: by the student's name; a table of what comes on a neighbour's does not fit
for who in ada eve ada; do
    grade "$work/stubs" "$work/stubs.build" --task 02 --variant 0 --student $who | grep -m 1 'should be'
done > "$work/data.txt"
grade "$work/stubs" "$work/stubs.build" --task 02 | grep -m 1 'should be' >> "$work/data.txt"
[ "$(sed -n 1p "$work/data.txt")" = "$(sed -n 3p "$work/data.txt")" ] && [ "$(sort -u "$work/data.txt" | wc -l)" = 3 ]
check "each student's copy has data of its own, the same each time" $? "$work/data.txt"

# Names: as people and platforms write them
mkdir -p "$work/class/Ada_4711_assignsubmission_file_" "$work/class/GRACE" "$work/class/nobody" "$work/class/karen-late"
printf 'ada\ngrace\nkaren\n' > "$work/names.txt"
cp "$work/ada/04_softmax.c" "$work/ada/02_matmul.c" "$work/class/Ada_4711_assignsubmission_file_/"
cp "$work/ada/04_softmax.c" "$work/ada/02_matmul.c" "$work/ada/05_cross_entropy.c" "$work/class/GRACE/"
VARIANTS=1 NAMES="$work/names.txt" sh "$from/grade_all.sh" "$tools" "$quick" "$work/class" "$work/class.csv" > "$work/all.txt" 2>&1
grep -q '^"Ada_4711_assignsubmission_file_",.*,20,"' "$work/class.csv" && grep -q '^"nobody",.*none of the names of the class' "$work/class.csv" &&
    grep '^"karen-late"' "$work/class.csv" | grep -qv 'none of the names'
check "a file of names: folders in another case, and with what a platform adds" $? "$work/class.csv"
grep -q '^"GRACE",.*fits* the variants of ada"' "$work/class.csv"
check "whose variants a submission fits is said" $? "$work/class.csv"

# Predictions: the first answer of each task, by the lecturer's list; what the file says of itself does not count
printf '04 wrong: 0 1\n04 right: 0 0\n05 right: 2 0\n06/1 right: 0 2\n01 right: 6\nXX right: 3\n' > "$work/class/GRACE/predictions.txt"
ln -s "$root/$from/predictions.txt" "$work/class/karen-late/predictions.txt"
NAMES="$work/names.txt" sh "$from/grade_all.sh" "$tools" "$quick" "$work/class" "$work/class.csv" > "$work/all.txt" 2>&1
grep -q '^"GRACE",.*; 2 of 4 predictions right, not 04 06"' "$work/class.csv" && [ "$(grep -c 'predictions right' "$work/class.csv")" = 1 ] &&
    grep -qx '2 of 4 predictions right, not 04 06' "$work/class-feedback/GRACE.txt" &&
    [ "$(grep -c 'predicted wrongly by 1$' "$work/class-summary.txt")" = 2 ]
check "grade-all says how many predictions were right, and of which tasks they were not" $? "$work/class.csv"

# A budget for a submission
mkdir -p "$work/slow/endless"
for task in "$from"/tasks/*.c; do sed 's/^static int \([a-z0-9_]*_vjp\)(const tg_call \*c) {/&\nfor (volatile int i = 0; i < 1;) { }/' "$task" > "$work/slow/endless/$(basename "$task")"; done
"$tools/grade" --tools "$tools" --compiler "$quick" --submissions "$work/slow" --csv "$work/slow.csv" --seconds 1 --budget 3 > "$work/all.txt" 2>&1
grep -q "not graded: the submission's time is used up" "$work/slow.csv" && grep -q 'endless loop' "$work/slow.csv"
check "a submission has a budget" $? "$work/slow.csv"
SEED=1
export SEED
for bad in "$work/no such folder" "$work/all/stub"; do
    sh "$from/grade_all.sh" "$tools" "$quick" "$bad" "$work/marks3.csv" > "$work/all.txt" 2>&1
    [ $? != 0 ] && grep -q "grade: " "$work/all.txt" && [ ! -e "$work/marks3.csv" ]
    check "grade-all says what is wrong with $(basename "$bad")" $? "$work/all.txt"
done
sh "$from/grade_all.sh" "$tools" "$quick" "$work/all" "$work/no/marks.csv" > "$work/all.txt" 2>&1
[ $? != 0 ] && grep -q "cannot write" "$work/all.txt"
check "grade-all says when the CSV cannot be written" $? "$work/all.txt"

for what in feedback/best.txt feedback/broken.txt summary.txt; do [ -s "$work/marks-$what" ]; done &&
    grep -q 'does not compile' "$work/marks-feedback/broken.txt" && grep -q '04  Softmax' "$work/marks-summary.txt" &&
    grep -q ' 1  does not compile' "$work/marks-summary.txt" && [ ! -e "$work/marks.unfinished" ]
check "grade-all writes a feedback file for each, and a summary" $? "$work/marks-summary.txt"

# Half of the rows and a torn one, as a power cut leaves them: the rest is graded, what was there is not touched.
head -3 "$work/marks.csv" | sed '2s/,0,/,7,/' > "$work/torn.csv"
printf '"has, ""comm' >> "$work/torn.csv"
printf 'seed 1 variants 0 \n' > "$work/torn.unfinished"
grade_all "$work/all" "$work/torn.csv" > "$work/torn.txt" 2>&1
[ "$(wc -l < "$work/torn.csv")" -eq 6 ] && [ "$(sed -n 2,3p "$work/torn.csv")" = "$(sed -n 2,3p "$work/marks.csv" | sed '1s/,0,/,7,/')" ] &&
    [ "$(grep -c 'before the interruption' "$work/torn.txt")" = 2 ] && [ ! -e "$work/torn.unfinished" ]
check "an interrupted grading goes on" $? "$work/torn.txt"
mkdir -p "$work/killed" # what a killed grader leaves behind
rm "$work"/all/best/tasks/[A1]*
grade_all "$work/all" "$work/few.csv" > "$work/killed.txt" 2>&1
TMPDIR="$work/killed" grade_all "$work/all" "$work/killed.csv" > "$work/killed.txt" 2>&1 &
pid=$!
n=0
while [ $n -lt 2400 ] && ! grep -q '^"best"' "$work/killed.csv" 2> /dev/null; do n=$((n + 1)); sleep 0.05; done
kill -9 $pid $(ps -o pid= --ppid $pid 2> /dev/null) 2> /dev/null
wait $pid 2> /dev/null
rows=$(wc -l < "$work/killed.csv")
grade_all "$work/all" "$work/killed.csv" > "$work/killed.txt" 2>&1
[ "$rows" -ge 2 ] && cmp -s "$work/killed.csv" "$work/few.csv"
check "rows are there at once: killed after the first, it goes on to the same marks" $? "$work/killed.txt"

# ---- hand-ins as they come ----

mkdir -p "$work/come/nested/homework 3/mine/tasks" "$work/come/nested/homework 3/build/tasks" "$work/come/inside" "$work/come/plain" "$work/z/a [1]/tasks" "$work/z/build/tasks"
cp "$from/tasks/04_softmax.c" "$work/come/nested/homework 3/mine/tasks/"
echo 'not this' > "$work/come/nested/homework 3/build/tasks/04_softmax.c"
cp "$from/tasks/04_softmax.c" "$work/z/a [1]/tasks/"
echo 'not this' > "$work/z/build/tasks/04_softmax.c"
ln -s "$root/$from/tasks/05_cross_entropy.c" "$work/z/a [1]/tasks/05_cross_entropy.c"
head -c 3000000 /dev/zero > "$work/z/a [1]/tasks/07_layer_norm.c"
cp "$from/tasks/02_matmul.c" "$work/come/plain/"
(cd "$work/z" && tar -czf "$work/come/tarred.tar.gz" . && tar -czf "$work/come/inside/all.tgz" .)
if command -v zip > /dev/null && command -v unzip > /dev/null; then (cd "$work/z" && zip -qry "$work/come/zipped.zip" .); else cp "$work/come/tarred.tar.gz" "$work/come/zipped.tar.gz"; fi
for round in 1 2; do
    sh "$from/grade_all.sh" "$tools" "$quick" "$work/come" "$work/come$round.csv" > "$work/come$round.txt" 2>&1
done
k=$(head -1 "$work/come1.csv" | tr ',' '\n' | grep -n '^04 ' | cut -d : -f 1)
for name in nested tarred inside zipped; do
    [ "$(grep "^\"$name\"" "$work/come1.csv" | cut -d , -f "$k")" = 10 ] && [ "$(grep "^\"$name\"" "$work/come1.csv" | grep -c '07 not taken: larger\|nested')" = 1 ] &&
        [ ! -s "$work/come/$name/tasks/05_cross_entropy.c" ] && grep -q "^unpacked: $name\|^unpacked: .*$name" "$work/come1.txt" || echo "$name"
done > "$work/lacks.txt"
[ ! -s "$work/lacks.txt" ] && [ "$(wc -l < "$work/come1.csv")" = 6 ] && [ -z "$(ls -d "$work/come/plain/tasks" 2> /dev/null)" ]
check "grade-all unpacks nested and zipped hand-ins, and takes the task files alone" $? "$work/come1.csv"
cmp -s "$work/come1.csv" "$work/come2.csv" && ! grep -q '^unpacked' "$work/come2.txt"
check "once unpacked they stay as they are" $? "$work/come2.txt"

# ---- Gradescope ----

mkdir -p "$work/scope/submission" "$work/scope/results"
cp "$work/ada/04_softmax.c" "$work/scope/submission/"
printf '{"title": "\\"email\\": \\"grace\\"", "users":\n[ {"email" : "ada", "id": 3}, {"email": "grace"} ]}' > "$work/scope/submission_metadata.json"
AUTOGRADER="$work/scope" SOURCE="$root" TOOLS="$tools" CC="$compiler" sh "$from/gradescope/run_autograder" > "$work/scope.txt" 2>&1
grep -q '"score": 10, ' "$work/scope/results/results.json" && [ "$(grep -c '"max_score"' "$work/scope/results/results.json")" = "$tasks" ]
check "run_autograder writes Gradescope's results.json, by the variants of the first e-mail address" $? "$work/scope.txt"
rm -r "$work/scope/results/results.json" "$work/scope/submission_metadata.json"
AUTOGRADER="$work/scope" SOURCE="$root" TOOLS="$tools" CC="$compiler" sh "$from/gradescope/run_autograder" > "$work/scope.txt" 2>&1
[ $? != 0 ] && [ ! -e "$work/scope/results/results.json" ] && grep -q 'no e-mail address' "$work/scope.txt"
check "run_autograder says that it knows no e-mail address" $? "$work/scope.txt"

# ---- honest answers in other words ----

by=$compiler

# Submissions of one task each: folder of answers, folder to make
make_answers() {
    for answer in "$from/$1"/*.txt; do
        source=$(ls "$from"/tasks/"$(sed -n 's/^task: //p' "$answer")"_*.c)
        mkdir -p "$2/$(basename "$answer" .txt)"
        awk -v root="$root" -f "$from/block.awk" "$answer" "$source" > "$2/$(basename "$answer" .txt)/$(basename "$source")"
    done
}
row_of() { grep "^\"$1\"," "$2"; }
total_of() { row_of "$1" "$2" | awk -F, -v k=$((tasks + 2)) '{ print $k }'; }

make_answers honest "$work/honest"
grade_all "$work/honest" "$work/honest.csv" > "$work/honest.txt" 2>&1
for answer in "$from"/honest/*.txt; do
    name=$(basename "$answer" .txt)
    [ "$(total_of "$name" "$work/honest.csv")" = "$(points_of "$work/full.txt" "$(sed -n 's/^task: //p' "$answer")")" ]
    check "honest: $name: $(sed -n 's/^why: //p' "$answer")" $? "$work/honest-feedback/$name.txt"
done

# ---- hostile ones ----

make_answers hostile "$work/hostile"
mkdir -p "$work/hostile/link_to_file/tasks" "$work/hostile/link_to_folder" "$work/hostile/fifo"
ln -s "$root/$from/tasks/04_softmax.c" "$work/hostile/link_to_file/tasks/04_softmax.c"
ln -s "$root/$from/tasks/04_softmax.c" "$work/hostile/link_to_file/04_softmax.c"
ln -s "$root/$from/tasks" "$work/hostile/link_to_folder/tasks"
ln -s "$root/$from" "$work/hostile/link_itself"
mkfifo "$work/hostile/fifo/04_softmax.c"
left_behind() { # processes and files
    ps -eo pid=,args= | grep "$work" | grep -v -e grep -e test.sh
    ps -eo pid=,args= | grep '/[r]unner \(filter\|open\)' | grep -F "$(cd "$tools" && pwd)/"
    grep -s ' 2057200813 \|^2057200813 ' /proc/sysvipc/shm # shared_segment.txt's
    ls -d /tmp/tapegrad-hostile* /dev/shm/tapegrad-hostile "$tools"/tapegrad-hostile "$work"/tmp/* 2> /dev/null
}
try_hostile() { # CSV, then options
    mkdir -p "$work/tmp"
    TMPDIR="$work/tmp" grade_all "$work/hostile" "$1" "$2" "$3" --seconds 1 > "$work/hostile.txt" 2>&1
    check "hostile submissions: grading ends well ($2 $3)" $? "$work/hostile.txt"
    [ "$(wc -l < "$1")" -eq $(($(ls "$work/hostile" | wc -l) + 1)) ]
    check "hostile submissions: a row for each of $(ls "$work/hostile" | wc -l)" $? "$1"
    ! LC_ALL=C grep -rlq "$(printf '[\001-\011\013-\037\177]')" "${1%.csv}-feedback"
    check "hostile submissions: nothing that a terminal obeys is in what is written of them" $?
    left_behind > "$work/left.txt"
    [ ! -s "$work/left.txt" ]
    check "hostile submissions: no process and no file is left" $? "$work/left.txt"
}
try_hostile "$work/hostile.csv" --filter on
for name in $(ls "$work/hostile"); do
    answer="$from/hostile/$name.txt" most=0 says=
    [ -e "$answer" ] && most=$(sed -n 's/^points: //p' "$answer") says=$(sed -n 's/^says: //p' "$answer")
    [ "$(total_of "$name" "$work/hostile.csv")" -le "${most:-0}" ] &&
        { [ -z "$says" ] || grep -qF -e "$says" "$work/hostile-feedback/$name.txt"; }
    check "hostile: $name gets at most ${most:-0}: $(sed -n 's/^why: //p' "$answer" 2> /dev/null)" $? "$work/hostile-feedback/$name.txt"
done

# Without the filter of system calls: what may kill the grader then is left out, and what makes no system call; everything
# else has to hold.
for answer in $(grep -l '^filter: needed' "$from"/hostile/*.txt) "$from"/hostile/basis_* "$from"/hostile/differences_* "$from"/hostile/*include_*; do
    rm -rf "$work/hostile/$(basename "$answer" .txt)"
done
if [ "$(id -u)" != 0 ] || [ -d /sys/fs/cgroup/pids ] || grep -qw pids /sys/fs/cgroup/cgroup.controllers 2> /dev/null; then
    try_hostile "$work/open.csv" --filter off
    awk -F, -v k=$((tasks + 2)) 'NR > 1 { gsub(/"/, "", $1); print $1, $k }' "$work/open.csv" > "$work/open.txt"
    while read -r name got; do
        most=$(sed -n 's/^points: //p' "$from/hostile/$name.txt" 2> /dev/null)
        [ "$got" -le "${most:-0}" ] || echo "$name has $got points"
    done < "$work/open.txt" > "$work/many.txt"
    [ ! -s "$work/many.txt" ]
    check "hostile submissions have no more points without the filter" $? "$work/many.txt"
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
