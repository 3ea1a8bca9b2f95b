/* SPDX-License-Identifier: MIT */
/* The calls of convolutions: three directions, and the fused one with bias and
 * activation. */
#include <stdatomic.h>
#include <stdio.h>

#include "convolution_algorithms.h"
#include "convolution_run.h"

#define CONVOLUTION_CALL \
    DNN_CALL(dnn_convolution_run, dnn_convolution_arrays)

/** Arguments of a call beside its tensors. */
struct request {
    int algo;
    void *workspace;
    size_t workspace_bytes;
};

/* The argument that lies in the workspace, partly or wholly; NULL: none. */
static const struct dnn_argument *find_in_workspace(const struct convolution *c,
                                                    const struct request *r)
{
    const struct dnn_argument *const arguments[] = {&c->x, &c->w, &c->y, &c->z,
                                                    &c->bias};

    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        if (dnn_overlaps(arguments[i], r->workspace, r->workspace_bytes))
            return arguments[i];
    return NULL;
}

/* A GPU's kernels may use all bytes that the call names.  Do they belong to the
 * program, and to nothing else?
 * @param[out] why  what is wrong with them */
static bool is_usable(const struct convolution *c, const struct request *r,
                      char *why, size_t room)
{
    const struct dnn_argument *argument;
    size_t there;

    if (!r->workspace || !r->workspace_bytes)
        return true;
    there = softgpu_library_room(r->workspace);
    argument = find_in_workspace(c, r);
    if (there < r->workspace_bytes)
        snprintf(why, room, "the workspace is said to have %zu bytes, but its "
                 "allocation ends after %zu: pass the size that was allocated",
                 r->workspace_bytes, there);
    else if (argument)
        snprintf(why, room, "the workspace overlaps an argument's memory: of "
                 "its %zu bytes, %s has some%s", r->workspace_bytes,
                 argument->name,
                 r->workspace_bytes > c->workspace_bytes
                     ? "; is it that large?" : "");
    return there >= r->workspace_bytes && !argument;
}

/* Of an algorithm that is not deterministic: calls of its direction so far. */
static unsigned next_order(enum dnn_direction direction)
{
    static atomic_uint calls[DNN_BACKWARD_FILTER + 1];
    const unsigned number = atomic_fetch_add(&calls[direction], 1) + 1;

    return number ? number : 1;
}

/* Check algorithm and workspace, and submit the call. */
static cudnnStatus_t submit(cudnnHandle_t handle, struct convolution *c,
                            const struct request *r)
{
    const struct dnn_algorithm algorithm = dnn_algorithm(&c->shape, r->algo);
    const size_t pieces = dnn_convolution_pieces(&c->shape);
    const size_t bytes = r->workspace ? r->workspace_bytes : 0;
    char why[192];

    DNN_REQUIRE_PARAM(r->algo >= 0
                      && r->algo < dnn_algorithm_count(c->shape.direction));
    DNN_REQUIRE(algorithm.is_supported, CUDNN_STATUS_NOT_SUPPORTED,
                "the algorithm does not support this shape");
    snprintf(why, sizeof why, "the workspace is too small: it has "
             "%zu bytes, and this algorithm needs %zu", bytes,
             algorithm.workspace_bytes);
    DNN_REQUIRE(algorithm.workspace_bytes <= bytes, CUDNN_STATUS_BAD_PARAM,
                why);
    c->workspace = r->workspace;
    c->workspace_bytes = algorithm.workspace_bytes;
    DNN_REQUIRE(is_usable(c, r, why, sizeof why), CUDNN_STATUS_BAD_PARAM, why);
    if (!algorithm.is_deterministic)
        c->varying_order = next_order(c->shape.direction);
    c->call.parts = dnn_parts(pieces, dnn_macs(&c->shape) / 64
                                          / (double)pieces);
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
    struct convolution c = {.call = CONVOLUTION_CALL};
    const struct request r = {(int)algo, workspace, workspace_bytes};
    cudnnStatus_t status;

    DNN_REQUIRE_PARAM(handle && alpha && beta && x && w && y);
    status = DNN_AS_OWN(dnn_conv_shape(&c.shape, DNN_FORWARD, x_desc, w_desc,
                                       conv_desc, y_desc));
    if (status)
        return status;
    c.alpha = dnn_scalar(alpha, c.shape.x.type);
    c.beta = dnn_scalar(beta, c.shape.x.type);
    c.x = dnn_in("x", x_desc, x);
    c.w = dnn_in("w", &w_desc->tensor, w);
    c.y = dnn_out("y", y_desc, y, c.beta);
    return DNN_AS_OWN(submit(handle, &c, &r));
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
    struct convolution c = {.call = CONVOLUTION_CALL,
                            .fused = true};
    const struct request r = {(int)algo, workspace, workspace_bytes};
    cudnnStatus_t status;

    DNN_REQUIRE_PARAM(handle && alpha1 && alpha2 && x && w && bias && y);
    DNN_REQUIRE_PARAM(activation_desc && activation_desc->set
                      && dnn_is_set(bias_desc));
    status = DNN_AS_OWN(dnn_conv_shape(&c.shape, DNN_FORWARD, x_desc, w_desc,
                                       conv_desc, y_desc));
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
    return DNN_AS_OWN(submit(handle, &c, &r));
}

cudnnStatus_t cudnnConvolutionBackwardData(
    cudnnHandle_t handle, const void *alpha,
    const cudnnFilterDescriptor_t w_desc, const void *w,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnConvolutionDescriptor_t conv_desc,
    cudnnConvolutionBwdDataAlgo_t algo, void *workspace, size_t workspace_bytes,
    const void *beta, const cudnnTensorDescriptor_t dx_desc, void *dx)
{
    struct convolution c = {.call = CONVOLUTION_CALL};
    const struct request r = {(int)algo, workspace, workspace_bytes};
    cudnnStatus_t status;

    DNN_REQUIRE_PARAM(handle && alpha && beta && w && dy && dx);
    status = DNN_AS_OWN(dnn_conv_shape(&c.shape, DNN_BACKWARD_DATA, dx_desc,
                                       w_desc, conv_desc, dy_desc));
    if (status)
        return status;
    c.alpha = dnn_scalar(alpha, c.shape.x.type);
    c.beta = dnn_scalar(beta, c.shape.x.type);
    c.w = dnn_in("w", &w_desc->tensor, w);
    c.y = dnn_in("dy", dy_desc, dy);
    c.x = dnn_out("dx", dx_desc, dx, c.beta);
    return DNN_AS_OWN(submit(handle, &c, &r));
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
    struct convolution c = {.call = CONVOLUTION_CALL};
    const struct request r = {(int)algo, workspace, workspace_bytes};
    cudnnStatus_t status;

    DNN_REQUIRE_PARAM(handle && alpha && beta && x && dy && dw);
    status = DNN_AS_OWN(dnn_conv_shape(&c.shape, DNN_BACKWARD_FILTER, x_desc,
                                       dw_desc, conv_desc, dy_desc));
    if (status)
        return status;
    c.alpha = dnn_scalar(alpha, c.shape.x.type);
    c.beta = dnn_scalar(beta, c.shape.x.type);
    c.x = dnn_in("x", x_desc, x);
    c.y = dnn_in("dy", dy_desc, dy);
    c.w = dnn_out("dw", &dw_desc->tensor, dw, c.beta);
    return DNN_AS_OWN(submit(handle, &c, &r));
}
