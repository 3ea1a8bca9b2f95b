/* SPDX-License-Identifier: MIT */
/* See history.h: plots of the confusion matrix and of the filters. */
#include <stdlib.h>
#include <string.h>

#include "common/base/contact_sheet.h"
#include "common/base/image.h"
#include "common/base/svg.h"
#include "history.h"
#include "page.h"

enum {
    MARGIN_PIXELS = 110,
    NAME_CHARACTERS = 16, /* of a class name, which must fit the margin */
    FEW_CLASSES = 20      /* up to here, cells have room for numbers */
};

/* Side of a cell. */
static int cell_pixels(int classes)
{
    return classes <= FEW_CLASSES ? 34 : 10;
}

/* A cell of a row with `all` images; `side` is its size in pixels. */
static void draw_cell(struct html *html, const int at[2], int side,
                      unsigned count, unsigned all)
{
    const double fraction = all ? (double)count / all : 0;
    const int row = at[0], column = at[1];
    const int x = MARGIN_PIXELS + column * side, y = MARGIN_PIXELS + row * side;
    const bool has_numbers = side == cell_pixels(FEW_CLASSES);

    /* 256 classes have 65536 cells: empty ones are not drawn. */
    if (!count && !has_numbers)
        return;

    /* Colors of errors are intensified: an error rate of 10 % would look like
     * 0 */
    html_empty(html, "rect",
               "x=%d y=%d width=%d height=%d fill=%s fill-opacity=%.3f "
               "stroke=#eee",
               x, y, side, side,
               row == column ? "#2b8a3e" : "#c92a2a",
               row == column || fraction > 0.5 ? fraction : 2 * fraction);
    if (count && has_numbers)
        svg_textf(html, x + side / 2, y + side / 2 + 4,
                  "text-anchor=middle", "%u", count);
}

/* The first characters of a name, with "..." if there are more. */
static void abbreviate(const char *name, char to[4 * NAME_CHARACTERS + 8])
{
    size_t used = 0;
    int characters = 0;

    for (; name[used] && used < 4 * NAME_CHARACTERS; used++) {
        /* Bytes 10xxxxxx go on with a character of UTF-8. */
        if ((name[used] & 0xc0) != 0x80 && characters++ == NAME_CHARACTERS)
            break;
        to[used] = name[used];
    }
    strcpy(to + used, name[used] ? "..." : "");
}

/* Each name stands twice: before its row and, rotated, above its column. */
static void draw_class_name(struct html *html, const struct dataset *set,
                            int label)
{
    const int side = cell_pixels(set->classes);
    const int at = MARGIN_PIXELS + label * side + side / 2 + 4;
    char text[DATASET_NUMBER_BYTES], word[4 * NAME_CHARACTERS + 8];

    abbreviate(dataset_class_name(set, label, text), word);

    svg_textf(html, MARGIN_PIXELS - 6, at, "text-anchor=end", "%s", word);
    html_open_with(html, "text", "transform='translate(%d %d) rotate(-60)'",
                   at, MARGIN_PIXELS - 6);
    html_text(html, word);
    html_close(html);
}

bool confusion_write_svg(const struct confusion *confusion,
                         const struct dataset *set, const char *folder,
                         struct failure *failure)
{
    const int cell = cell_pixels(confusion->classes);
    const int side = MARGIN_PIXELS + confusion->classes * cell + 20;
    struct page page;
    struct html html;

    if (!page_open(&page, folder, "confusion.svg", failure))
        return false;
    html = (struct html){.out = page.file};
    svg_begin(&html, side, side, confusion->classes > FEW_CLASSES ? 9 : 11,
              "confusion matrix");
    for (int i = 0; i < confusion->classes; i++) {
        unsigned all = 0;

        for (int j = 0; j < confusion->classes; j++)
            all += confusion->count[i][j];
        draw_class_name(&html, set, i);
        for (int j = 0; j < confusion->classes; j++)
            draw_cell(&html, (const int[]){i, j}, cell, confusion->count[i][j],
                      all);
    }
    html_end(&html);
    return page_close(&page, failure);
}

/* One filter as an image, its weights scaled from black to white. */
static void draw_filter(const float *weights, int channels, int plane,
                        struct image *image)
{
    /* Each filter has its own range: shapes are compared, not magnitudes.  Of
     * more than three channels the first is shown. */
    const int shown = image->channels;
    float low = weights[0], high = weights[0];

    for (int i = 0; i < channels * plane; i++) {
        if (weights[i] < low) low = weights[i];
        if (weights[i] > high) high = weights[i];
    }
    for (int i = 0; i < plane; i++)
        for (int c = 0; c < shown; c++) {
            const float fraction = (weights[c * plane + i] - low)
                                / (high > low ? high - low : 1);

            image->data[i * shown + c] = (unsigned char)(fraction * 255);
        }
}

bool filters_write_png(const float *weights, int filters, int channels,
                       int rows, int columns, const char *folder,
                       struct failure *failure)
{
    const struct sheet_layout layout = {8, 4, 12, 255};
    struct image *tiles = calloc((size_t)filters, sizeof *tiles), sheet;
    char path[PAGE_PATH];
    bool ok = tiles != NULL;

    for (int i = 0; ok && i < filters; i++) {
        ok = image_make(&tiles[i], columns, rows, channels == 3 ? 3 : 1,
                        failure);
        if (ok)
            draw_filter(weights + (size_t)i * channels * rows * columns,
                        channels, rows * columns, &tiles[i]);
    }
    snprintf(path, sizeof path, "%s/filters.png", folder);
    ok = ok && sheet_make(tiles, filters, &layout, &sheet, failure);
    if (ok) {
        ok = image_write(path, &sheet, failure);
        image_free(&sheet);
    }
    for (int i = 0; tiles && i < filters; i++) image_free(&tiles[i]);
    free(tiles);
    return ok;
}
