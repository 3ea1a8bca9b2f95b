/* SPDX-License-Identifier: MIT */
/* Convolutions: the three directions, and the one with bias and activation.
 * A part does whole images, or whole filters. */
#include <math.h>
#include <stdlib.h>

#include "convolve.h"
#include "walk.h"

/** A call. */
struct convolution {
    struct softgpu_library_call call;
    struct dnn_shape shape;
    struct dnn_argument x, w, y;
    double alpha, beta;
    void *workspace; /* not used, but the program's to give */
    size_t workspace_bytes;
    bool fused, relu; /* y = act(alpha conv + alpha2 z + bias) */
    double alpha2;
    struct dnn_argument z, bias; /* z.ptr NULL: alpha2 is 0 */
};

/* --- shapes -------------------------------------------------------------- */

cudnnStatus_t dnn_shape(struct dnn_shape *shape, enum dnn_direction direction,
                        const cudnnTensorDescriptor_t x,
                        const cudnnFilterDescriptor_t w,
                        const cudnnConvolutionDescriptor_t desc,
                        const cudnnTensorDescriptor_t y)
{
    struct cudnnTensorStruct made;

    DNN_LEGAL(x && w && desc && dnn_is_set(y));
    DNN_LEGAL(dnn_convolved(desc, x, &w->tensor, made.size));
    made.dims = x->dims;
    DNN_LEGAL(dnn_same_size(&made, y));
    DNN_LEGAL(x->type == w->tensor.type && x->type == y->type);
    DNN_CAN(x->dims == 4 || x->dims == 5);
    DNN_CAN((desc->compute == CUDNN_DATA_DOUBLE)
            == (x->type == CUDNN_DATA_DOUBLE));
    DNN_CAN(desc->compute != CUDNN_DATA_HALF || x->type == CUDNN_DATA_HALF);
    *shape = (struct dnn_shape){direction, *desc, *x, w->tensor, *y};
    return CUDNN_STATUS_SUCCESS;
}

double dnn_work(const struct dnn_shape *s)
{
    return (double)dnn_count(&s->y) * (double)dnn_count(&s->w)
           / (double)s->w.size[0];
}

/* --- running ------------------------------------------------------------- */

/* Keep [from, to) of a dimension. */
static void cut(struct dnn_argument *a, int dim, size_t from, size_t to)
{
    a->ptr = (char *)a->ptr
             + from * (size_t)a->tensor.stride[dim] * dnn_bytes(a->tensor.type);
    a->tensor.size[dim] = (int)(to - from);
}

/* Cut by filters, not by images? */
static bool by_filters(const struct dnn_shape *s)
{
    return s->direction == DNN_BACKWARD_FILTER
           || (s->direction == DNN_FORWARD && s->x.size[0] == 1);
}

/* How many pieces may be done apart: images; 16 filters of one group. */
static size_t pieces(const struct dnn_shape *s)
{
    if (!by_filters(s))
        return (size_t)s->x.size[0];
    return s->desc.groups == 1 ? (size_t)(s->w.size[0] + 15) / 16 : 1;
}

/* What part p has to do. */
static struct convolution part_of(const struct convolution *all, unsigned part)
{
    struct convolution c = *all;
    const size_t n = pieces(&c.shape), filters = (size_t)c.shape.w.size[0];
    const size_t from = dnn_begin(n, part, c.call.parts);
    const size_t to = dnn_begin(n, part + 1, c.call.parts);

    if (by_filters(&c.shape) && n > 1) {
        const size_t end = to * 16 < filters ? to * 16 : filters;

        cut(&c.w, 0, from * 16, end);
        cut(&c.y, 1, from * 16, end);
        if (c.z.ptr)
            cut(&c.z, 1, from * 16, end);
        if (c.fused)
            cut(&c.bias, 1, from * 16, end);
    } else if (!by_filters(&c.shape)) {
        cut(&c.x, 0, from, to);
        cut(&c.y, 0, from, to);
        if (c.z.ptr)
            cut(&c.z, 0, from, to);
    }
    c.shape.x = c.x.tensor;
    c.shape.w = c.w.tensor;
    c.shape.y = c.y.tensor;
    return c;
}

/** A tensor of float or double: the program's own, or a packed copy. */
struct plain {
    struct dnn_argument *of;
    struct cudnnTensorStruct *shape; /* as the convolution will see it */
    void *data, *copy;               /* copy: NULL, or to be freed */
    cudnnDataType_t type;            /* of its elements */
    bool turned;                     /* a filter, turned round in the copy */
};

/* Walk over the program's tensor and its copy. */
static struct dnn_walk both(const struct plain *p, ptrdiff_t *base)
{
    const struct cudnnTensorStruct *own = &p->of->tensor;
    struct dnn_walk w = {.operands = 2};

    base[0] = base[1] = 0;
    for (int d = 0; d < own->dims; d++) {
        ptrdiff_t stride[] = {dnn_stride(own, d), dnn_stride(p->shape, d)};

        if (p->turned && d >= 2) {
            base[1] += (own->size[d] - 1) * stride[1];
            stride[1] = -stride[1];
        }
        dnn_walk_add(&w, (size_t)own->size[d], stride);
    }
    return w;
}

/* Is a copy needed?  Then make it, and fill it unless it is the result. */
static struct plain plain_of(struct dnn_argument *a,
                             struct cudnnTensorStruct *shape, bool turned,
                             bool is_result, bool is_final)
{
    const cudnnDataType_t type = a->tensor.type == CUDNN_DATA_DOUBLE
                                     ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
    struct plain p = {a, shape, a->ptr, NULL, type, turned};
    const size_t n = dnn_count(shape);
    ptrdiff_t base[2];

    if (a->tensor.type == type && !turned && is_final)
        return p;
    p.data = p.copy = malloc(n * dnn_bytes(type));
    if (!p.copy)
        abort();
    dnn_pack(shape, CUDNN_TENSOR_NCHW);
    const struct dnn_walk w = both(&p, base);
    struct dnn_cursor c;
    for (dnn_walk_start(&c, &w, base, 0, n); !is_result && dnn_walk_more(&c);
         dnn_walk_next(&c))
        dnn_put(p.copy, type, c.at[1],
                dnn_get(a->ptr, a->tensor.type, c.at[0]));
    return p;
}

/* to = alpha result + beta to. */
static void blend(const struct convolution *c, const struct plain *p)
{
    const cudnnDataType_t type = p->of->tensor.type;
    ptrdiff_t base[2];
    const struct dnn_walk w = both(p, base);
    struct dnn_cursor at;

    for (dnn_walk_start(&at, &w, base, 0, dnn_walk_count(&w));
         dnn_walk_more(&at); dnn_walk_next(&at)) {
        double v = c->alpha * dnn_get(p->copy, p->type, at.at[1]);

        if (c->beta != 0)
            v += c->beta * dnn_get(p->of->ptr, type, at.at[0]);
        dnn_put(p->of->ptr, type, at.at[0], v);
    }
}

/* y = act(alpha result + alpha2 z + bias). */
static void finish(const struct convolution *c, const struct plain *p)
{
    const struct cudnnTensorStruct *y = &c->y.tensor;
    struct dnn_walk w = {.operands = 4};
    struct dnn_cursor at;

    for (int d = 0; d < y->dims; d++)
        dnn_walk_add(&w, (size_t)y->size[d],
                     (ptrdiff_t[]){dnn_stride(y, d), dnn_stride(p->shape, d),
                                   dnn_stride(&c->z.tensor, d),
                                   dnn_stride(&c->bias.tensor, d)});
    for (dnn_walk_start(&at, &w, NULL, 0, dnn_walk_count(&w));
         dnn_walk_more(&at); dnn_walk_next(&at)) {
        double v = c->alpha * dnn_get(p->copy, p->type, at.at[1])
                   + dnn_get(c->bias.ptr, c->bias.tensor.type, at.at[3]);

        if (c->z.ptr)
            v += c->alpha2 * dnn_get(c->z.ptr, y->type, at.at[2]);
        dnn_put(c->y.ptr, y->type, at.at[0], c->relu && !(v > 0) ? 0 : v);
    }
}

static void run(const void *self, unsigned part)
{
    struct convolution c = part_of(self, part);
    const enum dnn_direction d = c.shape.direction;
    const bool turned = c.shape.desc.mode == CUDNN_CONVOLUTION;
    const bool bare = c.alpha == 1 && c.beta == 0 && !c.fused;
    struct plain x = plain_of(&c.x, &c.shape.x, false, d == DNN_BACKWARD_DATA,
                              d != DNN_BACKWARD_DATA || bare);
    struct plain w = plain_of(&c.w, &c.shape.w, turned,
                              d == DNN_BACKWARD_FILTER,
                              d != DNN_BACKWARD_FILTER || bare);
    struct plain y = plain_of(&c.y, &c.shape.y, false, d == DNN_FORWARD,
                              d != DNN_FORWARD || bare);
    const struct plain *result = d == DNN_FORWARD ? &y
                                 : d == DNN_BACKWARD_DATA ? &x : &w;
    const struct convolve_job job = {&c.shape, x.data, w.data, y.data};

    if (result->type == CUDNN_DATA_DOUBLE)
        direct_convolve(&job);
    else
        onednn_convolve(&job);
    if (c.fused)
        finish(&c, result);
    else if (result->copy)
        blend(&c, result);
    free(x.copy);
    free(w.copy);
    free(y.copy);
}

static void name_arrays(const void *self)
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
}

/* --- calls --------------------------------------------------------------- */

/** Everything that a call is given beside its tensors. */
struct request {
    int algo;
    void *workspace;
    size_t workspace_bytes;
};

/* Check the way, take the workspace, queue. */
static cudnnStatus_t submit(cudnnHandle_t handle, struct convolution *c,
                            const struct request *r)
{
    const struct dnn_way way = dnn_way(&c->shape, r->algo);

    DNN_LEGAL(r->algo >= 0 && r->algo < dnn_ways(c->shape.direction));
    DNN_NEED(way.fits, CUDNN_STATUS_NOT_SUPPORTED,
             "this algorithm cannot do this shape");
    DNN_NEED(way.memory <= (r->workspace ? r->workspace_bytes : 0),
             CUDNN_STATUS_BAD_PARAM, "the workspace is too small");
    c->workspace = r->workspace;
    c->workspace_bytes = way.memory;
    c->call.parts = dnn_parts(pieces(&c->shape),
                              dnn_work(&c->shape) / 64
                                  / (double)pieces(&c->shape));
    c->call.operations = way.operations;
    c->call.bytes = way.traffic;
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
    struct convolution c = {.call = DNN_CALL(run, name_arrays)};
    const struct request r = {(int)algo, workspace, workspace_bytes};
    cudnnStatus_t status;

    DNN_LEGAL(handle && alpha && beta && x && w && y);
    status = dnn_shape(&c.shape, DNN_FORWARD, x_desc, w_desc, conv_desc,
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
    struct convolution c = {.call = DNN_CALL(run, name_arrays), .fused = true};
    const struct request r = {(int)algo, workspace, workspace_bytes};
    cudnnStatus_t status;

    DNN_LEGAL(handle && alpha1 && alpha2 && x && w && bias && y);
    DNN_LEGAL(activation_desc && activation_desc->set && dnn_is_set(bias_desc));
    status = dnn_shape(&c.shape, DNN_FORWARD, x_desc, w_desc, conv_desc,
                       y_desc);
    if (status)
        return status;
    c.alpha = dnn_scalar(alpha1, c.shape.x.type);
    c.alpha2 = dnn_scalar(alpha2, c.shape.x.type);
    c.relu = activation_desc->mode == CUDNN_ACTIVATION_RELU;
    DNN_CAN(c.relu || (activation_desc->mode == CUDNN_ACTIVATION_IDENTITY
                       && algo ==
                          CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM));
    DNN_LEGAL(bias_desc->dims == y_desc->dims
              && bias_desc->size[1] == y_desc->size[1]
              && dnn_count(bias_desc) == (size_t)y_desc->size[1]);
    DNN_LEGAL(c.alpha2 == 0 || (z && dnn_is_set(z_desc)
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
    struct convolution c = {.call = DNN_CALL(run, name_arrays)};
    const struct request r = {(int)algo, workspace, workspace_bytes};
    cudnnStatus_t status;

    DNN_LEGAL(handle && alpha && beta && w && dy && dx);
    status = dnn_shape(&c.shape, DNN_BACKWARD_DATA, dx_desc, w_desc, conv_desc,
                       dy_desc);
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
    struct convolution c = {.call = DNN_CALL(run, name_arrays)};
    const struct request r = {(int)algo, workspace, workspace_bytes};
    cudnnStatus_t status;

    DNN_LEGAL(handle && alpha && beta && x && dy && dw);
    status = dnn_shape(&c.shape, DNN_BACKWARD_FILTER, x_desc, dw_desc,
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
