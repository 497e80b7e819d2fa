#!/bin/sh
# What the programs of the tests and the smallest examples are given: a number of things to try is one above 0, or they
# end with status 2 and one line; a file that cannot be written is named, with the reason. And the lists of make help and make lab.
#   usage: tests/arguments.sh BUILD, from the top folder, with build/kill, false_alarms, faults, fuzz_programs, fuzz_calls,
#          backward
build=${1:-build}
out=$(mktemp) && trap 'rm -f "$out"' EXIT
fail() { echo "arguments: $*" >&2; exit 1; }
one_line() { [ "$(wc -l < "$out")" = 1 ] || { cat "$out" >&2; fail "not one line: $*"; }; }

for number in abc 0 -3 5x 2.5 99999999999999999999; do
    for program in "kill $number" "kill 1 $number" "false_alarms $number" "false_alarms 1 $number"; do
        $build/$program > "$out" 2>&1
        [ $? = 2 ] || fail "$program is not refused"
        one_line "$program"
    done
    FAULT_SEEDS=$number $build/faults cos > "$out" 2>&1
    [ $? = 2 ] || fail "FAULT_SEEDS=$number is not refused"
    one_line "FAULT_SEEDS=$number"
    make -s B=$build toggle TOGGLES=$number > "$out" 2>&1 && fail "make toggle TOGGLES=$number is not refused"
    grep -q "toggle: TOGGLES is '$number'" "$out" || fail "make toggle does not name $number"
done
for number in abc 0 -3 5x; do
    for program in fuzz_programs fuzz_calls; do
        $build/$program --count $number > "$out" 2>&1
        [ $? = 2 ] || fail "$program --count $number is not refused"
    done
done

$build/backward /nowhere/graph.svg > "$out" 2>&1
[ $? = 1 ] || fail "backward drew into a folder that is not there"
grep -qx 'backward: /nowhere/graph.svg: No such file or directory' "$out" || fail "backward: $(tail -n 1 "$out")"
$build/backward /dev/full > "$out" 2>&1
[ $? = 1 ] || fail "backward drew on a full disk"
grep -q '^backward: /dev/full: ' "$out" || fail "backward: $(tail -n 1 "$out")"

# every_program_test has the examples
if [ -w /dev/full ]; then
    for program in "kill 1" "false_alarms 1" "fuzz_programs --count 1" "fuzz_programs --help" "faults cos"; do
        FAULT_SEEDS=1 $build/$program > /dev/full 2> "$out" && fail "$program ends with status 0 on a full disk"
        grep -q 'could not write the output' "$out" || fail "$program does not say that the disk is full"
    done
fi

for wrong in --hepl "a.svg b.svg"; do
    $build/backward $wrong > "$out" 2>&1
    [ $? = 2 ] || fail "backward $wrong is not refused"
    one_line "backward $wrong"
done
$build/backward --help 2> /dev/null > "$out" || fail "backward --help fails"
grep -q '^usage: build/backward' "$out" || fail "backward --help does not say how to call it"
[ -e --help ] || [ -e --hepl ] || [ -e a.svg ] && fail "backward wrote a file named as an option"

{ make -s help; make -s lab; } > "$out"
for target in all lib examples test amalgamation-test; do
    grep -q "^  $target  *[a-z]" "$out" || fail "make help does not list $target"
done
grep '^  ' "$out" | grep -v '^  [a-z-]* *' && fail "make help: these are no targets"
grep '^  ' "$out" | cut -c 20-21 | grep -v '^ [^ ]' && fail "make help: a name is too long for its column"
echo "arguments: refused where they should be, with a reason"
