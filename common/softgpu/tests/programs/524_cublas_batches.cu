/* SPDX-License-Identifier: MIT */
// flags: -lcublas
/* cuBLAS's batches for all types: products, triangles, products with vectors,
 * LU with and without pivots, inverses, QR and least squares; by arrays of
 * pointers in device memory and by strides; compared with plain loops. */
#include "cublas_reference.h"

/* The calls of a type. */
template <class T> struct calls;
#define CALLS(T, S)                                                        \
    template <> struct calls<T> {                                          \
        static constexpr auto gemm = cublas##S##gemmBatched;               \
        static constexpr auto gemm_strided = cublas##S##gemmStridedBatched; \
        static constexpr auto gemv = cublas##S##gemvBatched;               \
        static constexpr auto gemv_strided = cublas##S##gemvStridedBatched; \
        static constexpr auto trsm = cublas##S##trsmBatched;               \
        static constexpr auto getrf = cublas##S##getrfBatched;             \
        static constexpr auto getrs = cublas##S##getrsBatched;             \
        static constexpr auto getri = cublas##S##getriBatched;             \
        static constexpr auto matinv = cublas##S##matinvBatched;           \
        static constexpr auto geqrf = cublas##S##geqrfBatched;             \
        static constexpr auto gels = cublas##S##gelsBatched;               \
    };
CALLS(float, S)
CALLS(double, D)
CALLS(cuComplex, C)
CALLS(cuDoubleComplex, Z)

enum { BATCH = 3 };
static cublasHandle_t h;

/* BATCH matrices of one shape, one after the other in device memory. */
template <class T> struct batch {
    int rows, columns, ld, stride;
    std::vector<number> value;
    array<T> memory;
    T **pointers;

    batch(int rows, int columns, double diagonal = 0)
        : rows(rows), columns(columns), ld(rows + 1), stride(ld * columns + 2),
          value((size_t)BATCH * rows * columns),
          memory((size_t)BATCH * stride)
    {
        T *each[BATCH];
        for (int b = 0; b < BATCH; b++) {
            each[b] = memory.device + b * stride;
            for (int j = 0; j < columns; j++)
                for (int i = 0; i < rows; i++)
                    at(b, i, j) = random_element<T>()
                                  + (i == j ? diagonal : 0);
        }
        OK(cudaMalloc(&pointers, sizeof each));
        OK(cudaMemcpy(pointers, each, sizeof each, cudaMemcpyHostToDevice));
        send();
    }
    batch(const batch &) = delete;
    ~batch() { cudaFree(pointers); }
    number &at(int b, int i, int j)
    {
        return value[i + (size_t)rows * (j + columns * b)];
    }
    number op(cublasOperation_t t, int b, int i, int j)
    {
        const number z = t == CUBLAS_OP_N ? at(b, i, j) : at(b, j, i);
        return t == CUBLAS_OP_C ? std::conj(z) : z;
    }
    T &stored_at(int b, int i, int j)
    {
        return memory.host[b * stride + i + j * ld];
    }
    void send()
    {
        for (T &v : memory.host)
            v = element<T>::make(not_a_number);
        for (int b = 0; b < BATCH; b++)
            for (int j = 0; j < columns; j++)
                for (int i = 0; i < rows; i++)
                    stored_at(b, i, j) = element<T>::make(at(b, i, j));
        memory.send();
    }
    /* Read what is on the device. */
    void fetch()
    {
        memory.fetch();
        for (int b = 0; b < BATCH; b++)
            for (int j = 0; j < columns; j++)
                for (int i = 0; i < rows; i++)
                    at(b, i, j) = element<T>::get(stored_at(b, i, j));
    }
};

/* op(A) X, by element. */
template <class T>
static number product(batch<T> &a, cublasOperation_t op, batch<T> &x, int b,
                      int i, int j)
{
    number sum = 0;
    for (int p = 0; p < x.rows; p++)
        sum += a.op(op, b, i, p) * x.at(b, p, j);
    return sum;
}

/* got is op(A) X times a factor. */
template <class T>
static void expect_product(batch<T> &got, batch<T> &a, cublasOperation_t op,
                           batch<T> &x, number by, const char *what)
{
    for (int b = 0; b < BATCH; b++)
        for (int j = 0; j < got.columns; j++)
            for (int i = 0; i < got.rows; i++)
                near_number(got.at(b, i, j), by * product(a, op, x, b, i, j),
                            4 * tolerance<T>(), what);
}

/* gemm and gemv, both ways. */
template <class T> static void products(cublasOperation_t op)
{
    const bool plain = op == CUBLAS_OP_N;
    const number by = element<T>::get(element<T>::make(number(2, 0.5)));
    for (bool strided : { false, true }) {
        batch<T> a(plain ? 4 : 3, plain ? 3 : 4), x(3, 5), y(4, 5), u(3, 1),
            v(4, 1);
        const T *f = factor<T>(by), *z = factor<T>(0);
        if (strided) {
            BLAS(calls<T>::gemm_strided(h, op, CUBLAS_OP_N, 4, 5, 3, f,
                                        a.memory.device, a.ld, a.stride,
                                        x.memory.device, x.ld, x.stride, z,
                                        y.memory.device, y.ld, y.stride,
                                        BATCH));
            BLAS(calls<T>::gemv_strided(h, op, a.rows, a.columns, f,
                                        a.memory.device, a.ld, a.stride,
                                        u.memory.device, 1, u.stride, z,
                                        v.memory.device, 1, v.stride, BATCH));
        } else {
            BLAS(calls<T>::gemm(h, op, CUBLAS_OP_N, 4, 5, 3, f, a.pointers,
                                a.ld, x.pointers, x.ld, z, y.pointers, y.ld,
                                BATCH));
            BLAS(calls<T>::gemv(h, op, a.rows, a.columns, f, a.pointers, a.ld,
                                u.pointers, 1, z, v.pointers, 1, BATCH));
        }
        y.fetch();
        v.fetch();
        expect_product(y, a, op, x, by, "gemm of a batch");
        expect_product(v, a, op, u, by, "gemv of a batch");
    }
}

template <class T> static void triangles(cublasOperation_t op)
{
    batch<T> a(4, 4, 3), b(4, 2), x(4, 2);
    for (int m = 0; m < BATCH; m++)
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < j; i++)
                a.at(m, i, j) = 0;
    x.value = b.value;
    x.send();
    BLAS(calls<T>::trsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, op,
                        CUBLAS_DIAG_NON_UNIT, 4, 2, factor<T>(1), a.pointers,
                        a.ld, x.pointers, x.ld, BATCH));
    x.fetch();
    expect_product(b, a, op, x, 1, "trsm of a batch");
}

/* Device memory of BATCH infos; each must be 0. */
static void expect_no_info(const int *info)
{
    int all[BATCH];
    OK(cudaMemcpy(all, info, sizeof all, cudaMemcpyDeviceToHost));
    for (int i : all)
        EXPECT(i == 0);
}

/* Inverses in both ways, and a system with op(A). */
template <class T> static void factors(bool pivoted, cublasOperation_t op)
{
    batch<T> a(4, 4, 5), lu(4, 4), b(4, 2), x(4, 2), inverse(4, 4), one(4, 4);
    array<int> pivots(BATCH * 4), info(BATCH);
    int *p = pivoted ? pivots.device : nullptr, host_info = -1;
    lu.value = a.value;
    lu.send();
    x.value = b.value;
    x.send();
    BLAS(calls<T>::getrf(h, 4, lu.pointers, lu.ld, p, info.device, BATCH));
    expect_no_info(info.device);
    BLAS(calls<T>::getrs(h, op, 4, 2, lu.pointers, lu.ld, p, x.pointers, x.ld,
                         &host_info, BATCH));
    EXPECT(host_info == 0);
    x.fetch();
    expect_product(b, a, op, x, 1, "getrs");
    std::fill(one.value.begin(), one.value.end(), number(0));
    for (int m = 0; m < BATCH; m++)
        for (int i = 0; i < 4; i++)
            one.at(m, i, i) = 1;
    BLAS(calls<T>::getri(h, 4, lu.pointers, lu.ld, p, inverse.pointers,
                         inverse.ld, info.device, BATCH));
    expect_no_info(info.device);
    inverse.fetch();
    expect_product(one, a, CUBLAS_OP_N, inverse, 1, "getri");
    inverse.send();
    BLAS(calls<T>::matinv(h, 4, a.pointers, a.ld, inverse.pointers, inverse.ld,
                          info.device, BATCH));
    expect_no_info(info.device);
    inverse.fetch();
    expect_product(one, a, CUBLAS_OP_N, inverse, 1, "matinv");
    EXPECT(calls<T>::matinv(h, 33, a.pointers, 33, inverse.pointers, 33,
                            info.device, BATCH)
           == CUBLAS_STATUS_INVALID_VALUE);
}

/* R of QR has A's column norms in the sense of R^H R = A^H A; least squares
 * leave a residual that is orthogonal to A's columns. */
template <class T> static void orthogonal()
{
    batch<T> a(6, 3, 2), qr(6, 3), tau(3, 1), b(6, 2), x(6, 2);
    array<int> info(BATCH);
    int host_info = -1;
    qr.value = a.value;
    qr.send();
    BLAS(calls<T>::geqrf(h, 6, 3, qr.pointers, qr.ld, tau.pointers, &host_info,
                         BATCH));
    EXPECT(host_info == 0);
    qr.fetch();
    x.value = b.value;
    x.send();
    BLAS(calls<T>::gels(h, CUBLAS_OP_N, 6, 3, 2, a.pointers, a.ld, x.pointers,
                        x.ld, &host_info, info.device, BATCH));
    EXPECT(host_info == 0);
    expect_no_info(info.device);
    x.fetch();
    for (int m = 0; m < BATCH; m++)
        for (int j = 0; j < 3; j++) {
            for (int i = 0; i < 3; i++) {
                number want = 0, got = 0;
                for (int p = 0; p < 6; p++)
                    want += std::conj(a.at(m, p, i)) * a.at(m, p, j);
                for (int p = 0; p <= std::min(i, j); p++)
                    got += std::conj(qr.at(m, p, i)) * qr.at(m, p, j);
                near_number(got, want, 4 * tolerance<T>(), "geqrf");
            }
            for (int c = 0; c < 2; c++) {
                number sum = 0;
                for (int p = 0; p < 6; p++) {
                    number r = b.at(m, p, c);
                    for (int q = 0; q < 3; q++)
                        r -= a.at(m, p, q) * x.at(m, q, c);
                    sum += std::conj(a.at(m, p, j)) * r;
                }
                near_number(sum, 0, 8 * tolerance<T>(), "gels");
            }
        }
}

/* Two groups with sizes and factors of their own: a pair of 4 x 5 products,
 * and the third matrices, transposed and doubled. */
template <class T, class F> static void groups(F typed, cudaDataType t)
{
    const cublasOperation_t ta[] = { CUBLAS_OP_N, CUBLAS_OP_T },
                            tb[] = { CUBLAS_OP_N, CUBLAS_OP_N };
    const int m[] = { 4, 3 }, n[] = { 5, 5 }, k[] = { 3, 4 }, size[] = { 2, 1 };
    batch<T> a(4, 3), x(4, 5), y(4, 5);
    const int lda[] = { a.ld, a.ld }, ldx[] = { x.ld, x.ld };
    T *factors = managed<T>(2), *none = managed<T>(2);
    factors[0] = 1;
    factors[1] = 2;
    for (bool mixed : { false, true }) {
        y.send();
        if (mixed)
            BLAS(cublasGemmGroupedBatchedEx(
                h, ta, tb, m, n, k, factors, (void **)a.pointers, t, lda,
                (void **)x.pointers, t, ldx, none, (void **)y.pointers, t, ldx,
                2, size, sizeof(T) == 8 ? CUBLAS_COMPUTE_64F
                                        : CUBLAS_COMPUTE_32F));
        else
            BLAS(typed(h, ta, tb, m, n, k, factors, a.pointers, lda,
                       x.pointers, ldx, none, y.pointers, ldx, 2, size));
        y.fetch();
        for (int b = 0; b < BATCH; b++)
            for (int j = 0; j < 5; j++)
                for (int i = 0; i < m[b / 2]; i++) {
                    number sum = 0;
                    for (int p = 0; p < k[b / 2]; p++)
                        sum += a.op(ta[b / 2], b, i, p) * x.at(b, p, j);
                    near_number(y.at(b, i, j), (b / 2 + 1.) * sum,
                                tolerance<T>(), "groups");
                }
    }
    OK(cudaFree(factors));
    OK(cudaFree(none));
}

template <class T> static void type()
{
    for (cublasOperation_t op : all_operations) {
        products<T>(op);
        triangles<T>(op);
        factors<T>(true, op);
        factors<T>(false, op);
    }
    orthogonal<T>();
}

int main()
{
    return in_both_modes(h, "batches", [] {
        type<float>();
        type<double>();
        type<cuComplex>();
        type<cuDoubleComplex>();
        groups<float>(cublasSgemmGroupedBatched, CUDA_R_32F);
        groups<double>(cublasDgemmGroupedBatched, CUDA_R_64F);
    });
}
