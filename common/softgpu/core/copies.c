/* SPDX-License-Identifier: MIT */
/* Asynchronous copies that wait for their wait.  Each OS thread keeps a table
 * of queues, found by the CUDA thread and the owner of its batches; a queue
 * lives until its block ends.  What belongs to no thread but to a place, TMA's
 * copies, is found by the place alone. */
#include "softgpu/copies.h"

#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "hooks.h"

enum { BUCKETS = 256 };

enum kind { COPY, STEP };

struct copy {
    enum kind kind;
    softgpu_step *step; /* of a COPY: how bytes are moved; NULL: in order */
    void *to;           /* NULL: they are only read */
    const void *from;   /* NULL: zeros */
    size_t bytes;
    const void *site; /* where it was issued */
    unsigned batch;
};

struct queue {
    const struct softgpu_block *block;
    const struct softgpu_thread *thread; /* NULL: the block's */
    const void *owner;
    struct copy *copies; /* in order of issue */
    unsigned n, room;
    unsigned landed; /* of the block's: the first of them are being done */
    unsigned open;   /* number of the open batch */
    struct queue *next;
};

static SOFTGPU_TLS struct queue *table[BUCKETS];
static SOFTGPU_TLS unsigned queues; /* in the table */
SOFTGPU_TLS const void *softgpu_copy_site;

static struct queue **bucket(const struct softgpu_thread *thread,
                             const void *owner)
{
    uintptr_t key = (uintptr_t)thread ^ (uintptr_t)owner;

    return &table[(key * 0x9e3779b97f4a7c15u >> 32) % BUCKETS];
}

static struct queue *find(const struct softgpu_thread *thread,
                          const void *owner)
{
    struct queue *q = *bucket(thread, owner);

    while (q && (q->thread != thread || q->owner != owner
                 || q->block != softgpu_tls.block))
        q = q->next;
    return q;
}

static struct queue *find_or_make(const struct softgpu_thread *thread,
                                  const void *owner)
{
    struct queue **head, *q = find(thread, owner);

    if (q)
        return q;
    q = calloc(1, sizeof(*q));
    if (!q)
        softgpu_fail(2, "out of memory for asynchronous copies");
    q->block = softgpu_tls.block;
    q->thread = thread;
    q->owner = owner;
    head = bucket(thread, owner);
    q->next = *head;
    *head = q;
    queues++;
    return q;
}

static void append(struct queue *q, struct copy copy)
{
    if (q->n == q->room) {
        unsigned room = q->room ? 2 * q->room : 4;
        struct copy *more = realloc(q->copies, room * sizeof(*more));

        if (!more)
            softgpu_fail(2, "out of memory for asynchronous copies");
        q->copies = more;
        q->room = room;
    }
    copy.batch = q->open;
    q->copies[q->n++] = copy;
    if (copy.kind == COPY)
        SOFTGPU_HOOK(async_copied, (copy.to, copy.from, copy.bytes, copy.site));
}

void softgpu_copy_later(const void *owner, void *to, const void *from,
                        size_t bytes)
{
    const void *site = __builtin_return_address(0);

    if (to || softgpu_hooks) /* what is only read, only watchers see */
        append(find_or_make(softgpu_tls.thread, owner),
               (struct copy){COPY, NULL, to, from, bytes, site, 0});
}

void softgpu_step_later(const void *owner, softgpu_step *step, void *to,
                        const void *from, size_t bytes)
{
    append(find_or_make(softgpu_tls.thread, owner),
           (struct copy){STEP, step, to, from, bytes, NULL, 0});
}

void softgpu_copy_post(const void *owner, softgpu_step *move, void *to,
                       const void *from, size_t bytes)
{
    const void *site = __builtin_return_address(0);

    append(find_or_make(NULL, owner),
           (struct copy){COPY, move, to, from, bytes, site, 0});
}

void softgpu_copy_commit(const void *owner)
{
    const struct softgpu_thread *me = softgpu_tls.thread;
    struct queue *q = owner ? find(me, owner) : find_or_make(me, owner);

    if (q)
        q->open++;
}

static void move(void *to, const void *from, size_t bytes)
{
    if (from)
        memmove(to, from, bytes);
    else
        memset(to, 0, bytes);
}

/* By value: others may run in a step, and queue more. */
static void do_copy(struct copy copy)
{
    if (copy.kind == STEP) {
        copy.step(copy.to, copy.from, copy.bytes);
        return;
    }
    SOFTGPU_HOOK(async_landed, (copy.to, copy.from, copy.bytes, copy.site));
    if (!copy.to)
        return;
    softgpu_copy_site = copy.site;
    (copy.step ? copy.step : move)(copy.to, copy.from, copy.bytes);
    softgpu_copy_site = NULL;
}

void softgpu_copy_wait(const void *owner, unsigned keep)
{
    struct queue *q = queues ? find(softgpu_tls.thread, owner) : NULL;
    unsigned done = 0;

    if (!q || q->open < keep)
        return;
    while (done < q->n && q->copies[done].batch < q->open - keep)
        do_copy(q->copies[done++]);
    q->n -= done;
    memmove(q->copies, q->copies + done, q->n * sizeof(*q->copies));
}

size_t softgpu_copy_land(const void *owner)
{
    struct queue *q = queues ? find(NULL, owner) : NULL;
    size_t bytes = 0;

    while (q && q->landed < q->n) { /* others may land some meanwhile */
        const struct copy copy = q->copies[q->landed++];

        do_copy(copy);
        bytes += copy.bytes;
    }
    if (q)
        q->landed = q->n = 0;
    return bytes;
}

void softgpu_move_swizzled(void *to, const void *from, size_t bytes)
{
    size_t at = (size_t)((char *)to - softgpu_tls.shared), part;

    for (size_t done = 0; done < bytes; done += part, at += part) {
        char *place = softgpu_tls.shared + (at ^ (at >> 3 & 0x70));

        part = 16 - at % 16 < bytes - done ? 16 - at % 16 : bytes - done;
        move(place, from ? (const char *)from + done : NULL, part);
    }
}

void softgpu_copy_drop(const struct softgpu_block *block)
{
    if (queues == 0)
        return;
    for (unsigned i = 0; i < BUCKETS; i++) {
        struct queue **at = &table[i];

        while (*at) {
            struct queue *q = *at;

            if (q->block != block) {
                at = &q->next;
                continue;
            }
            *at = q->next;
            queues--;
            free(q->copies);
            free(q);
        }
    }
}
