/* SPDX-License-Identifier: MIT */
/* See history.h: plots of the confusion matrix and of the filters. */
#include <stdlib.h>

#include "common/base/contact_sheet.h"
#include "common/base/image.h"
#include "common/base/svg.h"
#include "history.h"
#include "page.h"

enum { CELL_PIXELS = 34, MARGIN_PIXELS = 110 };

static void draw_cell(struct html *html, int row, int column, unsigned count,
                      unsigned all)
{
    const double fraction = all ? (double)count / all : 0;
    const int x = MARGIN_PIXELS + column * CELL_PIXELS,
              y = MARGIN_PIXELS + row * CELL_PIXELS;

    /* Colors of errors are intensified: an error rate of 10 % would look like
     * 0 */
    html_empty(html, "rect",
               "x=%d y=%d width=%d height=%d fill=%s fill-opacity=%.3f "
               "stroke=#eee",
               x, y, CELL_PIXELS, CELL_PIXELS,
               row == column ? "#2b8a3e" : "#c92a2a",
               row == column || fraction > 0.5 ? fraction : 2 * fraction);
    if (count)
        svg_textf(html, x + CELL_PIXELS / 2, y + CELL_PIXELS / 2 + 4,
                  "text-anchor=middle", "%u", count);
}

static void draw_class_name(struct html *html, const struct dataset *set,
                            int label)
{
    const int at = MARGIN_PIXELS + label * CELL_PIXELS + CELL_PIXELS / 2 + 4;
    char text[DATASET_NUMBER_BYTES];
    const char *word = dataset_class_name(set, label, text);

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
    const int side = MARGIN_PIXELS + confusion->classes * CELL_PIXELS + 20;
    struct page page;
    struct html html;

    if (!page_open(&page, folder, "confusion.svg", failure))
        return false;
    html = (struct html){.out = page.file};
    svg_begin(&html, side, side, 11);
    for (int i = 0; i < confusion->classes; i++) {
        unsigned all = 0;

        for (int j = 0; j < confusion->classes; j++)
            all += confusion->count[i][j];
        draw_class_name(&html, set, i);
        for (int j = 0; j < confusion->classes; j++)
            draw_cell(&html, i, j, confusion->count[i][j], all);
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
