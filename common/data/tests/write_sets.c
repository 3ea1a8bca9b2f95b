/* SPDX-License-Identifier: MIT */
/* Data sets that tests write: see data_tests.h. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/image.h"
#include "data_tests.h"

char *join_path(char path[PATH_BYTES], const char *folder, const char *name)
{
    CU_ASSERT(snprintf(path, PATH_BYTES, "%s/%s", folder, name) < PATH_BYTES);
    return path;
}

void write_picture(const char *folder, const char *class, const char *name,
                   int height, int width, int channels)
{
    char path[PATH_BYTES], file[PATH_BYTES];
    struct image image;

    mkdir(join_path(path, folder, class), 0700);
    CU_ASSERT_FATAL(image_make(&image, width, height, channels, NULL));
    for (size_t i = 0; i < image_bytes(&image); i++)
        image.data[i] = (unsigned char)(i + 1);
    CU_ASSERT(image_write(join_path(file, path, name), &image, NULL));
    image_free(&image);
}

/* The header is padded as numpy.save() does it. */
void write_npy(const char *folder, const char *name, const char *type,
               const char *shape, const void *data, size_t bytes)
{
    char path[PATH_BYTES], header[129];
    const int used = snprintf(header, sizeof header,
                              "\x93NUMPY\1%c%c%c{'descr': '%s', "
                              "'fortran_order': False, 'shape': %s, }",
                              '?', '?', '?', type, shape);
    FILE *file = fopen(join_path(path, folder, name), "wb");

    CU_ASSERT_FATAL(file != NULL);
    memset(header + used, ' ', (size_t)(128 - used));
    header[7] = 0;
    header[8] = 118;
    header[9] = 0;
    header[127] = '\n';
    CU_ASSERT_EQUAL(fwrite(header, 1, 128, file), 128);
    CU_ASSERT_EQUAL(fwrite(data, 1, bytes, file), bytes);
    CU_ASSERT_EQUAL(fclose(file), 0);
}
