# compute, then a file for each network, as --times writes them: what a step takes on more ranks.
#
# Backward finishes block i after r(i) seconds. Messages go one block after the other, each block's in log2 R rounds:
#     end(i) = max(r(i), end(i-1)) + log2 R (alpha + beta n(i))
#     step   = before + max(backward, end(last)) + after + log2 R alpha        (the losses)
# A shard a rank: R ranks do R times the work, so the step of one rank is what it would be without communication.

function max(x, y) { return x > y ? x : y }

function step_of(ranks, net,    rounds, end, i) {
    rounds = log(ranks) / log(2)
    end = 0
    for (i = 1; i <= blocks; i++)
        end = max(ready[i], end) + rounds * (value[net, "alpha"] + value[net, "beta"] * n[i])
    return value[1, "before"] + max(value[1, "backward"], end) + value[1, "after"] + rounds * value[net, "alpha"]
}

function bar(share,    text) {
    while (share >= 0.0125) {
        text = text "#"
        share -= 0.025
    }
    return text
}

FNR == 1 { files++; name[files] = FILENAME; gsub("_", " ", name[files]) }
$1 == "block" && files == 1 { n[++blocks] = $2; ready[blocks] = $3; weights += $2 }
NF == 2 { value[files, $1] = $2 }

END {
    one = value[1, "step"]
    printf "%.1f million gradients in %d blocks, the last of %.2f MiB; a shard of %d x 256 tokens\n",
        weights / 1e6, blocks, n[blocks] * 4 / 1048576, windows
    printf "forward %.0f ms, backward %.0f, clipping and optimizer %.0f\n\n", 1e3 * value[1, "before"],
        1e3 * value[1, "backward"], 1e3 * value[1, "after"]
    print "two ranks            alpha    beta   step, ms   step, ms   off by   communication hidden"
    print "                      ms    MB/s    predicted  measured              behind backward"
    for (f = 2; f <= files; f++) {
        p = step_of(2, f)
        printf "%-16s %8.2f %8.0f %10.0f %10.0f %7.1f %%  %14.0f %%\n", name[f], 1e3 * value[f, "alpha"],
            4e-6 / value[f, "beta"], 1e3 * p, 1e3 * value[f, "step"], 100 * (p / value[f, "step"] - 1),
            100 * value[f, "hidden"]
    }
    print "\npredicted: ms for a step, and the share of it that is computing"
    printf "ranks"
    for (f = 2; f <= files; f++)
        printf "  %-18s", name[f]
    print ""
    for (r = 2; r <= 1024; r *= 2) {
        printf "%5d", r
        for (f = 2; f <= files; f++)
            printf "  %7.0f  %5.1f %%   ", 1e3 * step_of(r, f), 100 * one / step_of(r, f)
        print ""
    }
    for (f = 2; f <= files; f++) {
        printf "\n%s: share of a step that is computing\n", name[f]
        for (r = 2; r <= 1024; r *= 2)
            printf "%5d |%-40s| %3.0f %%\n", r, bar(one / step_of(r, f)), 100 * one / step_of(r, f)
    }
}
