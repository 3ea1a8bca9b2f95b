/* SPDX-License-Identifier: MIT */
/* Reading and writing IDX files, and every kind of invalid file. */
#include <string.h>

#include "data_tests.h"
#include "common/data/idx.h"

static unsigned char content[] = {1, 2, 3, 4, 5, 6};
static const struct idx sample = {2, {2, 3}, content};

/* Write, read, compare. */
static void round_trip(const char *name)
{
    char path[PATH_BYTES];
    struct idx in;

    CU_ASSERT(idx_write(scratch_path(path, name), &sample, NULL));
    CU_ASSERT(idx_read(path, 2, &in, NULL));
    CU_ASSERT(in.rank == 2 && in.size[0] == 2 && in.size[1] == 3);
    CU_ASSERT(in.data && !memcmp(in.data, content, sizeof content));
    idx_free(&in);
}

/* Without compression. */
static void plain(void) { round_trip("plain.idx"); }
/* Compressed, by the name's ending. */
static void packed(void) { round_trip("packed.idx.gz"); }

/* Reading fails, with this in the message, and leaves no memory. */
static void refuse(const char *path, int rank, const char *fragment)
{
    struct failure why = {""};
    struct idx idx;

    CU_ASSERT_FALSE(idx_read(path, rank, &idx, &why));
    CU_ASSERT_PTR_NULL(idx.data);
    expect_message(&why, path, fragment);
}

/* A file with these bytes must be rejected with a message that contains the
 * fragment. */
static void refuse_bytes(const void *data, size_t bytes, const char *fragment)
{
    char path[PATH_BYTES];

    refuse(scratch_file(path, "bad.idx", data, bytes), 1, fragment);
}

/* Headers that are cut off, of another format, or of impossible sizes. */
static void bad_heads(void)
{
    refuse_bytes("", 0, "the file is empty");
    refuse_bytes("\0\0\x8", 3, "damaged or truncated");
    refuse_bytes("PNG!", 4, "not an IDX file of bytes");
    refuse_bytes("\0\0\xd\1\0\0\0\1\7", 9, "not an IDX file of bytes");
    refuse_bytes("\0\0\x8\3\0\0\0\1\7", 9, "has 3 dimensions, not 1");
    refuse_bytes("\0\0\x8\1\0\0", 6, "damaged or truncated");
    refuse_bytes("\0\0\x8\1\0\0\0\0", 8, "dimension 1 cannot be 0");
    refuse_bytes("\0\0\x8\1\xff\0\0\0\7", 9, "dimension 1 cannot be");
}

/* One element too few, one too many. */
static void bad_bodies(void)
{
    refuse_bytes("\0\0\x8\1\0\0\0\2\7", 9, "damaged or truncated");
    refuse_bytes("\0\0\x8\1\0\0\0\1\7\7", 10, "longer than its sizes say");
}

/* No such file, and a number of dimensions that the format lacks. */
static void missing(void)
{
    char path[PATH_BYTES];

    refuse(scratch_path(path, "nowhere.idx"), 1, "No such file");
    refuse(path, 9, "cannot have 9 dimensions");
}

/* Truncate a compressed file at every length, and corrupt its checksum. */
static void bad_packing(void)
{
    char whole[PATH_BYTES], bad[PATH_BYTES];
    size_t bytes;

    CU_ASSERT(idx_write(scratch_path(whole, "whole.gz"), &sample, NULL));
    bytes = file_size(whole);
    scratch_path(bad, "bad.gz");
    for (size_t n = 10; n < bytes; n++) {
        copy_prefix(whole, bad, n, 0);
        refuse(bad, 2, "");
    }
    copy_prefix(whole, bad, bytes - 4, 1);
    refuse(bad, 2, "damaged or truncated");
}

/* No such folder; nothing is left of a file that was refused. */
static void unwritable(void)
{
    char path[PATH_BYTES];
    struct failure why = {""};
    struct idx nothing = {0};

    CU_ASSERT_FALSE(idx_write(scratch_path(path, "no/such"), &sample, &why));
    expect_message(&why, path, "No such file");
    CU_ASSERT_FALSE(idx_write(scratch_path(path, "none"), &nothing, &why));
    expect_message(&why, path, "cannot hold 0 elements");
    CU_ASSERT_EQUAL(file_size(path), 0);
}

CU_TestInfo idx_tests[] = {
    {"plain", plain},
    {"packed", packed},
    {"missing", missing},
    {"bad heads", bad_heads},
    {"bad bodies", bad_bodies},
    {"bad packing", bad_packing},
    {"cannot be written", unwritable},
    CU_TEST_INFO_NULL};
