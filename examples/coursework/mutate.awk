# Applies a wrong answer to a solution: mutate.awk wrong/NAME.txt tasks/NN.c
# Lines that start with "- " have to be found, one after another, and those with "+ " come in their place; spaces at
# the start of a line do not count. Every hunk (some -, then some +) has to fit exactly once.
function trim(s) { sub(/^[ \t]+/, "", s); return s }
FNR == NR {
    if ($0 ~ /^- /) {
        if (!n || added) { n++; added = 0 }
        old[n, ++olds[n]] = trim(substr($0, 3))
    } else if ($0 ~ /^\+/) {
        new[n, ++news[n]] = substr($0, 3)
        added = 1
    }
    next
}
{ line[++lines] = $0 }
END {
    for (i = 1; i <= lines; i++) {
        hit = 0
        for (h = 1; h <= n && !hit; h++) {
            fits = 1
            for (k = 1; k <= olds[h]; k++)
                if (trim(line[i + k - 1]) != old[h, k]) fits = 0
            if (fits) hit = h
        }
        if (!hit) { print line[i]; continue }
        found[hit]++
        for (k = 1; k <= news[hit]; k++) print new[hit, k]
        i += olds[hit] - 1
    }
    for (h = 1; h <= n; h++)
        if (found[h] != 1) {
            print "mutate: hunk " h " fits " found[h] + 0 " times, not once" | "cat >&2"
            bad = 1
        }
    exit bad || !n
}
