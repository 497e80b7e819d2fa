# Chooses a variant of a task: variant.awk -v variant=1 tasks/NN.c
# Variant 0 is what stands there. What another variant has in its place stands behind it, in a comment:
#     /* --- variant 0 */
#     y[0] = sin(x[0] * x[0]);
#     /* --- variant 1
#     y[0] = cos(x[0] * x[0]);
#     --- variant 2
#     y[0] = sin(x[0] * x[0] * x[0]);
#     --- end */
# Within the student's part, which is a comment already, the same without comment signs.
# In a page the lines are <!-- variant 0 -->, <!-- variant 1 -->, <!-- end -->, and nothing is a comment. Where the
# wanted variant has no part of its own, that of variant 0 stays.
function flush_parts(    chosen) {
    chosen = (variant in part) ? variant : 0
    printf "%s", part[chosen]
    split("", part)
    inside = 0
}
/^[ \t]*(\/\* )?--- variant [0-9]+( \*\/)?$/ || /^<!-- variant [0-9]+ -->$/ {
    match($0, /[0-9]+/)
    now = substr($0, RSTART, RLENGTH) + 0
    if (!inside) split("", part)
    inside = 1
    part[now] = ""
    next
}
/^[ \t]*--- end( \*\/)?$/ || /^<!-- end -->$/ { flush_parts(); next }
inside { part[now] = part[now] $0 "\n"; next }
{ print }
END { if (inside) { print FILENAME ": a variant without its end" | "cat >&2"; exit 1 } }
