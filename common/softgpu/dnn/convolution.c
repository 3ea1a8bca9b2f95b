/* SPDX-License-Identifier: MIT */
/* The calls of convolutions: three directions, and the fused one with bias and
 * activation.  A part computes whole images, or whole filters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/host/memory.h"
#include "convolution_algorithms.h"
#include "convolve.h"
#include "tensor_iterator.h"

/** Arguments of a call. */
struct convolution {
    struct softgpu_library_call call;
    struct dnn_conv_shape shape;
    struct dnn_argument x, w, y;
    double alpha, beta;
    void *workspace; /* required and overwritten, as on a GPU */
    size_t workspace_bytes;
    bool fused, relu; /* y = act(alpha conv + alpha2 z + bias) */
    double alpha2;
    struct dnn_argument z, bias; /* z.ptr is NULL if alpha2 is 0 */
};

/* --- running ------------------------------------------------------------- */

/* Restrict a dimension to [from, to). */
static void slice(struct dnn_argument *a, int dim, size_t from, size_t to)
{
    a->ptr = (char *)a->ptr
             + from * (size_t)a->tensor.stride[dim] * dnn_bytes(a->tensor.type);
    a->tensor.size[dim] = (int)(to - from);
}

/* Is the work split by filters instead of images? */
static bool is_split_by_filter(const struct dnn_conv_shape *s)
{
    return s->direction == DNN_BACKWARD_FILTER
           || (s->direction == DNN_FORWARD && s->x.size[0] == 1);
}

/* Number of independent pieces: images, or 16 filters each without groups. */
static size_t piece_count(const struct dnn_conv_shape *s)
{
    if (!is_split_by_filter(s))
        return (size_t)s->x.size[0];
    return s->desc.groups == 1 ? (size_t)(s->w.size[0] + 15) / 16 : 1;
}

/* The subproblem of a part. */
static struct convolution part_problem(const struct convolution *all,
                                       unsigned part)
{
    struct convolution c = *all;
    const size_t n = piece_count(&c.shape), filters = (size_t)c.shape.w.size[0];
    const size_t from = dnn_part_begin(n, part, c.call.parts);
    const size_t to = dnn_part_begin(n, part + 1, c.call.parts);

    if (is_split_by_filter(&c.shape) && n > 1) {
        const size_t end = to * 16 < filters ? to * 16 : filters;

        slice(&c.w, 0, from * 16, end);
        slice(&c.y, 1, from * 16, end);
        if (c.z.ptr)
            slice(&c.z, 1, from * 16, end);
        if (c.fused)
            slice(&c.bias, 1, from * 16, end);
    } else if (!is_split_by_filter(&c.shape)) {
        slice(&c.x, 0, from, to);
        slice(&c.y, 0, from, to);
        if (c.z.ptr)
            slice(&c.z, 0, from, to);
    }
    c.shape.x = c.x.tensor;
    c.shape.w = c.w.tensor;
    c.shape.y = c.y.tensor;
    return c;
}

/** A tensor of float or double: the program's memory, or a packed copy. */
struct operand {
    struct dnn_argument *of;
    struct cudnnTensorStruct *shape; /* shape and strides for the convolution */
    void *data, *copy;               /* copy: NULL, or to be freed */
    cudnnDataType_t type;            /* type of its elements */
    bool is_flipped; /* a filter that is flipped in the copy
                        (CUDNN_CONVOLUTION) */
};

/* Iterator over the program's tensor and its copy. */
static struct dnn_iterator make_iterator(const struct operand *p,
                                         ptrdiff_t *base)
{
    const struct cudnnTensorStruct *own = &p->of->tensor;
    struct dnn_iterator w = {.operands = 2};

    base[0] = base[1] = 0;
    for (int d = 0; d < own->dims; d++) {
        ptrdiff_t stride[] = {dnn_stride(own, d), dnn_stride(p->shape, d)};

        if (p->is_flipped && d >= 2) {
            base[1] += (own->size[d] - 1) * stride[1];
            stride[1] = -stride[1];
        }
        dnn_iterator_add_dim(&w, (size_t)own->size[d], stride);
    }
    return w;
}

/* Allocate a copy if one is needed, and fill it unless it is the result. */
static struct operand make_operand(struct dnn_argument *a,
                                   struct cudnnTensorStruct *shape,
                                   bool is_flipped, bool is_result,
                                   bool is_usable)
{
    const cudnnDataType_t type = a->tensor.type == CUDNN_DATA_DOUBLE
                                     ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
    struct operand p = {a, shape, a->ptr, NULL, type, is_flipped};
    const size_t n = dnn_count(shape);
    ptrdiff_t base[2];

    if (a->tensor.type == type && !is_flipped && is_usable)
        return p;
    p.data = p.copy = malloc(n * dnn_bytes(type));
    if (!p.copy)
        abort();
    dnn_set_packed_strides(shape, CUDNN_TENSOR_NCHW);
    const struct dnn_iterator w = make_iterator(&p, base);
    struct dnn_cursor c;
    for (dnn_iterator_start(&c, &w, base, 0, n);
         !is_result && dnn_iterator_has_next(&c); dnn_iterator_next(&c))
        dnn_store_element(p.copy, type, c.at[1],
                          dnn_load_element(a->ptr, a->tensor.type, c.at[0]));
    return p;
}

/* destination = alpha * result + beta * destination. */
static void blend(const struct convolution *c, const struct operand *p)
{
    const cudnnDataType_t type = p->of->tensor.type;
    ptrdiff_t base[2];
    const struct dnn_iterator w = make_iterator(p, base);
    struct dnn_cursor at;

    for (dnn_iterator_start(&at, &w, base, 0, dnn_iterator_count(&w));
         dnn_iterator_has_next(&at); dnn_iterator_next(&at)) {
        double v = c->alpha * dnn_load_element(p->copy, p->type, at.at[1]);

        if (c->beta != 0)
            v += c->beta * dnn_load_element(p->of->ptr, type, at.at[0]);
        dnn_store_element(p->of->ptr, type, at.at[0], v);
    }
}

/* y = activation(alpha * result + alpha2 * z + bias). */
static void store_fused(const struct convolution *c, const struct operand *p)
{
    const struct cudnnTensorStruct *y = &c->y.tensor;
    struct dnn_iterator w = {.operands = 4};
    struct dnn_cursor at;

    for (int d = 0; d < y->dims; d++)
        dnn_iterator_add_dim(&w, (size_t)y->size[d],
                             (ptrdiff_t[]){dnn_stride(y, d),
                                           dnn_stride(p->shape, d),
                                           dnn_stride(&c->z.tensor, d),
                                           dnn_stride(&c->bias.tensor, d)});
    for (dnn_iterator_start(&at, &w, NULL, 0, dnn_iterator_count(&w));
         dnn_iterator_has_next(&at); dnn_iterator_next(&at)) {
        double v =
            c->alpha * dnn_load_element(p->copy, p->type, at.at[1])
            + dnn_load_element(c->bias.ptr, c->bias.tensor.type, at.at[3]);

        if (c->z.ptr)
            v += c->alpha2 * dnn_load_element(c->z.ptr, y->type, at.at[2]);
        dnn_store_element(c->y.ptr, y->type, at.at[0],
                          c->relu && !(v > 0) ? 0 : v);
    }
}

static void run(const void *self, unsigned part)
{
    struct convolution c = part_problem(self, part);
    const enum dnn_direction d = c.shape.direction;
    const bool is_flipped = c.shape.desc.mode == CUDNN_CONVOLUTION;
    const bool is_direct = c.alpha == 1 && c.beta == 0 && !c.fused;
    struct operand x =
        make_operand(&c.x, &c.shape.x, false, d == DNN_BACKWARD_DATA,
                     d != DNN_BACKWARD_DATA || is_direct);
    struct operand w =
        make_operand(&c.w, &c.shape.w, is_flipped, d == DNN_BACKWARD_FILTER,
                     d != DNN_BACKWARD_FILTER || is_direct);
    struct operand y = make_operand(&c.y, &c.shape.y, false, d == DNN_FORWARD,
                                    d != DNN_FORWARD || is_direct);
    const struct operand *result = d == DNN_FORWARD ? &y
                                 : d == DNN_BACKWARD_DATA ? &x : &w;
    const struct dnn_conv_job job = {&c.shape, x.data, w.data, y.data};

    if (result->type == CUDNN_DATA_DOUBLE)
        dnn_convolve_direct(&job);
    else
        dnn_convolve_onednn(&job);
    if (c.fused)
        store_fused(&c, result);
    else if (result->copy)
        blend(&c, result);
    free(x.copy);
    free(w.copy);
    free(y.copy);
}

/* A GPU's kernels use the workspace.  Here it is filled with NaNs before each
 * run, so that a program that keeps something there is as wrong as there. */
static void overwrite_workspace(const struct convolution *c)
{
    if (c->workspace_bytes > 0
        && softgpu_memory_type(c->workspace, c->workspace_bytes)
               == SOFTGPU_DEVICE_ONLY)
        memset(c->workspace, 0xff, c->workspace_bytes);
}

static void declare_arrays(const void *self)
{
    const struct convolution *c = self;
    const struct dnn_argument *const order[] = {
        [DNN_FORWARD] = &c->y, [DNN_BACKWARD_DATA] = &c->x,
        [DNN_BACKWARD_FILTER] = &c->w};
    const struct dnn_argument *result = order[c->shape.direction];
    const struct softgpu_array workspace = {
        "workSpace", c->workspace, c->workspace_bytes, 1, c->workspace_bytes,
        SOFTGPU_WRITES};

    for (int d = DNN_FORWARD; d <= DNN_BACKWARD_FILTER; d++)
        if (order[d] != result)
            dnn_array(order[d]);
    if (c->z.ptr)
        dnn_array(&c->z);
    if (c->fused)
        dnn_array(&c->bias);
    softgpu_library_array(&workspace);
    dnn_array(result);
    overwrite_workspace(c);
}

/* --- calls --------------------------------------------------------------- */

/** Arguments of a call beside its tensors. */
struct request {
    int algo;
    void *workspace;
    size_t workspace_bytes;
};

/* Does an argument lie in the workspace, partly or wholly? */
static bool is_in_workspace(const struct convolution *c)
{
    const struct dnn_argument *const arguments[] = {&c->x, &c->w, &c->y, &c->z,
                                                    &c->bias};
    bool is_in = false;

    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        is_in |= dnn_overlaps(arguments[i], c->workspace, c->workspace_bytes);
    return is_in;
}

/* Check algorithm and workspace, and submit the call. */
static cudnnStatus_t submit(cudnnHandle_t handle, struct convolution *c,
                            const struct request *r)
{
    const struct dnn_algorithm algorithm = dnn_algorithm(&c->shape, r->algo);

    DNN_REQUIRE_PARAM(r->algo >= 0
                      && r->algo < dnn_algorithm_count(c->shape.direction));
    DNN_REQUIRE(algorithm.is_supported, CUDNN_STATUS_NOT_SUPPORTED,
                "the algorithm does not support this shape");
    DNN_REQUIRE(algorithm.workspace_bytes
                    <= (r->workspace ? r->workspace_bytes : 0),
                CUDNN_STATUS_BAD_PARAM, "the workspace is too small");
    c->workspace = r->workspace;
    c->workspace_bytes = algorithm.workspace_bytes;
    DNN_REQUIRE(!is_in_workspace(c), CUDNN_STATUS_BAD_PARAM,
                "the workspace overlaps an argument's memory");
    c->call.parts = dnn_parts(piece_count(&c->shape),
                              dnn_macs(&c->shape) / 64
                                  / (double)piece_count(&c->shape));
    c->call.operations = algorithm.operations;
    c->call.bytes = algorithm.dram_bytes;
    return dnn_submit(handle, c, sizeof *c);
}

cudnnStatus_t cudnnConvolutionForward(
    cudnnHandle_t handle, const void *alpha,
    const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnFilterDescriptor_t w_desc, const void *w,
    const cudnnConvolutionDescriptor_t conv_desc,
    cudnnConvolutionFwdAlgo_t algo, void *workspace, size_t workspace_bytes,
    const void *beta, const cudnnTensorDescriptor_t y_desc, void *y)
{
    struct convolution c = {.call = DNN_CALL(run, declare_arrays)};
    const struct request r = {(int)algo, workspace, workspace_bytes};
    cudnnStatus_t status;

    DNN_REQUIRE_PARAM(handle && alpha && beta && x && w && y);
    status = dnn_conv_shape(&c.shape, DNN_FORWARD, x_desc, w_desc, conv_desc,
                            y_desc);
    if (status)
        return status;
    c.alpha = dnn_scalar(alpha, c.shape.x.type);
    c.beta = dnn_scalar(beta, c.shape.x.type);
    c.x = dnn_in("x", x_desc, x);
    c.w = dnn_in("w", &w_desc->tensor, w);
    c.y = dnn_out("y", y_desc, y, c.beta);
    return submit(handle, &c, &r);
}

cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void *alpha1,
    const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnFilterDescriptor_t w_desc, const void *w,
    const cudnnConvolutionDescriptor_t conv_desc,
    cudnnConvolutionFwdAlgo_t algo, void *workspace, size_t workspace_bytes,
    const void *alpha2, const cudnnTensorDescriptor_t z_desc, const void *z,
    const cudnnTensorDescriptor_t bias_desc, const void *bias,
    const cudnnActivationDescriptor_t activation_desc,
    const cudnnTensorDescriptor_t y_desc, void *y)
{
    struct convolution c = {.call = DNN_CALL(run, declare_arrays),
                            .fused = true};
    const struct request r = {(int)algo, workspace, workspace_bytes};
    cudnnStatus_t status;

    DNN_REQUIRE_PARAM(handle && alpha1 && alpha2 && x && w && bias && y);
    DNN_REQUIRE_PARAM(activation_desc && activation_desc->set
                      && dnn_is_set(bias_desc));
    status = dnn_conv_shape(&c.shape, DNN_FORWARD, x_desc, w_desc, conv_desc,
                            y_desc);
    if (status)
        return status;
    c.alpha = dnn_scalar(alpha1, c.shape.x.type);
    c.alpha2 = dnn_scalar(alpha2, c.shape.x.type);
    c.relu = activation_desc->mode == CUDNN_ACTIVATION_RELU;
    DNN_REQUIRE_SUPPORTED(
        c.relu
        || (activation_desc->mode == CUDNN_ACTIVATION_IDENTITY
            && algo == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM));
    DNN_REQUIRE_PARAM(bias_desc->dims == y_desc->dims
                      && bias_desc->size[1] == y_desc->size[1]
                      && dnn_count(bias_desc) == (size_t)y_desc->size[1]);
    DNN_REQUIRE_PARAM(c.alpha2 == 0
                      || (z && dnn_is_set(z_desc)
                          && dnn_same_size(z_desc, y_desc)
                          && z_desc->type == y_desc->type));
    c.x = dnn_in("x", x_desc, x);
    c.w = dnn_in("w", &w_desc->tensor, w);
    c.bias = dnn_in("bias", bias_desc, bias);
    if (c.alpha2 != 0)
        c.z = dnn_in("z", z_desc, z);
    c.y = dnn_out("y", y_desc, y, 0);
    return submit(handle, &c, &r);
}

cudnnStatus_t cudnnConvolutionBackwardData(
    cudnnHandle_t handle, const void *alpha,
    const cudnnFilterDescriptor_t w_desc, const void *w,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnConvolutionDescriptor_t conv_desc,
    cudnnConvolutionBwdDataAlgo_t algo, void *workspace, size_t workspace_bytes,
    const void *beta, const cudnnTensorDescriptor_t dx_desc, void *dx)
{
    struct convolution c = {.call = DNN_CALL(run, declare_arrays)};
    const struct request r = {(int)algo, workspace, workspace_bytes};
    cudnnStatus_t status;

    DNN_REQUIRE_PARAM(handle && alpha && beta && w && dy && dx);
    status = dnn_conv_shape(&c.shape, DNN_BACKWARD_DATA, dx_desc, w_desc,
                            conv_desc, dy_desc);
    if (status)
        return status;
    c.alpha = dnn_scalar(alpha, c.shape.x.type);
    c.beta = dnn_scalar(beta, c.shape.x.type);
    c.w = dnn_in("w", &w_desc->tensor, w);
    c.y = dnn_in("dy", dy_desc, dy);
    c.x = dnn_out("dx", dx_desc, dx, c.beta);
    return submit(handle, &c, &r);
}

cudnnStatus_t cudnnConvolutionBackwardFilter(
    cudnnHandle_t handle, const void *alpha,
    const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnConvolutionDescriptor_t conv_desc,
    cudnnConvolutionBwdFilterAlgo_t algo, void *workspace,
    size_t workspace_bytes, const void *beta,
    const cudnnFilterDescriptor_t dw_desc, void *dw)
{
    struct convolution c = {.call = DNN_CALL(run, declare_arrays)};
    const struct request r = {(int)algo, workspace, workspace_bytes};
    cudnnStatus_t status;

    DNN_REQUIRE_PARAM(handle && alpha && beta && x && dy && dw);
    status = dnn_conv_shape(&c.shape, DNN_BACKWARD_FILTER, x_desc, dw_desc,
                            conv_desc, dy_desc);
    if (status)
        return status;
    c.alpha = dnn_scalar(alpha, c.shape.x.type);
    c.beta = dnn_scalar(beta, c.shape.x.type);
    c.x = dnn_in("x", x_desc, x);
    c.y = dnn_in("dy", dy_desc, dy);
    c.w = dnn_out("dw", &dw_desc->tensor, dw, c.beta);
    return submit(handle, &c, &r);
}
