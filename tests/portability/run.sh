#!/usr/bin/env bash
# usage: [SUITES="ops_test ..."] run.sh BUILD LIMIT [PLATFORM...]: builds the library and the suites (all that can be
# run) for each platform whose compiler is here, runs what runs here, by itself or under qemu-user, at most LIMIT seconds
# a suite, and prints a row each
set -u
unset MAKEFLAGS # of the make that called
build=$1 limit=$2
shift 2
platforms=$(sed 's/ *#.*//' <<'END'
x86-64        gcc                          -
i686          i686-linux-gnu-gcc           -
musl          musl-gcc                     -             # x86-64
aarch64       aarch64-linux-gnu-gcc        qemu-aarch64
armhf         arm-linux-gnueabihf-gcc      qemu-arm
riscv64       riscv64-linux-gnu-gcc        qemu-riscv64
ppc64el       powerpc64le-linux-gnu-gcc    qemu-ppc64le
s390x         s390x-linux-gnu-gcc          qemu-s390x
windows       x86_64-w64-mingw32-gcc-posix wine
wasm          clang                        node          # 128-bit vectors; no threads, no files
aarch64-macos zig                          -             # ZIG="python -m ziglang"; nothing here runs it
x86_64-macos  zig                          -
END
)
# these start programs of the examples, which would want the emulator too
left_out='.*_program|train_terminal|report'
# not for Windows: what POSIX alone says of files and limits (save crash io_fault serialize), signals and forks (threads
# thread_fault), mapped files (fuzz_replay), a program that is not built there (gpt tokens)
not_windows='(save|crash|io_fault|serialize|threads|thread_fault|fuzz_replay|gpt|tokens)_test'
# not for WebAssembly: those of files (hostile_core writes to /dev/null too), of threads and of programs
not_wasm='(memory|gradcheck_print)_test'
not_wasm+='|(save|crash|io_fault|serialize|malformed|layout|packed|npy|hostile|hostile_core|hostile_optim|outside|run|train|fuzz_replay|names|rules|custom_optim)_test'
not_wasm+='|(tokens|bpe|wordpiece|encoder|gpt|gpt_finetune|gpt_import|gpt_ends|llama_folder)_test|(threads|thread_fault|toggle|parallel|custom|pool)_test'
zig=${ZIG:-zig}
suites=${SUITES:-$(cd tests && ls ./*_test.c | sed 's|^./||; s|\.c$||' | grep -vE "^($left_out)_test$")}
n_suites=$(wc -w <<<"$suites")

row() { printf '%-13s %-9s %-7s %7s %7s  %s\n' "$@"; }

# A compiler's own archiver where it has one. Static, so that no system of that platform is needed to run it. The library
# as it is shipped; the suites hardly optimized, which takes a third of the time.
compile() { # compile COMPILER FOLDER SUITES...
    local ar=${1%gcc*}ar cc=$1 extra=-Itests/portability with=(LDFLAGS=-static) suites_too=()
    command -v "$ar" >/dev/null || ar="ar"
    case $2 in # clang and zig tell the platform by a flag
    *-macos) cc="$zig cc -target ${2##*/}" ar="$zig ar" with=() suites_too=(CPPFLAGS=-D_DARWIN_C_SOURCE) ;; # mkdtemp
    */wasm) cc="clang --target=wasm32-wasi" ar=llvm-ar extra+=" -msimd128"
        with=(LDFLAGS=-Wl,-z,stack-size=4194304 LDLIBS=-lm CPPFLAGS="-DTG_NO_THREADS -DTG_NO_FILES") ;;
    esac
    with+=(-k -s -j"$(nproc)" CC="$cc" AR="$ar" B="$2" EXTRA="$extra" CHECK_LIBS=)
    with=(make "${with[@]}")
    "${with[@]}" "$2/libtapegrad.a" >"$2.log" 2>&1 && "${with[@]}" "${suites_too[@]}" OPT=-O1 "${@:3}" >>"$2.log" 2>&1
}

# Wine in a folder of its own, which no program but this one's uses, and without a screen.
begin_wine() {
    export WINEPREFIX=$PWD/$build/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" DISPLAY=
    wineboot -i >/dev/null 2>&1
}

try() { # try PLATFORM COMPILER EMULATOR
    local folder=$build/$1 log=$build/$1.tests how=$3 chosen=$suites exe= built=0 ran=0 passed=0 failed=0 late=0 run wrong
    [ "$2" = zig ] && command -v ${zig%% *} >/dev/null || command -v "$2" >/dev/null || { row "$1" - - - - "not tried: $2 is missing"; return; }
    mkdir -p "$folder"
    [ "$how" != wine ] || { exe=.exe chosen=$(tr ' ' '\n' <<<"$suites" | grep -vxE "$not_windows"); }
    [ "$how" != node ] || chosen=$(tr ' ' '\n' <<<"$suites" | grep -vxE "$not_wasm")
    compile "$2" "$folder" $(printf "$folder/%s " $chosen)
    [ -e "$folder/libtapegrad.a" ] || { row "$1" no - - - "$2: $(grep -m 1 -oE 'error: .*' "$folder.log")"; return; }
    built=$(ls "$folder"/*_test$exe 2>/dev/null | wc -l)
    if [ "$2" = zig ]; then row "$1" "$built/$n_suites" - - - "$zig cc -target $1: linked, not run"; return
    elif [ "$how" = node ]; then emulator="node tests/portability/wasi.mjs"
    elif [ "$how" = - ]; then how=natively; emulator=
    elif emulator=$(command -v "$how"); then :
    else row "$1" "$built/$n_suites" - - - "not run: $how is missing"; return; fi
    : >"$log"
    [ "$how" != wine ] || begin_wine
    for suite in $chosen; do
        [ -x "$folder/$suite$exe" ] || continue
        echo "== $suite" >>"$log"
        timeout -k 1 "$limit" $emulator "$folder/$suite$exe" </dev/null >"$log.one" 2>&1
        [ $? -ge 124 ] && late=$((late + 1)) && echo "did not end in $limit s" >>"$log.one"
        cat "$log.one" >>"$log"
        read -r run wrong <<<"$(tr -d '\r' <"$log.one" | sed -n 's/^Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2+\3/p')"
        [ -n "$run" ] || continue
        ran=$((ran + 1)) failed=$((failed + wrong)) passed=$((passed + run - (wrong)))
    done
    [ "$how" != wine ] || wineserver -k
    rm -f "$log.one"
    row "$1" "$built/$n_suites" "$ran" "$passed" "$failed" "$2, $how$([ $late -gt 0 ] && echo "; $late suites did not end in $limit s")"
    tr -d '\r' <"$log" | grep -E '^[a-z_0-9]+:[a-z_0-9]+:[0-9]+: ended with status' | sed 's/: ended.*//; s/^/    failed: /'
}

mkdir -p "$build"
row platform builds ran passed failed how
while read -r name compiler emulator; do
    [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
    try "$name" "$compiler" "$emulator"
done <<<"$platforms"
