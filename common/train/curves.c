/* SPDX-License-Identifier: MIT */
/* See history.h: two frames side by side, loss and share right.  Training is
 * drawn point by point, so that one epoch too shows how it went; the sets that
 * are looked at between epochs have a dot an epoch. */
#include <math.h>

#include "history.h"
#include "page.h"

enum { WIDTH = 360, HEIGHT = 220, LEFT = 50, TOP = 30, BETWEEN = 80 };

/* What is drawn, and the numbers at its lower and upper edge. */
struct frame {
    FILE *file;
    const struct history *history;
    double low, high;
};

/* Epochs that the frame is wide. */
static double last_of(const struct history *history)
{
    return (double)history->row[history->count - 1][EPOCH_NUMBER];
}

/* Pixels from the left and, kept inside the frame, from the top. */
static double across(const struct frame *frame, float epoch)
{
    return (double)epoch / last_of(frame->history) * WIDTH;
}

static double down(const struct frame *frame, float value)
{
    const double up =
        ((double)value - frame->low) / (frame->high - frame->low);

    return (1 - fmin(fmax(up, 0), 1)) * HEIGHT;
}

static void begin_line(const struct frame *frame, const char *colour)
{
    fprintf(frame->file, "<polyline fill='none' stroke='%s' "
                         "stroke-width='1.5' points='", colour);
}

/* Training: a column of the points. */
static void fine(const struct frame *frame, int column, const char *colour)
{
    begin_line(frame, colour);
    for (size_t i = 0; i < frame->history->points; i++) {
        const float *point = frame->history->point[i];

        fprintf(frame->file, "%.1f,%.1f ", across(frame, point[POINT_EPOCH]),
                down(frame, point[column]));
    }
    fprintf(frame->file, "'/>\n");
}

/* Another set: a column of the rows. */
static void coarse(const struct frame *frame, int column, const char *colour)
{
    const struct history *history = frame->history;

    begin_line(frame, colour);
    for (size_t i = 0; i < history->count; i++)
        fprintf(frame->file, "%.1f,%.1f ",
                across(frame, history->row[i][EPOCH_NUMBER]),
                down(frame, history->row[i][column]));
    fprintf(frame->file, "'/>\n");
    for (size_t i = 0; i < history->count; i++)
        fprintf(frame->file, "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>\n",
                across(frame, history->row[i][EPOCH_NUMBER]),
                down(frame, history->row[i][column]), colour);
}

/* Lines across, and what they stand for. */
static void scale(const struct frame *frame, const char *title)
{
    fprintf(frame->file,
            "<text x='0' y='-10' font-weight='bold'>%s</text>\n"
            "<rect width='%d' height='%d' fill='none' stroke='#999'/>\n",
            title, WIDTH, HEIGHT);
    for (int i = 0; i <= 4; i++)
        fprintf(frame->file,
                "<text x='-6' y='%d' text-anchor='end'>%.3g</text>\n"
                "<path d='M0 %dH%d' stroke='#ddd'/>\n",
                HEIGHT - i * HEIGHT / 4 + 4,
                frame->low + (frame->high - frame->low) * i / 4,
                HEIGHT - i * HEIGHT / 4, WIDTH);
    fprintf(frame->file,
            "<text x='0' y='%d'>0</text>\n"
            "<text x='%d' y='%d' text-anchor='end'>epoch %g</text>\n",
            HEIGHT + 16, WIDTH, HEIGHT + 16, last_of(frame->history));
}

/* A frame with up to three curves.
 * row: training's column of an epoch; the other sets' are 2 and 4 further */
static void draw(const struct frame *frame, const char *title, int row,
                 int point)
{
    static const char *const colours[] = {"#1f6fb4", "#d97a1f", "#2b8a3e"};
    static const char *const sets[] = {"training", "validation", "test"};

    scale(frame, title);
    for (int i = 0; i < 3; i++) {
        if (isnan(frame->history->row[0][row + 2 * i]))
            continue;
        if (i == 0)
            fine(frame, point, colours[i]);
        else
            coarse(frame, row + 2 * i, colours[i]);
        fprintf(frame->file, "<text x='%d' y='%d' fill='%s'>%s</text>\n",
                i * 110, HEIGHT + 34, colours[i], sets[i]);
    }
}

/* The largest loss; of training's beginning no more than thrice the largest
 * of an epoch, or all that follows would be flat. */
static double most_loss(const struct history *history)
{
    double rows = 0, points = 0;

    for (size_t i = 0; i < history->count; i++)
        for (int j = EPOCH_LOSS; j < EPOCH_COLUMNS; j += 2)
            rows = fmax(rows, (double)history->row[i][j]);
    for (size_t i = 0; i < history->points; i++)
        points = fmax(points, (double)history->point[i][POINT_LOSS]);
    return rows > 0 ? fmax(rows, fmin(points, 3 * rows)) : 1;
}

/* The smallest share right of all epochs, down to a tenth. */
static double least_right(const struct history *history)
{
    double least = 1;

    for (size_t i = 0; i < history->count; i++)
        for (int j = EPOCH_RIGHT; j < EPOCH_COLUMNS; j += 2)
            least = fmin(least, (double)history->row[i][j]);
    return fmin(floor(10 * least) / 10, 0.9);
}

bool history_svg(const struct history *history, const char *folder,
                 struct failure *failure)
{
    struct page page;
    struct frame frame = {.history = history};

    if (history->count == 0 || !page_open(&page, folder, "curves.svg",
                                          failure))
        return history->count == 0;
    frame.file = page.file;
    fprintf(page.file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "font-family='sans-serif' font-size='12'>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n"
            "<g transform='translate(%d %d)'>\n",
            2 * WIDTH + BETWEEN + LEFT + 20, HEIGHT + TOP + 50, LEFT, TOP);
    frame.high = most_loss(history); /* from 0, so that halves look like it */
    draw(&frame, "loss", EPOCH_LOSS, POINT_LOSS);
    fprintf(page.file, "</g>\n<g transform='translate(%d %d)'>\n",
            LEFT + WIDTH + BETWEEN, TOP);
    frame.high = 1;
    frame.low = least_right(history);
    draw(&frame, "share right", EPOCH_RIGHT, POINT_RIGHT);
    fprintf(page.file, "</g>\n</svg>\n");
    return page_close(&page, failure);
}
