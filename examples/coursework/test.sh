#!/bin/sh
# Tests the exercises: test.sh examples/coursework build/coursework "cc -I. -I..." build/libtapegrad.a
# Solutions have full marks, stubs none; each wrong answer loses points in its own task only and gets its diagnosis;
# what crashes, hangs, leaves or prints costs its own task. Last line: N passed, N failed.
set -u
from=$1 tools=$2 compiler=$3 library=$4
work=$(mktemp -d "${TMPDIR:-/tmp}/coursework-test-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT INT TERM
passed=0 failed=0
full=150

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

grade() { # folder of tasks, folder to build in, more options
    tasks=$1 build=$2
    shift 2
    "$tools/grade" --tools "$tools" --compiler "$compiler" --tasks "$tasks" --build "$build" --seconds 2 "$@"
}

# "04 10" for every task of a report: its points
points() { awk '$1 ~ /^[0-9][0-9]$/ && / \/ / { for (i = 2; i < NF; i++) if ($i == "/") { print $1, $(i - 1); break } }' "$1"; }
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
[ "$(total "$work/full.txt")" = $full ]
check "the solutions have full marks" $? "$work/full.txt"

for seed in 7 1234; do
    grade "$from/tasks" "$work/full" --seed $seed > "$work/seed.txt" 2>&1
    [ "$(total "$work/seed.txt")" = $full ]
    check "the solutions have full marks on other data (seed $seed)" $? "$work/seed.txt"
done

# ---- the student's copy ----

make_copy() { sh "$from/copy.sh" "$from" "$library" "$1"; }

make_copy "$work/copy" > "$work/copy.txt" 2>&1
check "a student's copy is made" $? "$work/copy.txt"
make_copy "$work/copy" > "$work/again.txt" 2>&1
[ $? != 0 ] && grep -q "not an empty folder" "$work/again.txt"
check "a folder that is not empty is refused" $? "$work/again.txt"
grep -rl -e '--- solution' "$work/copy" > "$work/leak.txt"
[ ! -s "$work/leak.txt" ]
check "no solution is in the copy" $? "$work/leak.txt"

for task in "$work"/copy/tasks/*.c; do
    # shellcheck disable=SC2086
    $compiler -std=c11 -Wall -Wextra -O1 -fsyntax-only "$task"
done > "$work/warnings.txt" 2>&1
[ ! -s "$work/warnings.txt" ]
check "the stubs compile without a warning" $? "$work/warnings.txt"

(cd "$work/copy" && make grade) > "$work/stub.txt" 2>&1
[ "$(total "$work/stub.txt")" = 0 ] && [ "$(grep -c 'not started' "$work/stub.txt")" = 12 ]
check "in the copy, make grade works and the stubs have no point" $? "$work/stub.txt"

cp "$from/tasks/04_softmax.c" "$work/copy/tasks/"
(cd "$work/copy" && make grade) > "$work/one.txt" 2>&1
same_but "$work/stub.txt" "$work/one.txt" 04 && [ "$(points_of "$work/one.txt" 04)" = 10 ]
check "in the copy, one task solved has its points" $? "$work/one.txt"
(cd "$work/copy" && make grade TASK=04) > "$work/one.txt" 2>&1
grep -q "10 of 10 points" "$work/one.txt"
check "in the copy, make grade TASK=04 shows one task" $? "$work/one.txt"

# ---- wrong answers ----

# The solutions with one task replaced by the file $2; the report goes to $work/wrong.txt.
with_answer() { # task number, file
    name=$(basename "$from"/tasks/"$1"_*.c)
    rm -rf "$work/mine"
    mkdir "$work/mine"
    cp -p "$from"/tasks/*.c "$work/mine/"
    cp "$2" "$work/mine/$name"
    rm -f "$work/full/${name%.c}.so"
    grade "$work/mine" "$work/full" > "$work/wrong.txt" 2>&1
}

costs_only() { # task number
    same_but "$work/full.txt" "$work/wrong.txt" "$1" && [ -n "$(points_of "$work/wrong.txt" "$1")" ] &&
        [ "$(points_of "$work/wrong.txt" "$1")" -lt "$(points_of "$work/full.txt" "$1")" ]
}

for answer in "$from"/wrong/*.txt; do
    task=$(sed -n 's/^task: //p' "$answer") expect=$(sed -n 's/^expect: //p' "$answer")
    if ! awk -f "$from/mutate.awk" "$answer" "$from"/tasks/"$task"_*.c > "$work/answer.c" 2> "$work/mutate.txt"; then
        check "$(basename "$answer" .txt): fits the solution" 1 "$work/mutate.txt"
        continue
    fi
    with_answer "$task" "$work/answer.c"
    costs_only "$task"
    check "$(basename "$answer" .txt): costs points in task $task only" $? "$work/wrong.txt"
    grade "$work/mine" "$work/full" --task "$task" > "$work/long.txt" 2>&1
    grep '^    -> ' "$work/long.txt" | head -1 | grep -qF ": $expect"
    check "$(basename "$answer" .txt): diagnosis: $expect" $? "$work/long.txt"
    rm -f "$work"/full/"$task"_*.so
done

# ---- code that misbehaves ----

# Task 04 with something else at the start of its VJP.
misbehave() { # name, C statement, what the report has to say
    awk -v add="$2" '{ print } /^static int softmax_vjp/ { print add }' "$from/tasks/04_softmax.c" > "$work/answer.c"
    with_answer 04 "$work/answer.c"
    costs_only 04 && grep -q "$3" "$work/wrong.txt"
    check "$1" $? "$work/wrong.txt"
}
head='#include <stdio.h>'

misbehave "a crash" "*(volatile int *)16 = 1;" "NULL pointer"
misbehave "an endless loop" "for (volatile int i = 0; i < 1;) { }" "loop that does not end"
misbehave "endless recursion" "if (c) return softmax_vjp(c) + 1;" "segmentation fault"
misbehave "exit()" "extern void exit(int); exit(0);" "exit(0)"
misbehave "a corrupted heap" "extern void *malloc(size_t); extern void free(void *); char *p = malloc(8); for (int i = -16; i < 64; i++) ((volatile char *)p)[i] = 7; free(p); (void)malloc(4000);" "memory"
misbehave "a double free" "extern void *malloc(size_t); extern void free(void *); char *volatile p = malloc(8); char *volatile q = p; free(p); free(q);" "abort"
misbehave "a read past the end" "return 1 - (((volatile const double *)c->output_grad)[15] > -1e300);" "past the end of output_grad: element 15"
misbehave "all memory" "extern void *calloc(size_t, size_t); while (1) { volatile char *p = calloc(1 << 20, 16); p[0] = 1; }" "NULL pointer"
misbehave "an error returned" "if (c) return 3;" "returned 3"
misbehave "writing into the grader's pipe" "extern long write(int, const void *, size_t); for (int fd = 1; fd < 20; fd++) write(fd, \"04  Softmax 10 / 10\\\\n\", 20);" "pipe"
misbehave "a library operation in place of one's own" "tg_tensor softmax = tg_softmax(TG_NULL, 0); (void)softmax;" "tg_softmax is not there"
misbehave "an error of the compiler" "int n = \"four\" this is not C;" "error:"

awk '{ print } /^static int softmax_vjp/ { print "printf(\"  04  Softmax   10 / 10\\n  05  Cross-entropy  99 / 10\\n\");" }
     /^#include/ && !done { print "#include <stdio.h>"; done = 1 }' "$from/tasks/04_softmax.c" |
    sed 's/dx\[j\] += .*/;/' > "$work/answer.c"
with_answer 04 "$work/answer.c"
costs_only 04 && [ "$(points_of "$work/wrong.txt" 04)" = 0 ] && ! grep -q 99 "$work/wrong.txt"
check "printing points gives none, and does not disturb the report" $? "$work/wrong.txt"

sed 's/softmax_op/softmx_op/' "$from/tasks/04_softmax.c" > "$work/answer.c"
with_answer 04 "$work/answer.c"
costs_only 04 && grep -q "softmax_op is not there" "$work/wrong.txt"
check "an operation that is not there" $? "$work/wrong.txt"

# ---- a lecturer's folder ----

mkdir -p "$work/all/best/tasks" "$work/all/stub" "$work/all/has, \"comma\"" "$work/all/nothing" "$work/all/broken"
cp "$from"/tasks/*.c "$work/all/best/tasks/"
for task in "$from"/tasks/*.c; do awk -f "$from/strip.awk" "$task" > "$work/all/stub/$(basename "$task")"; done
cp "$from/tasks/01_chain_rule.c" "$work/all/has, \"comma\"/"
echo 'this is not C' > "$work/all/broken/04_softmax.c"
cp "$from/tasks/02_matmul.c" "$work/all/broken/"
mkfifo "$work/all/broken/03_broadcasting.c"
sh "$from/grade_all.sh" "$tools" "$compiler" "$work/all" "$work/marks.csv" > "$work/all.txt" 2>&1
[ "$(wc -l < "$work/marks.csv")" -eq 6 ] && grep -q '^name,01 (10),02 (10),.*,total (150),note' "$work/marks.csv" &&
    grep -q "^\"best\",10,10,.*,$full,\"\"" "$work/marks.csv" && grep -q '^"stub",0,0,.*,0,' "$work/marks.csv" &&
    grep -q '^"has, ""comma""",10,0,' "$work/marks.csv" && grep -q '^"nothing",0,' "$work/marks.csv" &&
    grep -q '^"broken",0,10,0,0,.*03 missing; 04 does not compile' "$work/marks.csv"
check "grade-all writes a row for every submission" $? "$work/marks.csv"
sh "$from/grade_all.sh" "$tools" "$compiler" "$work/all" "$work/marks2.csv" > "$work/all.txt" 2>&1
cmp -s "$work/marks.csv" "$work/marks2.csv"
check "grade-all gives the same marks again" $?
for bad in "$work/no such folder" "$work/all/nothing"; do
    sh "$from/grade_all.sh" "$tools" "$compiler" "$bad" "$work/marks3.csv" > "$work/all.txt" 2>&1
    [ $? != 0 ] && grep -q "grade: " "$work/all.txt" && [ ! -e "$work/marks3.csv" ]
    check "grade-all says what is wrong with $(basename "$bad")" $? "$work/all.txt"
done
sh "$from/grade_all.sh" "$tools" "$compiler" "$work/all" "$work/no/marks.csv" > "$work/all.txt" 2>&1
[ $? != 0 ] && grep -q "cannot write" "$work/all.txt"
check "grade-all says when the CSV cannot be written" $? "$work/all.txt"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
