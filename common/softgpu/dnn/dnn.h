/* SPDX-License-Identifier: MIT */
/** @file
 *  Shared by all calls of cuDNN: descriptors, errors, elements, submission.
 *
 *  A public call checks its arguments, fills a structure that begins with a
 *  struct softgpu_library_call and contains copies of all descriptors; its
 *  `run` function does the work when the stream reaches it.  The work is split
 *  into parts by its shape alone, and each output element is accumulated by
 *  one part: results do not depend on the number of OS threads. "In `arrays`"
 *  means: called from the structure's `arrays` function, which declares the
 *  memory accesses. */
#ifndef SOFTGPU_DNN_H
#define SOFTGPU_DNN_H

#include <stdbool.h>
#include <stddef.h>

#include "common/softgpu/host/library.h"
#include "cudnn.h"

enum { DNN_MAX_SPATIAL = 6 /**< most spatial dimensions */ };

/** A cuDNN handle. */
struct cudnnContext {
    cudaStream_t stream; /**< calls are submitted to it */
};

/** A tensor descriptor; `dims` is 0 until it is set. */
struct cudnnTensorStruct {
    cudnnDataType_t type; /**< of the elements */
    int dims;             /**< number of dimensions */
    int size[CUDNN_DIM_MAX], stride[CUDNN_DIM_MAX]; /**< in elements */
};

/** A filter descriptor: K, C, then the spatial dimensions. */
struct cudnnFilterStruct {
    struct cudnnTensorStruct tensor; /**< with the strides of the format */
    cudnnTensorFormat_t format;
};

/** A convolution descriptor. */
struct cudnnConvolutionStruct {
    int dims; /**< spatial dimensions; 0: not set */
    int pad[DNN_MAX_SPATIAL], stride[DNN_MAX_SPATIAL],
        dilation[DNN_MAX_SPATIAL];
    int groups;                  /**< number of groups */
    cudnnConvolutionMode_t mode; /**< convolution or cross-correlation */
    cudnnDataType_t compute;     /**< type of the arithmetic */
    cudnnMathType_t math;        /**< without effect, but for SOFTGPU_TF32 */
    cudnnReorderType_t reorder;  /**< stored, without effect */
};

/** A pooling descriptor. */
struct cudnnPoolingStruct {
    int dims; /**< spatial dimensions; 0: not set */
    int window[DNN_MAX_SPATIAL], pad[DNN_MAX_SPATIAL], stride[DNN_MAX_SPATIAL];
    cudnnPoolingMode_t mode;   /**< maximum or average */
    cudnnNanPropagation_t nan; /**< propagate NaN or not */
};

/** An activation descriptor. */
struct cudnnActivationStruct {
    bool set;                   /**< false until it is set */
    cudnnActivationMode_t mode; /**< the function */
    cudnnNanPropagation_t nan;  /**< propagate NaN or not */
    double coef, swish;         /**< parameters of the function */
};

/* --- errors -------------------------------------------------------------- */

/** Store the reason why this thread's call fails, for
 *  cudnnGetLastErrorString().
 *  @return status */
cudnnStatus_t dnn_fail(cudnnStatus_t status, const char *call, const char *why);
/** Begin a function of the library: the errors of what it calls are its own,
 *  since the program called that one.  Use DNN_AS_OWN(). */
void dnn_enter(const char *call);
/** End it.  @return status */
cudnnStatus_t dnn_leave(cudnnStatus_t status);
/** The status of another function, with errors as of this one. */
#define DNN_AS_OWN(other) (dnn_enter(__func__), dnn_leave(other))
/** Return `status` unless the condition holds. */
#define DNN_REQUIRE(condition, status, why)         \
    do {                                            \
        if (!(condition))                           \
            return dnn_fail(status, __func__, why); \
    } while (0)
/** Return CUDNN_STATUS_BAD_PARAM unless the condition holds. */
#define DNN_REQUIRE_PARAM(condition) \
    DNN_REQUIRE(condition, CUDNN_STATUS_BAD_PARAM, "must hold: " #condition)
/** Return CUDNN_STATUS_NOT_SUPPORTED unless the condition holds. */
#define DNN_REQUIRE_SUPPORTED(condition)               \
    DNN_REQUIRE(condition, CUDNN_STATUS_NOT_SUPPORTED, \
                "supported only if " #condition)

/* --- elements ------------------------------------------------------------ */

/** Is this a supported type: float, double, half, bfloat16? */
bool dnn_is_type(cudnnDataType_t type);
/** Bytes per element. */
size_t dnn_bytes(cudnnDataType_t type);
/** Load element i. */
double dnn_load_element(const void *p, cudnnDataType_t type, ptrdiff_t i);
/** Store element i, rounded to nearest. */
void dnn_store_element(void *p, cudnnDataType_t type, ptrdiff_t i,
                       double value);
/** Load alpha or beta: a double for tensors of double, else a float. */
double dnn_scalar(const void *p, cudnnDataType_t type);

/* --- tensors ------------------------------------------------------------- */

/** Has the descriptor been set? */
static inline bool dnn_is_set(const struct cudnnTensorStruct *t)
{
    return t && t->dims > 0;
}
/** Number of elements. */
size_t dnn_count(const struct cudnnTensorStruct *t);
/** Do two tensors have the same dimensions? */
bool dnn_same_size(const struct cudnnTensorStruct *a,
                   const struct cudnnTensorStruct *b);
/** Can `a` be broadcast to `b`: is each dimension of a equal to b's, or 1? */
bool dnn_is_broadcastable(const struct cudnnTensorStruct *a,
                          const struct cudnnTensorStruct *b);
/** Set packed strides for the tensor's sizes; C is innermost with NHWC. */
void dnn_set_packed_strides(struct cudnnTensorStruct *t,
                            cudnnTensorFormat_t format);
/** Copy `requested` ints; does nothing if a pointer is NULL. */
void dnn_copy_ints(int *to, const int *from, int requested);

/** A tensor argument of a call. */
struct dnn_argument {
    const char *name; /**< name in NVIDIA's documentation */
    void *ptr;        /**< device memory */
    struct cudnnTensorStruct tensor;
    enum softgpu_use use; /**< read, written or both */
};
/** An argument that is read. */
struct dnn_argument dnn_in(const char *name,
                           const struct cudnnTensorStruct *tensor,
                           const void *ptr);
/** An argument that is written, and read unless beta is 0. */
struct dnn_argument dnn_out(const char *name,
                            const struct cudnnTensorStruct *tensor, void *ptr,
                            double beta);
/** In `arrays`: declare the access. */
void dnn_array(const struct dnn_argument *argument);
/** Do the argument's elements and a range of bytes overlap?  Not when the
 *  argument's pointer is NULL. */
bool dnn_overlaps(const struct dnn_argument *argument, const void *p,
                  size_t bytes);

/* --- submission ---------------------------------------------------------- */

/** Initializer of a call's structure. */
#define DNN_CALL(run_part, name_arrays)                            \
    {.name = __func__, .run = (run_part), .arrays = (name_arrays), \
     .parts = 1, .site = SOFTGPU_CALLER}
/** Number of parts for n pieces of work of `elements` elements each. */
unsigned dnn_parts(size_t n, double elements);
/** First of n pieces in part p. */
static inline size_t dnn_part_begin(size_t n, unsigned p, unsigned parts)
{
    return n * p / parts;
}
/** Submit a call to the handle's stream. */
cudnnStatus_t dnn_submit(cudnnHandle_t handle, const void *self, size_t bytes);

#endif
