/* SPDX-License-Identifier: MIT */
/** @file
 *  JPEG files, by the library libjpeg-turbo: baseline and progressive, gray or
 *  in color.  An orientation in EXIF data is not applied. */
#include <stdio.h>
/* jpeglib.h needs FILE. */
#include <errno.h>
#include <jpeglib.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"

/** The library's error handler.  It must not return after an error, so it
 *  jumps back to decode(). */
struct jpeg_errors {
    struct jpeg_error_mgr base; /* first: the library knows only this part */
    jmp_buf back;
    char text[JMSG_LENGTH_MAX];
};

/* libjpeg's own handler would exit the process. */
static void jump_back(j_common_ptr jpeg)
{
    struct jpeg_errors *errors = (struct jpeg_errors *)jpeg->err;

    jpeg->err->format_message(jpeg, errors->text);
    longjmp(errors->back, 1);
}

/* A warning, such as data that end too early: the library would fill the rest
 * of the picture with gray. */
static void refuse_warning(j_common_ptr jpeg, int level)
{
    if (level < 0) jump_back(jpeg);
}

/* libjpeg decodes line by line. */
static void decode_rows(struct jpeg_decompress_struct *jpeg,
                        struct image *image)
{
    const size_t row_bytes = (size_t)image->width * (size_t)image->channels;

    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW row = image->data + jpeg->output_scanline * row_bytes;

        jpeg_read_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_decompress(jpeg);
}

/* Decode an open file.  `failure` is set unless the library reports. */
static bool decode(const char *path, struct jpeg_decompress_struct *jpeg,
                   struct image *image, struct failure *failure)
{
    jpeg_read_header(jpeg, TRUE);
    if (jpeg->num_components != 1 && jpeg->num_components != 3)
        return fail(failure, "%s: a JPEG of %d color components; 1 or 3 are "
                    "needed", path, jpeg->num_components);
    jpeg->out_color_space = jpeg->num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_start_decompress(jpeg);
    if (!image_make(image, (int)jpeg->output_width, (int)jpeg->output_height,
                    jpeg->output_components, NULL))
        return fail(failure, "%s: %u x %u pixels are too many", path,
                    jpeg->output_width, jpeg->output_height);
    decode_rows(jpeg, image);
    return true;
}

bool jpeg_read(const char *path, struct image *image, struct failure *failure)
{
    struct jpeg_errors errors;
    struct jpeg_decompress_struct jpeg = {.err = jpeg_std_error(&errors.base)};
    FILE *file = fopen(path, "rb");
    volatile bool ok = false;

    memset(image, 0, sizeof *image);
    if (!file) return fail(failure, "%s: %s", path, strerror(errno));
    errors.base.error_exit = jump_back;
    errors.base.emit_message = refuse_warning;
    if (setjmp(errors.back) == 0) {
        jpeg_create_decompress(&jpeg);
        jpeg_stdio_src(&jpeg, file);
        ok = decode(path, &jpeg, image, failure);
    } else {
        fail(failure, "%s: damaged: %s", path, errors.text);
    }
    jpeg_destroy_decompress(&jpeg);
    fclose(file);
    if (!ok) image_free(image);
    return ok;
}
