/* SPDX-License-Identifier: MIT */
/** @file
 *  What the calls of cuDNN share: descriptors, refusals, queueing.
 *
 *  A public call checks its arguments and fills a structure that begins with a
 *  struct softgpu_library_call and holds copies of all descriptors; its `run`
 *  does the work when the stream comes to it.  Work is cut into parts by its
 *  shape alone, and one part alone adds up what becomes one number: so bits do
 *  not depend on how many OS threads there are.
 */
#ifndef SOFTGPU_DNN_H
#define SOFTGPU_DNN_H

#include <stdbool.h>
#include <stddef.h>

#include "../host/library.h"
#include "cudnn.h"

enum { DNN_SPATIAL = 6 /**< most dimensions behind N and C */ };

/** A handle. */
struct cudnnContext {
    cudaStream_t stream;
};

/** A tensor; `dims` is 0 until it is set. */
struct cudnnTensorStruct {
    cudnnDataType_t type;
    int dims;
    int size[CUDNN_DIM_MAX], stride[CUDNN_DIM_MAX];
};

/** Filters: K, C, then the spatial dimensions. */
struct cudnnFilterStruct {
    struct cudnnTensorStruct tensor; /**< with the strides of the format */
    cudnnTensorFormat_t format;
};

/** A convolution. */
struct cudnnConvolutionStruct {
    int dims; /**< spatial ones; 0: not set */
    int pad[DNN_SPATIAL], stride[DNN_SPATIAL], dilation[DNN_SPATIAL];
    int groups;
    cudnnConvolutionMode_t mode;
    cudnnDataType_t compute;
    cudnnMathType_t math;
    cudnnReorderType_t reorder;
};

/** A pooling. */
struct cudnnPoolingStruct {
    int dims; /**< spatial ones; 0: not set */
    int window[DNN_SPATIAL], pad[DNN_SPATIAL], stride[DNN_SPATIAL];
    cudnnPoolingMode_t mode;
    cudnnNanPropagation_t nan;
};

/** An activation. */
struct cudnnActivationStruct {
    bool set;
    cudnnActivationMode_t mode;
    cudnnNanPropagation_t nan;
    double coef, swish;
};

/* --- refusals ------------------------------------------------------------ */

/** Remember why this thread's call fails.  @return status */
cudnnStatus_t dnn_refuse(cudnnStatus_t status, const char *call,
                         const char *why);
/** Return this status unless the condition holds. */
#define DNN_NEED(condition, status, why)                  \
    do {                                                  \
        if (!(condition))                                 \
            return dnn_refuse(status, __func__, why);     \
    } while (0)
/** Return CUDNN_STATUS_BAD_PARAM unless it holds. */
#define DNN_LEGAL(condition) \
    DNN_NEED(condition, CUDNN_STATUS_BAD_PARAM, "not so: " #condition)
/** Return CUDNN_STATUS_NOT_SUPPORTED unless it holds. */
#define DNN_CAN(condition) \
    DNN_NEED(condition, CUDNN_STATUS_NOT_SUPPORTED, "only with " #condition)

/* --- elements ------------------------------------------------------------ */

/** Whether tensors may have this type: float, double, half, bfloat16. */
bool dnn_is_type(cudnnDataType_t type);
/** Bytes of an element. */
size_t dnn_bytes(cudnnDataType_t type);
/** Element i. */
double dnn_get(const void *p, cudnnDataType_t type, ptrdiff_t i);
/** Element i becomes the value nearest to this one. */
void dnn_put(void *p, cudnnDataType_t type, ptrdiff_t i, double value);
/** An alpha or beta: double for tensors of double, else float. */
double dnn_scalar(const void *p, cudnnDataType_t type);

/* --- tensors ------------------------------------------------------------- */

/** Whether it has been set. */
static inline bool dnn_is_set(const struct cudnnTensorStruct *t)
{
    return t && t->dims > 0;
}
/** How many elements. */
size_t dnn_count(const struct cudnnTensorStruct *t);
/** Whether two have the same dimensions. */
bool dnn_same_size(const struct cudnnTensorStruct *a,
                   const struct cudnnTensorStruct *b);
/** Whether each dimension of a is b's or 1. */
bool dnn_fits(const struct cudnnTensorStruct *a,
              const struct cudnnTensorStruct *b);
/** Set dimensions and type; strides packed, C innermost with NHWC. */
void dnn_pack(struct cudnnTensorStruct *t, cudnnTensorFormat_t format);
/** Copy up to `wanted` numbers; either may be NULL. */
void dnn_tell(int *to, const int *from, int wanted);

/** An argument of a call that is a tensor. */
struct dnn_argument {
    const char *name; /**< as NVIDIA's documents call it */
    void *ptr;        /**< device */
    struct cudnnTensorStruct tensor;
    enum softgpu_use use;
};
/** An argument that is only read. */
struct dnn_argument dnn_in(const char *name,
                           const struct cudnnTensorStruct *tensor,
                           const void *ptr);
/** One that is written, and read first if beta is not 0. */
struct dnn_argument dnn_out(const char *name,
                            const struct cudnnTensorStruct *tensor, void *ptr,
                            double beta);
/** In `arrays`: name it. */
void dnn_array(const struct dnn_argument *argument);

/* --- queueing ------------------------------------------------------------ */

/** Begin of a call's structure. */
#define DNN_CALL(run_part, name_arrays)                          \
    {.name = __func__, .run = (run_part), .arrays = (name_arrays), \
     .parts = 1, .site = __builtin_return_address(0)}
/** In how many parts to cut n pieces of work of so many elements each. */
unsigned dnn_parts(size_t n, double elements);
/** Where part p of so many begins among n. */
static inline size_t dnn_begin(size_t n, unsigned p, unsigned parts)
{
    return n * p / parts;
}
/** Queue a call on the handle's stream. */
cudnnStatus_t dnn_submit(cudnnHandle_t handle, const void *self, size_t bytes);

#endif
