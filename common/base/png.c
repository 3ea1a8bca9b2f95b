/* SPDX-License-Identifier: MIT */
/** @file
 *  Images to and from PNG, through libpng's simplified interface. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "new_file.h"

/* libpng's name for the layout with this number of channels. */
static png_uint_32 format_of(int channels)
{
    return channels == 1 ? PNG_FORMAT_GRAY
         : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
}

/* Channels needed for a file's format.  Alpha implies color. */
static int channels_of(png_uint_32 format)
{
    if (format & PNG_FORMAT_FLAG_ALPHA) return 4;
    return format & PNG_FORMAT_FLAG_COLOR ? 3 : 1;
}

/* Does the file begin with the PNG signature? libpng's messages for an empty
 * file and for a file of another format are of little help. */
static bool has_signature(FILE *file, const char *path,
                          struct failure *failure)
{
    unsigned char head[8];
    size_t got = fread(head, 1, sizeof head, file);

    if (ferror(file)) return fail(failure, "%s: %s", path, strerror(errno));
    if (got == 0) return fail(failure, "%s: the file is empty", path);
    if (got < sizeof head || png_sig_cmp(head, 0, sizeof head) != 0)
        return fail(failure, "%s: not a PNG file", path);
    rewind(file);
    return true;
}

/* Read the pixels; the header is in `png` already. */
static bool read_pixels(png_image *png, const char *path, struct image *image,
                        struct failure *failure)
{
    struct failure why = {""};
    int channels = channels_of(png->format);

    png->format = format_of(channels);
    if (png->width > INT_MAX || png->height > INT_MAX ||
        !image_make(image, (int)png->width, (int)png->height, channels, &why))
        return fail(failure, "%s: too large: %s", path, why.text);
    if (!png_image_finish_read(png, NULL, image->data, 0, NULL))
        return fail(failure, "%s: damaged or truncated: %s", path,
                    png->message);
    return true;
}

/* Decode an open file; on failure the image holds no memory. */
static bool read_file(FILE *file, const char *path, struct image *image,
                      struct failure *failure)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    bool ok;

    if (!has_signature(file, path, failure)) return false;
    if (!png_image_begin_read_from_stdio(&png, file))
        return fail(failure, "%s: damaged or truncated: %s", path,
                    png.message);
    ok = read_pixels(&png, path, image, failure);
    if (!ok) image_free(image);
    png_image_free(&png);
    return ok;
}

bool image_read(const char *path, struct image *image,
                struct failure *failure)
{
    FILE *file = fopen(path, "rb");
    bool ok;

    memset(image, 0, sizeof *image);
    if (!file) return fail(failure, "%s: %s", path, strerror(errno));
    ok = read_file(file, path, image, failure);
    fclose(file);
    return ok;
}

/* Write the image to a file that has no name yet. */
static bool write_file(const struct new_file *new, const char *path,
                       const struct image *image, struct failure *failure)
{
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)image->width,
                     .height = (png_uint_32)image->height,
                     .format = format_of(image->channels)};
    FILE *file = new_file_stream(new);
    bool ok;

    if (!file) return fail(failure, "%s: %s", path, strerror(errno));
    ok = png_image_write_to_stdio(&png, file, 0, image->data, 0, NULL);
    if (!ok) fail(failure, "%s: %s", path, png.message);
    if (fclose(file) != 0 && ok)
        ok = fail(failure, "%s: %s", path, strerror(errno));
    return ok;
}

bool image_write(const char *path, const struct image *image,
                 struct failure *failure)
{
    struct new_file file;

    if (!image->data) return fail(failure, "%s: an image without pixels", path);
    if (!new_file_create(AT_FDCWD, path, &file))
        return fail(failure, "%s: %s", path, strerror(errno));
    if (!write_file(&file, path, image, failure)) {
        new_file_discard(&file);
        return false;
    }
    if (!new_file_publish(&file))
        return fail(failure, "%s: %s", path, strerror(errno));
    return true;
}
