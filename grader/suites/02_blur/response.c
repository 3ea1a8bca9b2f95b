/* SPDX-License-Identifier: MIT */
/* Which pixels does a wrong byte add?  In further calls the image is 0 but for
 * a row or a column of 255: the mean is not 0 if the window has a part of it.
 * Where all bytes are equal, so is each mean: another one tells the divisor. */
#include "response.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHITE = 255, GRAY = 80, /* means up to three times too large fit */
       MARGIN = 3 /* lines beside the window that are tried */ };

/** The first and the last row or column of a window; first > last: none. */
struct lines {
    int first, last;
    bool has_gap; /* a line between them is not added */
};

/** What is found out about one byte. */
struct window {
    const struct blur_image *image;
    response_call *call;
    void *context;
    size_t out;            /* its index */
    int x, y, channel;     /* of the byte */
    float *in;             /* the image of a call, */
    double *result;        /* and what it gave */
    size_t count;          /* bytes of both */
    struct lines xs, ys;   /* that it adds */
    int gray;              /* the mean where all bytes are GRAY */
    bool has_failed;       /* a call */
};

static int min_int(int a, int b) { return a < b ? a : b; }
static int max_int(int a, int b) { return a > b ? a : b; }

static void write_bytes(const float *values, size_t n, void *argument)
{
    unsigned char *bytes = argument;

    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)values[i];
}

/* The byte's mean where all bytes of a row, or of a column, have this value,
 * and the others are 0; line -1: all of the image. */
static int mean_of(struct window *w, bool is_row, int line, int value)
{
    const size_t channels = (size_t)w->image->shape->channels;
    const size_t width = (size_t)w->image->shape->width;

    for (size_t i = 0; i < w->count; i++) {
        const size_t pixel = i / channels;
        const size_t own = is_row ? pixel / width : pixel % width;

        w->in[i] = line < 0 || own == (size_t)line ? (float)value : 0;
    }
    if (w->has_failed || !w->call(w->context, w->in, NULL, w->result))
        w->has_failed = true;
    return w->has_failed ? 0 : (int)w->result[w->out];
}

/* The rows, or columns, near this one that the byte adds. */
static struct lines find_lines(struct window *w, bool is_row)
{
    const struct blur_case *c = w->image->shape;
    const int at = is_row ? w->y : w->x, size = is_row ? c->height : c->width;
    const int reach = c->radius + MARGIN;
    const int end = min_int(at + reach, size - 1);
    struct lines found = {size, -1, false};

    for (int k = max_int(at - reach, 0); k <= end && !w->has_failed; k++) {
        if (!mean_of(w, is_row, k, WHITE))
            continue;
        found.has_gap |= found.last >= 0 && found.last != k - 1;
        found.first = min_int(found.first, k);
        found.last = k;
    }
    return found;
}

static struct lines right_lines(int at, int size, int radius)
{
    return (struct lines){max_int(at - radius, 0),
                          min_int(at + radius, size - 1), false};
}

static unsigned length(struct lines s)
{
    return s.last < s.first ? 0 : (unsigned)(s.last - s.first + 1);
}

/* The sum of a window in the failed call. */
static unsigned sum_of(const struct window *w)
{
    const struct blur_case *c = w->image->shape;
    unsigned sum = 0;

    for (int v = w->ys.first; v <= w->ys.last; v++)
        for (int u = w->xs.first; u <= w->xs.last; u++)
            sum += w->image->in[((size_t)v * (size_t)c->width + (size_t)u)
                                    * (size_t)c->channels
                                + (size_t)w->channel];
    return sum;
}

/* Does this window, with a divisor that fits the gray image, explain the byte
 * of the failed call? */
static bool explains(const struct window *w, unsigned got)
{
    const unsigned pixels = length(w->xs) * length(w->ys), sum = sum_of(w);

    for (unsigned d = 1; d <= 4 * pixels + 4; d++)
        if ((2 * GRAY * pixels + d) / (2 * d) % 256 == (unsigned)w->gray
            && (2 * sum + d) / (2 * d) % 256 == got)
            return true;
    return false;
}

/* "rows 0 to 2, should be 0 to 1", "no row" */
static void say_lines(const char *name, struct lines is, struct lines right,
                      char *text, size_t bytes)
{
    if (is.last < is.first)
        snprintf(text, bytes, "no %.*s", (int)strlen(name) - 1, name);
    else if (is.first != right.first || is.last != right.last)
        snprintf(text, bytes, "%s %d to %d, should be %d to %d", name,
                 is.first, is.last, right.first, right.last);
}

/* One line before the window, and else the right ones: a sum that slides keeps
 * what should have left it, and loops begin one too early. */
static bool is_late(struct lines is, struct lines right)
{
    return is.first == right.first - 1 && is.last == right.last;
}

static const char *say_late(const struct window *w)
{
    const struct blur_case *c = w->image->shape;

    if (is_late(w->ys, right_lines(w->y, c->height, c->radius)))
        return ": the first row is one too many; in a sum that slides down it "
               "leaves too late";
    if (is_late(w->xs, right_lines(w->x, c->width, c->radius)))
        return ": the first column is one too many; in a sum that slides to "
               "the right it leaves too late";
    return "";
}

static bool say_window(const struct window *w, char *text)
{
    const struct blur_case *c = w->image->shape;
    char rows[64] = "", columns[64] = "", gray[96] = "";

    say_lines("rows", w->ys, right_lines(w->y, c->height, c->radius), rows,
              sizeof rows);
    say_lines("columns", w->xs, right_lines(w->x, c->width, c->radius),
              columns, sizeof columns);
    if (w->gray != GRAY)
        snprintf(gray, sizeof gray, "; where all bytes are %d it is %d", GRAY,
                 w->gray);
    if (!*rows && !*columns && !*gray)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "out[%d][%d][%d] adds %s%s%s%s%s%s",
             w->y, w->x, w->channel,
             *rows || *columns ? "" : "the right pixels", rows,
             *rows && *columns ? ", and " : "", columns, say_late(w), gray);
    return true;
}

/* What one wrong byte adds; the bytes of two windows may differ. */
static bool find_window(struct window *w)
{
    w->xs = find_lines(w, false);
    w->ys = find_lines(w, true);
    w->gray = mean_of(w, true, -1, GRAY);
    return !w->has_failed && !w->xs.has_gap && !w->ys.has_gap;
}

static enum certainty explain(const struct evidence *evidence,
                              response_call *call, void *context, char *text)
{
    const struct blur_image *image = evidence->expected->response->context;
    const size_t out = evidence->comparison->first;
    const size_t channels = (size_t)image->shape->channels;
    const size_t pixel = out / channels, width = (size_t)image->shape->width;
    struct window w = {.image = image, .call = call, .context = context,
                       .out = out, .x = (int)(pixel % width),
                       .y = (int)(pixel / width),
                       .channel = (int)(out % channels),
                       .count = evidence_count(evidence)};
    enum certainty certainty = UNKNOWN;

    w.in = malloc((w.count + 1) * sizeof *w.in);
    w.result = malloc((w.count + 1) * sizeof *w.result);
    if (w.in && w.result && find_window(&w)
        && explains(&w, (unsigned)evidence_got(evidence, out))
        && say_window(&w, text))
        certainty = VAGUE;
    free(w.in);
    free(w.result);
    return certainty;
}

struct response blur_response(const struct blur_image *image)
{
    const struct blur_case *c = image->shape;

    return (struct response){
        .in = {.name = "in", .argument = image->in,
               .size = {(size_t)c->height, (size_t)c->width,
                        (size_t)c->channels},
               .encode = write_bytes, .element = 1},
        .context = image, .explain = explain,
        .hint = "Which loop adds these pixels, from where to where? Are x, y "
                "and the channel of the byte computed rightly, and is the "
                "number of pixels that of the window?"};
}
