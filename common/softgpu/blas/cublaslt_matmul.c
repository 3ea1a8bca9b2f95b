/* SPDX-License-Identifier: MIT */
/* cublasLtMatmul: a matrix multiplication described by several descriptors. */
#include <stdlib.h>
#include <string.h>

#include "cublaslt_descriptors.h"
#include "openblas.h"
#include "matmul.h"

#define HANDLE_MAGIC 0x11b1a5u

/** A cuBLASLt handle. */
struct cublasLtContext {
    unsigned magic;
};

/** The descriptors of one multiplication. */
struct descriptors {
    const struct lt_matmul_desc *what;
    const struct lt_matrix_layout *a, *b, *c, *d;
};

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    BLAS_REQUIRE_VALUE(handle);
    *handle = NULL;
    BLAS_REQUIRE(openblas_load() && cudaFree(NULL) == cudaSuccess,
                 CUBLAS_STATUS_NOT_INITIALIZED);
    *handle = calloc(1, sizeof **handle);
    BLAS_REQUIRE(*handle, CUBLAS_STATUS_ALLOC_FAILED);
    (*handle)->magic = HANDLE_MAGIC;
    return CUBLAS_STATUS_SUCCESS;
}

/* A cuBLAS handle is a valid cuBLASLt handle, too. */
static bool is_handle(cublasLtHandle_t handle)
{
    return handle
           && (handle->magic == HANDLE_MAGIC
               || blas_is_handle((cublasHandle_t)handle));
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    BLAS_REQUIRE(handle && handle->magic == HANDLE_MAGIC,
                 CUBLAS_STATUS_NOT_INITIALIZED);
    handle->magic = 0;
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

const char *cublasLtGetStatusName(cublasStatus_t status)
{
    return cublasGetStatusName(status);
}

const char *cublasLtGetStatusString(cublasStatus_t status)
{
    return cublasGetStatusString(status);
}

size_t cublasLtGetVersion(void)
{
    return CUBLAS_VERSION;
}

size_t cublasLtGetCudartVersion(void)
{
    return cublasGetCudartVersion();
}

/* --- checks -------------------------------------------------------------- */

/* Is the leading dimension at least the length of a row or column? */
static bool is_leading_dimension(const struct lt_matrix_layout *l)
{
    const bool is_row_major = l->order == CUBLASLT_ORDER_ROW;
    const uint64_t op_rows = is_row_major ? l->columns : l->rows;

    return l->ld >= blas_max(1, (int64_t)op_rows) && l->batch >= 1;
}

/* Tiled orders are not supported. */
static bool has_order(const struct lt_matrix_layout *l)
{
    return l->order == CUBLASLT_ORDER_COL || l->order == CUBLASLT_ORDER_ROW;
}

/* Rows of op(X); with the opposite operation, columns. */
static uint64_t op_rows(const struct lt_matrix_layout *l, int32_t op)
{
    return op == CUBLAS_OP_N ? l->rows : l->columns;
}

/* A row-major matrix is the transpose of a column-major one. */
static int32_t opposite_op(int32_t op)
{
    return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/* Do shapes and batch counts match? */
static bool shapes_match(const struct descriptors *x)
{
    const struct lt_matmul_desc *w = x->what;

    return x->d->rows == op_rows(x->a, w->transa)
           && x->d->columns == op_rows(x->b, opposite_op(w->transb))
           && op_rows(x->a, opposite_op(w->transa)) == op_rows(x->b, w->transb)
           && x->c->rows == x->d->rows && x->c->columns == x->d->columns
           && x->a->batch == x->d->batch && x->b->batch == x->d->batch
           && x->c->batch == x->d->batch;
}

/* Is the epilogue implemented here? */
static bool has_epilogue(const struct lt_matmul_desc *w)
{
    switch (w->epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
    case CUBLASLT_EPILOGUE_BIAS:
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_BIAS:
        return true;
    case CUBLASLT_EPILOGUE_GELU_AUX:
    case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    case CUBLASLT_EPILOGUE_DGELU:
        return w->aux && w->aux_ld > 0;
    default:
        return false;
    }
}

/* The part of a valid combination that is not implemented here, or NULL. */
static const char *unsupported(const struct descriptors *x)
{
    const struct lt_matmul_desc *w = x->what;

    if (!has_epilogue(w))
        return "the epilogue is none of those in cublasLt.h, or lacks its aux "
               "pointer and leading dimension";
    if (w->transc != CUBLAS_OP_N || w->fill != CUBLAS_FILL_MODE_FULL)
        return "transc or the fill mode of C is not the default";
    if (w->pointer_mode > CUBLASLT_POINTER_MODE_DEVICE)
        return "alpha and beta are vectors";
    if (w->scale != (int32_t)blas_scale_type((cublasComputeType_t)w->compute))
        return "the scale type does not fit the compute type";
    if (!has_order(x->a) || !has_order(x->b) || !has_order(x->d))
        return "the order of a matrix is neither columns nor rows";
    if (x->c->order != x->d->order || x->c->type != x->d->type)
        return "C and D differ in order or type";
    return NULL;
}

/* Validity is checked before support, as in NVIDIA's library. */
static cublasStatus_t check(const struct descriptors *x)
{
    BLAS_REQUIRE_VALUE(x->what && x->a && x->b && x->c && x->d);
    BLAS_REQUIRE_VALUE(is_leading_dimension(x->a) && is_leading_dimension(x->b)
                       && is_leading_dimension(x->c)
                       && is_leading_dimension(x->d) && shapes_match(x));
    BLAS_REQUIRE_SUPPORTED(!unsupported(x), unsupported(x));
    return CUBLAS_STATUS_SUCCESS;
}

/* --- from descriptors to a product --------------------------------------- */

/* A row-major matrix is a transposed column-major one. */
static struct blas_matrix operand(const struct lt_matrix_layout *l, int32_t op)
{
    return (struct blas_matrix){
        .ld = l->ld, .stride = l->stride, .type = (cudaDataType)l->type,
        .transposed = (op != CUBLAS_OP_N) != (l->order == CUBLASLT_ORDER_ROW)};
}

/* Row-major D: compute D' = op(B)' op(A)' in column-major order. */
static void transpose_problem(struct blas_matmul *p)
{
    const struct blas_matrix a = p->a;
    const int64_t m = p->m;

    p->a = p->b;
    p->b = a;
    p->a.transposed = !p->a.transposed;
    p->b.transposed = !p->b.transposed;
    p->m = p->n;
    p->n = m;
    p->c.transposed = p->d.transposed = false;
    p->bias_by_column = true;
}

/* Set the epilogue: bias, activation and its auxiliary matrix. */
static void epilogue(struct blas_matmul *p, const struct descriptors *x)
{
    const struct lt_matmul_desc *w = x->what;

    const uint32_t aux = CUBLASLT_EPILOGUE_GELU_AUX & ~CUBLASLT_EPILOGUE_GELU;

    p->activation = w->epilogue == CUBLASLT_EPILOGUE_DGELU       ? BLAS_DGELU
                    : w->epilogue & CUBLASLT_EPILOGUE_GELU       ? BLAS_GELU
                    : w->epilogue & CUBLASLT_EPILOGUE_RELU       ? BLAS_RELU
                                                                 : BLAS_NONE;
    if (w->epilogue & aux)
        p->aux = (struct blas_matrix){.ptr = w->aux, .ld = w->aux_ld,
                                      .stride = w->aux_stride,
                                      .type = (cudaDataType)x->d->type};
    if (!(w->epilogue & CUBLASLT_EPILOGUE_BIAS))
        return;
    p->bias = w->bias;
    p->bias_type =
        (cudaDataType)(w->bias_type < 0 ? (int32_t)x->d->type : w->bias_type);
    p->bias_stride = w->bias_stride;
}

/** Pointer arguments of a call. */
struct pointer_mode {
    const void *alpha, *a, *b, *beta, *c;
    void *d;
};

/* Build a column-major multiplication from the descriptors. */
static cublasStatus_t build_matmul(struct blas_matmul *p,
                                   const struct descriptors *x,
                                   const struct pointer_mode *at)
{
    const struct lt_matmul_desc *w = x->what;
    struct cublasContext handle = {
        .pointer_mode = (cublasPointerMode_t)w->pointer_mode};
    const cudaDataType scale = (cudaDataType)w->scale;

    *p = (struct blas_matmul){
        .call.name = "cublasLtMatmul", .m = (int64_t)x->d->rows,
        .n = (int64_t)x->d->columns,
        .k = (int64_t)op_rows(x->b, w->transb), .batch = x->d->batch,
        .a = operand(x->a, w->transa), .b = operand(x->b, w->transb),
        .c = operand(x->c, CUBLAS_OP_N), .d = operand(x->d, CUBLAS_OP_N)};
    p->a.ptr = at->a;
    p->b.ptr = at->b;
    p->c.ptr = at->c;
    p->d.ptr = at->d;
    epilogue(p, x);
    if (at->alpha)
        p->alpha = blas_scalar(&handle, at->alpha, scale);
    if (at->beta)
        p->beta = blas_scalar(&handle, at->beta, scale);
    if (x->d->order == CUBLASLT_ORDER_ROW)
        transpose_problem(p);
    return blas_matmul_types(p, (cublasComputeType_t)w->compute);
}

/* --- the calls ----------------------------------------------------------- */

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
    cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int requested,
    cublasLtMatmulHeuristicResult_t found[], int *count)
{
    const struct descriptors x = {lt_matmul_desc(desc), lt_matrix_layout(a),
                                  lt_matrix_layout(b), lt_matrix_layout(c),
                                  lt_matrix_layout(d)};
    const struct pointer_mode none = {0};
    struct blas_matmul p;

    SOFTGPU_LIBRARY_CALL();
    BLAS_REQUIRE(is_handle(handle), CUBLAS_STATUS_NOT_INITIALIZED);
    BLAS_REQUIRE_VALUE(preference && requested > 0 && found && count);
    *count = 0;
    cublasStatus_t status = check(&x);
    if (!status)
        status = build_matmul(&p, &x, &none);
    if (status)
        return status;
    memset(found, 0, sizeof *found);
    found->wavesCount = 1;
    *count = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
    const void *a, cublasLtMatrixLayout_t a_layout, const void *b,
    cublasLtMatrixLayout_t b_layout, const void *beta, const void *c,
    cublasLtMatrixLayout_t c_layout, void *d, cublasLtMatrixLayout_t d_layout,
    const cublasLtMatmulAlgo_t *algo, void *workspace, size_t bytes,
    cudaStream_t stream)
{
    const struct descriptors x = {
        lt_matmul_desc(desc), lt_matrix_layout(a_layout),
        lt_matrix_layout(b_layout), lt_matrix_layout(c_layout),
        lt_matrix_layout(d_layout)};
    const struct pointer_mode at = {alpha, a, b, beta, c, d};
    struct blas_matmul p;

    SOFTGPU_LIBRARY_CALL();
    (void)algo; /* there is only one */
    BLAS_REQUIRE(is_handle(handle), CUBLAS_STATUS_NOT_INITIALIZED);
    BLAS_REQUIRE_VALUE(alpha && beta && a && b && d && (workspace || !bytes));
    BLAS_REQUIRE_WORKSPACE(workspace, bytes);
    cublasStatus_t status = check(&x);
    if (!status)
        status = build_matmul(&p, &x, &at);
    return status ? status : blas_matmul_submit(stream, &p);
}
