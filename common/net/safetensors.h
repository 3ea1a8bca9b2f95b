/* SPDX-License-Identifier: MIT */
/** @file
 *  Named arrays in a file, in the safetensors format: 8 bytes with the length
 *  of a JSON header, least significant first; the header, which maps each name
 *  to {"dtype", "shape", "data_offsets"}; the arrays one after another.
 *  PyTorch reads and writes it with the package of that name.  Format:
 *  the README of huggingface/safetensors.  Host only.
 */
#ifndef SAFETENSORS_H
#define SAFETENSORS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/failure.h"

enum {
    TENSOR_RANK = 4,     /**< sizes at most */
    TENSOR_NAME = 64,    /**< bytes of a name, its end included */
    TENSOR_COUNT = 1024, /**< arrays of a file at most */
    TENSOR_NOTES = 32    /**< notes of a file at most */
};

/** Types of elements that are written here; files with others are refused. */
enum tensor_type {
    TENSOR_F32, /**< float */
    TENSOR_I64, /**< int64_t */
    TENSOR_U8   /**< unsigned char */
};

/** One array. */
struct tensor {
    char name[TENSOR_NAME];
    enum tensor_type type;
    int rank;                 /**< 0: one element */
    size_t size[TENSOR_RANK]; /**< slowest first */
    const void *data;         /**< row-major; once read, at any address: copy */
};

/** A remark beside the arrays: "epoch" is "3". */
struct tensor_note {
    char name[TENSOR_NAME];
    char text[256]; /**< cut to fit */
};

/** What is in a file. */
struct tensors {
    struct tensor *list;  /**< owned once read */
    size_t count;         /**< arrays */
    struct tensor_note *notes; /**< owned once read */
    size_t note_count;    /**< remarks */
    void *content;        /**< what list[].data points into; owned */
};

/** Bytes of an array's elements. */
size_t tensor_bytes(const struct tensor *tensor);

/** Write a file, whole or not at all: it is complete and on the disk before
 *  it takes the place of an older one of that name.
 *  @param      path     the file
 *  @param[in]  tensors  arrays and notes; names all different
 *  @param[out] failure  the line, or NULL
 *  @return false with a line that begins with the path */
bool safetensors_write(const char *path, const struct tensors *tensors,
                       struct failure *failure);

/** Read a file.
 *  @param      path     the file
 *  @param[out] tensors  free with tensors_free(); all zero after a failure
 *  @param[out] failure  the line, or NULL
 *  @return false with a line that begins with the path: missing, cut short, a
 *          header that is no JSON, an array outside the file, of another type
 *          or whose size does not fit its shape, bytes of two arrays or of
 *          none */
bool safetensors_read(const char *path, struct tensors *tensors,
                      struct failure *failure);

/** The array of that name, or NULL. */
const struct tensor *tensors_find(const struct tensors *tensors,
                                  const char *name);

/** The note's text, or NULL. */
const char *tensors_note(const struct tensors *tensors, const char *name);

/** Free what safetensors_read() made. */
void tensors_free(struct tensors *tensors);

#endif
