# A public header as a page of the manual: the comments and declarations as they are.
#   awk -v name=tapegrad -v include=tapegrad/tapegrad.h -v version=0.1.0 -f man.awk core/tapegrad.h > tapegrad.3
BEGIN {
    printf ".TH %s 3 \"\" \"tapegrad %s\"\n.SH NAME\n", toupper(name), version
    first = 1
}
first { # "/* tapegrad: tape-based ...", the page's one line
    sub(/^\/\* /, ""); sub(/^tapegrad ?[a-z]*: /, ""); sub(/\.$/, "")
    printf "%s \\- %s\n", name, $0
    printf ".SH SYNOPSIS\n.nf\n#include <%s>\ncc program.c $(pkg-config --cflags --libs tapegrad)\n.SH DESCRIPTION\n.nf\n", include
    first = 0
    head = 1
    next
}
head { # the comment at the top is the introduction
    if (/^ \*\/$/) { head = 0; printf ".fi\n.SH FUNCTIONS\n.nf\n"; next }
    sub(/^ \* ?/, "")
}
/^#if defined/, /^#endif/ { next } # what compilers need
/^#(ifndef|endif|ifdef|else|include)/ || /^#define TAPEGRAD_/ || /^extern "C"/ || /^}$/ { next }
/^\/\* ---- / { # a heading
    sub(/^\/\* ---- /, ""); sub(/ *-* *(\*\/)?$/, "")
    printf ".fi\n.SS %s\n.nf\n", $0
    next
}
{
    sub(/^TG_API (TG_MUST_USE )?/, "")
    gsub(/\\/, "\\e"); gsub(/-/, "\\-")
    sub(/^[.']/, "\\\\&")
    print
}
