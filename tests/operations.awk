# The operations that core/tapegrad/operations.h declares, a line of C for each:
#
#     OPERATION(leaky_relu, "xd", "x slope", (X(0), D(0)), "F.leaky_relu(x, slope)")
#
# the name, the parameters' types (see arguments in tests/operations.h) and names, the arguments of a call, and, from the
# line "/* PyTorch: ... */" above the function in core/ops, the call in PyTorch.
#
# usage: awk -f operations.awk core/ops/*.c core/tapegrad/operations.h

/^\/\* PyTorch: .* \*\/$/ {
    torch = substr($0, 13, length($0) - 15)
}
/^tg_tensor tg_/ && torch {
    name = substr($0, 14)
    sub(/\(.*/, "", name)
    call_in[name] = torch
    torch = ""
}
FILENAME ~ /operations\.h$/ {
    header = header $0 " "
}

function parameter(type, name,    k) {
    names = names " " name
    if (type == "const tg_tensor *") { # and how many, which follows
        types = types "p"
        return "a->x, a->n"
    }
    if (type == "tg_tensor *") {
        types = types "o"
        return "a->index"
    }
    if (!(type in letter)) {
        types = types "c"
        return "a->" substr(type, 4)
    }
    types = types letter[type]
    k = n[letter[type]]++
    if (letter[type] ~ /[xdi]/)
        return (type == "int" ? "(int)" : "") "a->" letter[type] "[" k "]"
    return "a->" (type == "bool" ? "flag" : substr(type, 4))
}

function operation(line,    name, list, count, i, words, type, arguments) {
    name = list = line
    sub(/\(.*/, "", name)
    sub(/^[^(]*\(/, "", list)
    sub(/\).*/, "", list)
    types = names = arguments = ""
    split("", n)
    count = split(list, words, / *, */)
    for (i = 1; i <= count; i++) {
        type = words[i]
        sub(/[a-z_0-9]+$/, "", type)
        words[i] = substr(words[i], length(type) + 1)
        sub(/ +$/, "", type)
        if (type != "int" || words[i] != "n")
            arguments = arguments (i > 1 ? ", " : "") parameter(type, words[i])
    }
    gsub(/"/, "\\\"", call_in[name])
    printf "OPERATION(%s, \"%s\", \"%s\", (%s), \"%s\")\n", name, types, substr(names, 2), arguments, call_in[name]
}

END {
    letter["tg_tensor"] = "x"
    letter["double"] = "d"
    letter["int"] = letter["int64_t"] = "i"
    letter["bool"] = "b"
    letter["tg_dims"] = "D"
    letter["tg_shape"] = "S"
    letter["tg_reduction"] = "r"
    while (match(header, /\/\*([^*]|\*+[^*\/])*\*+\//))
        header = substr(header, 1, RSTART - 1) substr(header, RSTART + RLENGTH)
    gsub(/ +/, " ", header)
    count = split(header, lines, /;/)
    for (j = 1; j <= count; j++)
        if (sub(/^.*TG_API tg_tensor tg_/, "", lines[j]))
            operation(lines[j])
}
