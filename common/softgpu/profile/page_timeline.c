/* SPDX-License-Identifier: MIT */
/* The time line: a row for the host and for each stream, a box for each piece
 * of work.  All of it is the report's word, so every number is checked. */
#include <jansson.h>
#include <string.h>

#include "page_html.h"
#include "text_format.h"

enum { ROWS = 16, SPANS = 4000, WIDTH = 1000, LEFT = 90, ROW = 34 };

static const struct {
    const char *engine, *colour;
} colours[] = {{"to device", "#5b9bd5"}, {"kernels", "#70ad47"},
               {"to host", "#e08a3c"},   {"memory", "#a78bc9"},
               {"host", "#9aa4ae"}};
enum { ENGINES = sizeof colours / sizeof *colours };

/** The picture while it is drawn. */
struct drawing {
    FILE *out;
    json_int_t stream[ROWS]; /* of each row; 0 is the host's */
    size_t rows;
    double begin, scale; /* nanoseconds, pixels for one */
};

static json_int_t number(const json_t *span, size_t at)
{
    return json_integer_value(json_array_get(span, at));
}

static const char *text(const json_t *span, size_t at)
{
    const char *s = json_string_value(json_array_get(span, at));

    return s ? s : "?";
}

/* The row of a stream, made if it is new; -1 when there are too many. */
static int row_of(struct drawing *d, json_int_t stream)
{
    size_t i = 0;

    while (i < d->rows && d->stream[i] != stream)
        i++;
    if (i == ROWS)
        return -1;
    if (i == d->rows)
        d->stream[d->rows++] = stream;
    return (int)i;
}

static const char *colour_of(const char *engine)
{
    for (size_t i = 0; i < ENGINES; i++)
        if (strcmp(colours[i].engine, engine) == 0)
            return colours[i].colour;
    return "#cccccc";
}

/* From the first to the last end, host included. */
static double find_range(struct drawing *d, const json_t *spans, size_t count)
{
    double end = 0;

    d->begin = 1e18;
    for (size_t i = 0; i < count; i++) {
        const json_t *s = json_array_get(spans, i);
        const double from = (double)number(s, 3), to = (double)number(s, 4);

        d->begin = from < d->begin ? from : d->begin;
        end = to > end ? to : end;
        row_of(d, number(s, 0));
    }
    return end - d->begin;
}

static void put_span(struct drawing *d, const json_t *span)
{
    const int row = row_of(d, number(span, 0));
    const double from = (double)number(span, 3), to = (double)number(span, 4);
    const double x = LEFT + (from - d->begin) * d->scale;
    const double wide = (to - from) * d->scale;

    if (row < 0 || from < d->begin || to < from)
        return;
    fprintf(d->out,
            "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" "
            "fill=\"%s\"><title>",
            x, row * ROW + 4, wide > 0.3 ? wide : 0.3, ROW - 8,
            colour_of(text(span, 1)));
    html_text(d->out, say_plain(WORDS, text(span, 2), 60));
    fprintf(d->out, ", ");
    html_text(d->out, text(span, 1));
    fprintf(d->out, ", from %.2f us, for %.2f us</title></rect>\n",
            (from - d->begin) / 1000, (to - from) / 1000);
}

static void put_rows(const struct drawing *d)
{
    for (size_t i = 0; i < d->rows; i++) {
        fprintf(d->out, "<text x=\"4\" y=\"%d\">", (int)i * ROW + 21);
        if (d->stream[i])
            fprintf(d->out, "stream %lld", (long long)d->stream[i]);
        else
            fprintf(d->out, "host");
        fprintf(d->out, "</text><line x1=\"%d\" x2=\"%d\" y1=\"%d\" "
                "y2=\"%d\" stroke=\"#ccd3da\"/>\n",
                LEFT, WIDTH, (int)(i + 1) * ROW, (int)(i + 1) * ROW);
    }
}

/* Five marks along the bottom. */
static void put_scale(const struct drawing *d, double range)
{
    const int y = (int)d->rows * ROW;

    for (int i = 0; i <= 4; i++)
        fprintf(d->out, "<text x=\"%.0f\" y=\"%d\" text-anchor=\"%s\">%s"
                "</text>\n",
                LEFT + range * i / 4 * d->scale, y + 16,
                i == 4 ? "end" : "middle",
                say_time(WORDS, range * i / 4 / 1000));
}

static void put_key(FILE *out)
{
    fprintf(out, "<p>");
    for (size_t i = 0; i < ENGINES; i++)
        fprintf(out, "<span style=\"background:%s;padding:0 .7em;"
                "margin-right:.4em\"></span>%s &nbsp; ",
                colours[i].colour,
                strcmp(colours[i].engine, "memory") == 0 ? "fills"
                : strcmp(colours[i].engine, "host") == 0
                    ? "the program's host code"
                    : colours[i].engine);
    fprintf(out, "</p>\n");
}

void page_timeline(const struct page *page)
{
    const json_t *spans = json_object_get(page->timeline, "spans");
    const size_t all = json_array_size(spans);
    const size_t count = all < SPANS ? all : SPANS;
    struct drawing d = {.out = page->out, .rows = 1};
    const double range = find_range(&d, spans, count);

    if (count < 2 || range <= 0)
        return;
    d.scale = (WIDTH - LEFT) / range;
    fprintf(d.out, "<h2>Time line</h2>\n<p>Modelled: what each stream did "
            "when, and how long the host's code took between its calls "
            "(its loads and stores at 20 GB/s).");
    if (count < all)
        fprintf(d.out, " The first %zu of %zu pieces.", count, all);
    fprintf(d.out, "</p>\n<div class=wide><svg viewBox=\"0 0 %d %d\" "
            "style=\"min-width:700px\" font-size=\"12\" "
            "fill=\"currentColor\">\n",
            WIDTH + 4, (int)d.rows * ROW + 24);
    put_rows(&d);
    for (size_t i = 0; i < count; i++)
        put_span(&d, json_array_get(spans, i));
    put_scale(&d, range);
    fprintf(d.out, "</svg></div>\n");
    put_key(d.out);
}
