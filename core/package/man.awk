# Public headers as one page of the manual: the comments and declarations as they are.
#   awk -v name=tapegrad -v include=tapegrad/tapegrad.h -v version=0.1.0 -f man.awk core/tapegrad.h PARTS > tapegrad.3
BEGIN { printf ".TH %s 3 \"\" \"tapegrad %s\"\n.SH NAME\n", toupper(name), version }
FNR == 1 && NR == 1 { # "/* tapegrad: tape-based ...", the page's one line
    sub(/^\/\* /, ""); sub(/^tapegrad ?[a-z]*: /, ""); sub(/\.$/, "")
    printf "%s \\- %s\n", name, $0
    printf ".SH SYNOPSIS\n.nf\n#include <%s>\ncc program.c $(pkg-config --cflags --libs tapegrad)\n.SH DESCRIPTION\n.nf\n", include
    head = 1
    next
}
FNR == 1 { # "/* tapegrad: the tape. Creation, ...", a part and what is in it
    sub(/^\/\* tapegrad: /, "")
    title = $0
    sub(/\. .*/, "", title); sub(/^[^.]*\. /, "")
    printf ".fi\n.SH %s\n.nf\n", toupper(title)
    head = 1
}
head { # the comment at the top is the introduction
    last = sub(/ ?\*\/$/, "")
    sub(/^ \* ?/, "")
}
/^#if defined/ && !compilers { compilers = 1; nested = 0; next } # what compilers need
compilers && /^#if/ { nested++ }
compilers && /^#endif/ { compilers = nested-- > 0 }
compilers { next }
/^#ifdef __cplusplus/, /^#(else|endif)/ { next }
/^#(ifndef|endif|include)/ || /^#define TAPEGRAD_/ || /clang-format/ { next }
/^\/\* ---- / { # a heading
    sub(/^\/\* ---- /, ""); sub(/ *-* *(\*\/)?$/, "")
    printf ".fi\n.SS %s\n.nf\n", $0
    next
}
/^$/ && empty { next }
NR == FNR && !head && !/^$/ && !functions++ { printf ".fi\n.SH FUNCTIONS\n.nf\n" }
{
    empty = /^$/
    sub(/^TG_API (TG_MUST_USE )?/, "")
    gsub(/\\/, "\\e"); gsub(/-/, "\\-")
    sub(/^[.']/, "\\\\&")
    print
}
head && last { head = 0 }
