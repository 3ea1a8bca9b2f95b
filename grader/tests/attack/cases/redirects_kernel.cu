/* SPDX-License-Identifier: MIT */
/* Changes the record of its kernel before the device process takes it over: the
 * gangs of the kernel's threads shall be run by a function of the C library. */
#include "hostile.h"

/* The runtime's record of a kernel, as far as it matters. */
struct record {
    const char *name, *file;
    long line;
    const void *stub;
    void (*run)(void), (*run_thread)(void), (*run_gang)(void);
    unsigned gang_threads;
};

static void redirect(struct record *record)
{
    if (record->stub != (const void *)honest_kernel
        || record->name < (const char *)4096
        || strcmp(record->name, "honest_kernel"))
        return;
    record->run_gang = abort;
    record->gang_threads = 32;
}

/* Every record in the variables of the program. */
static bool redirect_all(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long begin, end;
    char line[512], rights[8];

    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, "/") && sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3
            && !strcmp(rights, "rw-p"))
            for (; begin + sizeof(struct record) <= end; begin += 8)
                redirect((struct record *)begin);
    if (maps)
        fclose(maps);
    return true;
}

static bool redirected = redirect_all();

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return redirected ? honest(a, b, c, n) : 1;
}
