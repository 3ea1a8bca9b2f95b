/* SPDX-License-Identifier: MIT */
/* Pictures for `warpbook picture`; see picture.h. */
#include "picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/data/lookalike.h"
#include "common/base/contact_sheet.h"

enum { FASHION_COUNT = 64 };

/* Allocate `count` images before and after, all empty. */
static bool allocate_images(struct picture *picture, int count,
                            struct failure *failure)
{
    picture->before = calloc((size_t)count, sizeof *picture->before);
    picture->after = calloc((size_t)count, sizeof *picture->after);
    if (!picture->before || !picture->after)
        return fail(failure, "no memory for %d images", count);
    picture->count = count;
    return true;
}

/* Output images of the input images' sizes. */
static bool allocate_results(struct picture *picture, struct failure *failure)
{
    for (int i = 0; i < picture->count; i++) {
        const struct image *like = &picture->before[i];
        if (!image_make(&picture->after[i], like->width, like->height,
                        like->channels, failure))
            return false;
    }
    return true;
}

/* Fashion-MNIST, or generated images. */
static bool read_fashion_images(struct fashion *set, struct failure *failure)
{
    struct failure reason = {""};

    if (fashion_read(NULL, FASHION_TEST, set, &reason))
        return true;
    fprintf(stderr, "picture: %s; using generated images\n", reason.text);
    return lookalike_make(FASHION_COUNT, 1, set, failure);
}

/* The first images of the test set. */
static bool copy_fashion_images(const struct fashion *set,
                                struct picture *picture,
                                struct failure *failure)
{
    const size_t pixels = FASHION_SIDE * FASHION_SIDE;
    int count = set->count < FASHION_COUNT ? (int)set->count : FASHION_COUNT;

    if (!allocate_images(picture, count, failure))
        return false;
    for (int i = 0; i < count; i++) {
        if (!image_make(&picture->before[i], FASHION_SIDE, FASHION_SIDE, 1,
                        failure))
            return false;
        memcpy(picture->before[i].data, set->images.data + i * pixels, pixels);
    }
    return allocate_results(picture, failure);
}

bool picture_from_fashion(struct picture *picture, struct failure *failure)
{
    struct fashion set;
    bool ok;

    *picture = (struct picture){0};
    if (!read_fashion_images(&set, failure))
        return false;
    ok = copy_fashion_images(&set, picture, failure);
    fashion_free(&set);
    return ok;
}

bool picture_from_file(const char *path, struct picture *picture,
                       struct failure *failure)
{
    *picture = (struct picture){0};
    return allocate_images(picture, 1, failure) &&
           image_read(path, &picture->before[0], failure) &&
           allocate_results(picture, failure);
}

/* All images of one half, in a square. */
static bool make_half_sheet(const struct image *images, int count,
                            struct image *sheet, struct failure *failure)
{
    struct sheet_layout layout = {.columns = 1, .gap = 4, .scale = 1,
                                  .background = 255};

    while (layout.columns * layout.columns < count)
        layout.columns++;
    if (count > 1)
        layout.scale = 2;
    return sheet_make(images, count, &layout, sheet, failure);
}

bool picture_write(const struct picture *picture, const char *path,
                   struct failure *failure)
{
    const struct sheet_layout side_by_side = {.columns = 2, .gap = 8,
                                              .scale = 1, .background = 255};
    struct image half[2] = {{0}}, sheet = {0};
    bool ok =
        make_half_sheet(picture->before, picture->count, &half[0], failure)
        && make_half_sheet(picture->after, picture->count, &half[1], failure)
        && sheet_make(half, 2, &side_by_side, &sheet, failure)
        && image_write(path, &sheet, failure);

    image_free(&half[0]);
    image_free(&half[1]);
    image_free(&sheet);
    return ok;
}

void picture_free(struct picture *picture)
{
    for (int i = 0; i < picture->count; i++) {
        image_free(&picture->before[i]);
        image_free(&picture->after[i]);
    }
    free(picture->before);
    free(picture->after);
    *picture = (struct picture){0};
}
