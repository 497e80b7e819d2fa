# The wrong answers to one task, each a file: answers.awk -v to=FOLDER -v source=NAME.c wrong/04.txt tasks/04_softmax.c
# To FOLDER.VARIANT/TASK-NAME/NAME.c, which have to be there. Of an answer's lines those that start with "- " have to be
# found, one after another, and those with "+ " come in their place; spaces at the start of a line do not count. Every
# hunk (some -, then some +) has to fit exactly once. With -v list=1 the folders are printed, and nothing is made.
function trim(s) { sub(/^[ \t]+/, "", s); return s }
FNR == 1 { files++ }
files == 1 {
    if (/^== /) { name[++answers] = $2; variant[answers] = 0 }
    else if (/^variant: /) variant[answers] = $2
    else if (/^from: /) plain[answers] = 1
    else if (/^- /) {
        if (!hunks[answers] || added) { hunks[answers]++; added = 0 }
        n = hunks[answers]
        old[answers, n, ++olds[answers, n]] = trim(substr($0, 3))
    } else if (/^\+/) {
        n = hunks[answers]
        new[answers, n, ++news[answers, n]] = substr($0, 3)
        added = 1
    }
    if (/^== /) added = 0
    next
}
{ line[++lines] = $0 }
function make(a, out,    i, h, k, hit, fits, found) {
    for (i = 1; i <= lines; i++) {
        hit = 0
        for (h = 1; h <= hunks[a] && !hit; h++) {
            fits = 1
            for (k = 1; k <= olds[a, h]; k++)
                if (trim(line[i + k - 1]) != old[a, h, k]) fits = 0
            if (fits) hit = h
        }
        if (!hit) { print line[i] > out; continue }
        found[hit]++
        for (k = 1; k <= news[a, hit]; k++) print new[a, hit, k] > out
        i += olds[a, hit] - 1
    }
    close(out)
    for (h = 1; h <= hunks[a]; h++)
        if (found[h] != 1) print task "-" name[a] ": hunk " h " fits " found[h] + 0 " times, not once" | "cat >&2"
    if (!hunks[a] && !plain[a]) print task "-" name[a] ": changes nothing" | "cat >&2"
}
END {
    task = substr(source, 1, 2)
    for (a = 1; a <= answers; a++)
        if (list) print to "." variant[a] "/" task "-" name[a]
        else make(a, to "." variant[a] "/" task "-" name[a] "/" source)
}
