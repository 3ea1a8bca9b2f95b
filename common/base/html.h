/* SPDX-License-Identifier: MIT */
/** @file
 *  The writer of HTML pages and SVG drawings.  Host only.
 *
 *  Text and attribute values are always escaped: &, <, >, quotes, control
 *  characters, those of bidirectional text included, and bytes that are not
 *  UTF-8.  Markup is written only by the
 *  functions that open and close elements, whose tag and attribute names are
 *  string literals of the caller.
 *
 *      html_open_with(&h, "td", "class=%s", is_low ? "n low" : "n");
 *      html_textf(&h, "%s of %d", name, count);
 *      html_close(&h);
 *
 *  An attribute list is `name=value` separated by blanks; a value with blanks
 *  stands in single quotes: `"class='n low' x=%d"`.  Conversions stand in
 *  values only: %d %u %zu %lld %llu %s, and %f, %.Nf for numbers, which are
 *  written by html_format_number().
 */
#ifndef BASE_HTML_H
#define BASE_HTML_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

enum {
    HTML_DEPTH = 32,   /**< open elements at most */
    HTML_NUMBER = 352, /**< bytes of a formatted number */
};

/** A document that is being written; {.out = file} is a new one. */
struct html {
    FILE *out;                    /**< not owned; errors stay in ferror() */
    const char *open[HTML_DEPTH]; /**< tags of the open elements */
    size_t depth;                 /**< number of open elements */
};

/** Write `<!DOCTYPE html>`, the head, `<body>` and `<main>`.
 *
 *  @param html   a new document
 *  @param title  any text
 *  @param style  a style sheet: a literal of the caller, without "</"
 *
 *  The page's content security policy allows no script and loads nothing;
 *  images may be part of the page (`data:`). */
void html_begin(struct html *html, const char *title, const char *style);
/** Close all open elements, and end the file with a newline. */
void html_end(struct html *html);

/** Write `<tag>`. */
void html_open(struct html *html, const char *tag);
/** Write `<tag attributes>`. */
void html_open_with(struct html *html, const char *tag,
                    const char *attributes, ...)
    __attribute__((format(printf, 3, 4)));
/** Write the end tag of the innermost open element. */
void html_close(struct html *html);
/** Write an element without content: `<tag attributes/>`. */
void html_empty(struct html *html, const char *tag,
                const char *attributes, ...)
    __attribute__((format(printf, 3, 4)));
/** Write `<tag>text</tag>`; a text of NULL is "". */
void html_element(struct html *html, const char *tag, const char *text);
/** Write a line end, for people who read the source. */
void html_newline(struct html *html);

/** Write text, escaped; NULL is "". */
void html_text(struct html *html, const char *text);
/** Write formatted text; all of the result is escaped. */
void html_textf(struct html *html, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** The same of an argument list. */
void html_vtextf(struct html *html, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/** Write a PNG image as part of the page.
 *  @param bytes   the file's content, `length` bytes
 *  @param alt     any text: what the image shows */
void html_png(struct html *html, const unsigned char *bytes, size_t length,
              const char *alt);

/** Format a number for an attribute: fixed point without trailing zeros, 0 for
 *  a value that is not finite.
 *  @param decimals  digits after the point, 0 to 9
 *  @return `text` */
char *html_format_number(char text[HTML_NUMBER], double value, int decimals);

#endif
