/* SPDX-License-Identifier: MIT */
/* SVG drawings, written by html.c. */
#include "svg.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"

enum { MAX_SVG_BYTES = 4 << 20 };

/* The first lines that svg_begin() writes. */
static const char file_start[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" ";

void svg_open(struct html *html, double width, double height,
              const char *label)
{
    html_open_with(html, "svg", "viewBox='0 0 %.2f %.2f' width=%.2f role=img "
                   "aria-label=%s", width, height, width, label);
}

void svg_begin(struct html *html, double width, double height,
               double font_size, const char *label)
{
    html_open_with(html, "svg", "xmlns=http://www.w3.org/2000/svg "
                   "viewBox='0 0 %.2f %.2f' width=%.2f height=%.2f "
                   "font-family=sans-serif font-size=%.2f role=img "
                   "aria-label=%s", width, height, width, height, font_size,
                   label);
    html_newline(html);
    html_empty(html, "rect", "width=100%% height=100%% fill=white");
    html_newline(html);
}

void svg_insert(struct html *html, const char *path)
{
    size_t length;
    char *text = read_file(path, MAX_SVG_BYTES, &length);

    if (text && strncmp(text, file_start, sizeof file_start - 1) == 0)
        fwrite(text, 1, length, html->out);
    free(text);
}

void svg_textf(struct html *html, double x, double y, const char *attributes,
               const char *format, ...)
{
    char list[160];
    va_list arguments;

    snprintf(list, sizeof list, "x=%%.2f y=%%.2f %s", attributes);
    html_open_with(html, "text", list, x, y);
    va_start(arguments, format);
    html_vtextf(html, format, arguments);
    va_end(arguments);
    html_close(html);
    html_newline(html);
}

void svg_polyline_begin(struct html *html, const char *color)
{
    fputs("<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"", html->out);
    html_text(html, color);
    fputs("\" points=\"", html->out);
}

void svg_polyline_point(struct html *html, double x, double y)
{
    char text[HTML_NUMBER];

    fprintf(html->out, "%s,", html_format_number(text, x, 1));
    fprintf(html->out, "%s ", html_format_number(text, y, 1));
}

void svg_polyline_end(struct html *html)
{
    fputs("\"/>\n", html->out);
}
