/* SPDX-License-Identifier: MIT */
/* Arrays in host memory of which only the ends have content. */
#include "sparse_arrays.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/softgpu/host/device.h"
#include "grader/runner/submission.h"
#include "process.h"

enum { PAGE = 4096, GRAIN = 1 << 16 /* bytes: of copies, what is noted */ };

/* A sparse array of the call. */
struct sparse_array {
    char *at;              /* address in both processes; NULL: none */
    size_t bytes;          /* with the sparse ones */
    size_t head, tail;     /* of the content, at both ends */
    const char *input;     /* the content as it was received; NULL: no input */
    unsigned char *copied; /* 1 for each GRAIN that was copied */
    bool far;              /* outputs: something far away was written */
};

static struct sparse_array arrays[FRAME_MAX_ARGS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

size_t sparse_between(size_t bytes)
{
    return softgpu_is_sparse() && bytes > 2 * SPARSE_END
           ? bytes - 2 * SPARSE_END : 0;
}

static size_t grains(size_t bytes)
{
    return (bytes + GRAIN - 1) / GRAIN;
}

static void note_array(struct sparse_array *a, const struct arg *sent,
                       char *at)
{
    *a = (struct sparse_array){
        .at = at, .bytes = sent->bytes + (size_t)sent->integer,
        .head = arg_head_bytes(sent),
        .tail = sent->bytes - arg_head_bytes(sent),
        .input = arg_is_input(sent) ? sent->data : NULL};
    a->copied = calloc(1, grains(a->bytes));
    if (!a->copied)
        abort();
}

void sparse_observe(const struct frame *sent, const struct frame *placed)
{
    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++)
        free(arrays[i].copied);
    memset(arrays, 0, sizeof arrays);
    for (uint32_t i = 0; i < sent->count; i++) {
        const struct arg *arg = &sent->arg[i];

        if (arg_is_array(arg) && !arg->on_device && arg->integer > 0)
            note_array(&arrays[i], arg, placed->arg[i].data);
    }
}

/* The sparse array that contains these bytes of host memory, or NULL. */
static struct sparse_array *array_at(const char *host, size_t bytes)
{
    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++) {
        struct sparse_array *a = &arrays[i];
        const size_t offset = (size_t)(host - a->at);

        if (a->at && offset < a->bytes && bytes <= a->bytes - offset)
            return a;
    }
    return NULL;
}

static void note_copy(struct sparse_array *a, size_t offset, size_t bytes)
{
    if (bytes)
        memset(a->copied + offset / GRAIN, 1,
               (offset + bytes - 1) / GRAIN - offset / GRAIN + 1);
}

/* The part of the content from byte `begin` to `end` of the array that lies in
 * offset..offset + *bytes - 1.
 * @return its offset; *bytes: its length, or 0 */
static size_t clip(size_t begin, size_t end, size_t offset, size_t *bytes)
{
    const size_t last = offset + *bytes < end ? offset + *bytes : end;

    offset = offset > begin ? offset : begin;
    *bytes = offset < last ? last - offset : 0;
    return offset;
}

bool sparse_up(void *to, const void *host, size_t bytes)
{
    struct sparse_array *a = array_at(host, bytes);
    size_t offset, first = bytes, last = bytes, at;

    if (!a || !a->input)
        return false;
    offset = (size_t)((const char *)host - a->at);
    pthread_mutex_lock(&lock);
    note_copy(a, offset, bytes);
    at = clip(0, a->head, offset, &first);
    if (first)
        memcpy((char *)to + (at - offset), a->input + at, first);
    at = clip(a->bytes - a->tail, a->bytes, offset, &last);
    if (last)
        memcpy((char *)to + (at - offset),
               a->input + at - (a->bytes - a->tail - a->head), last);
    pthread_mutex_unlock(&lock);
    return true;
}

static bool has_nonzero(const char *from, size_t bytes)
{
    return bytes && (*from || memcmp(from, from + 1, bytes - 1));
}

/* Was any of these bytes of device memory written?  They were 0.  A page that
 * is not theirs alone tells it by its bytes only. */
static bool is_written(const char *from, size_t bytes)
{
    enum { STEP = 64 << 20 };
    static unsigned char resident[STEP / PAGE]; /* the lock is held */
    const char *end = from + bytes;
    const size_t before = (size_t)(-(uintptr_t)from % PAGE);
    const size_t first = before < bytes ? before : bytes;

    if (has_nonzero(from, first))
        return true;
    for (from += first; from + PAGE <= end; from += STEP) {
        const size_t left = (size_t)(end - from) / PAGE * PAGE;
        const size_t n = left < STEP ? left : STEP;

        if (mincore((void *)(uintptr_t)from, n, resident)
            || memchr(resident, 1, n / PAGE))
            return true; /* or not known */
        if (n < STEP) {
            from += n;
            break;
        }
    }
    return from < end && has_nonzero(from, (size_t)(end - from));
}

bool sparse_down(void *host, const void *from, size_t bytes)
{
    struct sparse_array *a = array_at(host, bytes);
    const char *source = from;
    size_t offset, first = bytes, last = bytes, far = bytes, at;

    if (!a || a->input)
        return false;
    offset = (size_t)((char *)host - a->at);
    pthread_mutex_lock(&lock);
    note_copy(a, offset, bytes);
    /* first: to read a page makes it resident */
    at = clip((size_t)1 << (63 - __builtin_clzll(a->bytes)), a->bytes, offset,
              &far);
    if (far && !a->far)
        a->far = is_written(source + (at - offset), far);
    at = clip(0, a->head, offset, &first);
    if (first)
        host_write(a->at + at, source + (at - offset), first);
    at = clip(a->bytes - a->tail, a->bytes, offset, &last);
    if (last)
        host_write(a->at + at, source + (at - offset), last);
    pthread_mutex_unlock(&lock);
    return true;
}

void sparse_report(struct facts *facts)
{
    for (unsigned i = 0; i < FRAME_MAX_ARGS; i++) {
        const struct sparse_array *a = &arrays[i];

        if (!a->at)
            continue;
        if (memchr(a->copied, 0, grains(a->bytes)))
            facts->incomplete |= 1u << i;
        if (!a->input && !a->far)
            facts->untouched |= 1u << i;
    }
}

size_t submission_content(size_t elements)
{
    enum { FIRST = 4096 };

    return softgpu_is_sparse() && elements > FIRST ? FIRST : elements;
}
