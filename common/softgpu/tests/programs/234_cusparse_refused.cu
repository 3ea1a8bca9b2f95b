/* SPDX-License-Identifier: MIT */
/* cuSPARSE: arguments that do not fit each other are refused by status, those
 * of a query for the buffer, too; an index outside of the matrix ends the call
 * with an error at its line.  A triangular COO matrix, its values in no
 * order of rows, is solved. */
// flags: -lcusparse
// stderr: cusparseSpMV<<<(1,1,1), (1,1,1)>>>: row index 3 is 7, should be 1 to 3
// stderr: programs/234_cusparse_refused.cu:59
#include <cusparse.h>

#include "cublas_check.h"

enum { N = 3, NNZ = 5 };

static cusparseHandle_t handle;
static const double one = 1, zero = 0;

/** Multiply; first ask for the buffer, which must have the same status. */
static int multiply(cusparseSpMatDescr_t a, cusparseDnVecDescr_t x,
                    cusparseDnVecDescr_t y, int op, cudaDataType type,
                    int algorithm)
{
    size_t bytes;
    const int asked = cusparseSpMV_bufferSize(
        handle, (cusparseOperation_t)op, &one, a, x, &zero, y, type,
        (cusparseSpMVAlg_t)algorithm, &bytes);
    const int status = cusparseSpMV(
        handle, (cusparseOperation_t)op, &one, a, x, &zero, y, type,
        (cusparseSpMVAlg_t)algorithm, nullptr);
    return asked == status ? status : -1;
}

/** L y = x for L = [2 . .; 1 4 .; 3 5 8] of rows 3, 1, 2, 3, 2. */
static void solve(cusparseSpMatDescr_t a, cusparseDnVecDescr_t x,
                  cusparseDnVecDescr_t y, array<double> &result)
{
    cusparseSpSVDescr_t solution;
    size_t bytes;
    const cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const cusparseSpSVAlg_t algorithm = CUSPARSE_SPSV_ALG_DEFAULT;
    cusparseSpSV_createDescr(&solution);
    printf("early %d", cusparseSpSV_solve(handle, op, &one, a, x, y,
                                          CUDA_R_64F, algorithm, solution));
    cusparseSpSV_bufferSize(handle, op, &one, a, x, y, CUDA_R_64F, algorithm,
                            solution, &bytes);
    cusparseSpSV_analysis(handle, op, &one, a, x, y, CUDA_R_64F, algorithm,
                          solution, nullptr);
    cusparseSpSV_solve(handle, op, &one, a, x, y, CUDA_R_64F, algorithm,
                       solution);
    result.fetch();
    printf(", solution %g %g %g\n", result.host[0], result.host[1],
           result.host[2]);
    cusparseSpSV_destroyDescr(solution);
}

static void spoil(cusparseSpMatDescr_t a, cusparseDnVecDescr_t x,
                  cusparseDnVecDescr_t y)
{
    const int status = cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                    &one, a, x, &zero, y, CUDA_R_64F,
                                    CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
    printf("%d, ", status);
    SHOW(cudaDeviceSynchronize());
}

/** Each line of output is a row of statuses: 0 is success, 3 an invalid value,
 *  10 not supported. */
int main()
{
    static const int at[NNZ][2] = {{3, 1}, {1, 1}, {2, 2}, {3, 3}, {2, 1}};
    static const double at_values[NNZ] = {3, 2, 4, 8, 1};
    array<int> rows(NNZ), columns(NNZ);
    array<double> values(NNZ), from(N), to(N);
    array<float> narrow(N);
    cusparseSpMatDescr_t a, none;
    cusparseDnVecDescr_t x, y, floats, two;
    cusparseDnMatDescr_t matrix;
    const cusparseIndexType_t index = CUSPARSE_INDEX_32I;
    const cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ONE;
    /* The values of L, each with its row and its column, which begin at 1. */
    for (int k = 0; k < NNZ; k++) {
        rows.host[k] = at[k][0];
        columns.host[k] = at[k][1];
        values.host[k] = at_values[k];
    }
    from.host = {2, 9, 19};
    rows.send();
    columns.send();
    values.send();
    from.send();
    cusparseCreate(&handle);
    cusparseCreateCoo(&a, N, N, NNZ, rows.device, columns.device,
                      values.device, index, base, CUDA_R_64F);
    cusparseCreateDnVec(&x, N, from.device, CUDA_R_64F);
    cusparseCreateDnVec(&y, N, to.device, CUDA_R_64F);
    cusparseCreateDnVec(&two, 2, to.device, CUDA_R_64F);
    cusparseCreateDnVec(&floats, N, narrow.device, CUDA_R_32F);
    /* All types must be those of the computation: a vector of floats would be
     * read past its end. */
    printf("right %d, type of x %d, of y %d, of all %d\n",
           multiply(a, x, y, 0, CUDA_R_64F, 0),
           multiply(a, floats, y, 0, CUDA_R_64F, 0),
           multiply(a, x, floats, 0, CUDA_R_64F, 0),
           multiply(a, x, y, 0, CUDA_R_16F, 0));
    /* Sizes, and values of enumerations that are none.  An algorithm of CSR is
     * not for a COO matrix. */
    printf("size %d, operation %d, algorithm of CSR %d, of none %d\n",
           multiply(a, two, y, 0, CUDA_R_64F, 0),
           multiply(a, x, y, 7, CUDA_R_64F, 0),
           multiply(a, x, y, 0, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1),
           multiply(a, x, y, 0, CUDA_R_64F, 99));
    /* Descriptors are checked when they are made. */
    printf("index type %d, order %d\n",
           cusparseCreateCoo(&none, N, N, NNZ, rows.device, columns.device,
                             values.device, (cusparseIndexType_t)9, base,
                             CUDA_R_64F),
           cusparseCreateDnMat(&matrix, N, 1, N, from.device, CUDA_R_64F,
                               (cusparseOrder_t)5));
    solve(a, x, y, to);
    /* From here on a row of the matrix is outside of it. */
    rows.host[3] = 7;
    rows.send();
    spoil(a, x, y);
    return 0;
}
