/* SPDX-License-Identifier: MIT */
/* Elements, tensors and their descriptors. */
#include "dnn.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../host/half.h"

/* --- elements ------------------------------------------------------------ */

bool dnn_is_type(cudnnDataType_t type)
{
    return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE
           || type == CUDNN_DATA_HALF || type == CUDNN_DATA_BFLOAT16;
}

size_t dnn_bytes(cudnnDataType_t type)
{
    return type == CUDNN_DATA_DOUBLE ? 8 : type == CUDNN_DATA_FLOAT ? 4 : 2;
}

double dnn_load_element(const void *p, cudnnDataType_t type, ptrdiff_t i)
{
    switch (type) {
    case CUDNN_DATA_FLOAT:
        return (double)((const float *)p)[i];
    case CUDNN_DATA_DOUBLE:
        return ((const double *)p)[i];
    case CUDNN_DATA_HALF:
        return (double)half_to_float(((const uint16_t *)p)[i]);
    default:
        return (double)bfloat16_to_float(((const uint16_t *)p)[i]);
    }
}

void dnn_store_element(void *p, cudnnDataType_t type, ptrdiff_t i, double value)
{
    if (type == CUDNN_DATA_FLOAT)
        ((float *)p)[i] = (float)value;
    else if (type == CUDNN_DATA_DOUBLE)
        ((double *)p)[i] = value;
    else if (type == CUDNN_DATA_HALF)
        ((uint16_t *)p)[i] = double_to_half(value);
    else
        ((uint16_t *)p)[i] = float_to_bfloat16((float)value);
}

double dnn_scalar(const void *p, cudnnDataType_t type)
{
    return type == CUDNN_DATA_DOUBLE ? *(const double *)p
                                     : (double)*(const float *)p;
}

/* --- tensors ------------------------------------------------------------- */

size_t dnn_count(const struct cudnnTensorStruct *t)
{
    size_t n = 1;

    for (int d = 0; d < t->dims; d++)
        n *= (size_t)t->size[d];
    return n;
}

bool dnn_same_size(const struct cudnnTensorStruct *a,
                   const struct cudnnTensorStruct *b)
{
    return a->dims == b->dims
           && !memcmp(a->size, b->size, (size_t)a->dims * sizeof *a->size);
}

bool dnn_is_broadcastable(const struct cudnnTensorStruct *a,
                          const struct cudnnTensorStruct *b)
{
    if (a->dims != b->dims)
        return false;
    for (int d = 0; d < a->dims; d++)
        if (a->size[d] != 1 && a->size[d] != b->size[d])
            return false;
    return true;
}

void dnn_set_packed_strides(struct cudnnTensorStruct *t,
                            cudnnTensorFormat_t format)
{
    const bool last = format == CUDNN_TENSOR_NHWC;
    int stride = last ? t->size[1] : 1;

    for (int d = t->dims - 1; d >= 0; d--) {
        if (last && d == 1)
            continue;
        t->stride[d] = stride;
        stride *= t->size[d];
    }
    if (last)
        t->stride[1] = 1;
}

void dnn_copy_ints(int *to, const int *from, int requested)
{
    for (int i = 0; to && from && i < requested; i++)
        to[i] = from[i];
}

struct dnn_argument dnn_in(const char *name,
                           const struct cudnnTensorStruct *tensor,
                           const void *ptr)
{
    return (struct dnn_argument){name, (void *)(uintptr_t)ptr, *tensor,
                                 SOFTGPU_READS};
}

struct dnn_argument dnn_out(const char *name,
                            const struct cudnnTensorStruct *tensor, void *ptr,
                            double beta)
{
    return (struct dnn_argument){
        name, ptr, *tensor,
        beta != 0 ? SOFTGPU_READS | SOFTGPU_WRITES : SOFTGPU_WRITES};
}

/** A tensor's dimensions sorted by stride, the largest first. */
struct sorted_dims {
    int dims;
    size_t size[CUDNN_DIM_MAX], stride[CUDNN_DIM_MAX]; /* stride in bytes */
};

static struct sorted_dims sort_by_stride(const struct cudnnTensorStruct *t)
{
    const size_t bytes = dnn_bytes(t->type);
    struct sorted_dims s = {.dims = 0};

    for (int d = 0; d < t->dims; d++) {
        const size_t stride = (size_t)t->stride[d] * bytes;
        int i = s.dims;

        if (t->size[d] == 1 || stride == 0)
            continue;
        for (; i > 0 && s.stride[i - 1] < stride; i--) {
            s.size[i] = s.size[i - 1];
            s.stride[i] = s.stride[i - 1];
        }
        s.size[i] = (size_t)t->size[d];
        s.stride[i] = stride;
        s.dims++;
    }
    return s;
}

/* Declare the rows of one element of the outer dimensions. */
static void declare_rows(const struct softgpu_array *array,
                         const struct sorted_dims *s, int dim)
{
    struct softgpu_array inner = *array;

    if (dim >= s->dims - 1) {
        if (dim == s->dims - 1) {
            inner.rows = s->size[dim];
            inner.pitch = s->stride[dim];
        }
        softgpu_library_array(&inner);
        return;
    }
    for (size_t i = 0; i < s->size[dim]; i++) {
        inner.ptr = (const char *)array->ptr + i * s->stride[dim];
        declare_rows(&inner, s, dim + 1);
    }
}

void dnn_array(const struct dnn_argument *argument)
{
    struct sorted_dims s = sort_by_stride(&argument->tensor);
    const size_t bytes = dnn_bytes(argument->tensor.type);
    struct softgpu_array array = {argument->name, argument->ptr, bytes, 1,
                                  bytes, argument->use};

    while (s.dims && s.stride[s.dims - 1] == array.row)
        array.row *= s.size[--s.dims];
    array.pitch = array.row;
    declare_rows(&array, &s, 0);
}

bool dnn_overlaps(const struct dnn_argument *argument, const void *p,
                  size_t bytes)
{
    const struct cudnnTensorStruct *t = &argument->tensor;
    const uintptr_t at = (uintptr_t)argument->ptr, from = (uintptr_t)p;
    size_t last = 0;

    for (int d = 0; d < t->dims; d++)
        last += (size_t)(t->size[d] - 1) * (size_t)t->stride[d];
    return bytes > 0 && at && at < from + bytes
           && from < at + (last + 1) * dnn_bytes(t->type);
}

/* --- descriptors --------------------------------------------------------- */

/* Validate and set a descriptor. */
static cudnnStatus_t set(cudnnTensorDescriptor_t desc,
                         const struct cudnnTensorStruct *to)
{
    double extent = 1;

    DNN_REQUIRE_PARAM(desc && to->dims >= 3 && to->dims <= CUDNN_DIM_MAX);
    for (int d = 0; d < to->dims; d++) {
        DNN_REQUIRE_PARAM(to->size[d] > 0 && to->stride[d] >= 0);
        extent += ((double)to->size[d] - 1) * to->stride[d];
    }
    DNN_REQUIRE_SUPPORTED(dnn_is_type(to->type) && extent <= INT_MAX);
    *desc = *to;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *desc)
{
    DNN_REQUIRE_PARAM(desc);
    *desc = calloc(1, sizeof **desc);
    DNN_REQUIRE(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t desc)
{
    free(desc);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t desc,
                                           cudnnTensorFormat_t format,
                                           cudnnDataType_t type, int dims,
                                           const int size[])
{
    struct cudnnTensorStruct to = {.type = type, .dims = dims};
    double n = 1;

    DNN_REQUIRE_PARAM(size && dims >= 3 && dims <= CUDNN_DIM_MAX);
    DNN_REQUIRE_PARAM((unsigned)format <= CUDNN_TENSOR_NCHW_VECT_C);
    DNN_REQUIRE_SUPPORTED(format != CUDNN_TENSOR_NCHW_VECT_C);
    dnn_copy_ints(to.size, size, dims);
    for (int d = 0; d < dims; d++) {
        DNN_REQUIRE_PARAM(size[d] > 0);
        n *= size[d];
    }
    DNN_REQUIRE_SUPPORTED(n <= INT_MAX);
    dnn_set_packed_strides(&to, format);
    return DNN_AS_OWN(set(desc, &to));
}

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t desc,
                                         cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c,
                                         int h, int w)
{
    const int size[] = {n, c, h, w};

    return DNN_AS_OWN(
        cudnnSetTensorNdDescriptorEx(desc, format, type, 4, size));
}

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t desc,
                                         cudnnDataType_t type, int dims,
                                         const int size[], const int stride[])
{
    struct cudnnTensorStruct to = {.type = type, .dims = dims};

    DNN_REQUIRE_PARAM(size && stride && dims >= 3 && dims <= CUDNN_DIM_MAX);
    dnn_copy_ints(to.size, size, dims);
    dnn_copy_ints(to.stride, stride, dims);
    return DNN_AS_OWN(set(desc, &to));
}

cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t desc,
                                           cudnnDataType_t type, int n, int c,
                                           int h, int w, int n_stride,
                                           int c_stride, int h_stride,
                                           int w_stride)
{
    const int size[] = {n, c, h, w};
    const int stride[] = {n_stride, c_stride, h_stride, w_stride};

    return DNN_AS_OWN(cudnnSetTensorNdDescriptor(desc, type, 4, size, stride));
}

cudnnStatus_t cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t desc,
                                         int requested, cudnnDataType_t *type,
                                         int *dims, int size[], int stride[])
{
    DNN_REQUIRE_PARAM(dnn_is_set(desc) && requested >= 0);
    if (type)
        *type = desc->type;
    if (dims)
        *dims = desc->dims;
    dnn_copy_ints(size, desc->size,
                  requested < desc->dims ? requested : desc->dims);
    dnn_copy_ints(stride, desc->stride,
                  requested < desc->dims ? requested : desc->dims);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t desc,
                                         cudnnDataType_t *type, int *n, int *c,
                                         int *h, int *w, int *n_stride,
                                         int *c_stride, int *h_stride,
                                         int *w_stride)
{
    int *const size[] = {n, c, h, w};
    int *const stride[] = {n_stride, c_stride, h_stride, w_stride};

    DNN_REQUIRE_PARAM(dnn_is_set(desc) && desc->dims == 4);
    if (type)
        *type = desc->type;
    for (int d = 0; d < 4; d++) {
        dnn_copy_ints(size[d], &desc->size[d], 1);
        dnn_copy_ints(stride[d], &desc->stride[d], 1);
    }
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensorSizeInBytes(const cudnnTensorDescriptor_t desc,
                                        size_t *bytes)
{
    size_t extent = 1;

    DNN_REQUIRE_PARAM(dnn_is_set(desc) && bytes);
    for (int d = 0; d < desc->dims; d++)
        extent += (size_t)(desc->size[d] - 1) * (size_t)desc->stride[d];
    *bytes = extent * dnn_bytes(desc->type);
    return CUDNN_STATUS_SUCCESS;
}
