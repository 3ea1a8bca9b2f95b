/* SPDX-License-Identifier: MIT */
/** @file
 *  What the generated stubs of a lab's functions (grader/calls) call: each
 *  argument is described in order, between call_begin() and call_end().
 */
#ifndef GRADER_SUITE_STUB_H
#define GRADER_SUITE_STUB_H

#include "grader/channel/frame.h"
#include "suite.h"

/** `shown_as` of an array by the type of its pointer. */
#define CALL_SHOWN_AS(pointer)                                              \
    _Generic((pointer), float *: 1 + FLOAT32, const float *: 1 + FLOAT32,   \
             double *: 1 + FLOAT64, const double *: 1 + FLOAT64,            \
             int *: 1 + INT32, const int *: 1 + INT32,                      \
             unsigned *: 1 + UINT32, const unsigned *: 1 + UINT32,          \
             unsigned char *: 1 + UINT8, const unsigned char *: 1 + UINT8,  \
             default: 0)

/** An array argument. */
struct call_array {
    const char *name;     /**< "d_a": suite_misalign() and messages use it */
    enum arg_kind kind;   /**< ARG_IN, ARG_OUT or ARG_INOUT */
    enum place place;     /**< memory of the lab's array */
    const void *data;     /**< the suite's array, in host memory; NULL: the
                               lab's pointer is NULL as well */
    size_t element;       /**< bytes of an element */
    unsigned shown_as;    /**< 1 + its enum element; 0: of another type */
    size_t dims;          /**< dimensions */
    const int64_t *dim;   /**< elements of each; below 0: an empty array */
    void *overwritten_by; /**< the output that may be this array, or NULL */
    bool in_place;        /**< this output may be an earlier array: */
    unsigned in_place_of; /**< the index of that argument */
};

/** Next argument: an array.  An array that is larger than a call can hold is
 *  passed as an empty one, for calls that the lab must refuse; no more is
 *  passed than the suite has allocated at `data`.  With suite_in_place(true) an
 *  output that may be an earlier array is that array. */
void call_array(const struct call_array *array);
/** Next argument: a struct by value, whose pointers are NULL.
 *  @param data  the struct, which is copied: the call may be made again */
void call_struct(const void *data, size_t bytes);
/** Bytes that the suite has allocated from an address on.
 *  @return INT64_MAX for memory that is not the suite's */
int64_t suite_allocated(const void *data);

#endif
