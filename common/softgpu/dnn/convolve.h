/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolutions: their shapes, the ways to do them, oneDNN.
 */
#ifndef SOFTGPU_DNN_CONVOLVE_H
#define SOFTGPU_DNN_CONVOLVE_H

#include "dnn.h"

/** Which of the three tensors is the result. */
enum dnn_direction { DNN_FORWARD, DNN_BACKWARD_DATA, DNN_BACKWARD_FILTER };

/** The sizes of y; false when x and w do not fit. */
bool dnn_convolved(const struct cudnnConvolutionStruct *desc,
                   const struct cudnnTensorStruct *x,
                   const struct cudnnTensorStruct *w, int *size);

/** A convolution without its data. */
struct dnn_shape {
    enum dnn_direction direction;
    struct cudnnConvolutionStruct desc;
    struct cudnnTensorStruct x, w, y;
};

/** Check descriptors and put them together.
 *  @return CUDNN_STATUS_BAD_PARAM when they do not fit each other,
 *          CUDNN_STATUS_NOT_SUPPORTED for what is not done here */
cudnnStatus_t dnn_shape(struct dnn_shape *shape, enum dnn_direction direction,
                        const cudnnTensorDescriptor_t x,
                        const cudnnFilterDescriptor_t w,
                        const cudnnConvolutionDescriptor_t desc,
                        const cudnnTensorDescriptor_t y);
/** Multiply-adds of it. */
double dnn_work(const struct dnn_shape *shape);

/** What a way to do it needs. */
struct dnn_way {
    int algo;
    bool fits;     /**< false: not this shape */
    size_t memory; /**< bytes of workspace */
    double operations; /**< floating-point */
    double traffic;    /**< bytes through the card's memory */
    float time;        /**< milliseconds, modelled for the card */
};
/** How many ways a direction has. */
int dnn_ways(enum dnn_direction direction);
/** One of them, by number. */
struct dnn_way dnn_way(const struct dnn_shape *shape, int algo);

/** Tensors, all of float or all of double; strides may be any. */
struct convolve_job {
    const struct dnn_shape *shape; /**< what to do */
    void *x, *w, *y;               /**< device */
};
/** Do it for float, on this OS thread alone; the result is overwritten. */
void onednn_convolve(const struct convolve_job *job);
/** The same for double. */
void direct_convolve(const struct convolve_job *job);

#endif
