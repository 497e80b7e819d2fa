# An answer as it is compared: small letters, one space between words, commas as spaces, numbers in one way of writing.
{
    gsub(/[,;()]/, " ")
    gsub(/\342\210\222/, "-") # the sign minus
    $0 = tolower($0)
    for (i = 1; i <= NF; i++) {
        if ($i ~ /^[-+]?[0-9]*\.?[0-9]+$/ || $i ~ /^[-+]?[0-9]+\.$/) $i = $i + 0
        if ($i == "infinity") $i = "inf"
        printf "%s%s", (i > 1 ? " " : ""), $i
    }
    print ""
}
