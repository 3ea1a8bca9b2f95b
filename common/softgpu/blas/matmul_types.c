/* SPDX-License-Identifier: MIT */
/* Supported combinations of compute type and element types. */
#include "matmul.h"

/** A row of cuBLAS's table; A and B have the same type. */
struct row {
    cublasComputeType_t compute;
    cudaDataType factors, result;
    enum blas_rounding rounding;
};

static const struct row table[] = {
    {CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, BLAS_EXACT},
    {CUBLAS_COMPUTE_32I, CUDA_R_8I, CUDA_R_32I, BLAS_EXACT},
    {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_16F, BLAS_EXACT},
    {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_32F, BLAS_EXACT},
    {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_16BF, BLAS_EXACT},
    {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_32F, BLAS_EXACT},
    {CUBLAS_COMPUTE_32F, CUDA_R_8I, CUDA_R_32F, BLAS_EXACT},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, BLAS_EXACT},
    {CUBLAS_COMPUTE_32F_FAST_16F, CUDA_R_32F, CUDA_R_32F, BLAS_HALF},
    {CUBLAS_COMPUTE_32F_FAST_16BF, CUDA_R_32F, CUDA_R_32F, BLAS_BFLOAT16},
    {CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, BLAS_TF32},
    {CUBLAS_COMPUTE_32F_EMULATED_16BFX9, CUDA_R_32F, CUDA_R_32F, BLAS_EXACT},
    {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, BLAS_EXACT},
    {CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUDA_R_64F, CUDA_R_64F,
     BLAS_EXACT},
    {CUBLAS_COMPUTE_32F, CUDA_C_32F, CUDA_C_32F, BLAS_EXACT},
    {CUBLAS_COMPUTE_32F_FAST_16F, CUDA_C_32F, CUDA_C_32F, BLAS_HALF},
    {CUBLAS_COMPUTE_32F_FAST_16BF, CUDA_C_32F, CUDA_C_32F, BLAS_BFLOAT16},
    {CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_C_32F, CUDA_C_32F, BLAS_TF32},
    {CUBLAS_COMPUTE_32F_EMULATED_16BFX9, CUDA_C_32F, CUDA_C_32F, BLAS_EXACT},
    {CUBLAS_COMPUTE_64F, CUDA_C_64F, CUDA_C_64F, BLAS_EXACT},
    {CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUDA_C_64F, CUDA_C_64F,
     BLAS_EXACT},
};

/* Pedantic compute types are computed like the others here. */
static cublasComputeType_t without_pedantic(cublasComputeType_t compute)
{
    switch (compute) {
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return CUBLAS_COMPUTE_16F;
    case CUBLAS_COMPUTE_32F_PEDANTIC:
        return CUBLAS_COMPUTE_32F;
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        return CUBLAS_COMPUTE_64F;
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        return CUBLAS_COMPUTE_32I;
    default:
        return compute;
    }
}

cudaDataType blas_scale_type(cublasComputeType_t compute)
{
    switch (without_pedantic(compute)) {
    case CUBLAS_COMPUTE_16F:
        return CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
        return CUDA_R_32I;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
        return CUDA_R_64F;
    default:
        return CUDA_R_32F;
    }
}

/* cuBLAS loads four int8 elements at a time. */
static bool is_aligned(const struct blas_matrix *m)
{
    return m->ld % 4 == 0 && (size_t)m->ptr % 4 == 0;
}

cublasStatus_t blas_matmul_types(struct blas_matmul *p,
                                 cublasComputeType_t compute)
{
    const cublasComputeType_t requested = without_pedantic(compute);

    BLAS_REQUIRE_SUPPORTED(p->a.type == p->b.type,
                           "the types of A and B differ");
    if (p->a.type == CUDA_R_8I)
        BLAS_REQUIRE_SUPPORTED(is_aligned(&p->a) && is_aligned(&p->b),
                               "A and B of int8 need addresses and leading "
                               "dimensions that are multiples of 4");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct row *row = &table[i];

        if (row->compute != requested || row->factors != p->a.type
            || row->result != p->d.type)
            continue;
        p->rounding = row->rounding;
        p->accumulate_half = requested == CUBLAS_COMPUTE_16F;
        return CUBLAS_STATUS_SUCCESS;
    }
    BLAS_REQUIRE_SUPPORTED(false, "there is no product of these types of A, B "
                                  "and C with this compute type");
}
