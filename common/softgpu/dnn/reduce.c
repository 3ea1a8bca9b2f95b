/* SPDX-License-Identifier: MIT */
/* Reductions, and the gradient of a bias, which is a sum. */
#include <math.h>
#include <stdlib.h>

#include "loop_nest.h"
#include "strip.h"

struct cudnnReduceTensorStruct {
    bool set;
    cudnnReduceTensorOp_t op;
    cudnnDataType_t compute;
    cudnnNanPropagation_t nan;
    cudnnReduceTensorIndices_t indices;
};

/** Arguments of a call; the operands of the iterators are c and a. */
struct reduction {
    struct softgpu_library_call call;
    cudnnReduceTensorOp_t op;
    bool propagate_nan;
    double alpha, beta;
    uint32_t *index; /* device memory, or NULL */
    struct dnn_argument c, a;
    struct dnn_loop_nest nest;
};

/* For the checks. */
static void declare_arrays(const void *self)
{
    const struct reduction *r = self;
    const size_t bytes = dnn_count(&r->c.tensor) * sizeof *r->index;
    const struct softgpu_array index = {"indices", r->index, bytes, 1, bytes,
                                        SOFTGPU_WRITES};

    dnn_array(&r->a);
    dnn_array(&r->c);
    if (r->index)
        softgpu_library_array(&index);
}

/* Only these have indices. */
static bool is_min_or_max(cudnnReduceTensorOp_t op)
{
    return op >= CUDNN_REDUCE_TENSOR_MIN && op <= CUDNN_REDUCE_TENSOR_AMAX;
}

/* Does x replace the current extreme? */
static bool replaces_extreme(const struct reduction *r, double acc, double x)
{
    if (isnan(x) || isnan(acc))
        return r->propagate_nan ? !isnan(acc) : isnan(acc) && !isnan(x);
    return r->op == CUDNN_REDUCE_TENSOR_MIN ? x < acc : x > acc;
}

/** The reduced value, and the index of the extreme. */
struct accumulator {
    double result;
    uint32_t index;
};

/* One more element. */
static double accumulate(cudnnReduceTensorOp_t op, double sum, double x)
{
    switch (op) {
    case CUDNN_REDUCE_TENSOR_MUL:
        return sum * x;
    case CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS:
        return x == 0 ? sum : sum * x;
    case CUDNN_REDUCE_TENSOR_NORM1:
        return sum + fabs(x);
    case CUDNN_REDUCE_TENSOR_NORM2:
        return sum + x * x;
    default: /* AVG, with a division at the end */
        return sum + x;
    }
}

/* Reduce n more elements; `number` is the index of the first one. */
static void reduce_strip(const struct reduction *r, const double *x, size_t n,
                         size_t number, struct accumulator *acc)
{
    double result = acc->result;

    for (size_t i = 0; i < n && is_min_or_max(r->op); i++) {
        const double v = r->op == CUDNN_REDUCE_TENSOR_AMAX ? fabs(x[i]) : x[i];

        if (number + i == 0 || replaces_extreme(r, result, v)) {
            result = v;
            acc->index = (uint32_t)(number + i);
        }
    }
    if (r->op == CUDNN_REDUCE_TENSOR_ADD)
        for (size_t i = 0; i < n; i++)
            result += x[i];
    else
        for (size_t i = 0; i < n && !is_min_or_max(r->op); i++)
            result = accumulate(r->op, result, x[i]);
    acc->result = result;
}

/* Reduce the inner loop at the offsets `at`. */
static struct accumulator nest(const struct reduction *r, const ptrdiff_t *at)
{
    const size_t n = dnn_iterator_count(&r->nest.inner_loop);
    const bool product = r->op == CUDNN_REDUCE_TENSOR_MUL
                         || r->op == CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS;
    struct accumulator f = {product, 0};
    double x[DNN_STRIP_ELEMENTS];
    struct dnn_cursor c;

    dnn_iterator_start(&c, &r->nest.inner_loop, at, 0, n);
    while (dnn_iterator_has_next(&c)) {
        const struct dnn_strip strip = {&r->a, c.at[1],
                                        dnn_iterator_stride(&c, 1)};
        const size_t run = dnn_iterator_run(&c);
        const size_t length =
            run < DNN_STRIP_ELEMENTS ? run : DNN_STRIP_ELEMENTS;

        dnn_load_strip(x, &strip, length);
        reduce_strip(r, x, length, c.i, &f);
        dnn_iterator_advance(&c, length);
    }
    if (r->op == CUDNN_REDUCE_TENSOR_NORM2)
        f.result = sqrt(f.result);
    if (r->op == CUDNN_REDUCE_TENSOR_AVG)
        f.result /= (double)n;
    return f;
}

/* A part of all results. */
static void run(const void *self, unsigned part)
{
    const struct reduction *r = self;
    const cudnnDataType_t type = r->c.tensor.type;
    const size_t n = dnn_iterator_count(&r->nest.outer_loop);
    struct dnn_cursor c;

    dnn_iterator_start(&c, &r->nest.outer_loop, NULL,
                       dnn_part_begin(n, part, r->call.parts),
                       dnn_part_begin(n, part + 1, r->call.parts));
    for (; dnn_iterator_has_next(&c); dnn_iterator_next(&c)) {
        const struct accumulator f = nest(r, c.at);
        double y = r->alpha * f.result;

        if (r->beta != 0)
            y += r->beta * dnn_load_element(r->c.ptr, type, c.at[0]);
        dnn_store_element(r->c.ptr, type, c.at[0], y);
        if (r->index)
            r->index[c.i] = f.index;
    }
}

/* Queue the call with its cost. */
static cudnnStatus_t submit(cudnnHandle_t handle, struct reduction *r)
{
    const struct cudnnTensorStruct *tensors[] = {&r->c.tensor, &r->a.tensor};
    const double n = (double)dnn_count(&r->a.tensor);

    r->nest = dnn_loop_nest(&r->a.tensor, r->c.tensor.size, tensors, 2);
    r->call.parts = dnn_parts(dnn_iterator_count(&r->nest.outer_loop),
                              (double)dnn_iterator_count(&r->nest.inner_loop));
    r->call.operations = n;
    r->call.bytes = n * (double)dnn_bytes(r->a.tensor.type);
    return dnn_submit(handle, r, sizeof *r);
}

/* Indices are flattened, or not wanted. */
static bool has_indices(const cudnnReduceTensorDescriptor_t desc)
{
    return desc->indices == CUDNN_REDUCE_TENSOR_FLATTENED_INDICES
           && is_min_or_max(desc->op);
}

cudnnStatus_t cudnnReduceTensor(cudnnHandle_t handle,
                                const cudnnReduceTensorDescriptor_t desc,
                                void *indices, size_t indices_bytes,
                                void *workspace, size_t workspace_bytes,
                                const void *alpha,
                                const cudnnTensorDescriptor_t a_desc,
                                const void *a, const void *beta,
                                const cudnnTensorDescriptor_t c_desc, void *c)
{
    struct reduction r = {.call = DNN_CALL(run, declare_arrays)};

    (void)workspace, (void)workspace_bytes; /* not needed */
    DNN_REQUIRE_PARAM(handle && desc && desc->set && alpha && beta && a && c);
    DNN_REQUIRE_PARAM(dnn_is_set(a_desc) && dnn_is_set(c_desc));
    DNN_REQUIRE_PARAM(dnn_is_broadcastable(c_desc, a_desc));
    DNN_REQUIRE_SUPPORTED((desc->compute == CUDNN_DATA_DOUBLE)
                          == (a_desc->type == CUDNN_DATA_DOUBLE));
    if (has_indices(desc)) {
        DNN_REQUIRE_PARAM(
            indices && indices_bytes >= dnn_count(c_desc) * sizeof *r.index);
        r.index = indices;
    }
    r.op = desc->op;
    r.propagate_nan = desc->nan == CUDNN_PROPAGATE_NAN;
    r.alpha = dnn_scalar(alpha, desc->compute);
    r.beta = dnn_scalar(beta, desc->compute);
    r.a = dnn_in("A", a_desc, a);
    r.c = dnn_out("C", c_desc, c, r.beta);
    return submit(handle, &r);
}

cudnnStatus_t cudnnConvolutionBackwardBias(
    cudnnHandle_t handle, const void *alpha,
    const cudnnTensorDescriptor_t dy_desc, const void *dy, const void *beta,
    const cudnnTensorDescriptor_t db_desc, void *db)
{
    struct reduction r = {.call = DNN_CALL(run, declare_arrays),
                          .op = CUDNN_REDUCE_TENSOR_ADD};

    DNN_REQUIRE_PARAM(handle && alpha && beta && dy && db);
    DNN_REQUIRE_PARAM(dnn_is_set(dy_desc) && dnn_is_set(db_desc));
    DNN_REQUIRE_PARAM(dnn_is_broadcastable(db_desc, dy_desc)
                      && db_desc->size[0] == 1
                      && db_desc->size[1] == dy_desc->size[1]
                      && (size_t)db_desc->size[1] == dnn_count(db_desc));
    DNN_REQUIRE_PARAM(dy_desc->type == db_desc->type);
    r.alpha = dnn_scalar(alpha, dy_desc->type);
    r.beta = dnn_scalar(beta, dy_desc->type);
    r.a = dnn_in("dy", dy_desc, dy);
    r.c = dnn_out("db", db_desc, db, r.beta);
    return submit(handle, &r);
}

/* --- descriptors --------------------------------------------------------- */

cudnnStatus_t
cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t *desc)
{
    DNN_REQUIRE_PARAM(desc);
    *desc = calloc(1, sizeof **desc);
    DNN_REQUIRE(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t desc)
{
    free(desc);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetReduceTensorDescriptor(
    cudnnReduceTensorDescriptor_t desc, cudnnReduceTensorOp_t op,
    cudnnDataType_t compute, cudnnNanPropagation_t nan,
    cudnnReduceTensorIndices_t indices, cudnnIndicesType_t indices_type)
{
    DNN_REQUIRE_PARAM(desc && (unsigned)op <= CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS
                      && (unsigned)nan <= CUDNN_PROPAGATE_NAN
                      && (unsigned)indices
                             <= CUDNN_REDUCE_TENSOR_FLATTENED_INDICES);
    DNN_REQUIRE_SUPPORTED(compute == CUDNN_DATA_FLOAT
                          || compute == CUDNN_DATA_DOUBLE);
    DNN_REQUIRE_SUPPORTED(indices == CUDNN_REDUCE_TENSOR_NO_INDICES
                          || indices_type == CUDNN_32BIT_INDICES);
    *desc = (struct cudnnReduceTensorStruct){true, op, compute, nan, indices};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetReduceTensorDescriptor(
    const cudnnReduceTensorDescriptor_t desc, cudnnReduceTensorOp_t *op,
    cudnnDataType_t *compute, cudnnNanPropagation_t *nan,
    cudnnReduceTensorIndices_t *indices, cudnnIndicesType_t *indices_type)
{
    DNN_REQUIRE_PARAM(desc && desc->set);
    if (op)
        *op = desc->op;
    if (compute)
        *compute = desc->compute;
    if (nan)
        *nan = desc->nan;
    if (indices)
        *indices = desc->indices;
    if (indices_type)
        *indices_type = CUDNN_32BIT_INDICES;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetReductionIndicesSize(
    cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t desc,
    const cudnnTensorDescriptor_t a_desc, const cudnnTensorDescriptor_t c_desc,
    size_t *bytes)
{
    DNN_REQUIRE_PARAM(handle && desc && desc->set && bytes);
    DNN_REQUIRE_PARAM(dnn_is_set(a_desc) && dnn_is_set(c_desc));
    *bytes = has_indices(desc) ? dnn_count(c_desc) * sizeof(uint32_t) : 0;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetReductionWorkspaceSize(
    cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t desc,
    const cudnnTensorDescriptor_t a_desc, const cudnnTensorDescriptor_t c_desc,
    size_t *bytes)
{
    DNN_REQUIRE_PARAM(handle && desc && desc->set && bytes);
    DNN_REQUIRE_PARAM(dnn_is_set(a_desc) && dnn_is_set(c_desc));
    *bytes = 0;
    return CUDNN_STATUS_SUCCESS;
}
