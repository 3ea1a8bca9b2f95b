/* SPDX-License-Identifier: MIT */
/* Pictures for `warpbook picture`; see picture.h. */
#include "picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/lookalike.h"
#include "common/sheet.h"

enum { CLOTHES = 64 };

/* Room for `count` images before and after, none of them made yet. */
static bool make_room(struct picture *picture, int count,
                      struct failure *failure)
{
    picture->before = calloc((size_t)count, sizeof *picture->before);
    picture->after = calloc((size_t)count, sizeof *picture->after);
    if (!picture->before || !picture->after)
        return fail(failure, "no memory for %d images", count);
    picture->count = count;
    return true;
}

static bool make_after(struct picture *picture, struct failure *failure)
{
    for (int i = 0; i < picture->count; i++) {
        const struct image *like = &picture->before[i];
        if (!image_make(&picture->after[i], like->width, like->height,
                        like->channels, failure))
            return false;
    }
    return true;
}

/* The real set, else the generated one. */
static bool read_clothes(struct fashion *set, struct failure *failure)
{
    struct failure why = {""};

    if (fashion_read(NULL, FASHION_TEST, set, &why))
        return true;
    fprintf(stderr, "picture: %s; using generated images\n", why.text);
    return lookalike_make(CLOTHES, 1, set, failure);
}

static bool copy_clothes(const struct fashion *set, struct picture *picture,
                         struct failure *failure)
{
    const size_t pixels = FASHION_SIDE * FASHION_SIDE;
    int count = set->count < CLOTHES ? (int)set->count : CLOTHES;

    if (!make_room(picture, count, failure))
        return false;
    for (int i = 0; i < count; i++) {
        if (!image_make(&picture->before[i], FASHION_SIDE, FASHION_SIDE, 1,
                        failure))
            return false;
        memcpy(picture->before[i].data, set->images.data + i * pixels, pixels);
    }
    return make_after(picture, failure);
}

bool picture_of_clothes(struct picture *picture, struct failure *failure)
{
    struct fashion set;
    bool ok;

    *picture = (struct picture){0};
    if (!read_clothes(&set, failure))
        return false;
    ok = copy_clothes(&set, picture, failure);
    fashion_free(&set);
    return ok;
}

bool picture_of_file(const char *path, struct picture *picture,
                     struct failure *failure)
{
    *picture = (struct picture){0};
    return make_room(picture, 1, failure) &&
           image_read(path, &picture->before[0], failure) &&
           make_after(picture, failure);
}

/* All images of one side, in a square. */
static bool lay_out(const struct image *images, int count, struct image *sheet,
                    struct failure *failure)
{
    struct sheet_layout layout = {.columns = 1, .gap = 4, .scale = 1,
                                  .paper = 255};

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
                                              .scale = 1, .paper = 255};
    struct image half[2] = {{0}}, sheet = {0};
    bool ok = lay_out(picture->before, picture->count, &half[0], failure) &&
              lay_out(picture->after, picture->count, &half[1], failure) &&
              sheet_make(half, 2, &side_by_side, &sheet, failure) &&
              image_write(path, &sheet, failure);

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
