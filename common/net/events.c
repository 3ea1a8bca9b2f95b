/* SPDX-License-Identifier: MIT */
/** @file
 *  See events.h. */
#include "events.h"

#include <errno.h>
#include <string.h>

enum { MESSAGE = 512, POLYNOMIAL_BITS = 8 };

uint32_t crc32c(const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint32_t crc = ~0u;

    for (size_t i = 0; i < bytes; i++) {
        crc ^= p[i];
        for (int bit = 0; bit < POLYNOMIAL_BITS; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
    }
    return ~crc;
}

/** A message that grows from the front; cut short rather than overrun. */
struct message {
    unsigned char bytes[MESSAGE];
    size_t count;
};

static void put(struct message *m, const void *data, size_t bytes)
{
    if (bytes > MESSAGE - m->count) return;
    memcpy(m->bytes + m->count, data, bytes);
    m->count += bytes;
}

/* Least significant byte first, whatever the machine's order. */
static void put_bytes(struct message *m, uint64_t value, int bytes)
{
    unsigned char to[8];

    for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> 8 * i);
    put(m, to, (size_t)bytes);
}

static void put_varint(struct message *m, uint64_t value)
{
    for (; value >= 128; value >>= 7) put_bytes(m, value | 128, 1);
    put_bytes(m, value, 1);
}

/* Kinds of fields as protocol buffers number them. */
enum { VARINT, FIXED64, BYTES, FIXED32 = 5 };

static void put_field(struct message *m, int number, int kind)
{
    put_varint(m, (uint64_t)number << 3 | (uint64_t)kind);
}

static void put_text(struct message *m, int number, const void *text,
                     size_t bytes)
{
    put_field(m, number, BYTES);
    put_varint(m, bytes);
    put(m, text, bytes);
}

static void put_double(struct message *m, int number, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    put_field(m, number, FIXED64);
    put_bytes(m, bits, 8);
}

static void put_float(struct message *m, int number, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    put_field(m, number, FIXED32);
    put_bytes(m, bits, 4);
}

static uint32_t masked(const void *data, size_t bytes)
{
    const uint32_t crc = crc32c(data, bytes);

    return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

static void write_record(struct events *events, const struct message *m)
{
    struct message head = {.count = 0}, tail = {.count = 0};

    put_bytes(&head, m->count, 8);
    put_bytes(&head, masked(head.bytes, 8), 4);
    put_bytes(&tail, masked(m->bytes, m->count), 4);
    fwrite(head.bytes, 1, head.count, events->file);
    fwrite(m->bytes, 1, m->count, events->file);
    fwrite(tail.bytes, 1, tail.count, events->file);
}

bool events_open(const char *folder, double time, struct events *events,
                 struct failure *failure)
{
    static const char version[] = "brain.Event:2";
    struct message m = {.count = 0};

    snprintf(events->path, sizeof events->path,
             "%s/events.out.tfevents.%.0f.warpbook", folder, time);
    events->file = fopen(events->path, "wb");
    if (!events->file)
        return fail(failure, "%s: %s", events->path, strerror(errno));
    put_double(&m, 1, time);
    put_text(&m, 3, version, strlen(version));
    write_record(events, &m);
    return true;
}

void events_scalar(struct events *events, const char *tag, int64_t step,
                   float value, double time)
{
    struct message one = {.count = 0}, summary = {.count = 0},
                   m = {.count = 0};

    put_text(&one, 1, tag, strnlen(tag, 256));
    put_float(&one, 2, value);
    put_text(&summary, 1, one.bytes, one.count);
    put_double(&m, 1, time);
    put_field(&m, 2, VARINT);
    put_varint(&m, (uint64_t)step);
    put_text(&m, 5, summary.bytes, summary.count);
    write_record(events, &m);
}

bool events_close(struct events *events, struct failure *failure)
{
    const bool ok = !ferror(events->file);
    const bool closed = fclose(events->file) == 0;

    events->file = NULL;
    return (ok && closed) ||
           fail(failure, "%s: %s", events->path, strerror(errno));
}
