/* SPDX-License-Identifier: MIT */
/* Computing a convolution, in any of its three directions, in parts. */
#include "convolution_run.h"

#include <stdlib.h>
#include <string.h>

#include "common/softgpu/blas/blas.h"
#include "common/softgpu/cards/card.h"
#include "common/softgpu/host/device.h"
#include "common/softgpu/host/memory.h"
#include "tensor_iterator.h"

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

size_t dnn_convolution_pieces(const struct dnn_conv_shape *s)
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
    const size_t n = dnn_convolution_pieces(&c.shape);
    const size_t filters = (size_t)c.shape.w.size[0];
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

/* Do tensor cores compute it, in TF32?  On cards from Ampere on they do, unless
 * the math mode is CUDNN_FMA_MATH. */
static bool is_in_tf32(const struct convolution *c)
{
    return softgpu_uses_tf32() && c->shape.desc.math != CUDNN_FMA_MATH
           && c->x.tensor.type == CUDNN_DATA_FLOAT
           && softgpu_card()->major >= 8;
}

/* Round the copy of an input. */
static void round_to_tf32(struct operand *p)
{
    float *x = p->copy;

    for (size_t i = 0; i < dnn_count(p->shape); i++)
        x[i] = blas_round_to_tf32(x[i]);
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

/* Compute a subproblem in one sum. */
static void run_problem(struct convolution *problem)
{
    struct convolution c = *problem;
    const enum dnn_direction d = c.shape.direction;
    const bool is_flipped = c.shape.desc.mode == CUDNN_CONVOLUTION;
    const bool is_direct = c.alpha == 1 && c.beta == 0 && !c.fused;
    const bool tf32 = is_in_tf32(&c);
    struct operand x =
        make_operand(&c.x, &c.shape.x, false, d == DNN_BACKWARD_DATA,
                     d != DNN_BACKWARD_DATA ? !tf32 : is_direct);
    struct operand w =
        make_operand(&c.w, &c.shape.w, is_flipped, d == DNN_BACKWARD_FILTER,
                     d != DNN_BACKWARD_FILTER ? !tf32 : is_direct);
    struct operand y = make_operand(&c.y, &c.shape.y, false, d == DNN_FORWARD,
                                    d != DNN_FORWARD ? !tf32 : is_direct);
    const struct operand *result = d == DNN_FORWARD ? &y
                                 : d == DNN_BACKWARD_DATA ? &x : &w;
    struct operand *const operands[] = {&x, &w, &y};
    const struct dnn_conv_job job = {&c.shape, x.data, w.data, y.data};

    for (int i = 0; tf32 && i < 3; i++)
        if (operands[i] != result)
            round_to_tf32(operands[i]);
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

/* Restrict a gradient to the terms [from, to) of its sum: images of a filter's,
 * filters of an input's. */
static struct convolution some_terms(const struct convolution *all, size_t from,
                                     size_t to)
{
    struct convolution c = *all;

    if (c.shape.direction == DNN_BACKWARD_FILTER) {
        slice(&c.x, 0, from, to);
        slice(&c.y, 0, from, to);
    } else {
        slice(&c.w, 0, from, to);
        slice(&c.y, 1, from, to);
    }
    c.shape.x = c.x.tensor;
    c.shape.w = c.w.tensor;
    c.shape.y = c.y.tensor;
    return c;
}

/* A sum that atomics accumulate is rounded in another way each time: here it is
 * added in two parts, which end at another term in each call. */
void dnn_convolution_run(const void *self, unsigned part)
{
    struct convolution all = part_problem(self, part);
    const size_t terms = (size_t)(all.shape.direction == DNN_BACKWARD_FILTER
                                      ? all.shape.x.size[0]
                                      : all.shape.w.size[0]);

    if (!all.varying_order || terms < 2 || all.shape.desc.groups > 1) {
        run_problem(&all);
        return;
    }
    const size_t end = 1 + all.varying_order % (terms - 1);
    struct convolution first = some_terms(&all, 0, end);
    struct convolution rest = some_terms(&all, end, terms);

    run_problem(&first);
    rest.beta = 1;
    run_problem(&rest);
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

void dnn_convolution_arrays(const void *self)
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
