/* SPDX-License-Identifier: MIT */
/* Batch normalization.  Elements with a common mean are a group: a channel, or
 * one position of a channel; a part owns whole groups. */
#include <math.h>

#include "loop_nest.h"

/** Tensors with one value per group. */
enum { SCALE, BIAS, MEAN, VARIANCE, SAVED_MEAN, SAVED_INVERSE, DSCALE, DBIAS,
       PARAMETERS };
/** Operands of the iterators; X, OUT and DY advance within a group. */
enum { OUT, X, DY, PARAMETER };

/** Arguments of a call. */
struct batchnorm {
    struct softgpu_library_call call;
    double alpha, beta, alpha_parameter, beta_parameter, epsilon, factor;
    struct dnn_argument out, x, dy; /* out is y or dx */
    struct dnn_argument parameter[PARAMETERS]; /* ptr is NULL if not given */
    struct dnn_loop_nest nest;
};

/* For the checks: arrays that are not given are NULL. */
static void declare_arrays(const void *self)
{
    const struct batchnorm *b = self;

    dnn_array(&b->x);
    if (b->dy.ptr)
        dnn_array(&b->dy);
    for (int p = 0; p < PARAMETERS; p++)
        if (b->parameter[p].ptr)
            dnn_array(&b->parameter[p]);
    dnn_array(&b->out);
}

/* Any type, as double. */
static double load_at(const struct dnn_argument *a, ptrdiff_t i)
{
    return dnn_load_element(a->ptr, a->tensor.type, i);
}

/* destination = alpha * v + beta * destination */
static void blend(const struct dnn_argument *to, ptrdiff_t i, double v,
                  double alpha, double beta)
{
    v *= alpha;
    if (beta != 0)
        v += beta * load_at(to, i);
    dnn_store_element(to->ptr, to->tensor.type, i, v);
}

/** Statistics of a group. */
struct statistics {
    double mean, inverse; /* 1 / sqrt(variance + epsilon) */
    double variance;      /* biased */
};

/* Iterate over the elements of a group. */
#define FOR_EACH_IN_GROUP(b, c, at)                                 \
    for (dnn_iterator_start(c, &(b)->nest.inner_loop, at, 0,        \
                        dnn_iterator_count(&(b)->nest.inner_loop)); \
         dnn_iterator_has_next(c); dnn_iterator_next(c))

/* In two passes, since the difference of squares cancels. */
static struct statistics compute_statistics(const struct batchnorm *b,
                                            const ptrdiff_t *at)
{
    const double n = (double)dnn_iterator_count(&b->nest.inner_loop);
    struct statistics m = {0};
    struct dnn_cursor c;

    FOR_EACH_IN_GROUP(b, &c, at)
        m.mean += load_at(&b->x, c.at[X]) / n;
    FOR_EACH_IN_GROUP(b, &c, at) {
        const double centered = load_at(&b->x, c.at[X]) - m.mean;

        m.variance += centered * centered / n;
    }
    m.inverse = 1 / sqrt(m.variance + b->epsilon);
    return m;
}

/* One group of elements, which share mean and variance. */
static void normalize(const struct batchnorm *b, const ptrdiff_t *at,
                      const struct statistics *m)
{
    const double scale =
        load_at(&b->parameter[SCALE], at[PARAMETER]) * m->inverse;
    const double bias = load_at(&b->parameter[BIAS], at[PARAMETER]);
    struct dnn_cursor c;

    FOR_EACH_IN_GROUP(b, &c, at)
        blend(&b->out, c.at[OUT],
              (load_at(&b->x, c.at[X]) - m->mean) * scale + bias, b->alpha,
              b->beta);
}

/* By the running statistics. */
static void normalize_inference(const struct batchnorm *b, const ptrdiff_t *at)
{
    const double variance = load_at(&b->parameter[VARIANCE], at[PARAMETER]);
    const struct statistics m = {
        .mean = load_at(&b->parameter[MEAN], at[PARAMETER]),
        .inverse = 1 / sqrt(variance + b->epsilon)};

    normalize(b, at, &m);
}

/* By the statistics of the batch; the running variance is the unbiased one, as
 * cuDNN documents. */
static void normalize_training(const struct batchnorm *b, const ptrdiff_t *at)
{
    const double n = (double)dnn_iterator_count(&b->nest.inner_loop);
    const struct statistics m = compute_statistics(b, at);
    const double unbiased = n > 1 ? m.variance * n / (n - 1) : m.variance;
    const struct dnn_argument *p = b->parameter;

    normalize(b, at, &m);
    if (p[MEAN].ptr) {
        blend(&p[MEAN], at[PARAMETER], m.mean, b->factor, 1 - b->factor);
        blend(&p[VARIANCE], at[PARAMETER], unbiased, b->factor, 1 - b->factor);
    }
    if (p[SAVED_MEAN].ptr) {
        blend(&p[SAVED_MEAN], at[PARAMETER], m.mean, 1, 0);
        blend(&p[SAVED_INVERSE], at[PARAMETER], m.inverse, 1, 0);
    }
}

/* Gradients of one group; saved statistics replace the first pass. */
static void backward(const struct batchnorm *b, const ptrdiff_t *at)
{
    const double n = (double)dnn_iterator_count(&b->nest.inner_loop);
    const struct dnn_argument *p = b->parameter;
    double dscale = 0, dbias = 0;
    struct statistics m;
    struct dnn_cursor c;

    if (p[SAVED_MEAN].ptr) {
        m.mean = load_at(&p[SAVED_MEAN], at[PARAMETER]);
        m.inverse = load_at(&p[SAVED_INVERSE], at[PARAMETER]);
    } else {
        m = compute_statistics(b, at);
    }
    FOR_EACH_IN_GROUP(b, &c, at) {
        const double dy = load_at(&b->dy, c.at[DY]);

        dbias += dy;
        dscale += dy * (load_at(&b->x, c.at[X]) - m.mean) * m.inverse;
    }
    const double scale = load_at(&p[SCALE], at[PARAMETER]) * m.inverse;
    FOR_EACH_IN_GROUP(b, &c, at) {
        const double centered = (load_at(&b->x, c.at[X]) - m.mean) * m.inverse;

        blend(
            &b->out, c.at[OUT],
            scale
                * (load_at(&b->dy, c.at[DY]) - (dbias + centered * dscale) / n),
            b->alpha, b->beta);
    }
    blend(&p[DSCALE], at[PARAMETER], dscale, b->alpha_parameter,
          b->beta_parameter);
    blend(&p[DBIAS], at[PARAMETER], dbias, b->alpha_parameter,
          b->beta_parameter);
}

/* Apply a function to a part's groups. */
static void for_each_group(const struct batchnorm *b, unsigned part,
                           void (*f)(const struct batchnorm *,
                                     const ptrdiff_t *))
{
    const size_t n = dnn_iterator_count(&b->nest.outer_loop);
    struct dnn_cursor c;

    dnn_iterator_start(&c, &b->nest.outer_loop, NULL,
                       dnn_part_begin(n, part, b->call.parts),
                       dnn_part_begin(n, part + 1, b->call.parts));
    for (; dnn_iterator_has_next(&c); dnn_iterator_next(&c))
        f(b, c.at);
}

/* A part of all groups. */
static void run_infer(const void *self, unsigned part)
{
    for_each_group(self, part, normalize_inference);
}

/* A part of all groups. */
static void run_train(const void *self, unsigned part)
{
    for_each_group(self, part, normalize_training);
}

/* A part of all groups. */
static void run_backward(const void *self, unsigned part)
{
    for_each_group(self, part, backward);
}

/* --- calls --------------------------------------------------------------- */

/* Sizes of a tensor with one value per group. */
static void group_sizes(int *size, const struct cudnnTensorStruct *x,
                        cudnnBatchNormMode_t mode)
{
    for (int d = 0; d < x->dims; d++)
        size[d] = d == 1 || (d > 1 && mode == CUDNN_BATCHNORM_PER_ACTIVATION)
                      ? x->size[d] : 1;
}

/* Do the tensors' shapes match? */
static bool shapes_match(cudnnBatchNormMode_t mode,
                         const struct cudnnTensorStruct *x,
                         const struct cudnnTensorStruct *y,
                         const struct cudnnTensorStruct *bn)
{
    struct cudnnTensorStruct groups;

    if (!dnn_is_set(x) || !dnn_is_set(y) || !dnn_is_set(bn)
        || !dnn_same_size(x, y) || x->type != y->type
        || (unsigned)mode > CUDNN_BATCHNORM_SPATIAL_PERSISTENT)
        return false;
    groups = *x;
    group_sizes(groups.size, x, mode);
    return dnn_same_size(&groups, bn);
}

/* Queue the call with its cost, in as many parts as are worth it. */
static cudnnStatus_t submit(cudnnHandle_t handle, struct batchnorm *b)
{
    const struct cudnnTensorStruct *tensors[] = {
        &b->out.tensor, &b->x.tensor, &b->dy.tensor,
        &b->parameter[SCALE].tensor};
    const double n = (double)dnn_count(&b->x.tensor);

    b->nest = dnn_loop_nest(&b->x.tensor, b->parameter[SCALE].tensor.size,
                            tensors, 4);
    b->call.parts =
        dnn_parts(dnn_iterator_count(&b->nest.outer_loop),
                  3.0 * (double)dnn_iterator_count(&b->nest.inner_loop));
    b->call.operations = 4 * n;
    b->call.bytes = 3 * n * (double)dnn_bytes(b->x.tensor.type);
    return dnn_submit(handle, b, sizeof *b);
}

cudnnStatus_t
cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t bn_desc,
                              const cudnnTensorDescriptor_t x_desc,
                              cudnnBatchNormMode_t mode)
{
    DNN_REQUIRE_PARAM(bn_desc && dnn_is_set(x_desc)
                      && (unsigned)mode <= CUDNN_BATCHNORM_SPATIAL_PERSISTENT);
    *bn_desc = (struct cudnnTensorStruct){.dims = x_desc->dims};
    bn_desc->type = x_desc->type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE
                                                      : CUDNN_DATA_FLOAT;
    group_sizes(bn_desc->size, x_desc, mode);
    dnn_set_packed_strides(bn_desc, CUDNN_TENSOR_NCHW);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBatchNormalizationForwardInference(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha,
    const void *beta, const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnTensorDescriptor_t y_desc, void *y,
    const cudnnTensorDescriptor_t bn_desc, const void *scale, const void *bias,
    const void *mean, const void *variance, double epsilon)
{
    struct batchnorm b = {.call = DNN_CALL(run_infer, declare_arrays),
                          .epsilon = epsilon};

    DNN_REQUIRE_PARAM(handle && alpha && beta && x && y && epsilon >= 0);
    DNN_REQUIRE_PARAM(scale && bias && mean && variance);
    DNN_REQUIRE_PARAM(shapes_match(mode, x_desc, y_desc, bn_desc));
    b.alpha = dnn_scalar(alpha, x_desc->type);
    b.beta = dnn_scalar(beta, x_desc->type);
    b.x = dnn_in("x", x_desc, x);
    b.out = dnn_out("y", y_desc, y, b.beta);
    b.parameter[SCALE] = dnn_in("bnScale", bn_desc, scale);
    b.parameter[BIAS] = dnn_in("bnBias", bn_desc, bias);
    b.parameter[MEAN] = dnn_in("estimatedMean", bn_desc, mean);
    b.parameter[VARIANCE] = dnn_in("estimatedVariance", bn_desc, variance);
    return submit(handle, &b);
}

cudnnStatus_t cudnnBatchNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha,
    const void *beta, const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnTensorDescriptor_t y_desc, void *y,
    const cudnnTensorDescriptor_t bn_desc, const void *scale, const void *bias,
    double factor, void *running_mean, void *running_variance, double epsilon,
    void *saved_mean, void *saved_inv_variance)
{
    struct batchnorm b = {.call = DNN_CALL(run_train, declare_arrays),
                          .epsilon = epsilon, .factor = factor};

    DNN_REQUIRE_PARAM(handle && alpha && beta && x && y && scale && bias);
    DNN_REQUIRE_PARAM(shapes_match(mode, x_desc, y_desc, bn_desc)
                      && epsilon >= 0);
    DNN_REQUIRE_PARAM(!running_mean == !running_variance);
    DNN_REQUIRE_PARAM(!saved_mean == !saved_inv_variance);
    b.alpha = dnn_scalar(alpha, x_desc->type);
    b.beta = dnn_scalar(beta, x_desc->type);
    b.x = dnn_in("x", x_desc, x);
    b.out = dnn_out("y", y_desc, y, b.beta);
    b.parameter[SCALE] = dnn_in("bnScale", bn_desc, scale);
    b.parameter[BIAS] = dnn_in("bnBias", bn_desc, bias);
    b.parameter[MEAN] = dnn_out("resultRunningMean", bn_desc, running_mean,
                                1 - factor);
    b.parameter[VARIANCE] = dnn_out("resultRunningVariance", bn_desc,
                                    running_variance, 1 - factor);
    b.parameter[SAVED_MEAN] = dnn_out("resultSaveMean", bn_desc, saved_mean, 0);
    b.parameter[SAVED_INVERSE] = dnn_out("resultSaveInvVariance", bn_desc,
                                         saved_inv_variance, 0);
    return submit(handle, &b);
}

cudnnStatus_t cudnnBatchNormalizationBackward(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha_data,
    const void *beta_data, const void *alpha_param, const void *beta_param,
    const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnTensorDescriptor_t dx_desc, void *dx,
    const cudnnTensorDescriptor_t bn_desc, const void *scale, void *dscale,
    void *dbias, double epsilon, const void *saved_mean,
    const void *saved_inv_variance)
{
    struct batchnorm b = {.call = DNN_CALL(run_backward, declare_arrays),
                          .epsilon = epsilon};

    DNN_REQUIRE_PARAM(handle && alpha_data && beta_data && alpha_param
                      && beta_param);
    DNN_REQUIRE_PARAM(x && dy && dx && scale && dscale && dbias
                      && epsilon >= 0);
    DNN_REQUIRE_PARAM(shapes_match(mode, x_desc, dy_desc, bn_desc)
                      && shapes_match(mode, x_desc, dx_desc, bn_desc));
    DNN_REQUIRE_PARAM(!saved_mean == !saved_inv_variance);
    b.alpha = dnn_scalar(alpha_data, x_desc->type);
    b.beta = dnn_scalar(beta_data, x_desc->type);
    b.alpha_parameter = dnn_scalar(alpha_param, x_desc->type);
    b.beta_parameter = dnn_scalar(beta_param, x_desc->type);
    b.x = dnn_in("x", x_desc, x);
    b.dy = dnn_in("dy", dy_desc, dy);
    b.out = dnn_out("dx", dx_desc, dx, b.beta);
    b.parameter[SCALE] = dnn_in("bnScale", bn_desc, scale);
    b.parameter[SAVED_MEAN] = dnn_in("savedMean", bn_desc, saved_mean);
    b.parameter[SAVED_INVERSE] = dnn_in("savedInvVariance", bn_desc,
                                        saved_inv_variance);
    b.parameter[DSCALE] = dnn_out("resultBnScaleDiff", bn_desc, dscale,
                                  b.beta_parameter);
    b.parameter[DBIAS] = dnn_out("resultBnBiasDiff", bn_desc, dbias,
                                 b.beta_parameter);
    return submit(handle, &b);
}
