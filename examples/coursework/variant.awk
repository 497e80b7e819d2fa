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
function indent_of(text) { match(text, /^ */); return RLENGTH }
# The chosen part, moved to where variant 0 stands: a comment may have been laid out otherwise.
function flush_parts(    chosen, move, n, i, line) {
    chosen = (variant in part) ? variant : 0
    move = indent_of(part[0]) - indent_of(part[chosen])
    n = split(part[chosen], line, "\n")
    for (i = 1; i < n; i++) {
        if (move > 0 && line[i] != "") printf "%*s", move, ""
        print (move < 0 ? substr(line[i], 1 - move) : line[i])
    }
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
