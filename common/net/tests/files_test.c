/* SPDX-License-Identifier: MIT */
/* Writing and reading safetensors, hostile files, and TensorBoard events. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/data/random_bits.h"
#include "common/net/events.h"
#include "common/net/safetensors.h"
#include "common/base/tests/scratch.h"
#include "net_tests.h"

static const float weights[] = {1, -2.5f, 3e-40f, 4, 5, 6};
static const int64_t steps[] = {-1, 1LL << 40};
static struct tensor list[] = {
    {"conv1.weight", TENSOR_F32, 2, {2, 3}, weights},
    {"step", TENSOR_I64, 1, {2}, steps},
    {"seed", TENSOR_U8, 0, {0}, "s"},
    {"none", TENSOR_F32, 1, {0}, NULL},
};
static char lenet[] = "lenet", three[] = "3";
static struct tensor_metadata metadata[] = {{"net", lenet}, {"epoch", three}};
static const struct tensors sample = {.list = list, .count = 4,
                                      .metadata = metadata,
                                      .metadata_count = 2};

/* Names, shapes, types and values survive; metadata, too. */
static void round_trip(void)
{
    struct tensors in;
    const struct tensor *t;
    char path[PATH_BYTES];

    scratch_path(path, "a.safetensors");
    CU_ASSERT_FATAL(safetensors_write(path, &sample, NULL));
    CU_ASSERT_FATAL(safetensors_read(path, &in, NULL));
    CU_ASSERT(in.count == 4 && in.metadata_count == 2);
    CU_ASSERT_STRING_EQUAL(tensors_metadata(&in, "epoch"), "3");
    CU_ASSERT_PTR_NULL(tensors_metadata(&in, "absent"));
    t = tensors_find(&in, "conv1.weight");
    CU_ASSERT_FATAL(t != NULL);
    CU_ASSERT(t->rank == 2 && t->size[1] == 3);
    CU_ASSERT(!memcmp(t->data, weights, sizeof weights));
    t = tensors_find(&in, "step");
    CU_ASSERT(t && !memcmp(t->data, steps, sizeof steps));
    CU_ASSERT_EQUAL(tensor_bytes(tensors_find(&in, "none")), 0);
    CU_ASSERT_EQUAL(tensor_bytes(tensors_find(&in, "seed")), 1);
    tensors_free(&in);
}

/* A failed write leaves the existing file unchanged. */
static void kept(void)
{
    struct failure why = {""};
    char path[PATH_BYTES];
    size_t before;

    scratch_path(path, "a.safetensors");
    before = file_size(path);
    CU_ASSERT(safetensors_write(path, &sample, NULL));
    CU_ASSERT_EQUAL(file_size(path), before);
    CU_ASSERT_FALSE(safetensors_write(scratch_path(path, "no/such"), &sample,
                                      &why));
    expect_message(&why, path, "No such file");
}

/* One bit of the file is flipped, wherever it is: the file is refused. */
static void checksum(void)
{
    char path[PATH_BYTES], bad[PATH_BYTES];
    struct failure why = {""};
    struct tensors in;
    size_t bytes, refused = 0;

    scratch_path(path, "a.safetensors");
    scratch_path(bad, "flipped.safetensors");
    CU_ASSERT_FATAL(safetensors_write(path, &sample, NULL));
    CU_ASSERT_FATAL(safetensors_read(path, &in, NULL));
    CU_ASSERT(in.checked);
    CU_ASSERT_PTR_NULL(tensors_metadata(&in, "warpbook.crc32"));
    tensors_free(&in);
    bytes = file_size(path);
    for (size_t i = 1; i <= bytes; i++) {
        static unsigned char content[2048];
        FILE *file = fopen(path, "rb");

        CU_ASSERT_EQUAL_FATAL(fread(content, 1, sizeof content, file), bytes);
        fclose(file);
        content[i - 1] ^= 1;
        scratch_file(bad, "flipped.safetensors", content, bytes);
        refused += !safetensors_read(bad, &in, &why);
        tensors_free(&in);
    }
    /* Only the name of the entry itself can change unnoticed: the file then has
     * no checksum. */
    CU_ASSERT(refused >= bytes - strlen("\"warpbook.crc32\":\"\""));
    expect_message(&why, bad, "damaged: its checksum is ");
}

/* Values whose conversion is exact, subnormal and special ones among them. */
static void conversions(void)
{
    static const uint16_t half[] = {0x3c00, 0xc100, 0x0001, 0x7bff, 0x8000,
                                    0x7c00};
    static const float of_half[] = {1, -2.5f, 0x1p-24f, 65504, -0.0f, INFINITY};
    static const uint16_t bfloat[] = {0x3f80, 0xc020, 0x0001, 0x7f80};
    static const float of_bfloat[] = {1, -2.5f, 0x1p-133f, INFINITY};
    static const double wide[] = {0.1, -3};
    const struct tensor tensors[] = {
        {"h", TENSOR_F16, 1, {6}, half}, {"b", TENSOR_BF16, 1, {4}, bfloat},
        {"d", TENSOR_F64, 2, {2, 1}, wide}, {"i", TENSOR_I64, 1, {2}, steps}};
    char text[128];
    float to[6];

    tensor_to_floats(&tensors[0], to);
    CU_ASSERT(!memcmp(to, of_half, sizeof of_half));
    tensor_to_floats(&tensors[1], to);
    CU_ASSERT(!memcmp(to, of_bfloat, sizeof of_bfloat));
    tensor_to_floats(&tensors[2], to);
    CU_ASSERT(to[0] == 0.1f && to[1] == -3);
    CU_ASSERT_FALSE(tensor_is_real(&tensors[3]));
    CU_ASSERT_STRING_EQUAL(tensor_describe(&tensors[2], text), "F64 [2, 1]");
}

/* A safetensors file of this header and so many zero bytes of data. */
static size_t with_header(unsigned char *to, const char *header, size_t data)
{
    const size_t length = strlen(header);

    memset(to, 0, 8 + length + data);
    to[0] = (unsigned char)length;
    to[1] = (unsigned char)(length >> 8);
    memcpy(to + 8, header, length);
    return 8 + length + data;
}

/* Reading fails, with this in the message, and leaves no memory. */
static void refuse_bytes(const void *data, size_t bytes, const char *fragment)
{
    struct failure why = {""};
    struct tensors in;
    char path[PATH_BYTES];

    scratch_file(path, "bad.safetensors", data, bytes);
    CU_ASSERT_FALSE(safetensors_read(path, &in, &why));
    CU_ASSERT(!in.list && !in.content);
    expect_message(&why, path, fragment);
}

/* The same for a file whose length is right. */
static void refuse(const char *header, size_t data, const char *fragment)
{
    unsigned char bytes[1024];

    refuse_bytes(bytes, with_header(bytes, header, data), fragment);
}

#define ARRAY(dtype, shape, offsets)                                          \
    "{\"a\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":"   \
    offsets "}} "

/* Lengths that lie, and headers that are no object of tensors. */
static void hostile(void)
{
    refuse_bytes("\4\0\0\0\0\0\0\0{}", 10,
                 "a header of 4 bytes in a file of 10");
    refuse_bytes("\1\0\0", 3, "byte 0: not a safetensors file: a header of 0 "
                 "bytes in a file of 3");
    refuse_bytes("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10,
                 "byte 0: not a safetensors file: a header of 18446744073709");
    refuse("[1, 2]", 0, "not a JSON object");
    refuse("{\"a\":", 0, "not a JSON object");
    refuse("{\"a\":3}", 0, "a: the dtype is \"\"");
    refuse(ARRAY("C64", "[1]", "[0,8]"), 8, "the dtype is \"C64\"");
    refuse(ARRAY("F32", "[2]", "[0,4]"), 8, "do not fit the shape");
    refuse(ARRAY("F32", "[2]", "[4,12]"), 8,
           "a: needs bytes 4 to 12, but there "
           "are 8");
    refuse(ARRAY("F32", "[2]", "[8,0]"), 8, "a: needs bytes 8 to 0");
    refuse(ARRAY("F32", "[2]", "[-4,4]"), 8, "a: needs bytes -4");
    refuse(ARRAY("F32", "[1,1,1,1,1]", "[0,4]"), 4, "up to 4 dim");
    refuse(ARRAY("F32", "[-1]", "[0,4]"), 4, "size 0 is out of range");
    refuse(ARRAY("F32", "[1099511627776,1099511627776]", "[0,0]"), 4,
           "larger than the file");
    refuse("{\"__metadata__\":{\"a\":1}}", 0, "__metadata__");
}

#define TWO(a, b)                                                     \
    "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" a "}," \
    "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" b "}}  "

/* Each byte belongs to exactly one tensor. */
static void overlapping(void)
{
    refuse(TWO("[0,4]", "[0,4]"), 4, "byte 0 belongs to ");
    refuse(TWO("[0,4]", "[3,7]"), 7, "b: byte 3 belongs to a, too");
    refuse(TWO("[3,7]", "[0,4]"), 7, "a: byte 3 belongs to b, too");
    refuse(TWO("[0,4]", "[5,9]"), 9, "bytes 4 to 5 belong to no tensor");
    refuse(TWO("[0,4]", "[4,8]"), 9, "bytes 8 to 9 belong to no tensor");
    refuse("{\"a\":{},\"a\":{}}", 0, "duplicate object key");
    for (int i = 0; i < 2; i++) { /* near miss: adjacent tensors, in either
                                     order */
        unsigned char bytes[1024];
        char path[PATH_BYTES];
        struct tensors in;

        scratch_file(
            path, "two.safetensors", bytes,
            with_header(bytes,
                        i ? TWO("[4,8]", "[0,4]") : TWO("[0,4]", "[4,8]"), 8));
        CU_ASSERT(safetensors_read(path, &in, NULL));
        tensors_free(&in);
    }
}

/* Mutations of a valid file are read, or rejected with one line. */
static void fuzzed(void)
{
    unsigned char good[1024], bytes[1024];
    char path[PATH_BYTES];
    const size_t all = with_header(good, ARRAY("F32", "[2]", "[0,8]"), 8);
    uint64_t state = 5;

    for (int i = 0; i < 500; i++) {
        size_t count = all;
        struct failure why = {""};
        struct tensors in;

        memcpy(bytes, good, all);
        for (int k = 0; k < 2; k++)
            bytes[random_below(&state, all)] =
                (unsigned char)random_bits(&state);
        if (i % 3 == 0) count = (size_t)random_below(&state, all) + 1;
        scratch_file(path, "fuzz.safetensors", bytes, count);
        CU_ASSERT(safetensors_read(path, &in, &why) == !why.text[0]);
        for (size_t t = 0; t < in.count; t++)
            CU_ASSERT((const char *)in.list[t].data +
                          tensor_bytes(&in.list[t]) <=
                      (const char *)in.content + count);
        tensors_free(&in);
    }
}

/* --- events -------------------------------------------------------------- */

/* 32 bits, little-endian. */
static uint32_t word_at(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16
           | (uint32_t)p[3] << 24;
}

/* Undo TensorFlow's mask. */
static uint32_t unmasked(uint32_t crc)
{
    crc -= 0xa282ead8u;
    return crc << 15 | crc >> 17;
}

/* CRC-32C of nine digits is in its standard. */
static void check_value(void)
{
    CU_ASSERT_EQUAL(crc32c("123456789", 9), 0xe3069283u); /* as in RFC 3720 */
    CU_ASSERT_EQUAL(crc32c("", 0), 0);
}

/* Parse the records; the second one holds tag, step and value. */
static void records(void)
{
    static const unsigned char want[] = {
        0x2a, 13, 0x0a, 11, 0x0a, 4, 'l', 'o', 's', 's', 0x15, 0, 0, 0xc0,
        0x3f};
    unsigned char bytes[512];
    struct events events, other;
    char folder[PATH_BYTES];
    size_t count, at = 0, found = 0;
    FILE *file;

    scratch_path(folder, "");
    CU_ASSERT_FATAL(events_open(folder, 1e9, &events, NULL));
    CU_ASSERT(strstr(events.path, "events.out.tfevents.1000000000") != NULL);
    CU_ASSERT_FATAL(events_open(folder, 1e9, &other, NULL));
    CU_ASSERT(strcmp(events.path, other.path) != 0);
    CU_ASSERT(events_close(&other, NULL));
    events_scalar(&events, "loss", 300, 1.5f, 1e9);
    CU_ASSERT(events_close(&events, NULL));
    file = fopen(events.path, "rb");
    CU_ASSERT_FATAL(file != NULL);
    count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (; at + 16 <= count; found++) {
        const uint32_t length = word_at(bytes + at);
        const unsigned char *message = bytes + at + 12;

        CU_ASSERT_FATAL(at + 16 + length <= count);
        CU_ASSERT_EQUAL(unmasked(word_at(bytes + at + 8)),
                        crc32c(bytes + at, 8));
        CU_ASSERT_EQUAL(unmasked(word_at(message + length)),
                        crc32c(message, length));
        if (found == 1) { /* time: 9 bytes; step 300: 0x10 0xac 0x02 */
            CU_ASSERT(!memcmp(message + 9, "\x10\xac\x02", 3));
            CU_ASSERT(!memcmp(message + 12, want, sizeof want));
        }
        at += 16 + length;
    }
    CU_ASSERT(found == 2 && at == count);
}

/* The message is the system's. */
static void no_folder(void)
{
    struct failure why = {""};
    struct events events;
    char folder[PATH_BYTES];

    CU_ASSERT_FALSE(
        events_open(scratch_path(folder, "absent"), 1, &events, &why));
    expect_message(&why, folder, "No such file");
}

CU_TestInfo file_tests[] = {
    {"safetensors there and back", round_trip},
    {"a failed write", kept},
    {"checksum", checksum},
    {"conversions", conversions},
    {"hostile safetensors", hostile},
    {"overlapping arrays", overlapping},
    {"fuzzed safetensors", fuzzed},
    {"CRC-32C", check_value},
    {"events", records},
    {"events without a folder", no_folder},
    CU_TEST_INFO_NULL};
