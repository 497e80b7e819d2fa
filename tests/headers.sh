#!/bin/sh
# The public headers: each compiles alone, every part of core/tapegrad.h too, as C and as C++, and a C++ program can use
# them; TG_SHAPE and TG_DIMS without numbers do not compile, nor does the library with -ffast-math. nn is written with
# public headers only.
#   usage: tests/headers.sh [CC] [CXX] [BUILD]
cc=${1:-cc} cxx=${2:-c++} build=${3:-build}
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
fail() { echo "headers: $1" >&2; exit 1; }

public="core/tapegrad.h $(echo core/tapegrad/*.h) nn/nn.h optim/optim.h"
for header in $public; do
    echo "#include \"$header\"" > "$dir/one.c"
    $cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only "$dir/one.c" || fail "$header as C"
    command -v "$cxx" >/dev/null || continue
    $cxx -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only "$dir/one.c" || fail "$header as C++"
done

# core/tapegrad.h is the parts and nothing else; each opens by saying what is in it, and a reader finds his way in it.
parts=$(sed -n 's|^#include "\(core/tapegrad/[a-z]*\.h\)" */\* .* \*/$|\1|p' core/tapegrad.h | sort)
[ "$parts" = "$(ls core/tapegrad/*.h)" ] || fail "core/tapegrad.h does not include, and describe, each of core/tapegrad/"
for part in $parts; do
    head -n 1 "$part" | grep -q '^/\* tapegrad: [a-z ]*\. [A-Z]' || fail "$part does not open with what is in it"
    [ "$(wc -l < "$part")" -le 350 ] || fail "$part has more than 350 lines"
done

# Wrapped by clang-format, a line that is too long leaves a few words alone and takes rows of a table into each other.
left=$(awk 'FNR == 1 { held = "" }
    held != "" && /^ \* [a-z(0-9]/ { print held }
    { held = $0 ~ /^ \* / && length($0) < 80 && $0 !~ /  |[.:;,]$|\*\/$/ ? FILENAME ":" FNR ":" $0 : "" }' \
    $public)
[ -z "$left" ] || fail "a comment is wrapped too early: $left"
for schedule in $(sed -n 's/^TG_API double tg_lr_\([a-z_]*\)(.*/\1/p' optim/optim.h); do
    grep -q "^ \*   $schedule  *[a-z]" optim/optim.h || fail "the table of schedules has no row $schedule"
done

numbers='tg_shape f(const void *p, int n, size_t z) { return TG_SHAPE(p ? 3 : 4, n, n > 2, (int64_t)z); }
enum { B = 4 }; tg_shape g(int n) { return TG_SHAPE(n == 3 ? B : n, B); } tg_dims h(const char *p) { return TG_DIMS(p ? 1 : 0); }'
for language in 'c -std=c11' 'c++ -std=c++11' 'c++ -std=c++20'; do
    case $language in c\ *) compiler=$cc ;; *) compiler=$cxx ;; esac
    command -v ${compiler%% *} >/dev/null || continue
    printf '#include "core/tapegrad.h"\n%s\n' "$numbers" > "$dir/numbers.c"
    $compiler -x $language -Wall -Wextra -Wpedantic -Wconversion -Werror -I. -fsyntax-only "$dir/numbers.c" ||
        fail "TG_SHAPE of expressions as $language"
done

for empty in 'tg_shape f(void) { return TG_SHAPE(); }' 'tg_dims f(void) { return TG_DIMS(); }'; do
    printf '#include "core/tapegrad.h"\n%s\n' "$empty" > "$dir/empty.c"
    if $cc -std=c11 -I. -fsyntax-only "$dir/empty.c" 2>/dev/null; then fail "this compiles: $empty"; fi
done

# -ffast-math and what is in it: the library does not compile, a program that uses it does
for compiler in "$cc" clang; do
    command -v ${compiler%% *} >/dev/null || continue
    ! make -s CC="$compiler" LDFLAGS=-ffast-math B="$dir/b" "$dir/b/core/tape/shape.o" > "$dir/log" 2>&1 &&
        grep -q 'error.*compiled with -ffast-math' "$dir/log" || fail "$compiler links with -ffast-math"
    for flags in -ffast-math -Ofast -ffinite-math-only -funsafe-math-optimizations -freciprocal-math -fno-signed-zeros \
        '-fassociative-math -fno-signed-zeros -fno-trapping-math'; do
        if make -s CC="$compiler" CFLAGS="$flags" B="$dir/b" "$dir/b/core/tape/shape.o" > "$dir/log" 2>&1; then
            fail "$compiler $flags compiles the library"
        fi
        grep -q 'error.*compiled with -ffast-math' "$dir/log" || fail "$compiler $flags: $(head -n 1 "$dir/log")"
        $compiler -std=c11 $flags -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only -x c optim/optim.h ||
            fail "optim.h in a program of $flags"
    done
done

private=$(grep -n '^#include "' nn/*.[ch] | grep -vE '"(core/tapegrad|nn/[a-z_]*)\.h"')
[ -z "$private" ] || fail "nn includes a private header: $private"

command -v "$cxx" >/dev/null || { echo "headers: no C++ compiler; C is well"; exit 0; }
cat > "$dir/program.cc" <<'END'
#include "nn/nn.h"
#include "optim/optim.h"
int main() {
    tg_tape *t = tg_tape_new(TG_F32);
    int rows = 3;
    tg_tensor x = tg_rand(t, TG_SHAPE(rows, 2));
    tg_nn_linear l = tg_nn_linear_new(t, "l", 2, 2, true);
    tg_optim *adam = tg_adamw_new(t, tg_parameters(t), TG_ADAMW_DEFAULTS);
    tg_optim *sgd = tg_sgd_new(t, tg_parameters(t), TG_SGD_DEFAULTS);
    tg_tensor y = tg_nn_attention(x, x, x, TG_NN_NO_MASKS, 0, nullptr);
    tg_tensor each = tg_mean(tg_square(tg_nn_linear_forward(&l, y)), TG_DIMS(-1), false);
    tg_tensor loss = tg_sum(each, TG_ALL_DIMS, false);
    bool bad = tg_gradcheck(loss, TG_GRADCHECK_DEFAULTS, nullptr) || tg_backward(loss) || tg_optim_step(adam) ||
               tg_optim_step(sgd) || !tg_is_null(TG_NULL) || tg_shape_of(loss).ndim != TG_SCALAR.ndim;
    if (bad) printf("%s\n", tg_error(t));
    tg_tape_free(t);
    return bad;
}
END
$cxx -std=c++17 -Wall -Wextra -Wpedantic -Werror -I. "$dir/program.cc" "$build/libtapegrad.a" -lm -pthread \
    -o "$dir/program" || fail "the C++ program does not compile"
"$dir/program" || fail "the C++ program fails"
echo "headers: well, as C and as C++"
