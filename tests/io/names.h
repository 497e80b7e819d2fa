/* Names as somebody else's file may have them, and what none of them may make of a line. */
#ifndef TAPEGRAD_TEST_NAMES_H
#define TAPEGRAD_TEST_NAMES_H

#include "tests/support.h"

#include <string.h>

/* Colours, the clipboard (OSC 52), line ends, the bell, a C1 control as UTF-8 and as a byte, half a character, marks
 * that turn the text around or hide in it, the two code points that are no characters of XML. */
static const char *const hostile_names[] = {"left\x1b[31mright",
                                            "left\x1b]52;c;aGk=\x07right",
                                            "left\nright",
                                            "left\rright",
                                            "left\x07right",
                                            "left\xc2\x9b"
                                            "31mright",
                                            "left\x9b"
                                            "31mright",
                                            "left\xe2\x82right",
                                            "left\xe2\x80\xaeright",
                                            "left\xe2\x81\xa6right",
                                            "left\xe2\x80\x8bright\x7f",
                                            "left\xef\xbf\xbe"
                                            "right",
                                            "left\xef\xbf\xbf"
                                            "right"};
enum { N_HOSTILE = sizeof hostile_names / sizeof *hostile_names, FIRST_NO_UTF8 = 6, END_NO_UTF8 = 8 };

/* Are these the bytes of a character that no terminal obeys, and how many? 0: they are not. By RFC 3629's table, and
 * the marks above by their numbers; a line's end is one. */
static inline size_t plain_character(const unsigned char *s) {
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool control = (n == 1 && (s[0] < 0x20 || s[0] == 0x7f) && s[0] != '\n') || (s[0] == 0xc2 && s[1] < 0xa0);
    bool turns = n == 3 && s[0] == 0xe2 &&
                 ((s[1] == 0x80 && s[2] >= 0xaa && s[2] <= 0xae) || (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9));
    bool hides = n == 3 && s[0] == 0xe2 && s[1] == 0x80 && s[2] >= 0x8b && s[2] <= 0x8f;
    bool no_xml = n == 3 && s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe; /* U+FFFE, U+FFFF */
    return control || turns || hides || no_xml ? 0 : n;
}

/* What was printed has such characters only, and no line that begins within a name. */
static inline void want_printable(const char *text, const char *of) {
    ck_assert_msg(strncmp(text, "right", 5) != 0 && !strstr(text, "\nright"), "%s: a line begins in a name: %s", of,
                  text);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t n = plain_character(s);
        ck_assert_msg(n > 0, "%s: byte 0x%02x at %ld is no plain text", of, *s, (long)((const char *)s - text));
        s += n;
    }
}

#endif
