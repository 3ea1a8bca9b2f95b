/* SPDX-License-Identifier: MIT */
/* cuBLASLt's descriptors: tables map attributes to struct members. */
#include <stdlib.h>
#include <string.h>

#include "blas.h"
#include "cublaslt_descriptors.h"

_Static_assert(sizeof(struct lt_matrix_layout)
                   <= sizeof(cublasLtMatrixLayoutOpaque_t),
               "fits");
_Static_assert(sizeof(struct lt_matmul_preference)
                   <= sizeof(cublasLtMatmulPreferenceOpaque_t),
               "fits");
_Static_assert(sizeof(struct lt_matmul_desc)
                   <= sizeof(cublasLtMatmulDescOpaque_t),
               "fits");

/** Offset and size of an attribute. */
struct attribute_field {
    int attribute;
    size_t at, bytes;
};
#define FIELD(attribute, type, name) \
    {attribute, offsetof(type, name), sizeof(((type *)0)->name)}

static const struct attribute_field layout_fields[] = {
    FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, struct lt_matrix_layout, type),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, struct lt_matrix_layout, order),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, struct lt_matrix_layout, rows),
    FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, struct lt_matrix_layout, columns),
    FIELD(CUBLASLT_MATRIX_LAYOUT_LD, struct lt_matrix_layout, ld),
    FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, struct lt_matrix_layout, batch),
    FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, struct lt_matrix_layout,
          stride),
    {-1, 0, 0}};

static const struct attribute_field matmul_fields[] = {
    FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, struct lt_matmul_desc, compute),
    FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, struct lt_matmul_desc, scale),
    FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, struct lt_matmul_desc,
          pointer_mode),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSA, struct lt_matmul_desc, transa),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSB, struct lt_matmul_desc, transb),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSC, struct lt_matmul_desc, transc),
    FIELD(CUBLASLT_MATMUL_DESC_FILL_MODE, struct lt_matmul_desc, fill),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, struct lt_matmul_desc, epilogue),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_POINTER, struct lt_matmul_desc, bias),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, struct lt_matmul_desc,
          bias_stride),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, struct lt_matmul_desc,
          bias_type),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, struct lt_matmul_desc,
          aux),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, struct lt_matmul_desc, aux_ld),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE,
          struct lt_matmul_desc, aux_stride),
    {-1, 0, 0}};

#define PREFERENCE_FIELD(attribute) \
    FIELD(attribute, struct lt_matmul_preference, number[attribute])
static const struct attribute_field preference_fields[] = {
    FIELD(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, struct lt_matmul_preference,
          workspace),
    FIELD(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, struct lt_matmul_preference,
          waves),
    PREFERENCE_FIELD(CUBLASLT_MATMUL_PREF_SEARCH_MODE),
    PREFERENCE_FIELD(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK),
    PREFERENCE_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES),
    PREFERENCE_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES),
    PREFERENCE_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES),
    PREFERENCE_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES),
    {-1, 0, 0}};

/* Find an attribute; NULL if it does not exist. */
static const struct attribute_field *find_attribute(
    const struct attribute_field *table, int attribute)
{
    while (table->attribute >= 0 && table->attribute != attribute)
        table++;
    return table->attribute >= 0 ? table : NULL;
}

/* Set an attribute; the size must match. */
static cublasStatus_t set_attribute(void *descriptor,
                                    const struct attribute_field *m,
                                    const void *from, size_t bytes)
{
    BLAS_REQUIRE_VALUE(descriptor && m && from && bytes == m->bytes);
    memcpy((char *)descriptor + m->at, from, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

/* Get an attribute; with a buffer of 0 bytes only its size is returned. */
static cublasStatus_t get_attribute(const void *descriptor,
                                    const struct attribute_field *m, void *to,
                                    size_t size, size_t *written)
{
    BLAS_REQUIRE_VALUE(descriptor && m && (to || !size) && (size || written));
    if (written)
        *written = m->bytes;
    if (!size)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_REQUIRE_VALUE(size == m->bytes);
    memcpy(to, (const char *)descriptor + m->at, size);
    return CUBLAS_STATUS_SUCCESS;
}

/* The calls that all descriptors have. */
#define DESCRIPTOR(name, handle, attributes, table)                        \
    cublasStatus_t name##Destroy(handle descriptor)                        \
    {                                                                      \
        free(descriptor);                                                  \
        return CUBLAS_STATUS_SUCCESS;                                      \
    }                                                                      \
    cublasStatus_t name##SetAttribute(handle descriptor, attributes attr,  \
                                      const void *buf, size_t bytes)       \
    {                                                                      \
        return set_attribute(descriptor, find_attribute(table, (int)attr), \
                             buf, bytes);                                  \
    }                                                                      \
    cublasStatus_t name##GetAttribute(handle descriptor, attributes attr,  \
                                      void *buf, size_t bytes,             \
                                      size_t *written)                     \
    {                                                                      \
        return get_attribute(descriptor, find_attribute(table, (int)attr), \
                             buf, bytes, written);                         \
    }
DESCRIPTOR(cublasLtMatrixLayout, cublasLtMatrixLayout_t,
           cublasLtMatrixLayoutAttribute_t, layout_fields)
DESCRIPTOR(cublasLtMatmulDesc, cublasLtMatmulDesc_t,
           cublasLtMatmulDescAttributes_t, matmul_fields)
DESCRIPTOR(cublasLtMatmulPreference, cublasLtMatmulPreference_t,
           cublasLtMatmulPreferenceAttributes_t, preference_fields)

/* Allocate a zeroed descriptor. */
#define ALLOCATE(to)                                     \
    do {                                                 \
        BLAS_REQUIRE_VALUE(to);                          \
        *(to) = calloc(1, sizeof **(to));                \
        BLAS_REQUIRE(*(to), CUBLAS_STATUS_ALLOC_FAILED); \
    } while (0)

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout,
                                                 size_t size,
                                                 cudaDataType type,
                                                 uint64_t rows, uint64_t cols,
                                                 int64_t ld)
{
    BLAS_REQUIRE_VALUE(layout && size >= sizeof *layout);
    memset(layout, 0, sizeof *layout);
    *(struct lt_matrix_layout *)(void *)layout = (struct lt_matrix_layout){
        .type = (uint32_t)type, .order = CUBLASLT_ORDER_COL, .rows = rows,
        .columns = cols, .ld = ld, .batch = 1};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout,
                                          cudaDataType type, uint64_t rows,
                                          uint64_t cols, int64_t ld)
{
    ALLOCATE(layout);
    return cublasLtMatrixLayoutInit_internal(*layout, sizeof **layout, type,
                                             rows, cols, ld);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t product,
                                               size_t size,
                                               cublasComputeType_t compute,
                                               cudaDataType scale)
{
    BLAS_REQUIRE_VALUE(product && size >= sizeof *product);
    memset(product, 0, sizeof *product);
    *(struct lt_matmul_desc *)(void *)product = (struct lt_matmul_desc){
        .compute = (int32_t)compute, .scale = (int32_t)scale,
        .fill = CUBLAS_FILL_MODE_FULL, .epilogue = CUBLASLT_EPILOGUE_DEFAULT,
        .bias_type = -1};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *product,
                                        cublasComputeType_t compute,
                                        cudaDataType scale)
{
    ALLOCATE(product);
    return cublasLtMatmulDescInit_internal(*product, sizeof **product, compute,
                                           scale);
}

cublasStatus_t
cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                      size_t size)
{
    BLAS_REQUIRE_VALUE(preference && size >= sizeof *preference);
    memset(preference, 0, sizeof *preference);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
    ALLOCATE(preference);
    return CUBLAS_STATUS_SUCCESS;
}
