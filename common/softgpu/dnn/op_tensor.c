/* SPDX-License-Identifier: MIT */
/* Element-wise operations on two tensors. */
#include <math.h>
#include <stdlib.h>

#include "elementwise.h"

struct cudnnOpTensorStruct {
    bool set;
    cudnnOpTensorOp_t op;
    cudnnDataType_t compute;
    cudnnNanPropagation_t nan;
};

/* indices of the constants: factors, and whether min and max propagate a NaN */
enum { ALPHA1, ALPHA2, PROPAGATE_NAN };

/* Is the result NaN because an operand is? */
static bool yields_nan(double a, double b, const double *k)
{
    return k[PROPAGATE_NAN] != 0 && (isnan(a) || isnan(b));
}

/* fmin() prefers numbers to NaN. */
static double min_of(double a, double b, const double *k)
{
    return yields_nan(a, b, k) ? NAN : fmin(a, b);
}

/* fmax() prefers numbers to NaN. */
static double max_of(double a, double b, const double *k)
{
    return yields_nan(a, b, k) ? NAN : fmax(a, b);
}

/* The operands, multiplied by their factors. */
#define OPERAND1 (k[ALPHA1] * DNN_A)
#define OPERAND2 (k[ALPHA2] * DNN_B)

DNN_FUNCTION(add, OPERAND1 + OPERAND2)
DNN_FUNCTION(multiply, OPERAND1 * OPERAND2)
DNN_FUNCTION(minimum, min_of(OPERAND1, OPERAND2, k))
DNN_FUNCTION(maximum, max_of(OPERAND1, OPERAND2, k))
DNN_FUNCTION(square_root, sqrt(OPERAND1))
DNN_FUNCTION(complement, 1 - OPERAND1)

cudnnStatus_t cudnnOpTensor(cudnnHandle_t handle,
                            const cudnnOpTensorDescriptor_t desc,
                            const void *alpha1,
                            const cudnnTensorDescriptor_t a_desc,
                            const void *a, const void *alpha2,
                            const cudnnTensorDescriptor_t b_desc,
                            const void *b, const void *beta,
                            const cudnnTensorDescriptor_t c_desc, void *c)
{
    static dnn_function *const functions[] = {add, multiply, minimum, maximum,
                                              square_root, complement};
    struct dnn_elementwise m = {
        .call = DNN_CALL(dnn_elementwise_run, dnn_elementwise_arrays),
        .alpha = 1};

    DNN_REQUIRE_PARAM(handle && desc && desc->set && alpha1 && a && beta && c);
    DNN_REQUIRE_PARAM(dnn_is_set(a_desc) && dnn_is_set(c_desc));
    const bool two = desc->op < CUDNN_OP_TENSOR_SQRT;
    DNN_REQUIRE_PARAM(!two || (alpha2 && b && dnn_is_set(b_desc)));
    DNN_REQUIRE_PARAM(dnn_same_size(a_desc, c_desc)
                      && (!two || dnn_is_broadcastable(b_desc, c_desc)));
    DNN_REQUIRE_SUPPORTED(c_desc->dims <= 5
                          && (desc->compute == CUDNN_DATA_DOUBLE)
                                 == (c_desc->type == CUDNN_DATA_DOUBLE));
    m.f = functions[desc->op];
    m.constants[ALPHA1] = dnn_scalar(alpha1, desc->compute);
    m.constants[ALPHA2] = two ? dnn_scalar(alpha2, desc->compute) : 0;
    m.constants[PROPAGATE_NAN] = desc->nan == CUDNN_PROPAGATE_NAN;
    m.beta = dnn_scalar(beta, desc->compute);
    m.arguments = two ? 3 : 2;
    m.argument[0] = dnn_out("C", c_desc, c, m.beta);
    m.argument[1] = dnn_in("A", a_desc, a);
    if (two)
        m.argument[2] = dnn_in("B", b_desc, b);
    return dnn_elementwise_submit(handle, &m);
}

cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t *desc)
{
    DNN_REQUIRE_PARAM(desc);
    *desc = calloc(1, sizeof **desc);
    DNN_REQUIRE(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t desc)
{
    free(desc);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t desc,
                                         cudnnOpTensorOp_t op,
                                         cudnnDataType_t compute,
                                         cudnnNanPropagation_t nan)
{
    DNN_REQUIRE_PARAM(desc && (unsigned)op <= CUDNN_OP_TENSOR_NOT
                      && (unsigned)nan <= CUDNN_PROPAGATE_NAN);
    DNN_REQUIRE_SUPPORTED(compute == CUDNN_DATA_FLOAT
                          || compute == CUDNN_DATA_DOUBLE);
    *desc = (struct cudnnOpTensorStruct){true, op, compute, nan};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t desc,
                                         cudnnOpTensorOp_t *op,
                                         cudnnDataType_t *compute,
                                         cudnnNanPropagation_t *nan)
{
    DNN_REQUIRE_PARAM(desc && desc->set);
    if (op)
        *op = desc->op;
    if (compute)
        *compute = desc->compute;
    if (nan)
        *nan = desc->nan;
    return CUDNN_STATUS_SUCCESS;
}
