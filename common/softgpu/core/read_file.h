/* SPDX-License-Identifier: MIT */
/** @file
 *  The runtime's reader of whole files: programs are linked without
 *  common/base, which has another. */
#ifndef SOFTGPU_READ_FILE_H
#define SOFTGPU_READ_FILE_H

#include <stddef.h>

/** Read a whole regular file.
 *  @param[out] bytes  its length; 0 if it cannot be read
 *  @return its bytes and 64 zeros, to be freed; NULL if it cannot be read */
char *softgpu_read_file(const char *path, size_t *bytes);

#endif
