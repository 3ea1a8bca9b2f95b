/* SPDX-License-Identifier: MIT */
/* Activation functions and their descriptors. */
#include <math.h>
#include <stdlib.h>

#include "elementwise.h"

/* indices of the constants: the descriptor's parameters */
enum { COEF, SWISH, PROPAGATE_NAN };

/* exp() may overflow to infinity: the result is 0 then. */
static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* --- forward: A is x ----------------------------------------------------- */

/* max(x, 0); a NaN becomes 0 or is propagated. */
#define RELU(x) \
    (((x) > 0) | (((x) != (x)) & (k[PROPAGATE_NAN] != 0)) ? (x) : 0)

DNN_FUNCTION(sigmoid_forward, sigmoid(DNN_A))
DNN_FUNCTION(relu_forward, RELU(DNN_A))
DNN_FLOAT_FUNCTION(relu_forward_floats, RELU(DNN_A))
DNN_FUNCTION(tanh_forward, tanh(DNN_A))
DNN_FUNCTION(clipped_relu_forward,
             RELU(DNN_A) > k[COEF] ? k[COEF] : RELU(DNN_A))
DNN_FUNCTION(elu_forward, DNN_A > 0 ? DNN_A : k[COEF] * expm1(DNN_A))
DNN_FUNCTION(swish_forward, DNN_A * sigmoid(k[SWISH] * DNN_A))

/* --- backward: A is y, B is dy, C is x ----------------------------------- */

static double swish_derivative(double x, double beta)
{
    const double s = sigmoid(beta * x);

    return s + beta * x * s * (1 - s);
}

/* dy if the condition holds, else 0; always reads dy, for vectorization. */
static inline double pass_if(bool open, double dy)
{
    return open ? dy : 0;
}

static inline float pass_float_if(bool open, float dy)
{
    return open ? dy : 0;
}

DNN_FUNCTION(sigmoid_backward, DNN_B * DNN_A * (1 - DNN_A))
DNN_FUNCTION(relu_backward, pass_if(DNN_C > 0, DNN_B))
DNN_FLOAT_FUNCTION(relu_backward_floats, pass_float_if(DNN_C > 0, DNN_B))
DNN_FUNCTION(tanh_backward, DNN_B * (1 - DNN_A * DNN_A))
DNN_FUNCTION(clipped_relu_backward,
             pass_if((DNN_C > 0) & (DNN_C <= k[COEF]), DNN_B))
DNN_FUNCTION(elu_backward, DNN_C > 0 ? DNN_B : DNN_B * k[COEF] * exp(DNN_C))
DNN_FUNCTION(identity_backward, DNN_B)
DNN_FUNCTION(swish_backward, DNN_B * swish_derivative(DNN_C, k[SWISH]))

/** Functions by mode. */
static const struct {
    dnn_function *forward, *backward;
    dnn_float_function *forward_floats, *backward_floats; /* or NULL */
} modes[] = {
    [CUDNN_ACTIVATION_SIGMOID] = {sigmoid_forward, sigmoid_backward, NULL,
                                  NULL},
    [CUDNN_ACTIVATION_RELU] = {relu_forward, relu_backward,
                               relu_forward_floats, relu_backward_floats},
    [CUDNN_ACTIVATION_TANH] = {tanh_forward, tanh_backward, NULL, NULL},
    [CUDNN_ACTIVATION_CLIPPED_RELU] = {clipped_relu_forward,
                                       clipped_relu_backward, NULL, NULL},
    [CUDNN_ACTIVATION_ELU] = {elu_forward, elu_backward, NULL, NULL},
    [CUDNN_ACTIVATION_IDENTITY] = {dnn_identity, identity_backward, NULL, NULL},
    [CUDNN_ACTIVATION_SWISH] = {swish_forward, swish_backward, NULL, NULL},
};

/* Parameters of the descriptor, for the element function. */
static void set_constants(struct dnn_elementwise *m,
                          const struct cudnnActivationStruct *desc)
{
    m->constants[COEF] = desc->coef;
    m->constants[SWISH] = desc->swish;
    m->constants[PROPAGATE_NAN] = desc->nan == CUDNN_PROPAGATE_NAN;
}

cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle,
                                     cudnnActivationDescriptor_t desc,
                                     const void *alpha,
                                     const cudnnTensorDescriptor_t x_desc,
                                     const void *x, const void *beta,
                                     const cudnnTensorDescriptor_t y_desc,
                                     void *y)
{
    struct dnn_elementwise m = {
        .call = DNN_CALL(dnn_elementwise_run, dnn_elementwise_arrays),
        .arguments = 2};

    DNN_REQUIRE_PARAM(handle && desc && desc->set && alpha && beta && x && y);
    DNN_REQUIRE_PARAM(dnn_is_set(x_desc) && dnn_is_set(y_desc));
    DNN_REQUIRE_PARAM(dnn_same_size(x_desc, y_desc)
                      && x_desc->type == y_desc->type);
    set_constants(&m, desc);
    m.f = modes[desc->mode].forward;
    m.alpha = dnn_scalar(alpha, y_desc->type);
    m.beta = dnn_scalar(beta, y_desc->type);
    if (m.alpha == 1 && m.beta == 0)
        m.floats = modes[desc->mode].forward_floats;
    m.argument[0] = dnn_out("y", y_desc, y, m.beta);
    m.argument[1] = dnn_in("x", x_desc, x);
    return dnn_elementwise_submit(handle, &m);
}

cudnnStatus_t cudnnActivationBackward(
    cudnnHandle_t handle, cudnnActivationDescriptor_t desc, const void *alpha,
    const cudnnTensorDescriptor_t y_desc, const void *y,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnTensorDescriptor_t x_desc, const void *x, const void *beta,
    const cudnnTensorDescriptor_t dx_desc, void *dx)
{
    struct dnn_elementwise m = {
        .call = DNN_CALL(dnn_elementwise_run, dnn_elementwise_arrays),
        .arguments = 4};

    DNN_REQUIRE_PARAM(handle && desc && desc->set && alpha && beta);
    DNN_REQUIRE_PARAM(y && dy && x && dx && dnn_is_set(y_desc)
                      && dnn_is_set(dy_desc));
    DNN_REQUIRE_PARAM(dnn_is_set(x_desc) && dnn_is_set(dx_desc));
    DNN_REQUIRE_PARAM(dnn_same_size(x_desc, y_desc)
                      && dnn_same_size(x_desc, dy_desc)
                      && dnn_same_size(x_desc, dx_desc));
    DNN_REQUIRE_PARAM(y_desc->type == dy_desc->type
                      && x_desc->type == dx_desc->type);
    set_constants(&m, desc);
    m.f = modes[desc->mode].backward;
    m.alpha = dnn_scalar(alpha, dx_desc->type);
    m.beta = dnn_scalar(beta, dx_desc->type);
    if (m.alpha == 1 && m.beta == 0)
        m.floats = modes[desc->mode].backward_floats;
    m.argument[0] = dnn_out("dx", dx_desc, dx, m.beta);
    m.argument[1] = dnn_in("y", y_desc, y);
    m.argument[2] = dnn_in("dy", dy_desc, dy);
    m.argument[3] = dnn_in("x", x_desc, x);
    return dnn_elementwise_submit(handle, &m);
}

/* --- descriptors --------------------------------------------------------- */

cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t *desc)
{
    DNN_REQUIRE_PARAM(desc);
    *desc = calloc(1, sizeof **desc);
    DNN_REQUIRE(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
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
    DNN_REQUIRE_PARAM(desc && (unsigned)mode <= CUDNN_ACTIVATION_SWISH
                      && (unsigned)nan <= CUDNN_PROPAGATE_NAN);
    *desc = (struct cudnnActivationStruct){true, mode, nan, coef, desc->swish};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetActivationDescriptor(
    const cudnnActivationDescriptor_t desc, cudnnActivationMode_t *mode,
    cudnnNanPropagation_t *nan, double *coef)
{
    DNN_REQUIRE_PARAM(desc && desc->set);
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
    DNN_REQUIRE_PARAM(desc);
    desc->swish = beta;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnGetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t desc,
                                      double *beta)
{
    DNN_REQUIRE_PARAM(desc && beta);
    *beta = desc->swish;
    return CUDNN_STATUS_SUCCESS;
}
