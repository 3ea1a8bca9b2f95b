/* SPDX-License-Identifier: MIT */
/** @file
 *  Whole files and folders.  Host only.
 */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/** Read a regular file of at most `max_bytes` bytes.
 *
 *  @param[in]  path       opened without blocking: a named pipe is refused
 *  @param[in]  max_bytes  of the file
 *  @param[out] length     bytes read; unchanged on failure
 *  @return the bytes and a NUL, to be freed by the caller; NULL with errno set:
 *          EFBIG for a larger file, EISDIR for a folder, EINVAL for what is
 *          no file either
 */
char *read_file(const char *path, size_t max_bytes, size_t *length);

/** Write a file atomically: it is replaced as a whole or left as it was.
 *
 *  @param[in] path    a device or a named pipe is written in place
 *  @param[in] text    `length` bytes
 *  @param[in] length  bytes
 *  @return false with errno set; no temporary file is left
 */
bool write_file(const char *path, const char *text, size_t length);

/** Make a folder, and those above it that do not exist.
 *  @return false with errno set */
bool make_directories(const char *path);

#endif
