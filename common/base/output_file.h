/* SPDX-License-Identifier: MIT */
/** @file
 *  A file that is named before untrusted code runs and written afterwards.
 *
 *  Its folder is opened first and stays open.  The text goes to a new file of
 *  that folder, which then takes the name (new_file.h): whatever was planted
 *  under the name meanwhile, a link, a pipe or a file, is replaced and neither
 *  followed, opened nor waited for.
 */
#ifndef BASE_OUTPUT_FILE_H
#define BASE_OUTPUT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/** A file to be written; OUTPUT_FILE_NONE until it is opened. */
struct output_file {
    int folder;              /**< the folder, or -1 */
    int special;             /**< a device or pipe that was there, or -1 */
    char name[NAME_MAX + 1]; /**< in the folder */
};

/** An output that was not opened. */
#define OUTPUT_FILE_NONE ((struct output_file){-1, -1, ""})

/** Open the folder of a file.  A device or pipe that is there already is opened
 *  itself, and later written through.
 *  @return false with errno set */
bool output_file_open(const char *path, struct output_file *file);
/** Write the file: it is replaced as a whole, or not at all.
 *  @return false with errno set */
bool output_file_write(const struct output_file *file, const char *text,
                       size_t length);
/** Close what output_file_open() opened. */
void output_file_close(struct output_file *file);

#endif
