/* SPDX-License-Identifier: MIT */
/** @file
 *  JSON files.  Host only.
 */
#ifndef BASE_JSON_FILE_H
#define BASE_JSON_FILE_H

#include <jansson.h>
#include <stdbool.h>

#include "output_file.h"

/** Write a JSON value as a file, as write_file() does.
 *
 *  @param path   "-" is stdout
 *  @param json   an object or array; NULL fails with EINVAL
 *  @param flags  of json_dumps(): JSON_INDENT(1)
 *  @return false with errno set */
bool write_json(const char *path, const json_t *json, size_t flags);
/** The same to a file that was opened before; OUTPUT_FILE_NONE is stdout. */
bool write_open_json(const struct output_file *file, const json_t *json,
                     size_t flags);

#endif
