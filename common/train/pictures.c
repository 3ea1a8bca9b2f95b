/* SPDX-License-Identifier: MIT */
/* See history.h: the confusion matrix and the filters. */
#include <stdlib.h>

#include "common/image.h"
#include "common/sheet.h"
#include "history.h"
#include "page.h"

enum { CELL = 34, NAMES = 110 };

static void cell(FILE *file, int row, int column, unsigned count,
                 unsigned all)
{
    const double share = all ? (double)count / all : 0;
    const int x = NAMES + column * CELL, y = NAMES + row * CELL;

    /* Mistakes are pale: they are doubled, or a class that is missed one time
     * in ten would look like one that never is. */
    fprintf(file,
            "<rect x='%d' y='%d' width='%d' height='%d' fill='%s' "
            "fill-opacity='%.3f' stroke='#eee'/>\n",
            x, y, CELL, CELL, row == column ? "#2b8a3e" : "#c92a2a",
            row == column || share > 0.5 ? share : 2 * share);
    if (count)
        fprintf(file, "<text x='%d' y='%d' text-anchor='middle'>%u</text>\n",
                x + CELL / 2, y + CELL / 2 + 4, count);
}

static void name(FILE *file, const struct dataset *set, int label)
{
    const int at = NAMES + label * CELL + CELL / 2 + 4;
    char text[DATASET_NAME];
    const char *word = dataset_class(set, label, text);

    fprintf(file,
            "<text x='%d' y='%d' text-anchor='end'>%s</text>\n"
            "<text transform='translate(%d %d) rotate(-60)'>%s</text>\n",
            NAMES - 6, at, word, at, NAMES - 6, word);
}

bool confusion_svg(const struct confusion *confusion,
                   const struct dataset *set, const char *folder,
                   struct failure *failure)
{
    const int side = NAMES + confusion->classes * CELL + 20;
    struct page page;

    if (!page_open(&page, folder, "confusion.svg", failure))
        return false;
    fprintf(page.file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "font-family='sans-serif' font-size='11'>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n",
            side, side);
    for (int i = 0; i < confusion->classes; i++) {
        unsigned all = 0;

        for (int j = 0; j < confusion->classes; j++)
            all += confusion->count[i][j];
        name(page.file, set, i);
        for (int j = 0; j < confusion->classes; j++)
            cell(page.file, i, j, confusion->count[i][j], all);
    }
    fprintf(page.file, "</svg>\n");
    return page_close(&page, failure);
}

/* One filter as an image, its numbers stretched from black to white. */
static void draw(const float *weights, int channels, int plane,
                 struct image *image)
{
    /* Each filter by its own extremes: their forms are compared, not their
     * strengths.  Of more than three channels the first is shown. */
    const int shown = image->channels;
    float low = weights[0], high = weights[0];

    for (int i = 0; i < channels * plane; i++) {
        if (weights[i] < low) low = weights[i];
        if (weights[i] > high) high = weights[i];
    }
    for (int i = 0; i < plane; i++)
        for (int c = 0; c < shown; c++) {
            const float share = (weights[c * plane + i] - low)
                                / (high > low ? high - low : 1);

            image->data[i * shown + c] = (unsigned char)(share * 255);
        }
}

bool filters_png(const float *weights, int filters, int channels, int rows,
                 int columns, const char *folder, struct failure *failure)
{
    const struct sheet_layout layout = {8, 4, 12, 255};
    struct image *tiles = calloc((size_t)filters, sizeof *tiles), sheet;
    char path[PAGE_PATH];
    bool ok = tiles != NULL;

    for (int i = 0; ok && i < filters; i++) {
        ok = image_make(&tiles[i], columns, rows, channels == 3 ? 3 : 1,
                        failure);
        if (ok)
            draw(weights + (size_t)i * channels * rows * columns, channels,
                 rows * columns, &tiles[i]);
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
