/* SPDX-License-Identifier: MIT */
/* cuSPARSE: products of two CSR matrices in float and complex double, with
 * empty rows, from both bases, added to a matrix; arguments that are refused. */
// flags: -lcusparse
#include <cusparse.h>

#include "cublas_check.h"

enum { M = 19, K = 27, N = 23 };

static cusparseHandle_t handle;
static const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

/** Value of an element; whole rows and columns have none. */
static int element(int row, int column, int salt)
{
    const int hash = (row * 37 + column * 11 + salt * 53) % 101;
    return row % 7 == 3 || column % 5 == 2 || hash > 30 ? 0 : hash % 9 - 4;
}

static void set(float *to, int v) { *to = (float)v; }
static void set(cuDoubleComplex *to, int v)
{
    *to = make_cuDoubleComplex(v, v % 3);
}
/** A real number. */
static void scale(float *to, int v) { *to = (float)v; }
static void scale(cuDoubleComplex *to, int v)
{
    *to = make_cuDoubleComplex(v, 0);
}
static double real_of(float v) { return v; }
static double real_of(cuDoubleComplex v) { return v.x; }

/** A CSR matrix on both sides. */
template <class T> struct compressed {
    array<int> offsets, columns;
    array<T> values;
    int nnz = 0;
    cusparseSpMatDescr_t descriptor;

    compressed(int rows, int cols, int salt, int base, cudaDataType type)
        : offsets(rows + 1), columns(rows * cols), values(rows * cols)
    {
        for (int i = 0; i <= rows; i++) {
            offsets.host[i] = nnz + base;
            for (int j = 0; i < rows && j < cols; j++) {
                const int v = element(i, j, salt);
                if (v == 0)
                    continue;
                columns.host[nnz] = j + base;
                set(&values.host[nnz++], v);
            }
        }
        offsets.send();
        columns.send();
        values.send();
        EXPECT(cusparseCreateCsr(&descriptor, rows, cols, nnz, offsets.device,
                                 columns.device, values.device,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                 (cusparseIndexBase_t)base, type)
               == 0);
    }
    ~compressed() { cusparseDestroySpMat(descriptor); }
};

/** Element of 2 A B, the real part. */
static double wanted(int row, int column, bool is_complex)
{
    double sum = 0;
    for (int k = 0; k < K; k++) {
        const int a = element(row, k, 1), b = element(k, column, 2);
        sum += a * b - (is_complex ? a % 3 * (b % 3) : 0);
    }
    return 2 * sum;
}

/** Is there a product of two values? */
static bool is_stored(int row, int column)
{
    for (int k = 0; k < K; k++)
        if (element(row, k, 1) && element(k, column, 2))
            return true;
    return false;
}

/** The pattern and the values, each plus `added`. */
template <class T>
static int differences(const array<int> &offsets, const array<int> &columns,
                       const array<T> &values, int base, double added)
{
    int at = 0, bad = 0;
    for (int i = 0; i < M; i++) {
        bad += offsets.host[i] != at + base;
        for (int j = 0; j < N; j++) {
            if (!is_stored(i, j))
                continue;
            bad += columns.host[at] != j + base;
            bad += real_of(values.host[at])
                   != wanted(i, j, sizeof(T) > 4) + added;
            at++;
        }
    }
    return bad + (offsets.host[M] != at + base);
}

/** All three steps; the status of the last one. */
template <class T>
static int multiply(cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                    cusparseSpMatDescr_t c, T alpha, T beta, cudaDataType type,
                    int *offsets, int *columns, T *values)
{
    cusparseSpGEMMDescr_t d;
    size_t one = 0, two = 0;
    void *buffers[2];
    const cusparseSpGEMMAlg_t algorithm = CUSPARSE_SPGEMM_DEFAULT;
    EXPECT(cusparseSpGEMM_createDescr(&d) == 0);
    EXPECT(cusparseSpGEMM_workEstimation(handle, plain, plain, &alpha, a, b,
                                         &beta, c, type, algorithm, d, &one,
                                         nullptr) == 0);
    OK(cudaMalloc(&buffers[0], one));
    EXPECT(cusparseSpGEMM_workEstimation(handle, plain, plain, &alpha, a, b,
                                         &beta, c, type, algorithm, d, &one,
                                         buffers[0]) == 0);
    EXPECT(cusparseSpGEMM_compute(handle, plain, plain, &alpha, a, b, &beta, c,
                                  type, algorithm, d, &two, nullptr) == 0);
    OK(cudaMalloc(&buffers[1], two));
    int status = cusparseSpGEMM_copy(handle, plain, plain, &alpha, a, b, &beta,
                                     c, type, algorithm, d);
    EXPECT(status == CUSPARSE_STATUS_INVALID_VALUE); /* nothing to copy */
    EXPECT(cusparseSpGEMM_compute(handle, plain, plain, &alpha, a, b, &beta, c,
                                  type, algorithm, d, &two, buffers[1]) == 0);
    EXPECT(cusparseCsrSetPointers(c, offsets, columns, values) == 0);
    status = cusparseSpGEMM_copy(handle, plain, plain, &alpha, a, b, &beta, c,
                                 type, algorithm, d);
    EXPECT(cusparseSpGEMM_destroyDescr(d) == 0);
    OK(cudaFree(buffers[0]));
    OK(cudaFree(buffers[1]));
    return status;
}

/** 2 A B, then 2 A B added to a matrix of ones. */
template <class T> static void product(cudaDataType type, int base)
{
    compressed<T> a(M, K, 1, base, type), b(K, N, 2, base, type);
    array<int> offsets(M + 1), columns(M * N);
    array<T> values(M * N);
    T alpha = {}, beta = {};
    int64_t rows, cols, nnz;
    cusparseSpMatDescr_t c;
    EXPECT(cusparseCreateCsr(&c, M, N, 0, nullptr, nullptr, nullptr,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             (cusparseIndexBase_t)base, type) == 0);
    scale(&alpha, 2);
    for (int added = 0; added < 2; added++) {
        scale(&beta, added);
        for (T &v : values.host)
            scale(&v, 1);
        values.send();
        EXPECT(multiply(a.descriptor, b.descriptor, c, alpha, beta, type,
                        offsets.device, columns.device, values.device) == 0);
        offsets.fetch();
        columns.fetch();
        values.fetch();
        EXPECT(cusparseSpMatGetSize(c, &rows, &cols, &nnz) == 0);
        printf("%d values, %d wrong\n", (int)nnz,
               differences(offsets, columns, values, base, added));
    }
    EXPECT(cusparseDestroySpMat(c) == 0);
}

/** Statuses of arguments that do not fit. */
static void refused()
{
    compressed<float> a(M, K, 1, 0, CUDA_R_32F), b(K, N, 2, 0, CUDA_R_32F);
    cusparseSpGEMMDescr_t d;
    const float one = 1;
    size_t bytes = 0;
    EXPECT(cusparseSpGEMM_createDescr(&d) == 0);
    const auto ask = [&](cusparseOperation_t op, cusparseSpMatDescr_t left,
                         cudaDataType type) {
        return (int)cusparseSpGEMM_workEstimation(
            handle, op, plain, &one, left, b.descriptor, &one, a.descriptor,
            type, CUSPARSE_SPGEMM_ALG1, d, &bytes, nullptr);
    };
    printf("%d %d\n", ask(plain, b.descriptor, CUDA_R_32F),
           ask(plain, nullptr, CUDA_R_32F));
    compressed<float> square(K, K, 1, 0, CUDA_R_32F), c(K, N, 2, 0, CUDA_R_32F);
    const auto again = [&](cusparseOperation_t op, cudaDataType type) {
        return (int)cusparseSpGEMM_workEstimation(
            handle, op, plain, &one, square.descriptor, b.descriptor, &one,
            c.descriptor, type, CUSPARSE_SPGEMM_ALG1, d, &bytes, nullptr);
    };
    printf("%d %d %d\n", again(plain, CUDA_R_32F), again(plain, CUDA_R_64F),
           again(CUSPARSE_OPERATION_TRANSPOSE, CUDA_R_32F));
    EXPECT(bytes > 0);
    EXPECT(cusparseSpGEMM_destroyDescr(d) == 0);
}

int main()
{
    EXPECT(cusparseCreate(&handle) == 0);
    product<float>(CUDA_R_32F, 0);
    product<cuDoubleComplex>(CUDA_C_64F, 1);
    refused();
    EXPECT(cusparseDestroy(handle) == 0);
    return 0;
}
