# Puts code into a solution: block.awk hostile/NAME.txt tasks/NN.c
# What follows "--- top" comes behind the first #include; what follows "--- block 2" comes in place of the second
# solution of the file; the other solutions stay. @ROOT@ is the variable root. Use of the student's part: none.
FNR == NR {
    if (/^--- top$/) { to = "top"; next }
    if (/^--- block [0-9]+$/) { to = $3; next }
    gsub("@ROOT@", root)
    if (to != "") code[to] = code[to] $0 "\n"
    next
}
/^[ \t]*\/\* --- solution \*\/$/ { n++; state = (n in code) ? "out" : "keep"; if (n in code) printf "%s", code[n]; next }
/^[ \t]*\/\* --- student$/       { state = "out"; next }
/^[ \t]*--- \*\/$/               { state = ""; next }
state != "out" { print }
/^#include/ && !done { printf "%s", code["top"]; done = 1 }
