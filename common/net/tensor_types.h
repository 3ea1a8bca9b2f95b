/* SPDX-License-Identifier: MIT */
/** @file
 *  Types of elements as safetensors names them, for reader and writer. */
#ifndef TENSOR_TYPES_H
#define TENSOR_TYPES_H

#include <stddef.h>

/** By enum tensor_type. */
extern const struct tensor_type_info {
    const char *name; /**< "F32" */
    size_t bytes;     /**< of an element */
} tensor_types[];
extern const size_t tensor_type_count; /**< of them */

#endif
