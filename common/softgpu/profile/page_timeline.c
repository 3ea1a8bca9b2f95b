/* SPDX-License-Identifier: MIT */
/* The timeline: a row for the host and for each stream, a box for each span.
 * The report may be malicious, so every number is checked. */
#include <string.h>

#include "common/base/svg.h"
#include "page.h"
#include "text_format.h"

enum { MAX_ROWS = 16, MAX_SPANS = 4000 };
enum { WIDTH = 1000, LEFT = 90, ROW = 34 }; /* pixels */

static const struct {
    const char *engine, *label, *color;
} engines[] = {{"to device", "to device", "#5b9bd5"},
               {"kernels", "kernels", "#70ad47"},
               {"to host", "to host", "#e08a3c"},
               {"memory", "fills", "#a78bc9"},
               {"host", "the program's host code", "#9aa4ae"}};
enum { ENGINES = sizeof engines / sizeof *engines };

/** The drawing. */
struct drawing {
    struct html *html;
    json_int_t stream[MAX_ROWS]; /* of each row; 0 is the host */
    size_t rows;
    double begin; /* nanoseconds */
    double scale; /* pixels per nanosecond */
};

/** A span of the report. */
struct span {
    json_int_t stream;
    const char *engine, *name;
    double begin, end; /* nanoseconds */
};

static const char *text_at(const json_t *span, size_t i)
{
    const char *text = json_string_value(json_array_get(span, i));

    return text ? text : "?";
}

static struct span read_span(const json_t *json)
{
    return (struct span){
        .stream = json_integer_value(json_array_get(json, 0)),
        .engine = text_at(json, 1),
        .name = text_at(json, 2),
        .begin = (double)json_integer_value(json_array_get(json, 3)),
        .end = (double)json_integer_value(json_array_get(json, 4))};
}

/* The row of a stream, added if it is new; -1 when there are too many. */
static int find_or_add_row(struct drawing *d, json_int_t stream)
{
    size_t i = 0;

    while (i < d->rows && d->stream[i] != stream)
        i++;
    if (i == MAX_ROWS)
        return -1;
    if (i == d->rows)
        d->stream[d->rows++] = stream;
    return (int)i;
}

static const char *engine_color(const char *engine)
{
    for (size_t i = 0; i < ENGINES; i++)
        if (strcmp(engines[i].engine, engine) == 0)
            return engines[i].color;
    return "#cccccc";
}

/* Find the first begin, and add all rows.  @return nanoseconds to the last
 * end */
static double find_time_range(struct drawing *d, const json_t *spans,
                              size_t count)
{
    double end = 0;

    d->begin = 1e18;
    for (size_t i = 0; i < count; i++) {
        const struct span s = read_span(json_array_get(spans, i));

        d->begin = s.begin < d->begin ? s.begin : d->begin;
        end = s.end > end ? s.end : end;
        find_or_add_row(d, s.stream);
    }
    return end - d->begin;
}

static void write_span(struct drawing *d, const struct span *s)
{
    const int row = find_or_add_row(d, s->stream);
    const double width = (s->end - s->begin) * d->scale;
    struct html *html = d->html;

    if (row < 0 || s->begin < d->begin || s->end < s->begin)
        return;
    html_open_with(html, "rect",
                   "x=%.2f y=%d width=%.2f height=%d fill=%s",
                   LEFT + (s->begin - d->begin) * d->scale, row * ROW + 4,
                   width > 0.3 ? width : 0.3, ROW - 8,
                   engine_color(s->engine));
    html_open(html, "title");
    html_textf(html, "%s, %s, from %.2f us, for %.2f us",
               format_printable(BUFFER, s->name, 60), s->engine,
               (s->begin - d->begin) / 1000, (s->end - s->begin) / 1000);
    html_close(html);
    html_close(html);
    html_newline(html);
}

static void write_rows(const struct drawing *d)
{
    for (int i = 0; i < (int)d->rows; i++) {
        if (d->stream[i])
            svg_textf(d->html, 4, i * ROW + 21, "", "stream %lld",
                      (long long)d->stream[i]);
        else
            svg_textf(d->html, 4, i * ROW + 21, "", "host");
        html_empty(d->html, "path", "class=grid d='M%d %dH%d'", LEFT,
                   (i + 1) * ROW, WIDTH);
    }
}

/* Five times along the bottom. */
static void write_axis(const struct drawing *d, double range)
{
    for (int i = 0; i <= 4; i++)
        svg_textf(d->html, LEFT + range * i / 4 * d->scale,
                  (double)d->rows * ROW + 16,
                  i == 4 ? "text-anchor=end" : "text-anchor=middle", "%s",
                  format_time(BUFFER, range * i / 4 / 1000));
}

static void write_legend(struct html *html)
{
    html_open(html, "p");
    for (size_t i = 0; i < ENGINES; i++) {
        html_open_with(html, "span", "class=named");
        html_open_with(html, "span", "class=key style=background:%s",
                       engines[i].color);
        html_close(html);
        html_text(html, engines[i].label);
        html_close(html);
        html_text(html, " ");
    }
    html_close(html);
    html_newline(html);
}

static void write_drawing(struct drawing *d, const json_t *spans, size_t count,
                          double range)
{
    html_open_with(d->html, "div", "class='wide timeline'");
    svg_open(d->html, WIDTH + 4, (double)d->rows * ROW + 24,
             "spans of the host and of each stream");
    write_rows(d);
    for (size_t i = 0; i < count; i++) {
        const struct span s = read_span(json_array_get(spans, i));

        write_span(d, &s);
    }
    write_axis(d, range);
    html_close(d->html);
    html_close(d->html);
    write_legend(d->html);
}

void page_timeline(const struct page *page)
{
    const json_t *spans = json_object_get(page->timeline, "spans");
    const size_t all = json_array_size(spans);
    const size_t count = all < MAX_SPANS ? all : MAX_SPANS;
    struct drawing d = {.html = page->html, .rows = 1};
    const double range = find_time_range(&d, spans, count);

    if (count < 2 || range <= 0)
        return;
    d.scale = (WIDTH - LEFT) / range;
    html_element(page->html, "h2", "Timeline");
    html_open(page->html, "p");
    html_text(page->html, "Modeled: the work of each stream, and the host "
                          "code between its calls (its loads and stores at "
                          "20 GB/s).");
    if (count < all)
        html_textf(page->html, " The first %zu of %zu spans.", count, all);
    html_close(page->html);
    write_drawing(&d, spans, count, range);
}
