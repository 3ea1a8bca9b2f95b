/* SPDX-License-Identifier: MIT */
/* Batch normalisation.  What has one mean is a group: a channel, or one place
 * of one channel; a part owns whole groups. */
#include <math.h>

#include "fold.h"

/** The tensors of a value for each group. */
enum { SCALE, BIAS, MEAN, VARIANCE, SAVED_MEAN, SAVED_INVERSE, DSCALE, DBIAS,
       PARAMETERS };
/** The operands of the walks; X, OUT and DY move within a group. */
enum { OUT, X, DY, PARAMETER };

/** A call. */
struct batchnorm {
    struct softgpu_library_call call;
    double alpha, beta, alpha_parameter, beta_parameter, epsilon, factor;
    struct dnn_argument out, x, dy; /* out is y or dx */
    struct dnn_argument parameter[PARAMETERS]; /* ptr NULL: not given */
    struct dnn_fold fold;
};

static void name_arrays(const void *self)
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

static double get(const struct dnn_argument *a, ptrdiff_t i)
{
    return dnn_get(a->ptr, a->tensor.type, i);
}

/* to = alpha v + beta to */
static void blend(const struct dnn_argument *to, ptrdiff_t i, double v,
                  double alpha, double beta)
{
    v *= alpha;
    if (beta != 0)
        v += beta * get(to, i);
    dnn_put(to->ptr, to->tensor.type, i, v);
}

/** What a group is normalised with. */
struct moments {
    double mean, inverse; /* 1 / sqrt(variance + epsilon) */
    double variance;      /* biased */
};

/* Go over a group. */
#define EACH(b, c, at)                                                    \
    for (dnn_walk_start(c, &(b)->fold.gone, at, 0,                        \
                        dnn_walk_count(&(b)->fold.gone));                 \
         dnn_walk_more(c); dnn_walk_next(c))

static struct moments moments_of(const struct batchnorm *b,
                                 const ptrdiff_t *at)
{
    const double n = (double)dnn_walk_count(&b->fold.gone);
    struct moments m = {0};
    struct dnn_cursor c;

    EACH(b, &c, at)
        m.mean += get(&b->x, c.at[X]) / n;
    EACH(b, &c, at) {
        const double off = get(&b->x, c.at[X]) - m.mean;

        m.variance += off * off / n;
    }
    m.inverse = 1 / sqrt(m.variance + b->epsilon);
    return m;
}

static void normalise(const struct batchnorm *b, const ptrdiff_t *at,
                      const struct moments *m)
{
    const double scale = get(&b->parameter[SCALE], at[PARAMETER]) * m->inverse;
    const double bias = get(&b->parameter[BIAS], at[PARAMETER]);
    struct dnn_cursor c;

    EACH(b, &c, at)
        blend(&b->out, c.at[OUT],
              (get(&b->x, c.at[X]) - m->mean) * scale + bias, b->alpha,
              b->beta);
}

static void infer(const struct batchnorm *b, const ptrdiff_t *at)
{
    const double variance = get(&b->parameter[VARIANCE], at[PARAMETER]);
    const struct moments m = {
        .mean = get(&b->parameter[MEAN], at[PARAMETER]),
        .inverse = 1 / sqrt(variance + b->epsilon)};

    normalise(b, at, &m);
}

static void train(const struct batchnorm *b, const ptrdiff_t *at)
{
    const double n = (double)dnn_walk_count(&b->fold.gone);
    const struct moments m = moments_of(b, at);
    const double unbiased = n > 1 ? m.variance * n / (n - 1) : m.variance;
    const struct dnn_argument *p = b->parameter;

    normalise(b, at, &m);
    if (p[MEAN].ptr) {
        blend(&p[MEAN], at[PARAMETER], m.mean, b->factor, 1 - b->factor);
        blend(&p[VARIANCE], at[PARAMETER], unbiased, b->factor, 1 - b->factor);
    }
    if (p[SAVED_MEAN].ptr) {
        blend(&p[SAVED_MEAN], at[PARAMETER], m.mean, 1, 0);
        blend(&p[SAVED_INVERSE], at[PARAMETER], m.inverse, 1, 0);
    }
}

static void backward(const struct batchnorm *b, const ptrdiff_t *at)
{
    const double n = (double)dnn_walk_count(&b->fold.gone);
    const struct dnn_argument *p = b->parameter;
    double dscale = 0, dbias = 0;
    struct moments m;
    struct dnn_cursor c;

    if (p[SAVED_MEAN].ptr) {
        m.mean = get(&p[SAVED_MEAN], at[PARAMETER]);
        m.inverse = get(&p[SAVED_INVERSE], at[PARAMETER]);
    } else {
        m = moments_of(b, at);
    }
    EACH(b, &c, at) {
        const double dy = get(&b->dy, c.at[DY]);

        dbias += dy;
        dscale += dy * (get(&b->x, c.at[X]) - m.mean) * m.inverse;
    }
    const double scale = get(&p[SCALE], at[PARAMETER]) * m.inverse;
    EACH(b, &c, at) {
        const double off = (get(&b->x, c.at[X]) - m.mean) * m.inverse;

        blend(&b->out, c.at[OUT],
              scale * (get(&b->dy, c.at[DY]) - (dbias + off * dscale) / n),
              b->alpha, b->beta);
    }
    blend(&p[DSCALE], at[PARAMETER], dscale, b->alpha_parameter,
          b->beta_parameter);
    blend(&p[DBIAS], at[PARAMETER], dbias, b->alpha_parameter,
          b->beta_parameter);
}

/* Do a part's groups. */
static void each_group(const struct batchnorm *b, unsigned part,
                       void (*f)(const struct batchnorm *, const ptrdiff_t *))
{
    const size_t n = dnn_walk_count(&b->fold.kept);
    struct dnn_cursor c;

    dnn_walk_start(&c, &b->fold.kept, NULL, dnn_begin(n, part, b->call.parts),
                   dnn_begin(n, part + 1, b->call.parts));
    for (; dnn_walk_more(&c); dnn_walk_next(&c))
        f(b, c.at);
}

static void run_infer(const void *self, unsigned part)
{
    each_group(self, part, infer);
}

static void run_train(const void *self, unsigned part)
{
    each_group(self, part, train);
}

static void run_backward(const void *self, unsigned part)
{
    each_group(self, part, backward);
}

/* --- calls --------------------------------------------------------------- */

/* The sizes of the tensors that hold a value for each group. */
static void group_sizes(int *size, const struct cudnnTensorStruct *x,
                        cudnnBatchNormMode_t mode)
{
    for (int d = 0; d < x->dims; d++)
        size[d] = d == 1 || (d > 1 && mode == CUDNN_BATCHNORM_PER_ACTIVATION)
                      ? x->size[d] : 1;
}

/* Whether the tensors of a call fit each other. */
static bool fits(cudnnBatchNormMode_t mode, const struct cudnnTensorStruct *x,
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

static cudnnStatus_t submit(cudnnHandle_t handle, struct batchnorm *b)
{
    const struct cudnnTensorStruct *tensors[] = {
        &b->out.tensor, &b->x.tensor, &b->dy.tensor,
        &b->parameter[SCALE].tensor};
    const double n = (double)dnn_count(&b->x.tensor);

    b->fold = dnn_fold(&b->x.tensor, b->parameter[SCALE].tensor.size, tensors,
                       4);
    b->call.parts = dnn_parts(dnn_walk_count(&b->fold.kept),
                              3.0 * (double)dnn_walk_count(&b->fold.gone));
    b->call.operations = 4 * n;
    b->call.bytes = 3 * n * (double)dnn_bytes(b->x.tensor.type);
    return dnn_submit(handle, b, sizeof *b);
}

cudnnStatus_t
cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t bn_desc,
                              const cudnnTensorDescriptor_t x_desc,
                              cudnnBatchNormMode_t mode)
{
    DNN_LEGAL(bn_desc && dnn_is_set(x_desc)
              && (unsigned)mode <= CUDNN_BATCHNORM_SPATIAL_PERSISTENT);
    *bn_desc = (struct cudnnTensorStruct){.dims = x_desc->dims};
    bn_desc->type = x_desc->type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE
                                                      : CUDNN_DATA_FLOAT;
    group_sizes(bn_desc->size, x_desc, mode);
    dnn_pack(bn_desc, CUDNN_TENSOR_NCHW);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBatchNormalizationForwardInference(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha,
    const void *beta, const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnTensorDescriptor_t y_desc, void *y,
    const cudnnTensorDescriptor_t bn_desc, const void *scale, const void *bias,
    const void *mean, const void *variance, double epsilon)
{
    struct batchnorm b = {.call = DNN_CALL(run_infer, name_arrays),
                          .epsilon = epsilon};

    DNN_LEGAL(handle && alpha && beta && x && y && epsilon >= 0);
    DNN_LEGAL(scale && bias && mean && variance);
    DNN_LEGAL(fits(mode, x_desc, y_desc, bn_desc));
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
    struct batchnorm b = {.call = DNN_CALL(run_train, name_arrays),
                          .epsilon = epsilon, .factor = factor};

    DNN_LEGAL(handle && alpha && beta && x && y && scale && bias);
    DNN_LEGAL(fits(mode, x_desc, y_desc, bn_desc) && epsilon >= 0);
    DNN_LEGAL(!running_mean == !running_variance);
    DNN_LEGAL(!saved_mean == !saved_inv_variance);
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
    struct batchnorm b = {.call = DNN_CALL(run_backward, name_arrays),
                          .epsilon = epsilon};

    DNN_LEGAL(handle && alpha_data && beta_data && alpha_param && beta_param);
    DNN_LEGAL(x && dy && dx && scale && dscale && dbias && epsilon >= 0);
    DNN_LEGAL(fits(mode, x_desc, dy_desc, bn_desc)
              && fits(mode, x_desc, dx_desc, bn_desc));
    DNN_LEGAL(!saved_mean == !saved_inv_variance);
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
