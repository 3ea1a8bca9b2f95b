/* SPDX-License-Identifier: MIT */
/** @file
 *  See events.h. */
#include "events.h"

#include <errno.h>
#include <string.h>

enum { MESSAGE_BYTES = 512, BITS_PER_BYTE = 8 };

uint32_t crc32c(const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint32_t crc = ~0u;

    for (size_t i = 0; i < bytes; i++) {
        crc ^= p[i];
        for (int bit = 0; bit < BITS_PER_BYTE; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
    }
    return ~crc;
}

/** A protocol buffers message; appending stops at its capacity. */
struct message {
    unsigned char bytes[MESSAGE_BYTES];
    size_t count;
};

/* A message that would be too long loses the field. */
static void append(struct message *m, const void *data, size_t bytes)
{
    if (bytes > MESSAGE_BYTES - m->count) return;
    memcpy(m->bytes + m->count, data, bytes);
    m->count += bytes;
}

/* Little-endian on any machine. */
static void append_little_endian(struct message *m, uint64_t value, int bytes)
{
    unsigned char to[8];

    for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> 8 * i);
    append(m, to, (size_t)bytes);
}

/* Protocol buffers' variable-length integers: 7 bits a byte, the lowest first,
 * the top bit set if more follow. */
static void append_varint(struct message *m, uint64_t value)
{
    for (; value >= 128; value >>= 7) append_little_endian(m, value | 128, 1);
    append_little_endian(m, value, 1);
}

/* Wire types of protocol buffers. */
enum { VARINT, FIXED64, BYTES, FIXED32 = 5 };

/* The number of a field and how its value is encoded. */
static void append_tag(struct message *m, int number, int kind)
{
    append_varint(m, (uint64_t)number << 3 | (uint64_t)kind);
}

/* Strings and nested messages: the length, then the bytes. */
static void append_length_delimited(struct message *m, int number,
                                    const void *text, size_t bytes)
{
    append_tag(m, number, BYTES);
    append_varint(m, bytes);
    append(m, text, bytes);
}

/* Doubles are 8 bytes, little-endian. */
static void append_double(struct message *m, int number, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    append_tag(m, number, FIXED64);
    append_little_endian(m, bits, 8);
}

/* Floats are 4 bytes, little-endian. */
static void append_float(struct message *m, int number, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    append_tag(m, number, FIXED32);
    append_little_endian(m, bits, 4);
}

/* TFRecord files rotate the checksum and add a constant, so that the checksum
 * of data that holds checksums stays useful. */
static uint32_t masked_crc(const void *data, size_t bytes)
{
    const uint32_t crc = crc32c(data, bytes);

    return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

/* A TFRecord: length, its checksum, data, their checksum. */
static void write_record(struct events *events, const struct message *m)
{
    struct message head = {.count = 0}, tail = {.count = 0};

    append_little_endian(&head, m->count, 8);
    append_little_endian(&head, masked_crc(head.bytes, 8), 4);
    append_little_endian(&tail, masked_crc(m->bytes, m->count), 4);
    fwrite(head.bytes, 1, head.count, events->file);
    fwrite(m->bytes, 1, m->count, events->file);
    fwrite(tail.bytes, 1, tail.count, events->file);
}

bool events_open(const char *folder, double time, struct events *events,
                 struct failure *failure)
{
    static const char version[] = "brain.Event:2";
    struct message m = {.count = 0};

    events->file = NULL;
    errno = EEXIST;
    for (int i = 0; !events->file && errno == EEXIST; i++) {
        snprintf(events->path, sizeof events->path,
                 "%s/events.out.tfevents.%.0f.%d.warpbook", folder, time, i);
        events->file = fopen(events->path, "wbx");
    }
    if (!events->file)
        return fail(failure, "%s: %s", events->path, strerror(errno));
    append_double(&m, 1, time);
    append_length_delimited(&m, 3, version, strlen(version));
    write_record(events, &m);
    return true;
}

void events_scalar(struct events *events, const char *tag, int64_t step,
                   float value, double time)
{
    struct message one = {.count = 0}, summary = {.count = 0},
                   m = {.count = 0};

    append_length_delimited(&one, 1, tag, strnlen(tag, 256));
    append_float(&one, 2, value);
    append_length_delimited(&summary, 1, one.bytes, one.count);
    append_double(&m, 1, time);
    append_tag(&m, 2, VARINT);
    append_varint(&m, (uint64_t)step);
    append_length_delimited(&m, 5, summary.bytes, summary.count);
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
