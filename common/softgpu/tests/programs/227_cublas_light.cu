/* SPDX-License-Identifier: MIT */
/* cuBLASLt: products of bf16 and of float with bias, ReLU and GELU, columns
 * first and rows first, batches; what it does not take is refused. */
// flags: -lcublasLt
// flags: -lcublas
#include "cublas_check.h"

#include <cublasLt.h>
#include <cuda_bf16.h>

static const int m = 40, n = 24, k = 56, batch = 3;

/** The descriptors of a product D = A B of row-major or column-major. */
struct descriptors {
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t a, b, d;

    descriptors(cudaDataType in, cudaDataType out, int32_t order,
                uint32_t epilogue, const void *bias, void *aux = NULL)
    {
        const int64_t ld = order == CUBLASLT_ORDER_ROW ? n : m;
        const int64_t stride = (int64_t)m * n;
        BLAS(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F,
                                      CUDA_R_32F));
        BLAS(cublasLtMatmulDescSetAttribute(product,
                                            CUBLASLT_MATMUL_DESC_EPILOGUE,
                                            &epilogue, sizeof epilogue));
        if (epilogue & CUBLASLT_EPILOGUE_BIAS)
            BLAS(cublasLtMatmulDescSetAttribute(
                product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias,
                sizeof bias));
        if (aux) {
            BLAS(cublasLtMatmulDescSetAttribute(
                product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux,
                sizeof aux));
            BLAS(cublasLtMatmulDescSetAttribute(
                product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &ld, sizeof ld));
            BLAS(cublasLtMatmulDescSetAttribute(
                product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE,
                &stride, sizeof stride));
        }
        make(&a, in, m, k, order);
        make(&b, in, k, n, order);
        make(&d, out, m, n, order);
    }
    ~descriptors()
    {
        BLAS(cublasLtMatrixLayoutDestroy(a));
        BLAS(cublasLtMatrixLayoutDestroy(b));
        BLAS(cublasLtMatrixLayoutDestroy(d));
        BLAS(cublasLtMatmulDescDestroy(product));
    }
    static void make(cublasLtMatrixLayout_t *l, cudaDataType type, int rows,
                     int columns, int32_t order)
    {
        const int64_t stride = (int64_t)rows * columns;
        const int32_t count = batch;
        BLAS(cublasLtMatrixLayoutCreate(
            l, type, rows, columns,
            order == CUBLASLT_ORDER_ROW ? columns : rows));
        BLAS(cublasLtMatrixLayoutSetAttribute(
            *l, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
        BLAS(cublasLtMatrixLayoutSetAttribute(
            *l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count));
        BLAS(cublasLtMatrixLayoutSetAttribute(
            *l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
            sizeof stride));
    }
};

static float value(float x) { return x; }
static float value(__nv_bfloat16 x) { return __bfloat162float(x); }
static void set(float &x, double v) { x = (float)v; }
static void set(__nv_bfloat16 &x, double v)
{
    x = __float2bfloat16((float)v);
}

/* Place of an element in a batch of rows x columns matrices. */
static size_t at(int32_t order, int z, int i, int j, int rows, int columns)
{
    return (size_t)z * rows * columns
           + (order == CUBLASLT_ORDER_ROW ? i * columns + j : i + j * rows);
}

static double gelu(double x)
{
    return x / 2 * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

/* The result of the epilogue for a sum; `aux` is the auxiliary element. */
static double expected(uint32_t epilogue, double sum, double aux)
{
    const double h = 1e-5;

    if (epilogue == CUBLASLT_EPILOGUE_DGELU)
        return sum * (gelu(aux + h) - gelu(aux - h)) / (2 * h);
    if (epilogue & CUBLASLT_EPILOGUE_GELU)
        return gelu(sum);
    return epilogue & CUBLASLT_EPILOGUE_RELU && sum < 0 ? 0 : sum;
}

template <class In>
void multiply(cublasLtHandle_t h, cudaDataType in, int32_t order,
              uint32_t epilogue)
{
    array<In> a((size_t)m * k * batch), b((size_t)k * n * batch);
    array<float> d((size_t)m * n * batch), bias(m);
    array<float> aux((size_t)m * n * batch);
    const bool has_aux = epilogue & 128;
    const float one = 1, none = 0;
    cublasLtMatmulPreference_t wish;
    cublasLtMatmulHeuristicResult_t found;
    int count = 0;

    for (In &x : a.host)
        set(x, random_number());
    for (In &x : b.host)
        set(x, random_number());
    a.send();
    b.send();
    bias.randomize();
    aux.randomize();
    const descriptors x(in, CUDA_R_32F, order, epilogue, bias.device,
                        has_aux ? aux.device : NULL);
    BLAS(cublasLtMatmulPreferenceCreate(&wish));
    BLAS(cublasLtMatmulAlgoGetHeuristic(h, x.product, x.a, x.b, x.d, x.d, wish,
                                        1, &found, &count));
    EXPECT(count == 1 && found.state == CUBLAS_STATUS_SUCCESS);
    BLAS(cublasLtMatmul(h, x.product, &one, a.device, x.a, b.device, x.b,
                        &none, d.device, x.d, d.device, x.d, &found.algo, NULL,
                        0, 0));
    BLAS(cublasLtMatmulPreferenceDestroy(wish));
    d.fetch();
    aux.fetch();
    for (int z = 0; z < batch; z++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                double sum =
                    epilogue & CUBLASLT_EPILOGUE_BIAS ? bias.host[i] : 0;
                for (int p = 0; p < k; p++)
                    sum += (double)value(a.host[at(order, z, i, p, m, k)])
                           * value(b.host[at(order, z, p, j, k, n)]);
                const size_t place = at(order, z, i, j, m, n);
                near(d.host[place], expected(epilogue, sum, aux.host[place]),
                     1e-5, "light");
                if (has_aux && epilogue != CUBLASLT_EPILOGUE_DGELU)
                    near(aux.host[place], sum, 1e-5, "auxiliary");
            }
}

static void refusals(cublasLtHandle_t h)
{
    array<float> d(m * n * batch);
    const float one = 1;
    const uint32_t other = CUBLASLT_EPILOGUE_BGRADA;
    uint64_t rows = 0;
    size_t written = 0;
    const descriptors x(CUDA_R_32F, CUDA_R_32F, CUBLASLT_ORDER_COL,
                        CUBLASLT_EPILOGUE_DEFAULT, NULL);

    BLAS(cublasLtMatrixLayoutGetAttribute(x.a, CUBLASLT_MATRIX_LAYOUT_ROWS,
                                          &rows, sizeof rows, &written));
    EXPECT(rows == m && written == sizeof rows);
    EXPECT(cublasLtMatrixLayoutGetAttribute(x.a, CUBLASLT_MATRIX_LAYOUT_ROWS,
                                            &rows, 3, &written)
           == CUBLAS_STATUS_INVALID_VALUE);
    /* shapes that do not fit each other */
    EXPECT(cublasLtMatmul(h, x.product, &one, d.device, x.a, d.device, x.a,
                          &one, d.device, x.d, d.device, x.d, NULL, NULL, 0, 0)
           == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasLtMatmul(NULL, x.product, &one, d.device, x.a, d.device, x.b,
                          &one, d.device, x.d, d.device, x.d, NULL, NULL, 0, 0)
           == CUBLAS_STATUS_NOT_INITIALIZED);
    BLAS(cublasLtMatmulDescSetAttribute(
        x.product, CUBLASLT_MATMUL_DESC_EPILOGUE, &other, sizeof other));
#ifdef SOFTGPU_CUBLASLT_H /* NVIDIA's has it */
    EXPECT(cublasLtMatmul(h, x.product, &one, d.device, x.a, d.device, x.b,
                          &one, d.device, x.d, d.device, x.d, NULL, NULL, 0, 0)
           == CUBLAS_STATUS_NOT_SUPPORTED);
#endif
}

int main()
{
    cublasLtHandle_t h;

    BLAS(cublasLtCreate(&h));
    for (uint32_t epilogue :
         { CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU,
           CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU_BIAS,
           CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
           CUBLASLT_EPILOGUE_DGELU }) {
        multiply<float>(h, CUDA_R_32F, CUBLASLT_ORDER_COL, epilogue);
        multiply<__nv_bfloat16>(h, CUDA_R_16BF, CUBLASLT_ORDER_COL, epilogue);
        multiply<float>(h, CUDA_R_32F, CUBLASLT_ORDER_ROW, epilogue);
    }
    refusals(h);
    BLAS(cublasLtDestroy(h));
    return tell("cuBLASLt");
}
