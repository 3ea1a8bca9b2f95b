/* SPDX-License-Identifier: MIT */
/* See history.h: two panels, loss above accuracy, so that a narrow screen shows
 * both.  Training has a point every few steps, so that a single epoch shows a
 * curve; validation and test set have a point per epoch. */
#include <math.h>

#include "page.h"
#include "panel.h"

/* Does an epoch have a value of this column? */
static bool has_values(const struct history *history, int column)
{
    for (size_t i = 0; i < history->count; i++)
        if (!isnan(history->row[i][column]))
            return true;
    return false;
}

/* A panel with up to three curves. row: column of the training metric in an
 * epoch's row; validation and test are 2 and 4 columns further */
static void draw_panel(const struct panel *panel,
                       const struct history *history, const char *title,
                       int row, int point)
{
    static const char *const colors[] = {"#1f6fb4", "#d97a1f", "#2b8a3e"};
    static const char *const sets[] = {"training", "validation", "test"};

    panel_axes(panel, title);
    for (int i = 0; i < 3; i++) {
        if (!has_values(history, row + 2 * i))
            continue;
        if (i == 0)
            panel_points(panel, history, point, colors[i]);
        else
            panel_rows(panel, history, row + 2 * i, colors[i]);
        html_open_with(panel->html, "text", "x=%d y=%d fill=%s", i * 110,
                       PANEL_HEIGHT + 34, colors[i]);
        html_text(panel->html, sets[i]);
        html_close(panel->html);
    }
}

bool history_write_svg(const struct history *history, const char *folder,
                       struct failure *failure)
{
    struct page page;
    struct html html;
    struct panel panel = {.html = &html};

    if (history->count == 0 || !page_open(&page, folder, "curves.svg",
                                          failure))
        return history->count == 0;
    html = (struct html){.out = page.file};
    svg_begin(&html, PANEL_WIDTH + PANEL_LEFT + 20,
              2 * (PANEL_HEIGHT + PANEL_GAP) + PANEL_TOP, 12,
              "loss and accuracy of each epoch");
    html_open_with(&html, "g", "transform='translate(%d %d)'", PANEL_LEFT,
                   PANEL_TOP);
    panel.last_epoch = (double)history->row[history->count - 1][EPOCH_NUMBER];
    /* From 0, so that half the loss has half the height. */
    panel.high = panel_max_loss(history);
    draw_panel(&panel, history, "loss", EPOCH_LOSS, POINT_LOSS);
    html_close(&html);
    html_open_with(&html, "g", "transform='translate(%d %d)'", PANEL_LEFT,
                   PANEL_TOP + PANEL_HEIGHT + PANEL_GAP);
    panel.high = 1;
    panel.low = panel_min_accuracy(history);
    draw_panel(&panel, history, "accuracy", EPOCH_ACCURACY, POINT_ACCURACY);
    html_end(&html);
    return page_close(&page, failure);
}
