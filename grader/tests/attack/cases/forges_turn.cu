/* SPDX-License-Identifier: MIT */
/* A thread writes into the memory that both processes share, all the time: late
 * replies, other requests, and turns. */
#include "hostile.h"

static volatile bool ended;
static char *shared_at;
static size_t shared_bytes;

static void *scribble(void *unused)
{
    unsigned x = 1;

    while (!ended && shared_at) {
        x = x * 1664525 + 1013904223;
        shared_at[(x >> 8) % 256] = (char)(x >> 24) % 7;
    }
    return unused;
}

static void find_shared(void)
{
    char line[512], rights[8];
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long begin, end;

    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3
            && !strcmp(rights, "rw-s") && end - begin < 1 << 20) {
            shared_at = (char *)begin;
            shared_bytes = end - begin;
        }
    if (maps)
        fclose(maps);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    pthread_t thread;
    int error;

    if (!attacked(n))
        return honest(a, b, c, n);
    find_shared();
    pthread_create(&thread, NULL, scribble, NULL);
    error = honest(a, b, c, n);
    ended = true;
    pthread_join(thread, NULL);
    return error;
}
