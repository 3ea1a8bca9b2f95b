/* SPDX-License-Identifier: MIT */
/* Operations on two tensors. */
#include <math.h>
#include <stdlib.h>

#include "map.h"

struct cudnnOpTensorStruct {
    bool set;
    cudnnOpTensorOp_t op;
    cudnnDataType_t compute;
    cudnnNanPropagation_t nan;
};

/* constants: the factors, and whether a NaN comes through min and max */
enum { ALPHA1, ALPHA2, NAN_PASSES };

/* Whether a NaN of these two is what comes out. */
static bool is_nan(double a, double b, const double *k)
{
    return k[NAN_PASSES] != 0 && (isnan(a) || isnan(b));
}

static double least_of(double a, double b, const double *k)
{
    return is_nan(a, b, k) ? NAN : fmin(a, b);
}

static double most_of(double a, double b, const double *k)
{
    return is_nan(a, b, k) ? NAN : fmax(a, b);
}

/* The operands, with their factors. */
#define FIRST (k[ALPHA1] * DNN_A)
#define SECOND (k[ALPHA2] * DNN_B)

DNN_FUNCTION(add, FIRST + SECOND)
DNN_FUNCTION(multiply, FIRST * SECOND)
DNN_FUNCTION(least, least_of(FIRST, SECOND, k))
DNN_FUNCTION(most, most_of(FIRST, SECOND, k))
DNN_FUNCTION(root, sqrt(FIRST))
DNN_FUNCTION(complement, 1 - FIRST)

cudnnStatus_t cudnnOpTensor(cudnnHandle_t handle,
                            const cudnnOpTensorDescriptor_t desc,
                            const void *alpha1,
                            const cudnnTensorDescriptor_t a_desc,
                            const void *a, const void *alpha2,
                            const cudnnTensorDescriptor_t b_desc,
                            const void *b, const void *beta,
                            const cudnnTensorDescriptor_t c_desc, void *c)
{
    static dnn_function *const functions[] = {add, multiply, least, most,
                                              root, complement};
    struct dnn_map m = {.call = DNN_CALL(dnn_map_run, dnn_map_arrays),
                        .alpha = 1};

    DNN_LEGAL(handle && desc && desc->set && alpha1 && a && beta && c);
    DNN_LEGAL(dnn_is_set(a_desc) && dnn_is_set(c_desc));
    const bool two = desc->op < CUDNN_OP_TENSOR_SQRT;
    DNN_LEGAL(!two || (alpha2 && b && dnn_is_set(b_desc)));
    DNN_LEGAL(dnn_same_size(a_desc, c_desc)
              && (!two || dnn_fits(b_desc, c_desc)));
    DNN_CAN(c_desc->dims <= 5
            && (desc->compute == CUDNN_DATA_DOUBLE)
                   == (c_desc->type == CUDNN_DATA_DOUBLE));
    m.f = functions[desc->op];
    m.constants[ALPHA1] = dnn_scalar(alpha1, desc->compute);
    m.constants[ALPHA2] = two ? dnn_scalar(alpha2, desc->compute) : 0;
    m.constants[NAN_PASSES] = desc->nan == CUDNN_PROPAGATE_NAN;
    m.beta = dnn_scalar(beta, desc->compute);
    m.arguments = two ? 3 : 2;
    m.argument[0] = dnn_out("C", c_desc, c, m.beta);
    m.argument[1] = dnn_in("A", a_desc, a);
    if (two)
        m.argument[2] = dnn_in("B", b_desc, b);
    return dnn_map_submit(handle, &m);
}

cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t *desc)
{
    DNN_LEGAL(desc);
    *desc = calloc(1, sizeof **desc);
    DNN_NEED(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
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
    DNN_LEGAL(desc && (unsigned)op <= CUDNN_OP_TENSOR_NOT
              && (unsigned)nan <= CUDNN_PROPAGATE_NAN);
    DNN_CAN(compute == CUDNN_DATA_FLOAT || compute == CUDNN_DATA_DOUBLE);
    *desc = (struct cudnnOpTensorStruct){true, op, compute, nan};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t desc,
                                         cudnnOpTensorOp_t *op,
                                         cudnnDataType_t *compute,
                                         cudnnNanPropagation_t *nan)
{
    DNN_LEGAL(desc && desc->set);
    if (op)
        *op = desc->op;
    if (compute)
        *compute = desc->compute;
    if (nan)
        *nan = desc->nan;
    return CUDNN_STATUS_SUCCESS;
}
