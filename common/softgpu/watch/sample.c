/* SPDX-License-Identifier: MIT */
/* Choosing what is watched, and telling what is not. */
#include "sample.h"

#include <jansson.h>
#include <stdlib.h>

#include "modes.h"

enum { THREADS = 1 << 22, KERNELS = 64 };

/** A kernel of which blocks were left out. */
struct partial {
    const char *kernel;
    uint64_t every; /* the largest k */
    uint64_t launches;
};

static struct partial partial[KERNELS];
static int partials;
static uint64_t every = 1; /* of this launch */
static size_t left_out, left_out_bytes;

static uint64_t most_threads(void)
{
    static uint64_t most;
    const char *text = getenv("SOFTGPU_CHECK_THREADS");

    if (!most)
        most = text ? strtoull(text, NULL, 0) : THREADS;
    return most ? most : 1;
}

static struct partial *partial_of(const char *kernel)
{
    int i = 0;

    while (i < partials && partial[i].kernel != kernel)
        i++;
    if (i == KERNELS)
        return NULL;
    partials += i == partials;
    partial[i].kernel = kernel;
    return &partial[i];
}

void sample_begin_grid(const struct run *run)
{
    const dim3 b = run->grid->block;
    const uint64_t threads = run->blocks * b.x * b.y * b.z;
    struct partial *p;

    every = (threads + most_threads() - 1) / most_threads();
    every = every > run->blocks ? run->blocks : every;
    if (every <= 1 || !(p = partial_of(run->grid->kernel->name)))
        return;
    p->every = every > p->every ? every : p->every;
    p->launches++;
}

int sample_has(uint64_t block)
{
    return every <= 1 || block % every == 0;
}

void sample_left_out(size_t bytes)
{
    left_out++;
    left_out_bytes += bytes;
}

void sample_text(FILE *out)
{
    for (int i = 0; i < partials; i++)
        fprintf(out, "softgpu: %s was watched in part: for races and unwritten "
                "memory every %lluth block of %llu large launch%s\n",
                partial[i].kernel, (unsigned long long)partial[i].every,
                (unsigned long long)partial[i].launches,
                partial[i].launches == 1 ? "" : "es");
    if (left_out)
        fprintf(out, "softgpu: %zu allocation%s of %zu MB in all %s too large "
                "to be watched for races\n", left_out,
                left_out == 1 ? "" : "s", left_out_bytes >> 20,
                left_out == 1 ? "was" : "were");
}

json_t *check_sampled(void)
{
    json_t *list = json_array();

    for (int i = 0; i < partials; i++)
        json_array_append_new(list, json_pack(
            "{s:s, s:I, s:I}", "kernel", partial[i].kernel, "every",
            (json_int_t)partial[i].every, "launches",
            (json_int_t)partial[i].launches));
    return json_pack("{s:o, s:I, s:I}", "kernels", list,
                     "allocations", (json_int_t)left_out,
                     "bytes", (json_int_t)left_out_bytes);
}
