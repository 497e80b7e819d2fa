#!/bin/sh
# usage: program_faults.sh FAULTED TRAIN
# Every system call of FAULTED (examples/train.c with the stand-in for the system), started new and resumed, fails in
# turn. It must end with status 0, or 1 and a line that says why; and the file must be whole.
faulted=$1 train=$2
cd "$(mktemp -d "${TMPDIR:-/tmp}/program_faults-XXXXXX")" || exit 1
small="--channels 4 --batch 2 --steps 3 --save-every 1"
$train $small --save old >/dev/null || exit 1
tried=0 wrong=0
for start in "$small --save run" "--resume run --steps 2 --save-every 1"; do
    cp old run
    FAULT_CALLS=$PWD/calls $faulted $start >/dev/null 2>&1 || exit 1
    calls=$(cat calls) n=1
    while [ $n -le $calls ]; do
        for error in 5 28; do # EIO, ENOSPC
            cp old run
            FAULT="$n $error" $faulted $start >out 2>err
            status=$? tried=$((tried + 1))
            if [ $status -gt 1 ] || { [ $status = 1 ] && ! grep -q '^train: ' err; } ||
                ! $train --resume run --steps 0 >/dev/null; then
                wrong=$((wrong + 1)); echo "call $n, error $error, $start: status $status: $(cat err)"
            fi
        done
        n=$((n + ${EVERY:-1}))
    done
done
$train --resume run --steps 1 >/dev/null
left=$(ls -A | grep -c '^\.tapegrad-')
echo "train: $tried faults, $wrong wrong, $left files left behind after the next save"
rm -r "$PWD"
[ $wrong = 0 ] && [ "$left" = 0 ]
