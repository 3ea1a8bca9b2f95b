/* SPDX-License-Identifier: MIT */
/* Asynchronous copies that wait for their wait.  Each OS thread keeps a table
 * of queues, found by the CUDA thread and the owner of its batches; a queue
 * lives until its block ends. */
#include "softgpu/copies.h"

#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "hooks.h"

enum { BUCKETS = 256 };

struct copy {
    void *to;
    const void *from; /* NULL: zeros */
    size_t bytes;
    const void *site; /* where it was issued */
    unsigned batch;
};

struct queue {
    const struct softgpu_block *block;
    const struct softgpu_thread *thread;
    const void *owner;
    struct copy *copies; /* in order of issue */
    unsigned n, room;
    unsigned open; /* number of the open batch */
    struct queue *next;
};

static SOFTGPU_TLS struct queue *table[BUCKETS];
static SOFTGPU_TLS unsigned queues; /* in the table */
SOFTGPU_TLS const void *softgpu_copy_site;

static struct queue **bucket(const void *owner)
{
    uintptr_t key = (uintptr_t)softgpu_tls.thread ^ (uintptr_t)owner;

    return &table[(key * 0x9e3779b97f4a7c15u >> 32) % BUCKETS];
}

static struct queue *find(const void *owner)
{
    struct queue *q = *bucket(owner);

    while (q && (q->thread != softgpu_tls.thread || q->owner != owner
                 || q->block != softgpu_tls.block))
        q = q->next;
    return q;
}

static struct queue *find_or_make(const void *owner)
{
    struct queue **head, *q = find(owner);

    if (q)
        return q;
    q = calloc(1, sizeof(*q));
    if (!q)
        softgpu_fail(2, "out of memory for asynchronous copies");
    q->block = softgpu_tls.block;
    q->thread = softgpu_tls.thread;
    q->owner = owner;
    head = bucket(owner);
    q->next = *head;
    *head = q;
    queues++;
    return q;
}

void softgpu_copy_later(const void *owner, void *to, const void *from,
                        size_t bytes)
{
    const void *site = __builtin_return_address(0);
    struct queue *q = find_or_make(owner);

    if (q->n == q->room) {
        unsigned room = q->room ? 2 * q->room : 4;
        struct copy *more = realloc(q->copies, room * sizeof(*more));

        if (!more)
            softgpu_fail(2, "out of memory for asynchronous copies");
        q->copies = more;
        q->room = room;
    }
    q->copies[q->n++] = (struct copy){to, from, bytes, site, q->open};
    SOFTGPU_HOOK(async_copied, (to, from, bytes, site));
}

void softgpu_copy_commit(const void *owner)
{
    struct queue *q = owner ? find(owner) : find_or_make(owner);

    if (q)
        q->open++;
}

static void do_copy(const struct copy *copy)
{
    SOFTGPU_HOOK(async_landed,
                 (copy->to, copy->from, copy->bytes, copy->site));
    softgpu_copy_site = copy->site;
    if (copy->from)
        memmove(copy->to, copy->from, copy->bytes);
    else
        memset(copy->to, 0, copy->bytes);
    softgpu_copy_site = NULL;
}

void softgpu_copy_wait(const void *owner, unsigned keep)
{
    struct queue *q = queues ? find(owner) : NULL;
    unsigned done = 0;

    if (!q || q->open < keep)
        return;
    while (done < q->n && q->copies[done].batch < q->open - keep)
        do_copy(&q->copies[done++]);
    q->n -= done;
    memmove(q->copies, q->copies + done, q->n * sizeof(*q->copies));
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
