/* SPDX-License-Identifier: MIT */
/* Watcher of the arrays that a library's call (cuBLAS, cuDNN) is given.  What
 * the library does with them is not seen; what it must not be given is. */
#include "library.h"

#include "place.h"

/** An array of a call, where it lies, and what is to be said of it. */
struct given {
    const struct softgpu_library_call *call;
    const struct softgpu_array *array;
    const struct watched *memory; /* that it begins in; NULL: none */
    struct softgpu_sighting seen;
};

static uintptr_t begin_of(const struct softgpu_array *a)
{
    return (uintptr_t)a->ptr;
}

/* One past its last byte. */
static uintptr_t end_of(const struct softgpu_array *a)
{
    return begin_of(a) + (a->rows - 1) * a->pitch + a->row;
}

/* Is it in no allocation, or in none any more?  Tells so.  @return 1 if what
 * follows cannot be judged */
static int is_elsewhere(struct given *g)
{
    const uintptr_t at = begin_of(g->array);
    const char *call = g->call->name, *name = g->array->name;

    if (!at) {
        g->seen.kind = SOFTGPU_FIND_NULL_POINTER;
        softgpu_find(&g->seen, "%s is given NULL for %s", call, name);
    } else if (g->memory && g->memory->freed_at) {
        g->seen.kind = SOFTGPU_FIND_USE_AFTER_FREE;
        g->seen.other = g->memory->freed_at;
        softgpu_find(&g->seen, "%s of %s was freed before the call ran", name,
                     call);
    } else if (!g->memory && watch_is_device_address(at)) {
        g->seen.kind = SOFTGPU_FIND_OUT_OF_BOUNDS;
        softgpu_find(&g->seen, "%s of %s lies in no allocation", name, call);
    } else if (!g->memory && !watch_is_program(at)) {
        g->seen.kind = SOFTGPU_FIND_HOST_POINTER;
        softgpu_find(&g->seen, "%s of %s is memory of the host", name, call);
    }
    return !g->memory || g->memory->freed_at;
}

/* Does it end past its allocation? */
static int is_too_long(struct given *g)
{
    const uintptr_t end = end_of(g->array);

    if (end <= g->memory->end)
        return 0;
    g->seen.kind = SOFTGPU_FIND_OUT_OF_BOUNDS;
    g->seen.other = g->memory->allocated_at;
    softgpu_find(&g->seen,
                 "%s of %s, %zu rows of %zu bytes, ends %zu bytes past the "
                 "end of an allocation of %zu bytes",
                 g->array->name, g->call->name, g->array->rows, g->array->row,
                 (size_t)(end - g->memory->end),
                 (size_t)(g->memory->end - g->memory->base));
    return 1;
}

/* Tell of the first byte that is read and holds no value. */
static void check_known(struct given *g)
{
    const struct softgpu_array *a = g->array;

    g->seen.kind = SOFTGPU_FIND_UNINIT_GLOBAL;
    g->seen.other = g->memory->allocated_at;
    for (size_t i = 0; i < a->rows; i++) {
        const size_t n =
            place_first_unknown((const char *)a->ptr + i * a->pitch, a->row);

        if (n == a->row)
            continue;
        softgpu_find(&g->seen,
                     "%s reads byte %zu of row %zu of %s, which was never "
                     "written",
                     g->call->name, n, i, a->name);
        return;
    }
}

void library_array(const struct softgpu_library_call *call,
                   const struct softgpu_array *array)
{
    struct given g = {
        .call = call, .array = array,
        .memory = watch_find(begin_of(array), 1),
        .seen = {.kernel = call->name, .code = (uintptr_t)call->site}};

    if (is_elsewhere(&g) || is_too_long(&g) || !g.memory->known)
        return;
    if (array->use & SOFTGPU_READS)
        check_known(&g);
    for (size_t i = 0; array->use & SOFTGPU_WRITES && i < array->rows; i++)
        place_copied((char *)array->ptr + i * array->pitch, NULL, array->row);
}
