/* SPDX-License-Identifier: MIT */
/* Activations. */
#include <math.h>
#include <stdlib.h>

#include "map.h"

/* constants: what the descriptor says */
enum { COEF, SWISH, NAN_PASSES };

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* --- forward: in[0] is x ------------------------------------------------- */

static double sigmoid_forward(const double *in, const double *k)
{
    (void)k;
    return sigmoid(in[0]);
}

/* max(x, 0), which of a NaN is 0 or the NaN. */
static double relu_forward(const double *in, const double *k)
{
    return in[0] > 0 || (in[0] != in[0] && k[NAN_PASSES] != 0) ? in[0] : 0;
}

static double tanh_forward(const double *in, const double *k)
{
    (void)k;
    return tanh(in[0]);
}

static double clipped_forward(const double *in, const double *k)
{
    const double y = relu_forward(in, k);

    return y > k[COEF] ? k[COEF] : y;
}

static double elu_forward(const double *in, const double *k)
{
    return in[0] > 0 ? in[0] : k[COEF] * expm1(in[0]);
}

static double swish_forward(const double *in, const double *k)
{
    return in[0] * sigmoid(k[SWISH] * in[0]);
}

/* --- backward: in is y, dy, x -------------------------------------------- */

static double sigmoid_backward(const double *in, const double *k)
{
    (void)k;
    return in[1] * in[0] * (1 - in[0]);
}

static double relu_backward(const double *in, const double *k)
{
    (void)k;
    return in[2] > 0 ? in[1] : 0;
}

static double tanh_backward(const double *in, const double *k)
{
    (void)k;
    return in[1] * (1 - in[0] * in[0]);
}

static double clipped_backward(const double *in, const double *k)
{
    return in[2] > 0 && in[2] <= k[COEF] ? in[1] : 0;
}

static double elu_backward(const double *in, const double *k)
{
    return in[2] > 0 ? in[1] : in[1] * k[COEF] * exp(in[2]);
}

static double same_backward(const double *in, const double *k)
{
    (void)k;
    return in[1];
}

static double swish_backward(const double *in, const double *k)
{
    const double s = sigmoid(k[SWISH] * in[2]);

    return in[1] * (s + k[SWISH] * in[2] * s * (1 - s));
}

/** By mode. */
static const struct {
    double (*forward)(const double *in, const double *k);
    double (*backward)(const double *in, const double *k);
} modes[] = {
    [CUDNN_ACTIVATION_SIGMOID] = {sigmoid_forward, sigmoid_backward},
    [CUDNN_ACTIVATION_RELU] = {relu_forward, relu_backward},
    [CUDNN_ACTIVATION_TANH] = {tanh_forward, tanh_backward},
    [CUDNN_ACTIVATION_CLIPPED_RELU] = {clipped_forward, clipped_backward},
    [CUDNN_ACTIVATION_ELU] = {elu_forward, elu_backward},
    [CUDNN_ACTIVATION_IDENTITY] = {dnn_same, same_backward},
    [CUDNN_ACTIVATION_SWISH] = {swish_forward, swish_backward},
};

static void set_constants(struct dnn_map *m,
                          const struct cudnnActivationStruct *desc)
{
    m->constants[COEF] = desc->coef;
    m->constants[SWISH] = desc->swish;
    m->constants[NAN_PASSES] = desc->nan == CUDNN_PROPAGATE_NAN;
}

cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle,
                                     cudnnActivationDescriptor_t desc,
                                     const void *alpha,
                                     const cudnnTensorDescriptor_t x_desc,
                                     const void *x, const void *beta,
                                     const cudnnTensorDescriptor_t y_desc,
                                     void *y)
{
    struct dnn_map m = {.call = DNN_CALL(dnn_map_run, dnn_map_arrays),
                        .arguments = 2};

    DNN_LEGAL(handle && desc && desc->set && alpha && beta && x && y);
    DNN_LEGAL(dnn_is_set(x_desc) && dnn_is_set(y_desc));
    DNN_LEGAL(dnn_same_size(x_desc, y_desc) && x_desc->type == y_desc->type);
    set_constants(&m, desc);
    m.f = modes[desc->mode].forward;
    m.alpha = dnn_scalar(alpha, y_desc->type);
    m.beta = dnn_scalar(beta, y_desc->type);
    m.argument[0] = dnn_out("y", y_desc, y, m.beta);
    m.argument[1] = dnn_in("x", x_desc, x);
    return dnn_map_submit(handle, &m);
}

cudnnStatus_t cudnnActivationBackward(
    cudnnHandle_t handle, cudnnActivationDescriptor_t desc, const void *alpha,
    const cudnnTensorDescriptor_t y_desc, const void *y,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnTensorDescriptor_t x_desc, const void *x, const void *beta,
    const cudnnTensorDescriptor_t dx_desc, void *dx)
{
    struct dnn_map m = {.call = DNN_CALL(dnn_map_run, dnn_map_arrays),
                        .arguments = 4};

    DNN_LEGAL(handle && desc && desc->set && alpha && beta);
    DNN_LEGAL(y && dy && x && dx && dnn_is_set(y_desc) && dnn_is_set(dy_desc));
    DNN_LEGAL(dnn_is_set(x_desc) && dnn_is_set(dx_desc));
    DNN_LEGAL(dnn_same_size(x_desc, y_desc) && dnn_same_size(x_desc, dy_desc)
              && dnn_same_size(x_desc, dx_desc));
    DNN_LEGAL(y_desc->type == dy_desc->type && x_desc->type == dx_desc->type);
    set_constants(&m, desc);
    m.f = modes[desc->mode].backward;
    m.alpha = dnn_scalar(alpha, dx_desc->type);
    m.beta = dnn_scalar(beta, dx_desc->type);
    m.argument[0] = dnn_out("dx", dx_desc, dx, m.beta);
    m.argument[1] = dnn_in("y", y_desc, y);
    m.argument[2] = dnn_in("dy", dy_desc, dy);
    m.argument[3] = dnn_in("x", x_desc, x);
    return dnn_map_submit(handle, &m);
}

/* --- descriptors --------------------------------------------------------- */

cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t *desc)
{
    DNN_LEGAL(desc);
    *desc = calloc(1, sizeof **desc);
    DNN_NEED(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
    (*desc)->swish = 1;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t desc)
{
    free(desc);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t desc,
                                           cudnnActivationMode_t mode,
                                           cudnnNanPropagation_t nan,
                                           double coef)
{
    DNN_LEGAL(desc && (unsigned)mode <= CUDNN_ACTIVATION_SWISH
              && (unsigned)nan <= CUDNN_PROPAGATE_NAN);
    *desc = (struct cudnnActivationStruct){true, mode, nan, coef, desc->swish};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetActivationDescriptor(
    const cudnnActivationDescriptor_t desc, cudnnActivationMode_t *mode,
    cudnnNanPropagation_t *nan, double *coef)
{
    DNN_LEGAL(desc && desc->set);
    if (mode)
        *mode = desc->mode;
    if (nan)
        *nan = desc->nan;
    if (coef)
        *coef = desc->coef;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t desc,
                                      double beta)
{
    DNN_LEGAL(desc);
    desc->swish = beta;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnGetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t desc,
                                      double *beta)
{
    DNN_LEGAL(desc && beta);
    *beta = desc->swish;
    return CUDNN_STATUS_SUCCESS;
}
