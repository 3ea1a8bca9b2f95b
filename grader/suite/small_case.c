/* SPDX-License-Identifier: MIT */
/* A small case as text: columns for vectors, blocks for matrices. */
#include "small_case.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "diagnose_unwritten.h"

enum {
    CELL = 32,      /* bytes of a cell */
    GAP = 3,        /* columns between blocks */
    LONG_NAME = 40, /* characters of a name in a label, */
    SHORT_NAME = 20, /* where there is no room for more */
    FEW_LINES = 8,  /* of elements before a second group of columns */
    VIEWS = SMALL_CASE_ARRAYS + 2
};

/* One array of the drawing; without an input, the output. */
struct view {
    const struct evidence *e;
    const struct small_array *input;
    bool is_got;       /* of the output: the result, not the expected values */
    char label[64];
    size_t rows, cols; /* as drawn */
    size_t count;      /* elements, at most rows * cols */
    int digits;        /* significant ones */
    int width;         /* of a cell */
};

/* The text so far. */
struct drawing {
    char *text;
    size_t used;
    int columns; /* of a line, at most */
    bool has_unwritten; /* an element that still has its poison */
};

__attribute__((format(printf, 2, 3)))
static void append(struct drawing *d, const char *format, ...)
{
    va_list arguments;
    size_t left = SMALL_CASE_SIZE - d->used;
    int length;

    va_start(arguments, format);
    length = vsnprintf(d->text + d->used, left, format, arguments);
    va_end(arguments);
    d->used += (size_t)length < left ? (size_t)length : left - 1;
}

/* Ends a line, without spaces at its end. */
static void end_line(struct drawing *d)
{
    while (d->used && d->text[d->used - 1] == ' ')
        d->used--;
    append(d, "\n");
}

static bool is_wrong(const struct view *v, size_t i)
{
    return v->is_got && v->e->comparison->wrong_mask[i];
}

/* Was this wrong element never written? */
static bool is_unwritten(const struct view *v, size_t i)
{
    return is_wrong(v, i) && evidence_is_unwritten(v->e, i)
           && !evidence_is_added(v->e);
}

static void write_cell(const struct view *v, size_t i, char cell[CELL])
{
    const struct expected *expected = v->e->expected;
    const enum element type = v->input ? v->input->type : expected->type;
    double value;

    if (is_unwritten(v, i)) {
        snprintf(cell, CELL, "-");
        return;
    }
    if (v->input)
        value = element_value(v->input->data, type, i);
    else if (v->is_got)
        value = evidence_got(v->e, i);
    else
        value = type == FLOAT32 ? (float)expected->want[i] : expected->want[i];
    element_format(type, value, v->digits, cell, CELL);
}

/* Digits with which each wrong element differs from what it should be. */
static int digits_needed(const struct evidence *e)
{
    struct view got = {.e = e, .is_got = true, .digits = 4};
    struct view want = {.e = e, .digits = 4};
    char a[CELL], b[CELL];

    for (size_t i = 0; i < evidence_count(e); i++) {
        if (!e->comparison->wrong_mask[i])
            continue;
        do {
            write_cell(&got, i, a);
            want.digits = got.digits;
            write_cell(&want, i, b);
        } while (!strcmp(a, b) && ++got.digits <= 17);
    }
    return got.digits < 17 ? got.digits : 17;
}

/* Sets the width of the view's cells. */
static void measure(struct view *v)
{
    char cell[CELL];

    v->width = 1;
    for (size_t i = 0; i < v->count; i++) {
        write_cell(v, i, cell);
        if ((int)strlen(cell) > v->width)
            v->width = (int)strlen(cell);
    }
}

/* A view of an array of this shape: a vector in lines of SMALL_CASE_SIDE. */
static struct view make_view(const struct evidence *e, const size_t size[2],
                             int digits)
{
    struct view v = {.e = e, .rows = size[0], .cols = size[1],
                     .count = size[0] * size[1], .digits = digits};

    if (!size[0]) {
        v.count = size[1];
        v.cols = size[1] < SMALL_CASE_SIDE ? size[1] : SMALL_CASE_SIDE;
        v.rows = (size[1] + SMALL_CASE_SIDE - 1) / SMALL_CASE_SIDE;
    }
    return v;
}

/* --- a vector: a line an element ------------------------------------------ */

/* The elements to be written.  @return their number, at most
 * SMALL_CASE_LENGTH; 0 when there are more */
static size_t choose(const struct evidence *e, size_t *chosen)
{
    const size_t n = evidence_count(e);
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        if (n > SMALL_CASE_LENGTH && e->expected->want[i] == 0
            && !e->comparison->wrong_mask[i])
            continue;
        if (count == SMALL_CASE_LENGTH)
            return 0;
        chosen[count++] = i;
    }
    return count;
}

/* One element of all views, or their labels. */
static void append_element(struct drawing *d, const struct view *view,
                           size_t views, const size_t *i)
{
    char cell[CELL];

    append(d, i ? "%4zu" : "    ", i ? *i : 0);
    for (size_t k = 0; k < views; k++) {
        if (i)
            write_cell(&view[k], *i, cell);
        append(d, "  %*s", view[k].width, i ? cell : view[k].label);
    }
    append(d, "%s", i && is_wrong(&view[views - 1], *i) ? " *" : "  ");
    d->has_unwritten |= i && is_unwritten(&view[views - 1], *i);
}

static void draw_vector(struct drawing *d, struct view *view, size_t views,
                        const size_t *chosen, size_t count)
{
    size_t width = 6, groups, lines;

    for (size_t k = 0; k < views; k++) {
        if ((int)strlen(view[k].label) > view[k].width)
            view[k].width = (int)strlen(view[k].label);
        width += 2 + (size_t)view[k].width;
    }
    if (width > (size_t)d->columns)
        return;
    groups = ((size_t)d->columns + GAP) / (width + GAP);
    if (groups > (count + FEW_LINES - 1) / FEW_LINES)
        groups = (count + FEW_LINES - 1) / FEW_LINES;
    lines = (count + groups - 1) / groups;
    for (size_t line = 0; line <= lines; line++) {
        for (size_t g = 0; g < groups; g++) {
            const size_t at = g * lines + line - 1;

            if (g * lines >= count || (line && at >= count))
                continue;
            append(d, "%*s", g ? GAP : 0, "");
            append_element(d, view, views, line ? &chosen[at] : NULL);
        }
        end_line(d);
    }
}

/* --- matrices: blocks side by side ---------------------------------------- */

static int block_width(const struct view *v)
{
    int width = (int)v->cols * (v->width + 2), label = (int)strlen(v->label);

    return width > label ? width : label;
}

/* Line `line` of a block; the label is line 0. */
static void append_block_line(struct drawing *d, const struct view *v,
                              size_t line)
{
    const size_t start = d->used;
    char cell[CELL];

    if (line == 0)
        append(d, "%s", v->label);
    for (size_t x = 0; line && line <= v->rows && x < v->cols; x++) {
        const size_t i = (line - 1) * v->cols + x;

        if (i >= v->count)
            break;
        write_cell(v, i, cell);
        append(d, "%*s%s ", v->width, cell,
               is_wrong(v, i) ? "*" : x + 1 < v->cols || v->is_got ? " " : "");
        d->has_unwritten |= is_unwritten(v, i);
    }
    while (d->used < start + (size_t)block_width(v)
           && d->used + 1 < SMALL_CASE_SIZE)
        append(d, " ");
}

/* Blocks in rows of at most so many columns. */
static void draw_blocks(struct drawing *d, const struct view *view,
                        size_t views)
{
    for (size_t k = 0; k < views; k++)
        if (block_width(&view[k]) > d->columns)
            return;
    for (size_t first = 0, end; first < views; first = end) {
        int width = block_width(&view[first]);
        size_t lines = view[first].rows;

        for (end = first + 1; end < views; end++) {
            width += GAP + block_width(&view[end]);
            if (width > d->columns)
                break;
            if (view[end].rows > lines)
                lines = view[end].rows;
        }
        for (size_t line = 0; line <= lines; line++) {
            for (size_t k = first; k < end; k++) {
                append(d, "%*s", k > first ? GAP : 0, "");
                append_block_line(d, &view[k], line);
            }
            end_line(d);
        }
    }
}

/* --- the case ------------------------------------------------------------- */

static size_t shape_of_output(const struct expected *expected, size_t size[2])
{
    size_t dims = 1;

    while (dims < EXPECTED_DIMS && expected->size[dims])
        dims++;
    return small_squeeze(expected->size, dims, size) ? dims : 0;
}

/* The inputs, drawn before a vector that is not as long as they are. */
static void add_inputs(const struct evidence *e,
                       const struct small_array *inputs, size_t count,
                       int digits, struct view *view)
{
    for (size_t k = 0; k < count; k++) {
        view[k] = make_view(e, inputs[k].size, digits);
        view[k].input = &inputs[k];
        snprintf(view[k].label, sizeof view->label, "%s", inputs[k].name);
        measure(&view[k]);
    }
}

/* "d_y should be"; a name that is cut has a mark.
 * most: characters of a name that have room; 0: no name */
static void set_label(struct view *view, const char *name, const char *word,
                      int most)
{
    if (!most)
        snprintf(view->label, sizeof view->label, "%s", word);
    else if ((int)strlen(name) > most)
        snprintf(view->label, sizeof view->label, "%.*s... %s", most - 3, name,
                 word);
    else
        snprintf(view->label, sizeof view->label, "%s %s", name, word);
}

/* Expected values and result; both have cells of one width. */
static void add_output(const struct evidence *e, const size_t size[2],
                       int digits, int most, struct view view[2])
{
    const char *name = e->expected->name;

    view[0] = view[1] = make_view(e, size, digits);
    view[1].is_got = true;
    set_label(&view[0], name, "should be", most);
    set_label(&view[1], name, "is", most);
    measure(&view[0]);
    measure(&view[1]);
}

/* most: characters of the output's name */
static void draw_case(const struct evidence *e,
                      const struct small_array *inputs, size_t count, int most,
                      int columns, char text[SMALL_CASE_SIZE])
{
    struct drawing d = {.text = text, .columns = columns};
    size_t chosen[SMALL_CASE_LENGTH], size[2], rows = 0;
    struct view view[VIEWS];
    bool is_vector, alike = true;
    int digits;

    *text = 0;
    if (!shape_of_output(e->expected, size) || count > SMALL_CASE_ARRAYS)
        return;
    is_vector = !size[0] && size[1] > 1;
    if (is_vector ? !(rows = choose(e, chosen)) : !small_fits(size))
        return;
    digits = digits_needed(e);
    add_inputs(e, inputs, count, digits, view);
    add_output(e, size, digits, most, view + count);
    for (size_t k = 0; k < count; k++)
        alike &= !inputs[k].size[0] && inputs[k].size[1] == size[1];
    if (!is_vector)
        draw_blocks(&d, view, count + 2);
    else if (alike)
        draw_vector(&d, view, count + 2, chosen, rows);
    else {
        draw_blocks(&d, view, count);
        append(&d, "\n");
        draw_vector(&d, view + count, 2, chosen, rows);
    }
    if (!d.used)
        return;
    if (is_vector && rows < size[1])
        append(&d, "all other elements are 0, as they should be\n");
    append(&d, "%s\n",
           d.has_unwritten ? "*: wrong; -: never written" : "*: wrong");
    if (d.used >= SMALL_CASE_SIZE - 1)
        *text = 0;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* A name is cut where the whole one would make more lines. */
void small_case_draw(const struct evidence *e,
                     const struct small_array *inputs, size_t count,
                     int columns, char text[SMALL_CASE_SIZE])
{
    char whole[SMALL_CASE_SIZE];

    draw_case(e, inputs, count, SHORT_NAME, columns, text);
    if (!*text)
        draw_case(e, inputs, count, 0, columns, text);
    if (strlen(e->expected->name) <= SHORT_NAME)
        return;
    draw_case(e, inputs, count, LONG_NAME, columns, whole);
    if (*whole && count_lines(whole) <= count_lines(text))
        memcpy(text, whole, sizeof whole);
}
