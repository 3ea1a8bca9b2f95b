/* SPDX-License-Identifier: MIT */
/* Folders of pictures as people have them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
/* jpeglib.h needs FILE. */
#include <jpeglib.h>

#include "common/data/picture.h"
#include "data_tests.h"

/* A folder with an empty train/ in the scratch folder. */
static void make_set(char folder[PATH_BYTES], char train[PATH_BYTES],
                     const char *name)
{
    mkdir(scratch_path(folder, name), 0700);
    mkdir(join_path(train, folder, "train"), 0700);
}

/* Reading fails, with this in the message, and leaves no memory. */
static void refuse(const char *folder, enum dataset_part part,
                   const char *fragment)
{
    struct failure why = {""};
    struct dataset set;

    CU_ASSERT_FALSE(read_part("pictures", folder, part, &set, &why));
    CU_ASSERT(!set.pixels && !set.labels && !set.names && !set.count);
    expect_message(&why, folder, fragment);
}

/* Gray, color and alpha, in any case of the ending. */
static void png(void)
{
    char folder[PATH_BYTES], train[PATH_BYTES];
    struct dataset set;

    make_set(folder, train, "png");
    refuse(folder, DATASET_TRAIN, "train: contains no folder of a class");
    write_picture(train, "cat", "b.png", 5, 5, 3);
    write_picture(train, "cat", "c.png", 5, 5, 1);
    write_picture(train, "ant", "a.PNG", 5, 5, 4);
    CU_ASSERT_FATAL(read_part("png", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 3 && set.channels == 3 && set.classes == 2);
    CU_ASSERT(set.labels[0] == 0 && set.labels[1] == 1);
    CU_ASSERT_STRING_EQUAL(set.names[1], "cat");
    CU_ASSERT(set.pixels[0] == 1 && set.pixels[25] == 2); /* r, g of ant */
    CU_ASSERT(set.pixels[1] == 5); /* alpha is dropped */
    CU_ASSERT(set.pixels[75] == 1 && set.pixels[76] == 4); /* cat/b */
    /* gray, repeated */
    CU_ASSERT(set.pixels[150] == 1 && set.pixels[175] == 1);
    dataset_free(&set);
    refuse(folder, DATASET_TEST, "test: No such file");
    write_picture(train, "dog", "d.png", 6, 6, 3);
    refuse(folder, DATASET_TRAIN, "d.png: is 6 x 6, earlier images are 5 x 5; "
           "--resize");
}

/* Named pipes are no pictures and no arrays: reading them would wait
 * forever. */
static void pipes(void)
{
    char folder[PATH_BYTES], train[PATH_BYTES], path[PATH_BYTES];
    struct failure why = {""};
    struct dataset set;

    make_set(folder, train, "pipes");
    write_picture(train, "cat", "a.png", 5, 5, 1);
    mkfifo(join_path(path, train, "cat/b.png"), 0600);
    refuse(folder, DATASET_TRAIN, "b.png: a pipe or device, not a file");
    mkfifo(join_path(path, folder, "train_images.npy"), 0600);
    CU_ASSERT_FALSE(read_part("npy", folder, DATASET_TRAIN, &set, &why));
    expect_message(&why, path, "a pipe or device, not a file");
}

/* Gray pictures before the first one in color get three equal channels. */
static void gray_and_color(void)
{
    char folder[PATH_BYTES], train[PATH_BYTES];
    struct dataset set;

    make_set(folder, train, "gray");
    for (int i = 0; i < 70; i++) { /* more than the initial capacity */
        char name[32];

        snprintf(name, sizeof name, "%02d.png", i);
        write_picture(train, "ant", name, 3, 3, 1);
    }
    CU_ASSERT_FATAL(read_part("pictures", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 70 && set.channels == 1);
    CU_ASSERT(set.pixels[69 * 9 + 8] == 9);
    dataset_free(&set);
    write_picture(train, "bee", "x.png", 3, 3, 3);
    CU_ASSERT_FATAL(read_part("pictures", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 71 && set.channels == 3);
    for (int c = 0; c < 3; c++)
        CU_ASSERT(set.pixels[69 * 27 + c * 9 + 8] == 9
                  && set.pixels[70 * 27 + c * 9] == c + 1);
    dataset_free(&set);
}

/* Files that are no pictures are counted; a class needs one picture. */
static void stray_files(void)
{
    char folder[PATH_BYTES], train[PATH_BYTES], file[PATH_BYTES];
    struct dataset set;

    make_set(folder, train, "stray");
    write_picture(train, "cat", "a.png", 4, 4, 1);
    write_picture(train, "dog", "a.png", 4, 4, 1);
    scratch_file(file, "stray/train/readme.txt", "x", 1);
    scratch_file(file, "stray/train/cat/Thumbs.db", "x", 1);
    scratch_file(file, "stray/train/cat/.DS_Store", "x", 1);
    CU_ASSERT_FATAL(read_part("pictures", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 2 && set.classes == 2 && set.ignored == 2);
    dataset_free(&set);
    mkdir(scratch_path(file, "stray/train/eel"), 0700);
    refuse(folder, DATASET_TRAIN, "eel: contains no PNG or JPEG file");
    scratch_file(file, "stray/train/eel/e.png", "BM picture", 10);
    refuse(folder, DATASET_TRAIN, "e.png: neither PNG nor JPEG");
    scratch_file(file, "stray/train/eel/e.png", "", 0);
    refuse(folder, DATASET_TRAIN, "e.png: ");
}

/* Images are scaled to the size asked for. */
static void any_size(void)
{
    struct dataset_source source = {.name = "pictures", .height = 2,
                                    .width = 4};
    char folder[PATH_BYTES], train[PATH_BYTES];
    struct dataset set;

    make_set(folder, train, "sizes");
    write_picture(train, "cat", "a.png", 4, 8, 1);
    write_picture(train, "dog", "b.png", 2, 4, 1);
    write_picture(train, "dog", "c.png", 1, 2, 1);
    source.folder = folder;
    CU_ASSERT_FATAL(dataset_read(&source, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 3 && set.height == 2 && set.width == 4);
    /* The mean of 1, 2, 9 and 10 is 5.5; the same size is copied; each pixel
     * of the smaller one is repeated. */
    CU_ASSERT(set.pixels[0] == 6 && set.pixels[8 + 7] == 8);
    CU_ASSERT(!memcmp(set.pixels + 16, "\1\1\2\2\1\1\2\2", 8));
    dataset_free(&set);
}

/* Any set can be resampled, not only folders of pictures. */
static void any_set(void)
{
    const struct dataset_source source = {.name = "lookalike-cifar",
                                          .height = 16, .width = 8};
    struct dataset set, whole;
    const unsigned char *from;

    CU_ASSERT_FATAL(dataset_read(&source, DATASET_TEST, &set, NULL));
    CU_ASSERT_FATAL(
        read_part("lookalike-cifar", NULL, DATASET_TEST, &whole, NULL));
    CU_ASSERT(set.height == 16 && set.width == 8 && set.channels == 3);
    CU_ASSERT(!memcmp(set.labels, whole.labels, set.count));
    /* Row 3, column 2 of the green plane of image 5. */
    from = whole.pixels + (5 * 3 + 1) * 1024 + 6 * 32 + 8;
    CU_ASSERT_EQUAL(set.pixels[(5 * 3 + 1) * 128 + 3 * 8 + 2],
                    (from[0] + from[1] + from[2] + from[3] + from[32] + from[33]
                     + from[34] + from[35] + 4) / 8);
    dataset_free(&whole);
    dataset_free(&set);
}

/* Write a JPEG of one color. */
static void write_jpeg(const char *path, int components, J_COLOR_SPACE space)
{
    struct jpeg_error_mgr errors;
    struct jpeg_compress_struct jpeg = {.err = jpeg_std_error(&errors)};
    unsigned char row[16 * 4];
    JSAMPROW rows[] = {row};
    FILE *file = fopen(path, "wb");

    CU_ASSERT_FATAL(file != NULL);
    for (size_t i = 0; i < sizeof row; i++)
        row[i] = (unsigned char)(i % (size_t)components ? 40 : 200);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = jpeg.image_height = 16;
    jpeg.input_components = components;
    jpeg.in_color_space = space;
    jpeg_set_defaults(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    for (int i = 0; i < 16; i++) jpeg_write_scanlines(&jpeg, rows, 1);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    fclose(file);
}

/* JPEG changes values by a few steps. */
static void expect_near(unsigned char pixel, int value)
{
    CU_ASSERT(abs(pixel - value) <= 3);
}

/* JPEG in color and gray, also under a wrong ending. */
static void jpeg(void)
{
    char folder[PATH_BYTES], train[PATH_BYTES], file[PATH_BYTES],
        cut[PATH_BYTES];
    struct dataset set;
    struct image image;

    make_set(folder, train, "jpeg");
    write_picture(train, "cat", "a.png", 16, 16, 3);
    write_jpeg(scratch_path(file, "jpeg/train/cat/b.JPG"), 3, JCS_RGB);
    write_jpeg(scratch_path(file, "jpeg/train/cat/c.jpeg"), 1, JCS_GRAYSCALE);
    /* A JPEG whose name says PNG. */
    write_jpeg(scratch_path(file, "jpeg/train/cat/d.png"), 3, JCS_RGB);
    CU_ASSERT_FATAL(read_part("pictures", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 4 && set.channels == 3 && set.width == 16);
    for (int i = 1; i < 4; i += 2) {
        expect_near(set.pixels[i * 768], 200);
        expect_near(set.pixels[i * 768 + 256], 40);
        expect_near(set.pixels[i * 768 + 767], 40);
    }
    expect_near(set.pixels[2 * 768 + 300], 200);
    dataset_free(&set);
    copy_prefix(file, scratch_path(cut, "jpeg/train/cat/e.jpg"),
                file_size(file) - 20, 0);
    refuse(folder, DATASET_TRAIN, "e.jpg: damaged: Premature end of JPEG");
    write_jpeg(cut, 4, JCS_CMYK);
    refuse(folder, DATASET_TRAIN, "e.jpg: a JPEG of 4 color components");
    CU_ASSERT_FALSE(picture_read("/nowhere.jpg", &image, NULL));
}

/* Names of any length and bytes. */
static void class_names(void)
{
    static const char *const names[] = {"<b>", "a&b", "x'y\"z|p",
                                        "a\nline end", "\xff\xfe not UTF-8"};
    char folder[PATH_BYTES], train[PATH_BYTES], name[150];
    struct dataset set;

    make_set(folder, train, "names");
    memset(name, 'y', sizeof name - 1);
    name[sizeof name - 1] = 0;
    write_picture(train, name, "a.png", 2, 2, 1);
    for (int i = 0; i < 5; i++)
        write_picture(train, names[i], "a.png", 2, 2, 1);
    CU_ASSERT_FATAL(read_part("pictures", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT_EQUAL_FATAL(set.classes, 6);
    CU_ASSERT_STRING_EQUAL(set.names[0], names[0]);
    CU_ASSERT_STRING_EQUAL(set.names[1], names[3]);
    CU_ASSERT_STRING_EQUAL(set.names[4], name);
    CU_ASSERT_STRING_EQUAL(set.names[5], names[4]);
    dataset_free(&set);
}

CU_TestInfo picture_tests[] = {{"PNG", png},
                               {"pipes", pipes},
                               {"gray and color", gray_and_color},
                               {"stray files", stray_files},
                               {"any size", any_size},
                               {"any set resampled", any_set},
                               {"JPEG", jpeg},
                               {"names of classes", class_names},
                               CU_TEST_INFO_NULL};
