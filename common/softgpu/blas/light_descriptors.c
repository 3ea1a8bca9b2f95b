/* SPDX-License-Identifier: MIT */
/* The descriptors of cuBLASLt: attributes are members, found by tables. */
#include <stdlib.h>
#include <string.h>

#include "blas.h"
#include "light.h"

_Static_assert(sizeof(struct light_layout)
                   <= sizeof(cublasLtMatrixLayoutOpaque_t), "fits");
_Static_assert(sizeof(struct light_preference)
                   <= sizeof(cublasLtMatmulPreferenceOpaque_t), "fits");
_Static_assert(sizeof(struct light_product)
                   <= sizeof(cublasLtMatmulDescOpaque_t), "fits");

/** Where an attribute is kept. */
struct member {
    int attribute;
    size_t at, bytes;
};
#define MEMBER(attribute, type, name) \
    {attribute, offsetof(type, name), sizeof(((type *)0)->name)}

static const struct member of_layout[] = {
    MEMBER(CUBLASLT_MATRIX_LAYOUT_TYPE, struct light_layout, type),
    MEMBER(CUBLASLT_MATRIX_LAYOUT_ORDER, struct light_layout, order),
    MEMBER(CUBLASLT_MATRIX_LAYOUT_ROWS, struct light_layout, rows),
    MEMBER(CUBLASLT_MATRIX_LAYOUT_COLS, struct light_layout, columns),
    MEMBER(CUBLASLT_MATRIX_LAYOUT_LD, struct light_layout, ld),
    MEMBER(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, struct light_layout, batch),
    MEMBER(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, struct light_layout,
           stride),
    {-1, 0, 0}};

static const struct member of_product[] = {
    MEMBER(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, struct light_product, compute),
    MEMBER(CUBLASLT_MATMUL_DESC_SCALE_TYPE, struct light_product, scale),
    MEMBER(CUBLASLT_MATMUL_DESC_POINTER_MODE, struct light_product, pointers),
    MEMBER(CUBLASLT_MATMUL_DESC_TRANSA, struct light_product, transa),
    MEMBER(CUBLASLT_MATMUL_DESC_TRANSB, struct light_product, transb),
    MEMBER(CUBLASLT_MATMUL_DESC_TRANSC, struct light_product, transc),
    MEMBER(CUBLASLT_MATMUL_DESC_FILL_MODE, struct light_product, fill),
    MEMBER(CUBLASLT_MATMUL_DESC_EPILOGUE, struct light_product, epilogue),
    MEMBER(CUBLASLT_MATMUL_DESC_BIAS_POINTER, struct light_product, bias),
    MEMBER(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, struct light_product,
           bias_stride),
    MEMBER(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, struct light_product,
           bias_type),
    {-1, 0, 0}};

#define NUMBER(attribute) \
    MEMBER(attribute, struct light_preference, number[attribute])
static const struct member of_preference[] = {
    MEMBER(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, struct light_preference,
           workspace),
    MEMBER(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, struct light_preference,
           waves),
    NUMBER(CUBLASLT_MATMUL_PREF_SEARCH_MODE),
    NUMBER(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK),
    NUMBER(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES),
    NUMBER(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES),
    NUMBER(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES),
    NUMBER(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES),
    {-1, 0, 0}};

/* NULL for an attribute that there is not. */
static const struct member *find(const struct member *table, int attribute)
{
    while (table->attribute >= 0 && table->attribute != attribute)
        table++;
    return table->attribute >= 0 ? table : NULL;
}

/* The size must be the attribute's own. */
static cublasStatus_t set(void *descriptor, const struct member *m,
                          const void *from, size_t bytes)
{
    BLAS_LEGAL(descriptor && m && from && bytes == m->bytes);
    memcpy((char *)descriptor + m->at, from, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

/* Asked with no room, it only says how many bytes there are. */
static cublasStatus_t get(const void *descriptor, const struct member *m,
                          void *to, size_t room, size_t *written)
{
    BLAS_LEGAL(descriptor && m && (to || !room) && (room || written));
    if (written)
        *written = m->bytes;
    if (!room)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_LEGAL(room == m->bytes);
    memcpy(to, (const char *)descriptor + m->at, room);
    return CUBLAS_STATUS_SUCCESS;
}

/* The four calls that all descriptors have. */
#define DESCRIPTOR(name, handle, attributes, table)                           \
    cublasStatus_t name##Destroy(handle descriptor)                           \
    {                                                                         \
        free(descriptor);                                                     \
        return CUBLAS_STATUS_SUCCESS;                                         \
    }                                                                         \
    cublasStatus_t name##SetAttribute(handle descriptor, attributes attr,     \
                                      const void *buf, size_t bytes)          \
    {                                                                         \
        return set(descriptor, find(table, (int)attr), buf, bytes);           \
    }                                                                         \
    cublasStatus_t name##GetAttribute(handle descriptor, attributes attr,     \
                                      void *buf, size_t bytes,                \
                                      size_t *written)                        \
    {                                                                         \
        return get(descriptor, find(table, (int)attr), buf, bytes, written);  \
    }
DESCRIPTOR(cublasLtMatrixLayout, cublasLtMatrixLayout_t,
           cublasLtMatrixLayoutAttribute_t, of_layout)
DESCRIPTOR(cublasLtMatmulDesc, cublasLtMatmulDesc_t,
           cublasLtMatmulDescAttributes_t, of_product)
DESCRIPTOR(cublasLtMatmulPreference, cublasLtMatmulPreference_t,
           cublasLtMatmulPreferenceAttributes_t, of_preference)

/* A fresh one of these bytes. */
#define CREATE(to)                                              \
    do {                                                        \
        BLAS_LEGAL(to);                                         \
        *(to) = calloc(1, sizeof **(to));                       \
        BLAS_NEED(*(to), CUBLAS_STATUS_ALLOC_FAILED);           \
    } while (0)

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout,
                                                 size_t size,
                                                 cudaDataType type,
                                                 uint64_t rows, uint64_t cols,
                                                 int64_t ld)
{
    BLAS_LEGAL(layout && size >= sizeof *layout);
    memset(layout, 0, sizeof *layout);
    *(struct light_layout *)(void *)layout = (struct light_layout){
        .type = (uint32_t)type, .order = CUBLASLT_ORDER_COL, .rows = rows,
        .columns = cols, .ld = ld, .batch = 1};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout,
                                          cudaDataType type, uint64_t rows,
                                          uint64_t cols, int64_t ld)
{
    CREATE(layout);
    return cublasLtMatrixLayoutInit_internal(*layout, sizeof **layout, type,
                                             rows, cols, ld);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t product,
                                               size_t size,
                                               cublasComputeType_t compute,
                                               cudaDataType scale)
{
    BLAS_LEGAL(product && size >= sizeof *product);
    memset(product, 0, sizeof *product);
    *(struct light_product *)(void *)product = (struct light_product){
        .compute = (int32_t)compute, .scale = (int32_t)scale,
        .fill = CUBLAS_FILL_MODE_FULL, .epilogue = CUBLASLT_EPILOGUE_DEFAULT,
        .bias_type = -1};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *product,
                                        cublasComputeType_t compute,
                                        cudaDataType scale)
{
    CREATE(product);
    return cublasLtMatmulDescInit_internal(*product, sizeof **product, compute,
                                           scale);
}

cublasStatus_t
cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                      size_t size)
{
    BLAS_LEGAL(preference && size >= sizeof *preference);
    memset(preference, 0, sizeof *preference);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
    CREATE(preference);
    return CUBLAS_STATUS_SUCCESS;
}
