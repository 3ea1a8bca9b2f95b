/* SPDX-License-Identifier: MIT */
/* Data that the device sent to host memory that is no output. */
#include "sent.h"

#include <stdlib.h>
#include <string.h>

enum {
    PROBE_BYTES = 32, /* compared at once */
    SMALLEST = 4      /* of a piece that is searched for */
};
#define MAX_LOG_BYTES ((size_t)1 << 30)

/* Bytes that were sent at once. */
struct sent {
    struct sent *next;
    size_t bytes;
    char data[];
};

static struct sent *sent, **sent_end = &sent;
static size_t sent_bytes;

void sent_forget(void)
{
    while (sent) {
        struct sent *next = sent->next;

        free(sent);
        sent = next;
    }
    sent_end = &sent;
    sent_bytes = 0;
}

size_t common_bytes(const char *a, const char *b, size_t most)
{
    size_t n = 0;

    while (n + PROBE_BYTES <= most && !memcmp(a + n, b + n, PROBE_BYTES))
        n += PROBE_BYTES;
    while (n < most && a[n] == b[n])
        n++;
    return n;
}

void sent_add(const char *data, size_t bytes)
{
    struct sent *s;

    if (sent_bytes + bytes > MAX_LOG_BYTES)
        return;
    s = malloc(sizeof *s + bytes);
    if (!s)
        return;
    s->next = NULL;
    s->bytes = bytes;
    memcpy(s->data, data, bytes);
    *sent_end = s;
    sent_end = &s->next;
    sent_bytes += bytes;
}

size_t sent_match(const char *data, size_t bytes)
{
    const size_t probe = bytes < SMALLEST ? bytes : SMALLEST;
    size_t best = 0;

    for (const struct sent *s = sent; s; s = s->next) {
        const char *found = memmem(s->data, s->bytes, data, probe);
        size_t n;

        if (!found)
            continue;
        n = (size_t)(s->data + s->bytes - found);
        n = common_bytes(data, found, n < bytes ? n : bytes);
        best = n > best ? n : best;
    }
    return best;
}
