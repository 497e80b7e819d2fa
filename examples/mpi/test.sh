#!/usr/bin/env bash
# usage: test.sh BUILD [KILLS]: what examples/mpi promises, a line each; status 1 when one does not hold
set -u
build=$(cd "$1" && pwd) kills=${2:-20}
[ "$kills" -gt 0 ] 2>/dev/null || { echo "test.sh: KILLS is '$kills', but must be a whole number above 0" >&2; exit 2; }
gpt=$build/gpt gpt_mpi=$build/gpt_mpi
work=$(mktemp -d) && cp README.md "$work/text" && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
export TG_THREADS=1 TMPDIR=$work
[ "$(id -u)" = 0 ] && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
failed=0
model=(--width 32 --layers 2 --context 16)
small=(--text text "${model[@]}" --batch 16 --shards 8 --dropout 0.1)

row() { # row STATUS WHAT...: 0 holds
    [ "$1" = 0 ] || failed=1
    printf '%-6s %s\n' "$([ "$1" = 0 ] && echo ok || echo WRONG)" "${*:2}"
}
ranks() { # ranks N ARGUMENTS...
    timeout 300 mpirun --oversubscribe -np "$1" "$gpt_mpi" "${@:2}" >out 2>err
}
curve() { tr '\r' '\n' <out | grep held-out; }

# ---- the same bits ----

same() { # same WHAT N ARGUMENTS...: as what 1 rank left in one.safetensors and one.curve
    ranks "$2" "${@:3}" --save many.safetensors
    cmp -s one.safetensors many.safetensors && diff -q one.curve <(curve) >/dev/null
    row $? "$1, $2 ranks: every step's loss and all bits of the file as with 1 rank ($(md5sum <many.safetensors | cut -c1-8))"
}
all_ranks() { # all_ranks WHAT ARGUMENTS...
    ranks 1 "${@:2}" --steps 12 --eval-every 1 --save one.safetensors
    row $? "$1, 1 rank: $(curve | wc -l) losses ($(md5sum <one.safetensors | cut -c1-8))"
    curve >one.curve
    for n in 2 4 8; do same "$1" $n "${@:2}" --steps 12 --eval-every 1; done
}
all_ranks "text, dropout" "${small[@]}"
ranks 4 "${small[@]}" --steps 6 --schedule 12 --save half.safetensors
ranks 1 "${small[@]}" --steps 12 --schedule 12 --save one.safetensors
ranks 2 --text text --resume half.safetensors --steps 6 --save many.safetensors
cmp -s one.safetensors many.safetensors
row $? "6 steps with 4 ranks and 6 more with 2: the bits of 12 with 1"
all_ranks "llama, small blocks" --preset llama "${small[@]}" --block 0.01

# ---- and the right ones: windows of --tokens come in one order, whoever takes them ----

near() { # 12 losses as printed, in the fourth place at most one off
    paste <(grep -o 'loss [0-9.]*' one.curve) <(curve | grep -o 'loss [0-9.]*') | awk '{d = $2 - $4; if (d < 0) d = -d
        if (d > worst) worst = d} END {print worst + 0; exit !(NR == 12 && worst < 0.00015)}' >worst
}
loss() { sed -n "$1s/.*loss \([0-9.]*\).*/\1/p" one.curve; }
"$gpt" encode --text text --model one.safetensors --out ids.npy >/dev/null
tokens=(--tokens ids.npy --vocabulary 256 "${model[@]}" --batch 16 --lr 0.01 --warmup 0 --steps 12 --eval-every 1)
"$gpt" train "${tokens[@]}" --save one.safetensors >out 2>err
curve >one.curve
ranks 2 "${tokens[@]}" --save many.safetensors
near
row $? "gpt train, one process and one gradient, against 2 ranks: 12 losses, $(loss 1) to $(loss 12), differ by $(cat worst) at most"
ranks 2 "${tokens[@]}" --fast --save many.safetensors
near
row $? "the same with --fast: $(cat worst) at most"

# ---- what is refused: one line, from the rank that it is about ----

refused() { # refused RANK WHY MPIRUN'S ARGUMENTS...
    timeout 60 mpirun --oversubscribe "${@:3}" >out 2>err
    local status=$? lines
    lines=$(grep -ac 'gpt_mpi: ' err)
    [ $status != 0 ] && [ $status != 124 ] && [ "$lines" = 1 ] && grep -q "gpt_mpi: rank $1: .*$2" err
    row $? "status $status: $(grep -a 'gpt_mpi: ' err | head -n 2)"
}
refused 0 "cannot be shared by 3" -np 3 "$gpt_mpi" "${small[@]}"
refused 0 "power of two" -np 2 "$gpt_mpi" "${small[@]}" --shards 6
refused 0 "cannot be cut into 8" -np 4 "$gpt_mpi" "${small[@]}" --batch 4
refused 0 "no weight to be trained" -np 2 "$gpt_mpi" "${small[@]}" --freeze transformer
refused 0 "No such file" -np 2 "$gpt_mpi" --text text --resume nowhere.safetensors
refused 0 "nothing was changed" -np 2 "$gpt_mpi" --text text --resume text
refused 0 "is no option" -np 2 "$gpt_mpi" --nonsense
refused 0 "Not a directory\|No such file" -np 2 "$gpt_mpi" "${small[@]}" --save text/x
refused 0 "did not save" -np 2 "$gpt_mpi" "${small[@]}" --save text
head -c 9000 text >other
cp "$gpt_mpi" other_program && echo >>other_program
refused 1 "text is not the same" -np 1 "$gpt_mpi" "${small[@]}" : -np 1 "$gpt_mpi" "${small[@]}" --text other
refused 1 "No such file" -np 1 "$gpt_mpi" "${small[@]}" : -np 1 "$gpt_mpi" "${small[@]}" --text nowhere
refused 3 "program is not the same" -np 3 "$gpt_mpi" "${small[@]}" : -np 1 ./other_program "${small[@]}"
refused 1 "TG_ISA" -np 1 "$gpt_mpi" "${small[@]}" : -np 1 -x TG_ISA=reference "$gpt_mpi" "${small[@]}"
refused 1 "options" -np 1 "$gpt_mpi" "${small[@]}" : -np 1 "$gpt_mpi" "${small[@]}" --lr 0.1
wide=(--text text --width 1024 --batch 4 --steps 9)
refused 1 "memory\|Memory" -np 1 "$gpt_mpi" "${wide[@]}" : -np 1 bash -c 'ulimit -v 900000; exec "$@"' - "$gpt_mpi" "${wide[@]}"

# ---- ranks that are killed ----

# A rank is two processes: mpirun's child, which watches, and its child, which computes. Half of the kills meet MPI_Init.
kill_one() {
    local watcher victim seconds=$((RANDOM % 3)).$((RANDOM % 10))
    [ $((RANDOM % 2)) = 0 ] && seconds=0.$((RANDOM % 5))$((RANDOM % 10))
    mpirun --oversubscribe -np 4 "$gpt_mpi" "${small[@]}" --steps 1000000 --save-every 1 --save saved.safetensors >out 2>err &
    local mpi=$! began
    sleep "$seconds"
    # by its name alone: what mpirun forks bears mpirun's until it is a rank
    until watcher=$(pgrep -P $mpi -x gpt_mpi | shuf -n 1) && [ -n "$watcher" ] && victim=$(pgrep -P "$watcher"); do
        kill -0 $mpi 2>/dev/null || return
        sleep 0.01
    done
    [ $((RANDOM % 2)) = 0 ] && victim=$watcher
    began=$(date +%s%N)
    kill -9 $victim
    wait $mpi 2>/dev/null
    local status=$?
    took=$((($(date +%s%N) - began) / 1000000))
    [ $took -gt "$slowest" ] && slowest=$took
    [ $status != 0 ] && [ $took -lt 10000 ] && [ "$(cat out err | tr '\r' '\n' | grep -ac 'gpt_mpi: rank [0-3]: .*killed')" = 1 ] && clean=$((clean + 1))
    ranks 1 --text text --resume saved.safetensors --steps 1 --save next.safetensors && loadable=$((loadable + 1))
}
clean=0 loadable=0 slowest=0
ranks 1 "${small[@]}" --steps 1 --save saved.safetensors
for _ in $(seq "$kills"); do kill_one; done
[ $clean = "$kills" ] && [ $loadable = "$kills" ]
row $? "$kills kills of a random rank at a random moment: $clean ended with a status and one line (the slowest after $slowest ms), $loadable checkpoints went on"
exit $failed
