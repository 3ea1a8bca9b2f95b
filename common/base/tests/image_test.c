/* SPDX-License-Identifier: MIT */
/* Reading and writing PNG, and every kind of invalid file. */
#include <string.h>
#include <sys/stat.h>

#include "scratch.h"
#include "common/base/image.h"

/* An image in which neighboring bytes differ. */
static void make_pattern(struct image *image, int channels)
{
    CU_ASSERT(image_make(image, 7, 5, channels, NULL));
    for (size_t i = 0; i < image_bytes(image); i++)
        image->data[i] = (unsigned char)(37 * i + 11);
}

/* Write, read, compare. */
static void round_trip(int channels)
{
    char path[PATH_BYTES];
    struct image out, in;

    make_pattern(&out, channels);
    CU_ASSERT(image_write(scratch_path(path, "round.png"), &out, NULL));
    CU_ASSERT(image_read(path, &in, NULL));
    CU_ASSERT_EQUAL(in.channels, channels);
    CU_ASSERT(in.width == 7 && in.height == 5);
    CU_ASSERT(in.data && !memcmp(in.data, out.data, image_bytes(&out)));
    image_free(&in);
    image_free(&out);
}

/* One channel. */
static void keeps_gray(void) { round_trip(1); }
/* Three channels. */
static void keeps_color(void) { round_trip(3); }
/* Four channels. */
static void keeps_alpha(void) { round_trip(4); }

/* Reading must fail with a message that contains the fragment, without pixels.
 */
static void refuse(const char *path, const char *fragment)
{
    struct failure why = {""};
    struct image image;

    CU_ASSERT_FALSE(image_read(path, &image, &why));
    CU_ASSERT_PTR_NULL(image.data);
    expect_message(&why, path, fragment);
}

/* The message is the system's. */
static void missing(void)
{
    char path[PATH_BYTES];

    refuse(scratch_path(path, "nowhere.png"), "No such file");
}

/* An empty file is not "damaged". */
static void empty(void)
{
    char path[PATH_BYTES];

    refuse(scratch_file(path, "empty.png", "", 0), "the file is empty");
}

/* Another format, and a signature that is cut off. */
static void no_png(void)
{
    char path[PATH_BYTES];

    refuse(scratch_file(path, "text.png", "GIF89a and more", 15),
           "not a PNG file");
    refuse(scratch_file(path, "short.png", "\x89PN", 3), "not a PNG file");
}

/* open() may succeed for a folder; read() does not. */
static void folder(void)
{
    char path[PATH_BYTES];

    mkdir(scratch_path(path, "folder.png"), 0700);
    refuse(path, "Is a directory");
}

/* Truncate a valid file at every length: none may be read. */
static void cut_short(void)
{
    char whole[PATH_BYTES], cut[PATH_BYTES];
    struct image image;

    make_pattern(&image, 3);
    CU_ASSERT(image_write(scratch_path(whole, "whole.png"), &image, NULL));
    image_free(&image);
    scratch_path(cut, "cut.png");
    for (size_t n = 8; n + 12 < file_size(whole); n++) {
        copy_prefix(whole, cut, n, 0);
        refuse(cut, "damaged or truncated");
    }
}

/* A header whose checksum is wrong. */
static void damaged(void)
{
    char whole[PATH_BYTES], bad[PATH_BYTES];

    scratch_path(whole, "whole.png");
    scratch_path(bad, "bad.png");
    copy_prefix(whole, bad, 20, 0x40); /* a width that contradicts the checksum
                                          */
    refuse(bad, "damaged or truncated");
}

/* Neither the folder nor the file can be written. */
static void unwritable(void)
{
    char path[PATH_BYTES];
    struct failure why = {""};
    struct image image;

    make_pattern(&image, 1);
    CU_ASSERT_FALSE(
        image_write(scratch_path(path, "no/such/x.png"), &image, &why));
    expect_message(&why, path, "No such file");
    image_free(&image);
    CU_ASSERT_FALSE(image_write(scratch_path(path, "x.png"), &image, &why));
    expect_message(&why, path, "without pixels");
    CU_ASSERT_EQUAL(file_size(path), 0);
}

/* Sizes that are not positive or overflow, and numbers of channels that PNG
 * lacks. */
static void sizes(void)
{
    struct image image;

    CU_ASSERT_FALSE(image_make(&image, 0, 5, 1, NULL));
    CU_ASSERT_FALSE(image_make(&image, 5, -1, 1, NULL));
    CU_ASSERT_FALSE(image_make(&image, 5, 5, 2, NULL));
    CU_ASSERT_FALSE(image_make(&image, 1 << 30, 1 << 30, 4, NULL));
    CU_ASSERT(image_make(&image, 5, 5, 4, NULL));
    image_free(&image);
}

CU_TestInfo image_tests[] = {
    {"keeps gray", keeps_gray},
    {"keeps color", keeps_color},
    {"keeps alpha", keeps_alpha},
    {"missing file", missing},
    {"empty file", empty},
    {"not a PNG", no_png},
    {"a folder", folder},
    {"cut short anywhere", cut_short},
    {"damaged header", damaged},
    {"cannot be written", unwritable},
    {"sizes that cannot be", sizes},
    CU_TEST_INFO_NULL};
