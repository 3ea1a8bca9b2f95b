/* SPDX-License-Identifier: MIT */
/* train find-lr: steps whose learning rate grows from one to the next (Smith,
 * "Cyclical learning rates for training neural networks", 2017).  The loss
 * falls, and rises again where the rate is too large. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/svg.h"
#include "common/train/page.h"
#include "session.h"

enum { STEPS = 100, WIDTH = 360, HEIGHT = 220, LEFT = 50, TOP = 30 };
static const double lowest = 1e-6, highest = 10, worse = 4, smoothing = 0.9;

/* The rates tried, and the smoothed losses. */
struct search {
    double rate[STEPS], loss[STEPS];
    int count;
};

/* One step at the next rate.  @return false after a failure, or when the loss
 * has become much worse than the best one */
static bool try_rate(struct session *session, struct loader *loader,
                     struct search *search, double *mean,
                     struct failure *failure)
{
    const int i = search->count;
    const float none[2] = {0, 0};
    const struct batch *batch = loader_next(loader);
    const struct images images = {batch->images, batch->labels,
                                  (int)batch->count};
    double best = INFINITY;
    float totals[2];

    search->rate[i] = lowest * pow(highest / lowest, i / (STEPS - 1.0));
    if (!trainer_write_totals(&session->trainer, none, failure)
        || !trainer_step(&session->trainer, &images, (float)search->rate[i],
                         failure)
        || !trainer_read_totals(&session->trainer, totals, failure))
        return false;
    *mean = smoothing * *mean
            + (1 - smoothing) * (double)totals[0] / (double)batch->count;
    search->loss[i] = *mean / (1 - pow(smoothing, i + 1));
    for (int j = 0; j < i; j++) best = fmin(best, search->loss[j]);
    if (!isfinite(search->loss[i]) || search->loss[i] > worse * best)
        return false;
    search->count++;
    return true;
}

/* Index of the rate with the smallest loss. */
static int find_best(const struct search *search)
{
    int best = 0;

    for (int i = 1; i < search->count; i++)
        if (search->loss[i] < search->loss[best]) best = i;
    return best;
}

static bool write_table(const struct search *search, const char *folder,
                        struct failure *failure)
{
    struct page page;

    if (!page_open(&page, folder, "find_lr.csv", failure))
        return false;
    fprintf(page.file, "lr,loss\n");
    for (int i = 0; i < search->count; i++)
        fprintf(page.file, "%.6g,%.6g\n", search->rate[i], search->loss[i]);
    return page_close(&page, failure);
}

/* The rate's position on a logarithmic axis. */
static double x_of(double rate)
{
    return log(rate / lowest) / log(highest / lowest) * WIDTH;
}

static void draw(struct html *html, const struct search *search)
{
    double top = 0;

    for (int i = 0; i < search->count; i++) top = fmax(top, search->loss[i]);
    html_empty(html, "rect", "width=%d height=%d fill=none stroke=#999", WIDTH,
               HEIGHT);
    for (int i = -6; i <= 1; i++)
        svg_textf(html, (int)x_of(pow(10, i)), HEIGHT + 16,
                  "text-anchor=middle", "1e%d", i);
    for (int i = 0; i <= 4; i++)
        svg_textf(html, -6, HEIGHT - i * HEIGHT / 4 + 4, "text-anchor=end",
                  "%.3g", top * i / 4);
    svg_textf(html, 0, -10, "font-weight=bold", "%s",
              "loss by learning rate");
    svg_polyline_begin(html, "#1f6fb4");
    for (int i = 0; i < search->count; i++)
        svg_polyline_point(html, x_of(search->rate[i]),
                           (1 - search->loss[i] / top) * HEIGHT);
    svg_polyline_end(html);
}

static bool write_plot(const struct search *search, const char *folder,
                       struct failure *failure)
{
    struct page page;
    struct html html;

    if (!page_open(&page, folder, "find_lr.svg", failure))
        return false;
    html = (struct html){.out = page.file};
    svg_begin(&html, WIDTH + LEFT + 20, HEIGHT + TOP + 40, 12,
              "loss by learning rate");
    html_open_with(&html, "g", "transform='translate(%d %d)'", LEFT, TOP);
    draw(&html, search);
    html_end(&html);
    return page_close(&page, failure);
}

bool session_find_lr(struct session *session, struct failure *failure)
{
    static struct search search;
    const char *out = session->options->out;
    struct failure why = {""};
    double mean = 0;
    struct loader *loader =
        loader_open(&session->train, &session->loading, 0, 0, failure);

    if (!loader)
        return false;
    while (search.count < STEPS && !session_stop_requested()
           && try_rate(session, loader, &search, &mean, &why))
        ;
    loader_close(loader);
    if (*why.text || search.count == 0)
        return fail(failure, "%s", *why.text ? why.text
                                             : "the first loss is not finite");
    if (!write_table(&search, out, failure)
        || !write_plot(&search, out, failure))
        return false;
    printf("%d learning rates from %g on: the loss is smallest, %.4f, at %.2g; "
           "a tenth of it, %.2g, is a common choice\n"
           "plot: %s/find_lr.svg\n", search.count, lowest,
           search.loss[find_best(&search)], search.rate[find_best(&search)],
           search.rate[find_best(&search)] / 10, out);
    return true;
}
