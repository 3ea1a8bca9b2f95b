/* SPDX-License-Identifier: MIT */
/* The same by POSIX's queues. */
#include "hostile.h"

#include <mqueue.h>

static bool is_refused(void)
{
    static char text[8192];
    size_t sent = 0;

    for (int i = 0; i < 2000; i++) {
        struct mq_attr kind = {};
        char name[32];
        mqd_t queue;

        kind.mq_maxmsg = 10;
        kind.mq_msgsize = sizeof text;
        snprintf(name, sizeof name, "/q%d", i);
        queue = mq_open(name, O_CREAT | O_RDWR | O_NONBLOCK, 0600, &kind);
        if (queue == (mqd_t)-1)
            break;
        while (mq_send(queue, text, sizeof text, 0) == 0)
            sent += sizeof text;
        mq_close(queue);
    }
    return sent < (size_t)64 << 20;
}

RIGHT_IF(is_refused())
