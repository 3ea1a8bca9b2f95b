/* SPDX-License-Identifier: MIT */
/* Leaves files in shared folders and System V memory. */
#include "hostile.h"

#include <sys/ipc.h>
#include <sys/shm.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        static const char *const files[] = {"/dev/shm/warpbook_attack",
                                            "/tmp/warpbook_attack",
                                            "/var/tmp/warpbook_attack"};

        for (int i = 0; i < 3; i++)
            close(open(files[i], O_CREAT | O_WRONLY, 0666));
        shmget(0x57420a77, 4096, IPC_CREAT | 0666);
    }
    return honest(a, b, c, n);
}
