/* SPDX-License-Identifier: MIT */
/** @file
 *  See picture.h. */
#include "picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "readers.h"

bool picture_name(const char *name)
{
    static const char *const ends[] = {".png", ".jpg", ".jpeg"};
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        if (strcasecmp(dot, ends[i]) == 0) return name[0] != '.';
    return false;
}

bool picture_read(const char *path, struct image *image,
                  struct failure *failure)
{
    unsigned char first[2] = {0};
    FILE *file;
    size_t got;

    memset(image, 0, sizeof *image);
    if (!reader_check_file(path, failure)) return false;
    file = fopen(path, "rb");
    if (!file) return fail(failure, "%s: %s", path, strerror(errno));
    got = fread(first, 1, sizeof first, file);
    fclose(file);
    if (got == sizeof first && first[0] == 0xff && first[1] == 0xd8)
        return jpeg_read(path, image, failure);
    if (got == sizeof first && (first[0] != 0x89 || first[1] != 'P'))
        return fail(failure, "%s: neither PNG nor JPEG", path);
    return image_read(path, image, failure);
}

/* The mean of the pixels that map to one output pixel. */
static unsigned char resampled_pixel(const struct plane *from, int height,
                                     int width, int y, int x)
{
    /* 64 bits: a side times another one exceeds 32. */
    const int top = (int)((long long)y * from->height / height);
    const int left = (int)((long long)x * from->width / width);
    const int below = (int)((long long)(y + 1) * from->height / height);
    const int right = (int)((long long)(x + 1) * from->width / width);
    const size_t stride = (size_t)from->stride;
    unsigned long long sum = 0, count = 0;

    /* At least one pixel: smaller images are enlarged by repetition. */
    for (int i = top; i < below || i == top; i++)
        for (int j = left; j < right || j == left; j++) {
            sum += from->pixels[((size_t)i * (size_t)from->width + (size_t)j)
                                * stride];
            count++;
        }
    return (unsigned char)((sum + count / 2) / count);
}

void plane_resample(const struct plane *from, int height, int width,
                    unsigned char *to)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            *to++ = resampled_pixel(from, height, width, y, x);
}

/* The mean of the three colors of each pixel. */
static unsigned char *make_gray(const struct image *image)
{
    const size_t count = (size_t)image->width * (size_t)image->height;
    const size_t stride = (size_t)image->channels;
    unsigned char *gray = malloc(count);

    for (size_t i = 0; gray && i < count; i++) {
        const unsigned char *p = image->data + i * stride;

        gray[i] = (unsigned char)((p[0] + p[1] + p[2] + 1) / 3);
    }
    return gray;
}

bool picture_planes(const struct image *image, int channels, int height,
                    int width, unsigned char *to)
{
    const size_t plane = (size_t)height * (size_t)width;
    const bool is_gray = image->channels < 3;
    unsigned char *gray = NULL;

    if (!is_gray && channels == 1 && !(gray = make_gray(image))) return false;
    for (int c = 0; c < channels; c++) {
        const struct plane from = {gray ? gray
                                        : image->data + (is_gray ? 0 : c),
                                   image->height, image->width,
                                   gray ? 1 : image->channels};

        plane_resample(&from, height, width, to + (size_t)c * plane);
    }
    free(gray);
    return true;
}
