# Turns a task with its solution into the student's copy: what stands between the first two markers goes, what stands
# between the last two comes out of its comment.
#     /* --- solution */
#     dx[j] += ...;
#     /* --- student
#     (void)dx; // delete this line; add to dx
#     --- */
/^[ \t]*\/\* --- solution \*\/$/ { if (state) exit bad = 1; state = "solution"; next }
/^[ \t]*\/\* --- student$/       { if (state != "solution") exit bad = 1; state = "student"; next }
/^[ \t]*--- \*\/$/               { if (state != "student") exit bad = 1; state = ""; next }
state != "solution"
END {
    if (bad || state) {
        print FILENAME ":" NR ": the markers do not match" | "cat >&2"
        exit 1
    }
}
