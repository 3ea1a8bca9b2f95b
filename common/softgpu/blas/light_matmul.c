/* SPDX-License-Identifier: MIT */
/* cublasLtMatmul: a product whose description is spread over descriptors. */
#include <stdlib.h>
#include <string.h>

#include "light.h"
#include "openblas.h"
#include "product.h"

#define MARK 0x11b1a5u

/** A handle. */
struct cublasLtContext {
    unsigned mark;
};

/** The descriptors of one product. */
struct descriptors {
    const struct light_product *what;
    const struct light_layout *a, *b, *c, *d;
};

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    BLAS_LEGAL(handle);
    *handle = NULL;
    BLAS_NEED(openblas_load() && cudaFree(NULL) == cudaSuccess,
              CUBLAS_STATUS_NOT_INITIALIZED);
    *handle = calloc(1, sizeof **handle);
    BLAS_NEED(*handle, CUBLAS_STATUS_ALLOC_FAILED);
    (*handle)->mark = MARK;
    return CUBLAS_STATUS_SUCCESS;
}

/* A handle of cuBLAS is one, too. */
static bool is_handle(cublasLtHandle_t handle)
{
    return handle
           && (handle->mark == MARK || blas_is_handle((cublasHandle_t)handle));
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    BLAS_NEED(handle && handle->mark == MARK, CUBLAS_STATUS_NOT_INITIALIZED);
    handle->mark = 0;
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

/* --- checks --------------------------------------------------------------- */

/* Is the leading dimension as long as what lies together? */
static bool is_layout(const struct light_layout *l)
{
    const bool rows_first = l->order == CUBLASLT_ORDER_ROW;
    const uint64_t side = rows_first ? l->columns : l->rows;

    return l->ld >= blas_most(1, (int64_t)side) && l->batch >= 1;
}

static bool has_order(const struct light_layout *l)
{
    return l->order == CUBLASLT_ORDER_COL || l->order == CUBLASLT_ORDER_ROW;
}

/* Rows of op(X), or, with the other operation, columns. */
static uint64_t side(const struct light_layout *l, int32_t op)
{
    return op == CUBLAS_OP_N ? l->rows : l->columns;
}

static int32_t other(int32_t op)
{
    return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/* Do shapes and batches go together? */
static bool fit(const struct descriptors *x)
{
    const struct light_product *w = x->what;

    return x->d->rows == side(x->a, w->transa)
           && x->d->columns == side(x->b, other(w->transb))
           && side(x->a, other(w->transa)) == side(x->b, w->transb)
           && x->c->rows == x->d->rows && x->c->columns == x->d->columns
           && x->a->batch == x->d->batch && x->b->batch == x->d->batch
           && x->c->batch == x->d->batch;
}

/* What is legal, and not all of it is here. */
static bool is_supported(const struct descriptors *x)
{
    const struct light_product *w = x->what;
    const uint32_t known =
        CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_BIAS;
    const bool epilogue = w->epilogue == CUBLASLT_EPILOGUE_DEFAULT
                          || (w->epilogue && !(w->epilogue & ~known));

    return epilogue && w->transc == CUBLAS_OP_N
           && w->fill == CUBLAS_FILL_MODE_FULL
           && w->pointers <= CUBLASLT_POINTER_MODE_DEVICE
           && w->scale == (int32_t)blas_scale_type(
                              (cublasComputeType_t)w->compute)
           && has_order(x->a) && has_order(x->b) && has_order(x->d)
           && x->c->order == x->d->order && x->c->type == x->d->type;
}

/* Legal comes before supported, as NVIDIA's statuses do. */
static cublasStatus_t check(const struct descriptors *x)
{
    BLAS_LEGAL(x->what && x->a && x->b && x->c && x->d);
    BLAS_LEGAL(is_layout(x->a) && is_layout(x->b) && is_layout(x->c)
               && is_layout(x->d) && fit(x));
    BLAS_NEED(is_supported(x), CUBLAS_STATUS_NOT_SUPPORTED);
    return CUBLAS_STATUS_SUCCESS;
}

/* --- from descriptors to a product ---------------------------------------- */

/* A matrix of rows is the transposed one of columns. */
static struct blas_matrix factor(const struct light_layout *l, int32_t op)
{
    return (struct blas_matrix){
        .ld = l->ld, .stride = l->stride, .type = (cudaDataType)l->type,
        .transposed = (op != CUBLAS_OP_N) != (l->order == CUBLASLT_ORDER_ROW)};
}

/* D' = op(B)' op(A)': what is written row by row. */
static void turn(struct blas_product *p)
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

/* What follows the product. */
static void epilogue(struct blas_product *p, const struct descriptors *x)
{
    const struct light_product *w = x->what;

    p->relu = (w->epilogue & CUBLASLT_EPILOGUE_RELU) != 0;
    if (!(w->epilogue & CUBLASLT_EPILOGUE_BIAS))
        return;
    p->bias = w->bias;
    p->bias_type = (cudaDataType)(w->bias_type < 0 ? (int32_t)x->d->type
                                                   : w->bias_type);
    p->bias_stride = w->bias_stride;
}

/** The pointers of a call. */
struct pointers {
    const void *alpha, *a, *b, *beta, *c;
    void *d;
};

/* From descriptors to one product of columns. */
static cublasStatus_t make(struct blas_product *p, const struct descriptors *x,
                           const struct pointers *at)
{
    const struct light_product *w = x->what;
    struct cublasContext handle = {
        .pointers = (cublasPointerMode_t)w->pointers};
    const cudaDataType scale = (cudaDataType)w->scale;

    *p = (struct blas_product){
        .call.name = "cublasLtMatmul", .m = (int64_t)x->d->rows,
        .n = (int64_t)x->d->columns,
        .k = (int64_t)side(x->b, w->transb), .batch = x->d->batch,
        .a = factor(x->a, w->transa), .b = factor(x->b, w->transb),
        .c = factor(x->c, CUBLAS_OP_N), .d = factor(x->d, CUBLAS_OP_N)};
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
        turn(p);
    return blas_product_types(p, (cublasComputeType_t)w->compute);
}

/* --- the calls ------------------------------------------------------------ */

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
    cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int wanted,
    cublasLtMatmulHeuristicResult_t found[], int *count)
{
    const struct descriptors x = {light_product(desc), light_layout(a),
                                  light_layout(b), light_layout(c),
                                  light_layout(d)};
    const struct pointers none = {0};
    struct blas_product p;

    BLAS_NEED(is_handle(handle), CUBLAS_STATUS_NOT_INITIALIZED);
    BLAS_LEGAL(preference && wanted > 0 && found && count);
    *count = 0;
    cublasStatus_t status = check(&x);
    if (!status)
        status = make(&p, &x, &none);
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
    const struct descriptors x = {light_product(desc), light_layout(a_layout),
                                  light_layout(b_layout),
                                  light_layout(c_layout),
                                  light_layout(d_layout)};
    const struct pointers at = {alpha, a, b, beta, c, d};
    struct blas_product p;

    BLAS_HERE();
    (void)algo; /* there is one */
    BLAS_NEED(is_handle(handle), CUBLAS_STATUS_NOT_INITIALIZED);
    BLAS_LEGAL(alpha && beta && a && b && d && (workspace || !bytes));
    cublasStatus_t status = check(&x);
    if (!status)
        status = make(&p, &x, &at);
    return status ? status : blas_product_submit(stream, &p);
}
