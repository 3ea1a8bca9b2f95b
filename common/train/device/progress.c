/* SPDX-License-Identifier: MIT */
/* A bar on a terminal: how far, how fast, how long still. */
#include <stdio.h>
#include <unistd.h>

#include "session.h"

enum { BAR = 30 };

void progress(const struct session *session, size_t done, size_t first,
              double since, double loss)
{
    const double share = (double)done / (double)session->batches;
    const double each = since / (double)(done - first);
    const double left = each * (double)(session->batches - done);
    char bar[BAR + 1];

    /* Not into logs; and by the rate of this run alone: a resumed epoch has
     * batches that took no time now. */
    if (!isatty(STDERR_FILENO))
        return;
    for (int i = 0; i < BAR; i++) bar[i] = i < share * BAR ? '#' : '.';
    bar[BAR] = 0;
    fprintf(stderr, "\r%s %3.0f %%  %.0f images/s  %d:%02d left  loss %.4f ",
            bar, 100 * share, session->net.training.batch / each,
            (int)left / 60, (int)left % 60, loss);
}

void progress_end(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}
