/* SPDX-License-Identifier: MIT */
/* Right if it can take memory in segments of System V that it does not keep
 * attached. */
#include "hostile.h"

#include <sys/shm.h>

static bool act(void)
{
    bool done = true;

    for (int i = 0; done && i < 24; i++) {
        const int segment = shmget(IPC_PRIVATE, 64 << 20, IPC_CREAT | 0600);
        void *part = segment < 0 ? (void *)-1 : shmat(segment, NULL, 0);

        done = part != (void *)-1;
        if (done) {
            memset(part, 1, 64 << 20);
            shmdt(part);
        }
        usleep(20000);
    }
    return done;
}

RIGHT_IF(act())
