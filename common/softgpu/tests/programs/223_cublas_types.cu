/* SPDX-License-Identifier: MIT */
/* cuBLAS: products of fp16, bf16, int8, and of float with rounded factors; the
 * result is what the documented rounding gives, and those that are not in the
 * table are refused. */
// flags: -lcublas
#include "cublas_check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

static const int m = 37, n = 29, k = 70;

static double value(float x) { return x; }
static double value(__half x) { return __half2float(x); }
static double value(__nv_bfloat16 x) { return __bfloat162float(x); }
static double value(int8_t x) { return x; }
static double value(int32_t x) { return x; }
static void set(float &x, double v) { x = (float)v; }
static void set(__half &x, double v) { x = __float2half((float)v); }
static void set(__nv_bfloat16 &x, double v)
{
    x = __float2bfloat16((float)v);
}
static void set(int8_t &x, double v) { x = (int8_t)(127 * v); }

/** How a product is to be made, and how far off it may be. */
struct way {
    cudaDataType in, out;
    cublasComputeType_t compute;
    double tolerance; /* of a sum of k products */
};

/* a b by GemmEx, with each factor passed through `round`. */
template <class In, class Out, class Scale>
void multiply(cublasHandle_t h, const way &w, double (*round)(double),
              const char *what)
{
    array<In> a((m + 3) * k), b((k + 2) * n);
    array<Out> c((m + 3) * n);
    Scale alpha = Scale(1.0f), beta = Scale(0.0f);

    for (In &x : a.host)
        set(x, random_number());
    for (In &x : b.host)
        set(x, random_number());
    a.send();
    b.send();
    BLAS(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a.device,
                      w.in, m + 3, b.device, w.in, k + 2, &beta, c.device,
                      w.out, m + 3, w.compute, CUBLAS_GEMM_DEFAULT));
    c.fetch();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += round(value(a.host[i + p * (m + 3)]))
                       * round(value(b.host[p + j * (k + 2)]));
            near(value(c.host[i + j * (m + 3)]), sum, w.tolerance, what);
        }
}

static double exact(double x) { return x; }

/* To 10 bits of fraction, halves away from zero. */
static double to_tf32(double x)
{
    int e;
    const double f = std::frexp(x, &e);
    return std::ldexp(std::round(f * 2048) / 2048, e);
}

static double to_bf16(double x)
{
    return __bfloat162float(__float2bfloat16((float)x));
}

static double to_fp16(double x) { return __half2float(__float2half((float)x)); }

static void refusals(cublasHandle_t h)
{
    const float one = 1;
    array<float> a(64);
    const way no[] = {
        { CUDA_R_16F, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 0 },
        { CUDA_R_32F, CUDA_R_16F, CUBLAS_COMPUTE_32F, 0 },
        { CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_16F, 0 },
        { CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_32F, 0 },
        { CUDA_R_8I, CUDA_R_16F, CUBLAS_COMPUTE_32F, 0 },
        { CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 0 }
    };
    for (const way &w : no)
        EXPECT(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one,
                            a.device, w.in, 4, a.device, w.in, 4, &one,
                            a.device, w.out, 4, w.compute,
                            CUBLAS_GEMM_DEFAULT)
               == CUBLAS_STATUS_NOT_SUPPORTED);
    const int32_t whole = 1; /* int8 with columns that are not aligned */
    EXPECT(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &whole, a.device,
                        CUDA_R_8I, 3, a.device, CUDA_R_8I, 3, &whole, a.device,
                        CUDA_R_32I, 4, CUBLAS_COMPUTE_32I,
                        CUBLAS_GEMM_DEFAULT)
           == CUBLAS_STATUS_NOT_SUPPORTED);
}

/* The math mode reaches cublasSgemm. */
static void math_mode(cublasHandle_t h)
{
    const float one = 1, none = 0;
    array<float> a(1), b(1), c(1);

    a.host[0] = 1 + 1.0f / 4096;
    b.host[0] = 1;
    a.send();
    b.send();
    for (cublasMath_t mode : { CUBLAS_DEFAULT_MATH, CUBLAS_TF32_TENSOR_OP_MATH,
                               CUBLAS_PEDANTIC_MATH }) {
        BLAS(cublasSetMathMode(h, mode));
        BLAS(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a.device,
                         1, b.device, 1, &none, c.device, 1));
        c.fetch();
        near(c.host[0],
             mode == CUBLAS_TF32_TENSOR_OP_MATH ? 1 : 1 + 1 / 4096.0, 0,
             "math mode");
    }
    BLAS(cublasSetMathMode(h, CUBLAS_DEFAULT_MATH));
}

int main()
{
    cublasHandle_t h;

    BLAS(cublasCreate(&h));
    const way half_half = { CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, 8e-3 };
    const way half_float = { CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 9e-6 };
    const way bf_bf = { CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 6e-2 };
    const way bf_float = { CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, 9e-6 };
    const way halves = { CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, 0.2 };
    const way bytes = { CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 0 };
    const way to_float = { CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F, 0 };
    way fast = { CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 9e-6 };

    multiply<__half, __half, float>(h, half_half, exact, "fp16");
    multiply<__half, float, float>(h, half_float, exact, "fp16 to float");
    multiply<__nv_bfloat16, __nv_bfloat16, float>(h, bf_bf, exact, "bf16");
    multiply<__nv_bfloat16, float, float>(h, bf_float, exact,
                                          "bf16 to float");
    multiply<__half, __half, __half>(h, halves, exact, "sums in fp16");
    multiply<int8_t, int32_t, int32_t>(h, bytes, exact, "int8");
    multiply<int8_t, float, float>(h, to_float, exact, "int8 to float");
    multiply<float, float, float>(h, fast, to_tf32, "TF32");
    fast.compute = CUBLAS_COMPUTE_32F_FAST_16BF;
    multiply<float, float, float>(h, fast, to_bf16, "fast bf16");
    fast.compute = CUBLAS_COMPUTE_32F_FAST_16F;
    multiply<float, float, float>(h, fast, to_fp16, "fast fp16");
    refusals(h);
    math_mode(h);
    BLAS(cublasDestroy(h));
    return tell("types");
}
