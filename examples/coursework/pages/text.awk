# A task's text as HTML: text.awk tasks/NN.md. What the texts use of Markdown: a title, paragraphs, lists, a table, code
# between ``` and indented code, **bold**, *stressed*, `code`, and <details>, which stay as they are.
function escape(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}
# All that matches, without its marks, within a tag.
function tagged(text, pattern, marks, tag,    out) {
    while (match(text, pattern)) {
        out = out substr(text, 1, RSTART - 1) "<" tag ">" substr(text, RSTART + marks, RLENGTH - 2 * marks) "</" tag ">"
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}
function words(text) { return tagged(tagged(text, "\\*\\*[^*]+\\*\\*", 2, "strong"), "\\*[^* ][^*]*\\*", 1, "em") }
function inline(text,    part, n, i, out) {
    n = split(escape(text), part, "`")
    for (i = 1; i <= n; i++)
        out = out (i % 2 ? words(part[i]) : "<code>" part[i] "</code>")
    return out
}
# The element in which the next ones stand: "ul", "table" or none.
function within(tag) {
    if (tag == around) return
    if (around) print "</" around ">"
    if (tag) print "<" tag ">"
    around = tag
}
function finish() {
    if (kind) within(kind == "li" ? "ul" : "")
    if (kind == "pre") print "<pre tabindex=\"0\">" escape(block) "</pre>"
    else if (kind) print "<" kind ">" inline(block) "</" kind ">"
    kind = block = ""
}
function begin(what, text) { finish(); kind = what; block = text }
function row(line,    cell, i, n, tag) {
    finish()
    tag = around == "table" ? "td" : "th scope=\"col\""
    within("table")
    n = split(line, cell, / *\| */)
    printf "<tr>"
    for (i = 2; i < n; i++) printf "<%s>%s</%s>", tag, inline(cell[i]), substr(tag, 1, 2)
    print "</tr>"
}
/^```/               { if (fenced) finish(); else begin("pre", ""); fenced = !fenced; next }
fenced               { sub(/^    /, ""); block = block (block == "" ? "" : "\n") $0; next }
/^$/                 { finish(); next }
/^<.*details>/       { finish(); within(""); sub(/<summary>.*<\/summary>/, "<summary>" inline(summary_of($0)) "</summary>"); print; next }
/^# /                { begin("h1", substr($0, 3)); finish(); next }
/^\| ---/            { next }
/^\|/                { row($0); next }
/^- /                { begin("li", substr($0, 3)); next }
/^    / && kind != "p" && kind != "li" { if (kind == "pre") block = block "\n" substr($0, 5); else begin("pre", substr($0, 5)); next }
kind                 { sub(/^ +/, ""); block = block " " $0; next }
                     { begin("p", $0) }
END                  { finish(); within("") }
function summary_of(line) { sub(/.*<summary>/, "", line); sub(/<\/summary>.*/, "", line); return line }
