/* SPDX-License-Identifier: MIT */
/** @file
 *  Files in the safetensors format: 8 bytes with the length of a JSON header,
 *  little-endian; the header, which maps each tensor's name to {"dtype",
 *  "shape", "data_offsets"}; the data of the tensors.  PyTorch reads and
 *  writes it with the package `safetensors`.  Format: the README of
 *  huggingface/safetensors.  Host only. */
#ifndef SAFETENSORS_H
#define SAFETENSORS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/failure.h"

enum {
    TENSOR_MAX_RANK = 4,     /**< maximum number of dimensions */
    TENSOR_NAME_BYTES = 64,  /**< bytes of a name, its end included */
    TENSOR_MAX_COUNT = 1024, /**< maximum number of tensors in a file */
    TENSOR_MAX_METADATA = 64 /**< maximum number of metadata entries in a
                                  file */
};

/** Supported dtypes; files with other dtypes are rejected. */
enum tensor_dtype {
    TENSOR_F32,  /**< float */
    TENSOR_I64,  /**< int64_t */
    TENSOR_U8,   /**< unsigned char */
    TENSOR_F16,  /**< IEEE 754 half precision */
    TENSOR_BF16, /**< bfloat16: the upper half of a float */
    TENSOR_F64   /**< double */
};

/** One tensor. */
struct tensor {
    char name[TENSOR_NAME_BYTES]; /**< name of the tensor */
    enum tensor_dtype type;
    int rank;                     /**< number of dimensions; 0: a scalar */
    size_t size[TENSOR_MAX_RANK]; /**< size of each dimension, slowest-varying
                                       first */
    const void *data;             /**< row-major; after reading possibly
                                       unaligned: copy */
};

/** A metadata entry: "epoch" is "3". */
struct tensor_metadata {
    char name[TENSOR_NAME_BYTES]; /**< its name */
    char *text;                   /**< of any length; owned after reading */
};

/** Content of a file. */
struct tensors {
    struct tensor *list;   /**< owned after reading */
    size_t count;          /**< number of tensors */
    struct tensor_metadata *metadata; /**< owned after reading */
    size_t metadata_count; /**< number of metadata entries */
    void *content;         /**< buffer that list[].data points into; owned */
    bool checked;          /**< after reading: the file has a checksum, and it
                                is right */
};

/** Bytes of a tensor's data. */
size_t tensor_bytes(const struct tensor *tensor);

/** Is the dtype one of floating-point numbers? */
bool tensor_is_real(const struct tensor *tensor);

/** Convert all elements to float.  F64 is rounded, the others are exact.
 *  @param      tensor  of a floating-point dtype
 *  @param[out] to      as many floats */
void tensor_to_floats(const struct tensor *tensor, float *to);

/** The shape and dtype as text: "F32 [6, 1, 5, 5]".  @return text */
char *tensor_describe(const struct tensor *tensor, char text[128]);

/** Write a file atomically: it is complete and on the disk before it replaces
 *  an older one of the same name.  Meanwhile it has a unique name that ends in
 *  ".part".  The metadata get one more entry, "warpbook.crc32": the CRC-32 of
 *  the whole file, with zeros in place of these eight digits.
 *  @param      path     the file
 *  @param[in]  tensors  tensors with different names, and metadata
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with the path */
bool safetensors_write(const char *path, const struct tensors *tensors,
                       struct failure *failure);

/** Read and validate a file.
 *  @param      path     the file
 *  @param[out] tensors  free with tensors_free(); all zero after a failure
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with the path: missing, truncated,
 *          a header that is not JSON, a tensor outside the file, of another
 *          dtype, or whose size does not match its shape, bytes of two tensors
 *          or of none, a checksum that is wrong */
bool safetensors_read(const char *path, struct tensors *tensors,
                      struct failure *failure);

/** The tensor of that name, or NULL. */
const struct tensor *tensors_find(const struct tensors *tensors,
                                  const char *name);

/** The text of a metadata entry, or NULL. */
const char *tensors_metadata(const struct tensors *tensors, const char *name);

/** Free what safetensors_read() allocated. */
void tensors_free(struct tensors *tensors);

#endif
