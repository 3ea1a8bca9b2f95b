/* SPDX-License-Identifier: MIT */
/* Progress bar on a terminal: fraction done, images per second, time left. */
#include <stdio.h>
#include <unistd.h>

#include "session.h"

enum { BAR = 30 };

void progress(const struct session *session, size_t done, size_t first,
              double since, double loss)
{
    const double fraction = (double)done / (double)session->batches;
    const double each = since / (double)(done - first);
    const double left = each * (double)(session->batches - done);
    char bar[BAR + 1];

    /* Not in log files.  The rate is that of this process: a resumed epoch
     * contains batches of an earlier one. */
    if (!isatty(STDERR_FILENO))
        return;
    for (int i = 0; i < BAR; i++) bar[i] = i < fraction * BAR ? '#' : '.';
    bar[BAR] = 0;
    fprintf(stderr, "\r%s %3.0f %%  %.0f images/s  %d:%02d left  loss %.4f ",
            bar, 100 * fraction, session->net.training.batch / each,
            (int)left / 60, (int)left % 60, loss);
}

void progress_end(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}
