/* SPDX-License-Identifier: MIT */
/* Fills message queues, whose bytes are the kernel's. */
#include "hostile.h"

#include <sys/ipc.h>
#include <sys/msg.h>

/* 1.5 GB at most, where nothing counts them. */
static bool is_refused(void)
{
    static struct {
        long type;
        char text[8000];
    } message = {1, ""};
    size_t sent = 0;

    for (int i = 0; i < 16000 && sent < (size_t)1500 << 20; i++) {
        int queue = msgget(IPC_PRIVATE, 0600);

        if (queue < 0)
            break;
        while (sent < (size_t)1500 << 20
               && msgsnd(queue, &message, sizeof message.text, IPC_NOWAIT) == 0)
            sent += sizeof message.text;
    }
    return sent < (size_t)640 << 20;
}

RIGHT_IF(is_refused())
