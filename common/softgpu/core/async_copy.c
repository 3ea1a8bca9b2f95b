/* SPDX-License-Identifier: MIT */
/** @file
 *  Asynchronous copies, executed when the thread waits for them.  Each OS
 *  thread has a hash table of queues; the key is the CUDA thread and the owner
 *  of its batches.  A queue lives until its block ends.  Copies that belong to
 *  a barrier instead of a thread (TMA) have only the barrier's address as key.
 */
#include "softgpu/async_copy.h"

#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "hooks.h"

enum { BUCKETS = 256 };

/* A copy of bytes, or a call of a function after the copies before it. */
enum copy_kind { COPY, CALL };

struct copy {
    enum copy_kind kind;
    softgpu_async_function *function; /* to call; NULL: copy_bytes */
    void *to;         /* NULL: the bytes are only read */
    const void *from; /* NULL: zeros */
    size_t bytes;
    const void *site; /* return address of the issuing call */
    unsigned batch;
};

struct queue {
    const struct softgpu_block *block;
    const struct softgpu_thread *thread; /* NULL: a barrier's queue */
    const void *owner;
    struct copy *copies; /* in order of issue */
    unsigned n, capacity;
    unsigned completed; /* of a barrier's queue: copies already started */
    unsigned open_batch; /* its number */
    struct queue *next;
};

static SOFTGPU_TLS struct queue *table[BUCKETS];
static SOFTGPU_TLS unsigned queues; /* in the table */
SOFTGPU_TLS const void *softgpu_copy_site;

/* Queues lie in a hash table, by thread and owner (a pipeline, or NULL). */
static struct queue **bucket(const struct softgpu_thread *thread,
                             const void *owner)
{
    uintptr_t key = (uintptr_t)thread ^ (uintptr_t)owner;

    return &table[(key * 0x9e3779b97f4a7c15u >> 32) % BUCKETS];
}

/* A thread of a later block may have the address of an earlier one, so the
 * block counts, too. */
static struct queue *find_queue(const struct softgpu_thread *thread,
                                const void *owner)
{
    struct queue *q = *bucket(thread, owner);

    while (q && (q->thread != thread || q->owner != owner
                 || q->block != softgpu_tls.block))
        q = q->next;
    return q;
}

/* A queue lives until its block ends. */
static struct queue *find_or_add_queue(const struct softgpu_thread *thread,
                                       const void *owner)
{
    struct queue **head, *q = find_queue(thread, owner);

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

/* A copy belongs to the batch that is still open. */
static void append_copy(struct queue *q, struct copy copy)
{
    if (q->n == q->capacity) {
        unsigned capacity = q->capacity ? 2 * q->capacity : 4;
        struct copy *more = realloc(q->copies, capacity * sizeof(*more));

        if (!more)
            softgpu_fail(2, "out of memory for asynchronous copies");
        q->copies = more;
        q->capacity = capacity;
    }
    copy.batch = q->open_batch;
    q->copies[q->n++] = copy;
    if (copy.kind == COPY)
        SOFTGPU_HOOK(async_copy_issued,
                     (copy.to, copy.from, copy.bytes, copy.site, !q->thread));
}

void softgpu_copy_async(const void *owner, void *to, const void *from,
                        size_t bytes)
{
    const void *site = __builtin_return_address(0);

    if (to || softgpu_hooks) /* without hooks a mere read has no effect */
        append_copy(find_or_add_queue(softgpu_tls.thread, owner),
                    (struct copy){COPY, NULL, to, from, bytes, site, 0});
}

void softgpu_call_async(const void *owner, softgpu_async_function *function,
                        void *to, const void *from, size_t bytes)
{
    append_copy(find_or_add_queue(softgpu_tls.thread, owner),
                (struct copy){CALL, function, to, from, bytes, NULL, 0});
}

void softgpu_copy_post(const void *owner, softgpu_async_function *function,
                       void *to, const void *from, size_t bytes)
{
    const void *site = __builtin_return_address(0);

    append_copy(find_or_add_queue(NULL, owner),
                (struct copy){COPY, function, to, from, bytes, site, 0});
}

void softgpu_copy_commit(const void *owner)
{
    const struct softgpu_thread *me = softgpu_tls.thread;
    struct queue *q =
        owner ? find_queue(me, owner) : find_or_add_queue(me, owner);

    if (q)
        q->open_batch++;
}

/* A copy from NULL fills with zeros, as cp.async does for bytes beyond its
 * source size. */
static void copy_bytes(void *to, const void *from, size_t bytes)
{
    if (from)
        memmove(to, from, bytes);
    else
        memset(to, 0, bytes);
}

/* By value: in a function other threads may run and append to the queue. */
static void execute_copy(struct copy copy, int posted)
{
    if (copy.kind == CALL) {
        copy.function(copy.to, copy.from, copy.bytes);
        return;
    }
    SOFTGPU_HOOK(async_copy_completed,
                 (copy.to, copy.from, copy.bytes, copy.site, posted));
    if (!copy.to)
        return;
    softgpu_copy_site = copy.site;
    (copy.function ? copy.function : copy_bytes)(copy.to, copy.from,
                                                 copy.bytes);
    softgpu_copy_site = NULL;
}

void softgpu_copy_wait(const void *owner, unsigned keep)
{
    struct queue *q = queues ? find_queue(softgpu_tls.thread, owner) : NULL;
    unsigned done = 0;

    if (!q || q->open_batch < keep)
        return;
    while (done < q->n && q->copies[done].batch < q->open_batch - keep)
        execute_copy(q->copies[done++], 0);
    memmove(q->copies, q->copies + done,
            (q->n - done) * sizeof(*q->copies));
    q->n -= done; /* last: else the checks would take the move, a jump, for one
                     of the program's */
}

size_t softgpu_copy_complete(const void *owner)
{
    struct queue *q = queues ? find_queue(NULL, owner) : NULL;
    size_t bytes = 0;

    while (q && q->completed < q->n) { /* other threads may run meanwhile */
        const struct copy copy = q->copies[q->completed++];

        execute_copy(copy, 1);
        bytes += copy.bytes;
    }
    if (q)
        q->completed = q->n = 0;
    return bytes;
}

void softgpu_move_swizzled(void *to, const void *from, size_t bytes)
{
    size_t at = (size_t)((char *)to - softgpu_tls.shared), part;

    for (size_t done = 0; done < bytes; done += part, at += part) {
        char *swizzled = softgpu_tls.shared + (at ^ (at >> 3 & 0x70));

        part = 16 - at % 16 < bytes - done ? 16 - at % 16 : bytes - done;
        copy_bytes(swizzled, from ? (const char *)from + done : NULL, part);
    }
}

void softgpu_copy_discard(const struct softgpu_block *block)
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
