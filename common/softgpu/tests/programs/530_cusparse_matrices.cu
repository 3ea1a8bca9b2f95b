/* SPDX-License-Identifier: MIT */
/* cuSPARSE: triangular solutions for the columns of a matrix, and products of
 * dense matrices at the places of a sparse one: all formats, operations and
 * orders, in whole numbers, so that each result is exact. */
// flags: -lcusparse
#include <cusparse.h>

#include "check.h"

enum { N = 9, K = 5, WIDE = 11, LD = 12 };

static cusparseHandle_t handle;
static const cusparseFormat_t formats[] = {
    CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO};

/** A complex number for the arithmetic of the test. */
struct number {
    double re, im;
};
static number operator*(number a, number b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static number operator+(number a, number b)
{
    return {a.re + b.re, a.im + b.im};
}
static void put(float *p, number v) { *p = (float)v.re; }
static void put(cuDoubleComplex *p, number v) { *p = {v.re, v.im}; }
static bool is(float a, number v) { return a == v.re; }
static bool is(cuDoubleComplex a, number v)
{
    return a.x == v.re && a.y == v.im;
}
static cudaDataType type_of(float) { return CUDA_R_32F; }
static cudaDataType type_of(cuDoubleComplex) { return CUDA_C_64F; }

/** Element of a matrix; the imaginary part only of complex ones. */
template <class T> static number element(int i, int j, int salt)
{
    const int v = (i * 7 + j * 5 + salt * 3) % 11 - 5;
    return {(double)v, sizeof(T) > 4 ? (double)((v + i) % 3) : 0};
}

/** Has the sparse matrix this element? */
static bool is_there(int i, int j) { return i == j || (i * 3 + j) % 4 == 1; }

/** A sparse matrix; `unit` has a diagonal of 1. */
template <class T> struct sparse {
    int *first = managed<int>(LD * LD), *second = managed<int>(LD * LD);
    int row[LD * LD], column[LD * LD], nnz = 0;
    T *values = managed<T>(LD * LD);
    cusparseSpMatDescr_t m;

    sparse(cusparseFormat_t format, int rows, int cols, bool unit)
    {
        const bool by_columns = format == CUSPARSE_FORMAT_CSC;
        const int lines = by_columns ? cols : rows;
        const auto i32 = CUSPARSE_INDEX_32I;
        const auto base = CUSPARSE_INDEX_BASE_ONE;
        for (int line = 0; line < lines; line++) {
            if (format != CUSPARSE_FORMAT_COO)
                first[line] = nnz + 1;
            for (int p = 0; p < (by_columns ? rows : cols); p++) {
                const int i = by_columns ? p : line, j = by_columns ? line : p;
                if (!is_there(i, j))
                    continue;
                row[nnz] = i;
                column[nnz] = j;
                if (format == CUSPARSE_FORMAT_COO)
                    first[nnz] = i + 1;
                second[nnz] = p + 1;
                put(&values[nnz++], unit && i == j ? number{1, 0}
                                                   : element<T>(i, j, 1));
            }
        }
        if (format == CUSPARSE_FORMAT_COO) {
            EXPECT(!cusparseCreateCoo(&m, rows, cols, nnz, first, second,
                                      values, i32, base, type_of(T())));
            return;
        }
        first[lines] = nnz + 1;
        EXPECT(!(by_columns ? cusparseCreateCsc : cusparseCreateCsr)(
            &m, rows, cols, nnz, first, second, values, i32, i32, base,
            type_of(T())));
    }
    ~sparse()
    {
        cusparseDestroySpMat(m);
        cudaFree(first);
        cudaFree(second);
        cudaFree(values);
    }
};

/** A dense matrix of which op() is rows x cols. */
template <class T> struct dense {
    T *values = managed<T>(LD * LD);
    cusparseDnMatDescr_t m;
    bool transposed, by_rows;

    dense(int rows, int cols, cusparseOperation_t op, cusparseOrder_t order)
    {
        transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
        by_rows = order == CUSPARSE_ORDER_ROW;
        EXPECT(!cusparseCreateDnMat(&m, transposed ? cols : rows,
                                    transposed ? rows : cols, LD, values,
                                    type_of(T()), order));
    }
    T *at(int i, int j)
    {
        return values + (by_rows != transposed ? i * LD + j : j * LD + i);
    }
    ~dense()
    {
        cusparseDestroyDnMat(m);
        cudaFree(values);
    }
};

/** An element of op(M) for the plain element v. */
static number stored(cusparseOperation_t op, number v)
{
    return {v.re, op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? -v.im : v.im};
}

/** The value of op(A) at (i, j) that the solution uses. */
template <class T>
static number used(cusparseOperation_t op, bool upper, int i, int j)
{
    const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int row = turned ? j : i, column = turned ? i : j;

    if (row == column)
        return {1, 0};
    if (!is_there(row, column) || (column > row) != upper)
        return {0, 0};
    return stored(op, element<T>(row, column, 1));
}

/** op(A) C = 2 op(B) for a known C. */
template <class T>
static void solve(cusparseFormat_t format, cusparseOperation_t op_a,
                  cusparseOperation_t op_b, bool upper, cusparseOrder_t order)
{
    const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const auto algorithm = CUSPARSE_SPSM_ALG_DEFAULT;
    sparse<T> a(format, N, N, true);
    dense<T> b(N, K, op_b, order), c(N, K, plain, order);
    cusparseSpSMDescr_t d;
    size_t bytes = 1;
    T half;
    auto fill = upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;

    put(&half, {2, 0});
    EXPECT(!cusparseSpMatSetAttribute(a.m, CUSPARSE_SPMAT_FILL_MODE, &fill,
                                      sizeof fill));
    for (int i = 0; i < N; i++)
        for (int k = 0; k < K; k++) {
            number sum = {0, 0};
            for (int j = 0; j < N; j++)
                sum = sum + used<T>(op_a, upper, i, j)
                                * (number{2, 0} * element<T>(j, k, 2));
            put(b.at(i, k), stored(op_b, number{0.5, 0} * sum));
        }
    EXPECT(!cusparseSpSM_createDescr(&d));
    EXPECT(cusparseSpSM_solve(handle, op_a, op_b, &half, a.m, b.m, c.m,
                              type_of(T()), algorithm, d)
           == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(!cusparseSpSM_bufferSize(handle, op_a, op_b, &half, a.m, b.m, c.m,
                                    type_of(T()), algorithm, d, &bytes));
    EXPECT(!cusparseSpSM_analysis(handle, op_a, op_b, &half, a.m, b.m, c.m,
                                  type_of(T()), algorithm, d, nullptr));
    EXPECT(!cusparseSpSM_solve(handle, op_a, op_b, &half, a.m, b.m, c.m,
                               type_of(T()), algorithm, d));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        for (int k = 0; k < K; k++)
            EXPECT(is(*c.at(i, k), number{2, 0} * element<T>(i, k, 2)));
    EXPECT(bytes == 0 && !cusparseSpSM_destroyDescr(d));
}

/** C = 2 op(A) op(B) + beta C where C has values. */
template <class T>
static void sample(cusparseFormat_t format, cusparseOperation_t op_a,
                   cusparseOperation_t op_b, double factor,
                   cusparseOrder_t order)
{
    const auto algorithm = CUSPARSE_SDDMM_ALG_DEFAULT;
    sparse<T> c(format, N, WIDE, false);
    dense<T> a(N, K, op_a, order), b(K, WIDE, op_b, CUSPARSE_ORDER_COL);
    size_t bytes = 1;
    T two, beta;

    put(&two, {2, 0});
    put(&beta, {factor, 0});
    for (int k = 0; k < K; k++) {
        for (int i = 0; i < N; i++)
            put(a.at(i, k), stored(op_a, element<T>(i, k, 3)));
        for (int j = 0; j < WIDE; j++)
            put(b.at(k, j), stored(op_b, element<T>(k, j, 4)));
    }
    EXPECT(!cusparseSDDMM_bufferSize(handle, op_a, op_b, &two, a.m, b.m, &beta,
                                     c.m, type_of(T()), algorithm, &bytes));
    EXPECT(!cusparseSDDMM_preprocess(handle, op_a, op_b, &two, a.m, b.m, &beta,
                                     c.m, type_of(T()), algorithm, nullptr));
    EXPECT(!cusparseSDDMM(handle, op_a, op_b, &two, a.m, b.m, &beta, c.m,
                          type_of(T()), algorithm, nullptr));
    OK(cudaDeviceSynchronize());
    for (int n = 0; n < c.nnz; n++) {
        const int i = c.row[n], j = c.column[n];
        number sum = number{factor, 0} * element<T>(i, j, 1);
        for (int k = 0; k < K; k++)
            sum = sum + number{2, 0} * element<T>(i, k, 3)
                            * element<T>(k, j, 4);
        EXPECT(is(c.values[n], sum));
    }
    EXPECT(bytes == 0);
}

int main()
{
    const cusparseOperation_t ops[] = {CUSPARSE_OPERATION_NON_TRANSPOSE,
                                       CUSPARSE_OPERATION_TRANSPOSE,
                                       CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

    EXPECT(!cusparseCreate(&handle));
    for (auto format : formats)
        for (auto op_a : ops)
            for (auto op_b : ops)
                for (int odd = 0; odd < 2; odd++) {
                    const auto order = odd ? CUSPARSE_ORDER_ROW
                                           : CUSPARSE_ORDER_COL;
                    solve<float>(format, op_a, op_b, odd, order);
                    solve<cuDoubleComplex>(format, op_a, op_b, !odd, order);
                    sample<float>(format, op_a, op_b, odd ? 3 : 0, order);
                    sample<cuDoubleComplex>(format, op_a, op_b, odd, order);
                }

    sparse<float> c(CUSPARSE_FORMAT_CSR, N, N, false);
    dense<float> a(N, K, ops[0], CUSPARSE_ORDER_COL);
    const float one = 1;
    printf("sizes %d, types %d\n",
           cusparseSDDMM(handle, ops[0], ops[0], &one, a.m, a.m, &one, c.m,
                         CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, nullptr),
           cusparseSDDMM(handle, ops[0], ops[1], &one, a.m, a.m, &one, c.m,
                         CUDA_R_64F, CUSPARSE_SDDMM_ALG_DEFAULT, nullptr));
    EXPECT(!cusparseDestroy(handle));
}
