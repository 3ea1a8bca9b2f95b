/* SPDX-License-Identifier: MIT */
/** @file
 *  Element types (dtypes) of safetensors, for reading and writing. */
#ifndef TENSOR_TYPES_H
#define TENSOR_TYPES_H

#include <stddef.h>

/** Indexed by enum tensor_dtype. */
extern const struct tensor_type_info {
    const char *name; /**< "F32" */
    size_t bytes;     /**< bytes per element */
} tensor_types[];
extern const size_t tensor_type_count; /**< number of entries */

/** Name of the metadata entry of the checksum. */
#define TENSORS_CHECKSUM "warpbook.crc32"

/** Find the eight digits of the checksum in a header.
 *  @return the first digit, or NULL when there is no such entry */
char *tensors_find_checksum(char *header, size_t length);

#endif
