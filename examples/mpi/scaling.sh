#!/usr/bin/env bash
# usage: scaling.sh BUILD: what a step of a GPT of 10 million weights would take on 2 to 1,024 ranks and three networks,
# from measured times; and the same model held against runs on these networks: two network namespaces, whose rate tc's
# tbf limits and whose delay comes from netem where the kernel has it, else from hold_back.c.
set -u
build=$(cd "$1" && pwd) here=$(cd "$(dirname "$0")" && pwd)
[ "$(id -u)" = 0 ] || { echo "mpi-scaling: network namespaces want root" >&2; exit 1; }
for tool in ip tc mpirun unshare; do
    command -v $tool >/dev/null || { echo "mpi-scaling: $tool is not there (iproute2, openmpi-bin, util-linux)" >&2; exit 1; }
done
work=$(mktemp -d) && cat README.md tests/README.md core/*.h >"$work/text" && cd "$work" || exit 1
a=tg$$a b=tg$$b
trap 'ip netns del $a; ip netns del $b; rm -rf "$work"' EXIT
export TG_THREADS=1 TMPDIR=$work OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# the two places, and how mpirun starts a program in the other one
ip netns add $a && ip netns add $b && ip link add ve$$a type veth peer name ve$$b &&
    ip link set ve$$a netns $a && ip link set ve$$b netns $b || exit 1
place() { # place NAMESPACE DEVICE ADDRESS
    ip -n "$1" addr add "$3/24" dev "$2" && ip -n "$1" link set "$2" up && ip -n "$1" link set lo up
}
place $a ve$$a 10.213.0.1 && place $b ve$$b 10.213.0.2 || exit 1
cat >agent <<END
#!/bin/sh
shift
exec ip netns exec $b unshare --uts sh -c "hostname $b; \$*"
END
chmod +x agent

# 6 layers, 6 heads, 384 wide, 256 tokens, as nanoGPT's character model; a shard is 8 windows, blocks are of 2 MiB
windows=8
gpt=(--text "$work/text" --layers 6 --heads 6 --width 384 --context 256 --block 2 --steps "${STEPS:-9}" --warmup 0
    --save "$work/x.safetensors")
program() { # program RANKS TIMES: the command
    echo "$build/gpt_mpi" "${gpt[@]}" --shards "$1" --batch $(($1 * windows)) --times "$2"
}
alone() { mpirun --bind-to none -np 1 $(program 1 "$1" | sed "s|x.safetensors|$1.safetensors|") >"$1.out" 2>&1; }

delayed=tbf
ip netns exec $a tc qdisc add dev ve$$a root netem delay 1ms 2>/dev/null && delayed=netem &&
    ip netns exec $a tc qdisc del dev ve$$a root
network() { # network MBIT MS TIMES: two ranks over it
    local hold=()
    for at in "$a ve$$a" "$b ve$$b"; do
        local ns=${at% *} dev=${at#* }
        tc -n "$ns" qdisc replace dev "$dev" root handle 1: tbf rate "$1mbit" burst $(($1 * 250 + 20000)) latency 50ms
        [ $delayed = netem ] && tc -n "$ns" qdisc replace dev "$dev" parent 1: netem delay "$2ms" limit 100000
    done
    [ $delayed = netem ] || hold=(-x LD_PRELOAD="$build/hold_back.so" -x HOLD_MS="$2")
    ip netns exec $a unshare --uts sh -c 'hostname "$0"; exec "$@"' $a timeout 500 mpirun --bind-to none -np 2 \
        --host 10.213.0.1:1,10.213.0.2:1 --mca plm_rsh_agent "$work/agent" --mca btl tcp,self \
        --mca btl_tcp_if_include 10.213.0.0/24 --mca oob_tcp_if_include 10.213.0.0/24 "${hold[@]}" \
        -x TG_THREADS -x TMPDIR $(program 2 "$3") >"$3.out" 2>&1 || { cat "$3.out" >&2; exit 1; }
}

# Two at once, so that each has as much of the machine as the ranks of a run have; then over the networks.
alone one & alone other
wait
[ -s one ] && [ -s other ] || { cat one.out other.out >&2; exit 1; }
sed "s/^\(alpha\|beta\).*//" one >compute
echo "a step's parts, from two runs of one rank at once; delays by $([ $delayed = netem ] && echo netem || echo hold_back.c)"
network 1000 1 gigabit_far
network 1000 0.1 gigabit
network 10000 0.1 ten_gigabit
awk -v windows=$windows -f "$here/scaling.awk" compute gigabit_far gigabit ten_gigabit
