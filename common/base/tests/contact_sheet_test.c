/* SPDX-License-Identifier: MIT */
/* Contact sheets: the position of each pixel. */
#include "scratch.h"
#include "common/base/contact_sheet.h"

/* Three gray images of 2 by 1 pixels: 1 2, 3 4, 5 6. */
static void make_three(struct image images[3])
{
    for (int i = 0; i < 3; i++) {
        CU_ASSERT(image_make(&images[i], 2, 1, 1, NULL));
        images[i].data[0] = (unsigned char)(2 * i + 1);
        images[i].data[1] = (unsigned char)(2 * i + 2);
    }
}

/* Free the result of make_three(). */
static void free_three(struct image images[3])
{
    for (int i = 0; i < 3; i++) image_free(&images[i]);
}

/* Three images in two columns, with margins of one pixel, each twice as
 * large. */
static void places(void)
{
    const struct sheet_layout layout = {2, 1, 2, 200};
    struct image images[3], sheet;

    make_three(images);
    CU_ASSERT(sheet_make(images, 3, &layout, &sheet, NULL));
    CU_ASSERT(sheet.width == 11 && sheet.height == 7);
    CU_ASSERT_EQUAL(sheet.data[0], 200);
    CU_ASSERT_EQUAL(sheet.data[1 * 11 + 1], 1);
    CU_ASSERT_EQUAL(sheet.data[2 * 11 + 2], 1);
    CU_ASSERT_EQUAL(sheet.data[1 * 11 + 3], 2);
    CU_ASSERT_EQUAL(sheet.data[1 * 11 + 5], 200);
    CU_ASSERT_EQUAL(sheet.data[1 * 11 + 6], 3);
    CU_ASSERT_EQUAL(sheet.data[4 * 11 + 1], 5);
    CU_ASSERT_EQUAL(sheet.data[4 * 11 + 6], 200);
    image_free(&sheet);
    free_three(images);
}

/* No columns, no image, sizes that overflow, and images of two shapes. */
static void refusals(void)
{
    const struct sheet_layout none = {0, 1, 2, 0}, fine = {2, 1, 1, 0};
    const struct sheet_layout huge = {2, 1 << 30, 1 << 30, 0};
    struct image images[3], sheet;

    make_three(images);
    CU_ASSERT_FALSE(sheet_make(images, 3, &none, &sheet, NULL));
    CU_ASSERT_FALSE(sheet_make(images, 0, &fine, &sheet, NULL));
    CU_ASSERT_FALSE(sheet_make(images, 3, &huge, &sheet, NULL));
    image_free(&images[2]);
    CU_ASSERT(image_make(&images[2], 1, 2, 1, NULL));
    CU_ASSERT_FALSE(sheet_make(images, 3, &fine, &sheet, NULL));
    CU_ASSERT_PTR_NULL(sheet.data);
    free_three(images);
}

CU_TestInfo sheet_tests[] = {
    {"every pixel in its place", places},
    {"sheets that cannot be", refusals},
    CU_TEST_INFO_NULL};
