/* SPDX-License-Identifier: MIT */
/* cuSPARSE: products with CSR, CSC and COO matrices, transposed and not, with
 * one and several columns; triangular solutions, incomplete LU, conversions. */
// flags: -lcusparse
#include <cusparse.h>

#include "cublas_check.h"

#define SPARSE(call) sparse_ok(call, #call, __LINE__)

static void sparse_ok(cusparseStatus_t status, const char *what, int line)
{
    if (status == CUSPARSE_STATUS_SUCCESS)
        return;
    printf("line %d: %s: %s\n", line, what, cusparseGetErrorName(status));
    exit(2);
}

enum { M = 37, N = 29, K = 5 }; /* rows, columns, columns of a dense operand */

static cusparseHandle_t handle;
static std::vector<double> dense(M *N); /* by rows; most are 0 */

/** A sparse matrix of `dense` in one format. */
struct sparse {
    array<int> first, second;
    array<double> values;
    cusparseSpMatDescr_t descr;

    explicit sparse(cusparseFormat_t f, int base = 0)
        : first(M * N + 1), second(M * N), values(M * N)
    {
        const bool by_columns = f == CUSPARSE_FORMAT_CSC;
        const int lines = by_columns ? N : M, length = by_columns ? M : N;
        int n = 0;
        for (int i = 0; i < lines; i++) {
            if (f != CUSPARSE_FORMAT_COO)
                first.host[i] = n + base;
            for (int j = 0; j < length; j++) {
                double v = by_columns ? dense[j * N + i] : dense[i * N + j];
                if (v == 0)
                    continue;
                if (f == CUSPARSE_FORMAT_COO)
                    first.host[n] = i + base;
                second.host[n] = j + base;
                values.host[n++] = v;
            }
        }
        if (f != CUSPARSE_FORMAT_COO)
            first.host[lines] = n + base;
        first.send();
        second.send();
        values.send();
        const cusparseIndexBase_t b = (cusparseIndexBase_t)base;
        if (f == CUSPARSE_FORMAT_COO)
            SPARSE(cusparseCreateCoo(&descr, M, N, n, first.device,
                                     second.device, values.device,
                                     CUSPARSE_INDEX_32I, b, CUDA_R_64F));
        else if (by_columns)
            SPARSE(cusparseCreateCsc(&descr, M, N, n, first.device,
                                     second.device, values.device,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, b,
                                     CUDA_R_64F));
        else
            SPARSE(cusparseCreateCsr(&descr, M, N, n, first.device,
                                     second.device, values.device,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, b,
                                     CUDA_R_64F));
    }
    ~sparse() { cusparseDestroySpMat(descr); }
};

static void vector_product(cusparseFormat_t f, bool transposed, double beta)
{
    const int rows = transposed ? N : M, inner = transposed ? M : N;
    const double alpha = 0.5;
    sparse a(f, f == CUSPARSE_FORMAT_CSR);
    array<double> x(inner), y(rows);
    cusparseDnVecDescr_t dx, dy;
    const cusparseOperation_t op = transposed
                                       ? CUSPARSE_OPERATION_TRANSPOSE
                                       : CUSPARSE_OPERATION_NON_TRANSPOSE;
    size_t bytes;
    void *buffer;
    x.randomize();
    y.randomize();
    if (beta == 0) {
        y.host[0] = NAN; /* not read */
        y.send();
    }
    const std::vector<double> old = y.host;
    SPARSE(cusparseCreateDnVec(&dx, inner, x.device, CUDA_R_64F));
    SPARSE(cusparseCreateDnVec(&dy, rows, y.device, CUDA_R_64F));
    SPARSE(cusparseSpMV_bufferSize(handle, op, &alpha, a.descr, dx, &beta, dy,
                                   CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                                   &bytes));
    OK(cudaMalloc(&buffer, bytes));
    SPARSE(cusparseSpMV(handle, op, &alpha, a.descr, dx, &beta, dy,
                        CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
    y.fetch();
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < inner; j++)
            sum += dense[transposed ? j * N + i : i * N + j] * x.host[j];
        near(y.host[i], alpha * sum + (beta == 0 ? 0 : beta * old[i]), 1e-13,
             transposed ? "SpMV, transposed" : "SpMV");
    }
    OK(cudaFree(buffer));
    cusparseDestroyDnVec(dx);
    cusparseDestroyDnVec(dy);
}

/** More rows than one OS thread computes at a time: y = 2 x. */
static void long_product()
{
    const int n = 10000;
    const double one = 1, zero = 0;
    array<int> offsets(n + 1), columns(n);
    array<double> values(n), x(n), y(n);
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t dx, dy;
    for (int i = 0; i < n; i++) {
        offsets.host[i] = columns.host[i] = i;
        values.host[i] = 2;
    }
    offsets.host[n] = n;
    offsets.send();
    columns.send();
    values.send();
    x.randomize();
    SPARSE(cusparseCreateCsr(&a, n, n, n, offsets.device, columns.device,
                             values.device, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                             CUDA_R_64F));
    SPARSE(cusparseCreateDnVec(&dx, n, x.device, CUDA_R_64F));
    SPARSE(cusparseCreateDnVec(&dy, n, y.device, CUDA_R_64F));
    SPARSE(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, dx,
                        &zero, dy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                        nullptr));
    y.fetch();
    for (int i = 0; i < n; i++)
        near(y.host[i], 2 * x.host[i], 0, "SpMV of many rows");
    cusparseDestroyDnVec(dx);
    cusparseDestroyDnVec(dy);
    cusparseDestroySpMat(a);
}

static void matrix_product(cusparseFormat_t f, cusparseOrder_t order)
{
    const double one = 1, two = 2;
    const int ld_b = order == CUSPARSE_ORDER_ROW ? K + 1 : N + 2;
    const int ld_c = order == CUSPARSE_ORDER_ROW ? K + 3 : M + 1;
    sparse a(f);
    array<double> b((N + 2) * (K + 1)), c((M + 1) * (K + 3));
    cusparseDnMatDescr_t db, dc;
    b.randomize();
    c.randomize();
    const std::vector<double> old = c.host;
    SPARSE(cusparseCreateDnMat(&db, N, K, ld_b, b.device, CUDA_R_64F, order));
    SPARSE(cusparseCreateDnMat(&dc, M, K, ld_c, c.device, CUDA_R_64F, order));
    SPARSE(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                        CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.descr, db,
                        &two, dc, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT,
                        nullptr));
    c.fetch();
    for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++) {
            const bool rows = order == CUSPARSE_ORDER_ROW;
            const int at = rows ? i * ld_c + k : k * ld_c + i;
            double sum = 2 * old[at];
            for (int j = 0; j < N; j++)
                sum += dense[i * N + j]
                       * b.host[rows ? j * ld_b + k : k * ld_b + j];
            near(c.host[at], sum, 1e-13, "SpMM");
        }
    cusparseDestroyDnMat(db);
    cusparseDestroyDnMat(dc);
}

/** To sparse and back is the same matrix. */
static void convert(cusparseFormat_t f)
{
    sparse a(f);
    array<double> from(M * N), to(M * N);
    cusparseDnMatDescr_t d_from, d_to;
    int64_t rows, cols, nnz;
    from.host = dense;
    from.send();
    SPARSE(cusparseCreateDnMat(&d_from, M, N, N, from.device, CUDA_R_64F,
                               CUSPARSE_ORDER_ROW));
    SPARSE(cusparseCreateDnMat(&d_to, M, N, N, to.device, CUDA_R_64F,
                               CUSPARSE_ORDER_ROW));
    SPARSE(cusparseSparseToDense(handle, a.descr, d_to,
                                 CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    to.fetch();
    near(to.host == dense, 1, 0, "to dense");
    OK(cudaMemset(a.values.device, 0, a.values.bytes()));
    OK(cudaMemset(a.second.device, 0, a.second.bytes()));
    SPARSE(cusparseDenseToSparse_analysis(
        handle, d_from, a.descr, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    SPARSE(cusparseSpMatGetSize(a.descr, &rows, &cols, &nnz));
    SPARSE(cusparseDenseToSparse_convert(
        handle, d_from, a.descr, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    SPARSE(cusparseSparseToDense(handle, a.descr, d_to,
                                 CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    to.fetch();
    near(to.host == dense && nnz < M * N / 2, 1, 0, "to sparse");
    cusparseDestroyDnMat(d_from);
    cusparseDestroyDnMat(d_to);
}

/** A tridiagonal matrix in CSR, which has exact factors L and U. */
struct tridiagonal {
    int n, nnz = 0;
    array<int> offsets, columns;
    array<double> values; ///< on the device, L and U after decompose()
    std::vector<double> old; ///< values before

    explicit tridiagonal(int rows)
        : n(rows), offsets(rows + 1), columns(3 * rows), values(3 * rows)
    {
        for (int i = 0; i < n; i++) {
            offsets.host[i] = nnz;
            for (int j = i ? i - 1 : 0; j <= i + 1 && j < n; j++) {
                columns.host[nnz] = j;
                values.host[nnz++] = i == j ? 4 + i : j < i ? -1 : 0.5;
            }
        }
        offsets.host[n] = nnz;
        old = values.host;
        offsets.send();
        columns.send();
        values.send();
    }

    /** Put L without its unit diagonal, and U, in place of the values. */
    void decompose()
    {
        int bytes;
        cusparseMatDescr_t descr;
        csrilu02Info_t info;
        SPARSE(cusparseCreateMatDescr(&descr));
        SPARSE(cusparseCreateCsrilu02Info(&info));
        SPARSE(cusparseDcsrilu02_bufferSize(handle, n, nnz, descr,
                                            values.device, offsets.device,
                                            columns.device, info, &bytes));
        SPARSE(cusparseDcsrilu02_analysis(
            handle, n, nnz, descr, values.device, offsets.device,
            columns.device, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
        SPARSE(cusparseDcsrilu02(handle, n, nnz, descr, values.device,
                                 offsets.device, columns.device, info,
                                 CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
        cusparseDestroyCsrilu02Info(info);
        cusparseDestroyMatDescr(descr);
    }

    /** The matrix as it was, or its transpose, times x. */
    std::vector<double> times(const std::vector<double> &x, bool transposed)
    {
        std::vector<double> sums(n);
        for (int i = 0; i < n; i++)
            for (int k = offsets.host[i]; k < offsets.host[i + 1]; k++)
                if (transposed)
                    sums[columns.host[k]] += old[k] * x[i];
                else
                    sums[i] += old[k] * x[columns.host[k]];
        return sums;
    }
};

/** Solve op(T) to = from, T being the lower or the upper triangle of a. */
static void solve_triangle(cusparseSpMatDescr_t a, cusparseOperation_t op,
                           bool lower, cusparseDnVecDescr_t from,
                           cusparseDnVecDescr_t to)
{
    const double one = 1;
    cusparseFillMode_t fill =
        lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
    cusparseDiagType_t diagonal =
        lower ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
    cusparseSpSVDescr_t solution;
    SPARSE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill,
                                     sizeof fill));
    SPARSE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                                     sizeof diagonal));
    SPARSE(cusparseSpSV_createDescr(&solution));
    SPARSE(cusparseSpSV_analysis(handle, op, &one, a, from, to, CUDA_R_64F,
                                 CUSPARSE_SPSV_ALG_DEFAULT, solution,
                                 nullptr));
    SPARSE(cusparseSpSV_solve(handle, op, &one, a, from, to, CUDA_R_64F,
                              CUSPARSE_SPSV_ALG_DEFAULT, solution));
    SPARSE(cusparseSpSV_destroyDescr(solution));
}

/** With exact factors L U x = b is A x = b; transposed, U' L' x = b. */
static void factorize(bool transposed)
{
    const int n = 20;
    const cusparseOperation_t op = transposed
                                       ? CUSPARSE_OPERATION_TRANSPOSE
                                       : CUSPARSE_OPERATION_NON_TRANSPOSE;
    tridiagonal m(n);
    array<double> b(n), z(n), x(n);
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t vectors[3];
    b.randomize();
    m.decompose();
    SPARSE(cusparseCreateCsr(&a, n, n, m.nnz, m.offsets.device,
                             m.columns.device, m.values.device,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    SPARSE(cusparseCreateDnVec(&vectors[0], n, b.device, CUDA_R_64F));
    SPARSE(cusparseCreateDnVec(&vectors[1], n, z.device, CUDA_R_64F));
    SPARSE(cusparseCreateDnVec(&vectors[2], n, x.device, CUDA_R_64F));
    for (int step = 0; step < 2; step++)
        solve_triangle(a, op, (step == 0) != transposed, vectors[step],
                       vectors[step + 1]);
    x.fetch();
    const std::vector<double> sums = m.times(x.host, transposed);
    for (int i = 0; i < n; i++)
        near(sums[i], b.host[i], 1e-13, "solution");
    for (cusparseDnVecDescr_t v : vectors)
        cusparseDestroyDnVec(v);
    cusparseDestroySpMat(a);
}

int main()
{
    cusparseDnVecDescr_t v;
    for (double &x : dense)
        x = random_number() > 0.6 ? random_number() : 0;
    SPARSE(cusparseCreate(&handle));
    for (cusparseFormat_t f :
         {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
        vector_product(f, false, 0);
        vector_product(f, true, 0.25);
        matrix_product(f, CUSPARSE_ORDER_COL);
        matrix_product(f, CUSPARSE_ORDER_ROW);
        convert(f);
    }
    long_product();
    factorize(false);
    factorize(true);
    printf("size %d, null %d, handle %d\n",
           cusparseCreateDnVec(&v, -1, nullptr, CUDA_R_64F),
           cusparseSpMatGetSize(nullptr, nullptr, nullptr, nullptr),
           cusparseSetStream(nullptr, nullptr));
    SPARSE(cusparseDestroy(handle));
    return tell("cuSPARSE");
}
