/* SPDX-License-Identifier: MIT */
/* The writer of HTML: every character passes write_escaped(). */
#include "html.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char policy[] =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/* --- characters ---------------------------------------------------------- */

/* Would the character change the order in which its neighbors are shown?  Only
 * the controls of embedding, override and isolation do. */
static int is_bidi_control(uint32_t code)
{
    return (code >= 0x202a && code <= 0x202e)
           || (code >= 0x2066 && code <= 0x2069);
}

/* Bytes of the UTF-8 character at `s`; 0: it is not valid UTF-8, or a
 * character that XML forbids, that controls a terminal, or that reorders the
 * text around it. */
static size_t utf8_length(const unsigned char *s)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2
                     : s[0] < 0xf0 ? 3 : s[0] < 0xf8 ? 4 : 0;
    uint32_t code = n == 1 ? s[0] : s[0] & (0x7fu >> n);

    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3f);
    }
    if (n == 0 || code < least[n] || code > 0x10ffff
        || (code >= 0xd800 && code < 0xe000) || (code & 0xfffe) == 0xfffe
        || is_bidi_control(code))
        return 0;
    if (code < 0x20)
        return code == '\t' || code == '\n';
    return code >= 0x7f && code < 0xa0 ? 0 : n;
}

/* Write one character.  @return bytes of it */
static size_t write_escaped(FILE *out, const char *text)
{
    const size_t n = utf8_length((const unsigned char *)text);

    switch (*text) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    case '\'': fputs("&#39;", out); break;
    default:
        if (n)
            fwrite(text, 1, n, out);
        else
            fputc('?', out);
    }
    return n ? n : 1;
}

void html_text(struct html *html, const char *text)
{
    while (text && *text)
        text += write_escaped(html->out, text);
}

/* A text that is longer than the buffer is formatted again, into memory; it is
 * cut when there is none. */
void html_vtextf(struct html *html, const char *format, va_list arguments)
{
    char buffer[256], *text = NULL;
    va_list again;
    int n;

    va_copy(again, arguments);
    n = vsnprintf(buffer, sizeof buffer, format, arguments);
    if (n >= (int)sizeof buffer && (text = malloc((size_t)n + 1)) != NULL)
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    html_text(html, text ? text : buffer);
    free(text);
}

void html_textf(struct html *html, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    html_vtextf(html, format, arguments);
    va_end(arguments);
}

/* --- numbers ------------------------------------------------------------- */

char *html_format_number(char text[HTML_NUMBER], double value, int decimals)
{
    size_t n;

    if (!isfinite(value))
        value = 0;
    n = (size_t)snprintf(text, HTML_NUMBER, "%.*f", decimals, value);
    if (decimals > 0) {
        while (text[n - 1] == '0')
            text[--n] = 0;
        if (text[n - 1] == '.')
            text[--n] = 0;
    }
    if (strcmp(text, "-0") == 0)
        strcpy(text, "0");
    return text;
}

/* Write the argument of one conversion.  @return what follows it */
static const char *write_conversion(struct html *html, const char *at,
                                    va_list *arguments)
{
    char text[HTML_NUMBER];
    int decimals = 6;
    const char *value = text;
    size_t length = strcspn(at + 1, "dufs%") + 1;

    if (at[1] == '.')
        decimals = atoi(at + 2);
    if (at[length] == 'f')
        html_format_number(text, va_arg(*arguments, double), decimals);
    else if (at[length] == 's')
        value = va_arg(*arguments, const char *);
    else if (strncmp(at, "%d", 2) == 0)
        snprintf(text, sizeof text, "%d", va_arg(*arguments, int));
    else if (strncmp(at, "%u", 2) == 0)
        snprintf(text, sizeof text, "%u", va_arg(*arguments, unsigned));
    else if (strncmp(at, "%zu", 3) == 0)
        snprintf(text, sizeof text, "%zu", va_arg(*arguments, size_t));
    else if (strncmp(at, "%ll", 3) == 0)
        snprintf(text, sizeof text, at[3] == 'd' ? "%lld" : "%llu",
                 va_arg(*arguments, long long));
    else if (strncmp(at, "%%", 2) == 0)
        value = "%";
    else
        assert(!"html: no such conversion");
    html_text(html, value);
    return at + length + 1;
}

/* --- elements ------------------------------------------------------------ */

/* Write NAME=VALUE pairs: a value ends at a blank, or at the closing quote if
 * it begins with one.  All values are escaped and get double quotes. */
static void write_attributes(struct html *html, const char *at,
                             va_list *arguments)
{
    while (*at) {
        char end = ' ';

        fputc(' ', html->out);
        for (; *at && *at != '='; at++)
            fputc(*at, html->out);
        at += *at == '=';
        if (*at == '\'')
            end = *at++;
        fputs("=\"", html->out);
        while (*at && *at != end)
            if (*at == '%')
                at = write_conversion(html, at, arguments);
            else
                at += write_escaped(html->out, at);
        fputc('"', html->out);
        at += *at == '\'';
        at += strspn(at, " ");
    }
}

/* Elements are closed in reverse order, so their tags are kept on a stack;
 * deeper nesting than HTML_DEPTH is an error of the caller. */
static void push(struct html *html, const char *tag)
{
    assert(html->depth < HTML_DEPTH);
    html->open[html->depth++] = tag;
}

void html_open(struct html *html, const char *tag)
{
    fprintf(html->out, "<%s>", tag);
    push(html, tag);
}

void html_open_with(struct html *html, const char *tag,
                    const char *attributes, ...)
{
    va_list arguments;

    fprintf(html->out, "<%s", tag);
    va_start(arguments, attributes);
    write_attributes(html, attributes, &arguments);
    va_end(arguments);
    fputc('>', html->out);
    push(html, tag);
}

void html_empty(struct html *html, const char *tag, const char *attributes,
                ...)
{
    va_list arguments;

    fprintf(html->out, "<%s", tag);
    va_start(arguments, attributes);
    write_attributes(html, attributes, &arguments);
    va_end(arguments);
    fputs("/>", html->out);
}

void html_close(struct html *html)
{
    assert(html->depth > 0);
    fprintf(html->out, "</%s>", html->open[--html->depth]);
}

void html_element(struct html *html, const char *tag, const char *text)
{
    html_open(html, tag);
    html_text(html, text);
    html_close(html);
}

void html_newline(struct html *html)
{
    fputc('\n', html->out);
}

/* --- documents ----------------------------------------------------------- */

void html_begin(struct html *html, const char *title, const char *style)
{
    assert(!strstr(style, "</"));
    fputs("<!DOCTYPE html>\n", html->out);
    html_open_with(html, "html", "lang=en");
    html_open(html, "head");
    html_empty(html, "meta", "charset=utf-8");
    html_empty(html, "meta", "name=viewport "
               "content='width=device-width, initial-scale=1'");
    html_empty(html, "meta", "http-equiv=Content-Security-Policy content=%s",
               policy);
    html_newline(html);
    html_element(html, "title", title);
    fprintf(html->out, "\n<style>%s</style>", style);
    html_close(html);
    html_open(html, "body");
    html_open(html, "main"); /* the landmark that screen readers look for */
    html_newline(html);
}

void html_end(struct html *html)
{
    while (html->depth)
        html_close(html);
    html_newline(html);
}

void html_png(struct html *html, const unsigned char *bytes, size_t length,
              const char *alt)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqr"
                                "stuvwxyz0123456789+/";

    fputs("<img src=\"data:image/png;base64,", html->out);
    for (size_t i = 0; i < length; i += 3) {
        unsigned three = (unsigned)bytes[i] << 16;

        if (i + 1 < length)
            three |= (unsigned)bytes[i + 1] << 8;
        if (i + 2 < length)
            three |= bytes[i + 2];
        for (size_t j = 0; j < 4; j++)
            fputc(i + j <= length ? digit[three >> (18 - 6 * j) & 63] : '=',
                  html->out);
    }
    fputs("\" alt=\"", html->out);
    html_text(html, alt);
    fputs("\"/>", html->out);
}
