/* SPDX-License-Identifier: MIT */
/* Checks the arrays that the program passes to a library call (cuBLAS, cuDNN).
 * The library's own accesses are not instrumented. */
#include "library_check.h"

#include "common/softgpu/core/code_range.h"
#include "allocations.h"
#include "initcheck.h"

/** An array of a call. */
struct library_arg {
    const struct softgpu_library_call *call;
    const struct softgpu_array *array;
    const struct allocation *memory; /* that holds its first byte, or NULL */
    struct softgpu_finding finding;
};

static uintptr_t first_byte(const struct softgpu_array *a)
{
    return (uintptr_t)a->ptr;
}

/* One past its last byte. */
static uintptr_t end_byte(const struct softgpu_array *a)
{
    return first_byte(a) + (a->rows - 1) * a->pitch + a->row;
}

/* Report an array that is not in device memory.
 * Returns 1 when the other checks make no sense. */
static int check_address(struct library_arg *g)
{
    const uintptr_t at = first_byte(g->array);
    const char *call = g->call->name, *name = g->array->name;

    if (!at) {
        g->finding.kind = SOFTGPU_FIND_NULL_POINTER;
        softgpu_report_finding(&g->finding, "%s is passed NULL for %s", call,
                               name);
    } else if (g->memory && g->memory->freed_at) {
        g->finding.kind = SOFTGPU_FIND_USE_AFTER_FREE;
        g->finding.other = g->memory->freed_at;
        softgpu_report_finding(&g->finding,
                               "%s of %s was freed before the call ran", name,
                               call);
    } else if (!g->memory && is_device_address(at)) {
        g->finding.kind = SOFTGPU_FIND_OUT_OF_BOUNDS;
        softgpu_report_finding(&g->finding, "%s of %s is in no allocation",
                               name, call);
    } else if (!g->memory && !softgpu_is_in_image(at)) {
        g->finding.kind = SOFTGPU_FIND_HOST_POINTER;
        softgpu_report_finding(&g->finding, "%s of %s is host memory", name,
                               call);
    }
    return !g->memory || g->memory->freed_at;
}

/* Report an array that ends past its allocation. */
static int check_extent(struct library_arg *g)
{
    const uintptr_t end = end_byte(g->array);

    if (end <= g->memory->end)
        return 0;
    g->finding.kind = SOFTGPU_FIND_OUT_OF_BOUNDS;
    g->finding.other = g->memory->allocated_at;
    softgpu_report_finding(
        &g->finding,
        "%s of %s, %zu rows of %zu bytes, ends %zu bytes past the "
        "end of an allocation of %zu bytes",
        g->array->name, g->call->name, g->array->rows, g->array->row,
        (size_t)(end - g->memory->end),
        (size_t)(g->memory->end - g->memory->base));
    return 1;
}

/* Report the first uninitialized byte that is read. */
static void check_initialized(struct library_arg *g)
{
    const struct softgpu_array *a = g->array;

    g->finding.kind = SOFTGPU_FIND_UNINIT_GLOBAL;
    g->finding.other = g->memory->allocated_at;
    for (size_t i = 0; i < a->rows; i++) {
        const size_t n = initcheck_first_uninitialized((const char *)a->ptr
                                                           + i * a->pitch,
                                                       a->row);

        if (n == a->row)
            continue;
        softgpu_report_finding(&g->finding,
                               "%s reads byte %zu of row %zu of %s, which is "
                               "uninitialized",
                               g->call->name, n, i, a->name);
        return;
    }
}

void library_array(const struct softgpu_library_call *call,
                   const struct softgpu_array *array)
{
    struct library_arg g = {.call = call,
                            .array = array,
                            .memory = allocation_find(first_byte(array),
                                                            1),
                            .finding = {.kernel = call->name,
                                        .pc = (uintptr_t)call->site}};

    if (check_address(&g) || check_extent(&g) || !g.memory->init_mask)
        return;
    if (array->use & SOFTGPU_READS)
        check_initialized(&g);
    for (size_t i = 0; array->use & SOFTGPU_WRITES && i < array->rows; i++)
        initcheck_copied((char *)array->ptr + i * array->pitch, NULL,
                         array->row);
}
