/* SPDX-License-Identifier: MIT */
/* Messages of the channel: valid, truncated, too large, and corrupted. */
#include <stdlib.h>
#include <string.h>

#include "grader/channel/message.h"
#include "common/base/tests/run_tests.h"
#include "common/base/random.h"

static float input[5] = {1, 2, 3, 4, 5}, output[7];

/* A call with one argument of each kind. */
static struct frame example(void)
{
    return (struct frame){
        .function = 3, .count = 5,
        .arg = {{.kind = ARG_IN, .bytes = sizeof input, .data = input},
                {.kind = ARG_OUT, .bytes = sizeof output, .data = output,
                 .on_device = 1, .misalign = 12},
                {.kind = ARG_INOUT, .bytes = sizeof input, .data = input},
                {.kind = ARG_INTEGER, .integer = -7},
                {.kind = ARG_REAL, .real = 0.1}}};
}

static struct bytes serialized_example(void)
{
    struct frame frame = example();
    struct bytes bytes = {0};

    frame_describe(&frame, &bytes);
    for (uint32_t i = 0; i < frame.count; i++)
        if (arg_is_input(&frame.arg[i]))
            buffer_append(&bytes, frame.arg[i].data, frame.arg[i].bytes);
    return bytes;
}

static void round_trip(void)
{
    struct bytes bytes = serialized_example();
    struct reader in = {bytes.data, bytes.length, false};
    struct frame frame;

    CU_ASSERT_PTR_NULL(frame_parse(&frame, &in));
    CU_ASSERT_EQUAL(frame.function, 3);
    CU_ASSERT_EQUAL(frame.count, 5);
    CU_ASSERT_EQUAL(memcmp(frame.arg[0].data, input, sizeof input), 0);
    CU_ASSERT_PTR_NULL(frame.arg[1].data);
    CU_ASSERT_EQUAL(frame.arg[1].misalign, 12);
    CU_ASSERT_EQUAL(frame.arg[1].on_device, 1);
    CU_ASSERT_EQUAL(frame.arg[3].integer, -7);
    CU_ASSERT_EQUAL(frame.arg[4].real, 0.1);
    CU_ASSERT_EQUAL(frame_output_bytes(&frame), sizeof output + sizeof input);
    buffer_free(&bytes);
}

/* Every shorter prefix, and one byte more, must be rejected. */
static void truncated(void)
{
    struct bytes bytes = serialized_example();
    struct frame frame;

    for (size_t length = 0; length < bytes.length; length++) {
        struct reader in = {bytes.data, length, false};

        CU_ASSERT_PTR_NOT_NULL(frame_parse(&frame, &in));
    }
    buffer_append(&bytes, "x", 1);
    CU_ASSERT_PTR_NOT_NULL(frame_parse(
        &frame, &(struct reader){bytes.data, bytes.length, false}));
    buffer_free(&bytes);
}

/* A frame of `count` arguments of one kind. @return what is wrong, or NULL */
static const char *read_one(const struct arg *arg, uint32_t count)
{
    static struct frame frame;
    struct bytes bytes = {0};
    const char *wrong;

    buffer_append_u32(&bytes, 0);
    buffer_append_u32(&bytes, count);
    for (uint32_t i = 0; i < count; i++) {
        buffer_append_u32(&bytes, arg->kind);
        buffer_append_u32(&bytes,
                          arg->on_device | (uint32_t)arg->misalign << 16);
        buffer_append_u64(&bytes, arg->bytes);
        buffer_append_u64(&bytes, (uint64_t)arg->integer);
    }
    wrong = frame_parse(&frame,
                        &(struct reader){bytes.data, bytes.length, false});
    buffer_free(&bytes);
    return wrong;
}

/* At each limit, and one beyond. */
static void beyond_limits(void)
{
    const struct arg fine = {.kind = ARG_OUT, .bytes = 64};

    CU_ASSERT_PTR_NULL(read_one(&fine, FRAME_MAX_ARGS));
    CU_ASSERT_PTR_NOT_NULL(read_one(&fine, FRAME_MAX_ARGS + 1));
    CU_ASSERT_PTR_NOT_NULL(read_one(
        &(struct arg){.kind = ARG_OUT, .bytes = FRAME_MAX_BYTES + 1}, 1));
    CU_ASSERT_PTR_NOT_NULL(read_one(
        &(struct arg){.kind = ARG_OUT, .bytes = FRAME_MAX_BYTES}, 2));
    CU_ASSERT_PTR_NOT_NULL(
        read_one(&(struct arg){.kind = ARG_OUT, .bytes = UINT64_MAX}, 2));
    CU_ASSERT_PTR_NOT_NULL(read_one(&(struct arg){.kind = 0}, 1));
    CU_ASSERT_PTR_NOT_NULL(
        read_one(&(struct arg){.kind = ARG_DECODED + 1}, 1));
    CU_ASSERT_PTR_NOT_NULL(
        read_one(&(struct arg){.kind = ARG_IN, .misalign = 256}, 1));
    CU_ASSERT_PTR_NOT_NULL(
        read_one(&(struct arg){.kind = ARG_INTEGER, .bytes = 8}, 1));
}

/* Corrupted messages are rejected or give a frame within the message. */
static void corrupted(void)
{
    struct bytes bytes = serialized_example();

    random_seed(1, "damaged");
    for (int round = 0; round < 20000; round++) {
        unsigned char *copy = malloc(bytes.length);
        struct frame frame;
        struct reader in = {copy, bytes.length, false};

        memcpy(copy, bytes.data, bytes.length);
        for (int i = 0; i < 4; i++)
            copy[random_bits() % bytes.length] = (unsigned char)random_bits();
        if (!frame_parse(&frame, &in)) {
            CU_ASSERT_TRUE(frame.count <= FRAME_MAX_ARGS);
            for (uint32_t i = 0; i < frame.count; i++)
                if (arg_is_input(&frame.arg[i]))
                    CU_ASSERT_TRUE((unsigned char *)frame.arg[i].data
                                   + frame.arg[i].bytes
                                   <= copy + bytes.length);
        }
        free(copy);
    }
    buffer_free(&bytes);
}

/* A header of another type, sequence or length is refused. */
static void headers(void)
{
    struct header header = {MESSAGE_MAGIC, MSG_DONE, 4, 16};

    CU_ASSERT_TRUE(header_is_valid(&header, MSG_DONE, 4, 16));
    CU_ASSERT_FALSE(header_is_valid(&header, MSG_OUTPUT, 4, 16));
    CU_ASSERT_FALSE(header_is_valid(&header, MSG_DONE, 5, 16));
    CU_ASSERT_FALSE(header_is_valid(&header, MSG_DONE, 4, 15));
    header.magic++;
    CU_ASSERT_FALSE(header_is_valid(&header, MSG_DONE, 4, 16));
}

/* Every bit, the length and the key count. */
static void digests(void)
{
    unsigned char data[100];
    uint64_t whole;

    random_seed(1, "digests");
    random_bytes(data, sizeof data);
    whole = digest_update(9, data, sizeof data);
    CU_ASSERT_EQUAL(whole, digest_update(9, data, sizeof data));
    CU_ASSERT_NOT_EQUAL(whole, digest_update(8, data, sizeof data));
    CU_ASSERT_NOT_EQUAL(whole, digest_update(9, data, sizeof data - 1));
    for (size_t bit = 0; bit < 8 * sizeof data; bit++) {
        data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        CU_ASSERT_NOT_EQUAL(whole, digest_update(9, data, sizeof data));
        data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

/* The pattern depends on seed and argument. */
static void poisons(void)
{
    unsigned char a[64], b[64];

    poison_fill(a, sizeof a, 5, 0);
    poison_fill(b, sizeof b, 5, 0);
    CU_ASSERT_EQUAL(memcmp(a, b, sizeof a), 0);
    poison_fill(b, sizeof b, 5, 1);
    CU_ASSERT_NOT_EQUAL(memcmp(a, b, sizeof a), 0);
    poison_fill(b, 13, 5, 0); /* no multiple of a word */
    CU_ASSERT_EQUAL(memcmp(a, b, 13), 0);
}

int main(void)
{
    CU_TestInfo tests[] = {{"round trip", round_trip},
                           {"truncated or too long", truncated},
                           {"limits", beyond_limits},
                           {"corrupted", corrupted},
                           {"headers", headers},
                           {"digest", digests},
                           {"poison", poisons},
                           CU_TEST_INFO_NULL};

    return run_tests("channel", tests);
}
