/* SPDX-License-Identifier: MIT */
/* Chooses the blocks that are checked, and reports what is left out. */
#include "sampling.h"

#include <jansson.h>
#include <stdlib.h>


enum { DEFAULT_THREAD_LIMIT = 1 << 22, MAX_KERNELS = 64 };

/** A kernel with launches of which blocks were left out. */
struct sampled_kernel {
    const char *kernel;
    uint64_t stride; /* one block of so many; the largest */
    uint64_t launches;
};

static struct sampled_kernel sampled_kernel[MAX_KERNELS];
static int sampled_count;
static uint64_t stride = 1; /* of the running launch */
static size_t skipped_count, skipped_bytes;

static uint64_t thread_limit(void)
{
    static uint64_t limit;
    const char *text = getenv("SOFTGPU_CHECK_THREADS");

    if (!limit)
        limit = text ? strtoull(text, NULL, 0) : DEFAULT_THREAD_LIMIT;
    return limit ? limit : 1;
}

static struct sampled_kernel *find_sampled_kernel(const char *kernel)
{
    int i = 0;

    while (i < sampled_count && sampled_kernel[i].kernel != kernel)
        i++;
    if (i == MAX_KERNELS)
        return NULL;
    sampled_count += i == sampled_count;
    sampled_kernel[i].kernel = kernel;
    return &sampled_kernel[i];
}

void sampling_resume_grid(const struct run *run)
{
    const dim3 b = run->grid->block;
    const uint64_t threads = run->blocks * b.x * b.y * b.z;

    stride = (threads + thread_limit() - 1) / thread_limit();
    stride = stride > run->blocks ? run->blocks : stride;
}

void sampling_begin_grid(const struct run *run)
{
    struct sampled_kernel *p;

    sampling_resume_grid(run);
    if (stride <= 1 || !(p = find_sampled_kernel(run->grid->kernel->name)))
        return;
    p->stride = stride > p->stride ? stride : p->stride;
    p->launches++;
}

int sampling_includes(uint64_t block)
{
    return stride <= 1 || block % stride == 0;
}

void sampling_skip_allocation(size_t bytes)
{
    skipped_count++;
    skipped_bytes += bytes;
}

void sampling_print(FILE *out)
{
    for (int i = 0; i < sampled_count; i++)
        fprintf(out,
                "softgpu: %s was checked in part: for races and uninitialized "
                "memory every %lluth block of %llu large launch%s\n",
                sampled_kernel[i].kernel,
                (unsigned long long)sampled_kernel[i].stride,
                (unsigned long long)sampled_kernel[i].launches,
                sampled_kernel[i].launches == 1 ? "" : "es");
    if (skipped_count)
        fprintf(out,
                "softgpu: %zu allocation%s of %zu MB in all %s too large "
                "to be checked for races\n",
                skipped_count, skipped_count == 1 ? "" : "s",
                skipped_bytes >> 20, skipped_count == 1 ? "was" : "were");
}

struct json_t *sampling_json(void)
{
    json_t *list = json_array();

    for (int i = 0; i < sampled_count; i++)
        json_array_append_new(
            list,
            json_pack("{s:s, s:I, s:I}", "kernel", sampled_kernel[i].kernel,
                      "every", (json_int_t)sampled_kernel[i].stride, "launches",
                      (json_int_t)sampled_kernel[i].launches));
    return json_pack("{s:o, s:I, s:I}", "kernels", list, "allocations",
                     (json_int_t)skipped_count, "bytes",
                     (json_int_t)skipped_bytes);
}
