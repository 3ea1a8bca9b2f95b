/* SPDX-License-Identifier: MIT */
/* cuBLAS: what wrong arguments are answered with, before anything runs. */
// flags: -lcublas
// env: SOFTGPU_EXPLAIN=1
// stderr: softgpu: cublasSgemm: transa or transb is no operation
// stderr: softgpu: cublasSgemm: must hold: m >= 0 && n >= 0 && k >= 0
// stderr: softgpu: cublasSgemm: lda is 2, must be at least m = 3
// stderr: softgpu: cublasSgemm: ldb is 2, must be at least k = 3
// stderr: softgpu: cublasSgemv: lda is 3, must be at least m = 4
// stderr: softgpu: cublasSgemv: incx or incy is 0
// stderr: softgpu: cublasSsyrk: uplo is neither lower nor upper
// stderr: softgpu: cublasStrsm: lda is 3, must be at least 4
// stderr: softgpu: cublasSgeam: lda is 3, must be at least m = 4
// stderr: have more bytes than were allocated for it
#include "cublas_check.h"

#include <cstring>

#define IS(call, status) EXPECT((call) == CUBLAS_STATUS_##status)

static void products(cublasHandle_t h, float *p)
{
    const float one = 1, none = 0;
    const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
    const cublasOperation_t odd = (cublasOperation_t)7;

    IS(cublasSgemm(NULL, N, N, 2, 2, 2, &one, p, 2, p, 2, &none, p, 2),
       NOT_INITIALIZED);
    IS(cublasSgemm(h, odd, N, 2, 2, 2, &one, p, 2, p, 2, &none, p, 2),
       INVALID_VALUE);
    IS(cublasSgemm(h, N, N, -1, 2, 2, &one, p, 2, p, 2, &none, p, 2),
       INVALID_VALUE);
    IS(cublasSgemm(h, N, N, 3, 2, 2, &one, p, 2, p, 2, &none, p, 3),
       INVALID_VALUE); /* lda below m */
    IS(cublasSgemm(h, T, N, 3, 2, 2, &one, p, 2, p, 2, &none, p, 3),
       SUCCESS); /* transposed: lda is k at least */
    IS(cublasSgemm(h, N, N, 2, 2, 3, &one, p, 2, p, 2, &none, p, 2),
       INVALID_VALUE); /* ldb below k */
    IS(cublasSgemm(h, N, N, 3, 2, 2, &one, p, 3, p, 2, &none, p, 2),
       INVALID_VALUE); /* ldc below m */
    IS(cublasSgemm(h, N, N, 2, 2, 2, NULL, p, 2, p, 2, &none, p, 2),
       INVALID_VALUE);
    IS(cublasSgemm(h, N, N, 0, 2, 2, &one, p, 1, p, 2, &none, p, 1), SUCCESS);
    IS(cublasSgemmStridedBatched(h, N, N, 2, 2, 2, &one, p, 2, 4, p, 2, 4,
                                 &none, p, 2, 4, -1),
       INVALID_VALUE);
}

static void others(cublasHandle_t h, float *p)
{
    const float one = 1, none = 0;

    IS(cublasSaxpy(h, 4, NULL, p, 1, p, 1), INVALID_VALUE);
    IS(cublasSaxpy(h, -4, &one, p, 1, p, 1), SUCCESS); /* nothing to do */
    IS(cublasSdot(h, 4, p, 1, p, 1, NULL), INVALID_VALUE);
    IS(cublasSgemv(h, CUBLAS_OP_N, 4, 2, &one, p, 3, p, 1, &none, p, 1),
       INVALID_VALUE);
    IS(cublasSgemv(h, CUBLAS_OP_N, 2, 2, &one, p, 2, p, 0, &none, p, 1),
       INVALID_VALUE);
    IS(cublasSger(h, 2, 2, &one, p, 1, p, 0, p, 2), INVALID_VALUE);
    IS(cublasSsyrk(h, (cublasFillMode_t)5, CUBLAS_OP_N, 2, 2, &one, p, 2,
                   &none, p, 2),
       INVALID_VALUE);
    IS(cublasStrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                   CUBLAS_DIAG_UNIT, 4, 2, &one, p, 3, p, 4),
       INVALID_VALUE);
    IS(cublasSgeam(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 2, &one, p, 3, &one, p, 4,
                   p, 4),
       INVALID_VALUE);
    IS(cublasSetWorkspace(h, p, 256), SUCCESS);
    IS(cublasSetWorkspace(h, p, 257), INVALID_VALUE);
    IS(cublasSetVector(4, 0, p, 1, p, 1), INVALID_VALUE);
    IS(cublasSetVector(4, 4, p, 0, p, 1), INVALID_VALUE);
    IS(cublasGetMatrix(4, 4, 4, p, 3, p, 4), INVALID_VALUE);
}

/* Settings that are kept, without effect. */
static void emulation(cublasHandle_t h)
{
    cublasEmulationStrategy_t strategy = CUBLAS_EMULATION_STRATEGY_EAGER;
    cudaEmulationSpecialValuesSupport special;
    cudaEmulationMantissaControl control;
    int bits = -1, offset = -1, count, *pointer = &bits;

    IS(cublasGetEmulationStrategy(h, &strategy), SUCCESS);
    EXPECT(strategy == CUBLAS_EMULATION_STRATEGY_DEFAULT);
    IS(cublasSetEmulationStrategy(h, CUBLAS_EMULATION_STRATEGY_EAGER), SUCCESS);
    IS(cublasGetEmulationStrategy(h, &strategy), SUCCESS);
    EXPECT(strategy == CUBLAS_EMULATION_STRATEGY_EAGER);
    IS(cublasSetEmulationStrategy(h, (cublasEmulationStrategy_t)3),
       INVALID_VALUE);
    IS(cublasGetEmulationSpecialValuesSupport(h, &special), SUCCESS);
    EXPECT(special == CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT);
    IS(cublasSetEmulationSpecialValuesSupport(
           h, CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NAN),
       SUCCESS);
    IS(cublasSetFixedPointEmulationMantissaControl(
           h, CUDA_EMULATION_MANTISSA_CONTROL_FIXED),
       SUCCESS);
    IS(cublasGetFixedPointEmulationMantissaControl(h, &control), SUCCESS);
    EXPECT(control == CUDA_EMULATION_MANTISSA_CONTROL_FIXED);
    IS(cublasSetFixedPointEmulationMaxMantissaBitCount(h, 55), SUCCESS);
    IS(cublasGetFixedPointEmulationMaxMantissaBitCount(h, &bits), SUCCESS);
    IS(cublasSetFixedPointEmulationMantissaBitOffset(h, -8), SUCCESS);
    IS(cublasGetFixedPointEmulationMantissaBitOffset(h, &offset), SUCCESS);
    EXPECT(bits == 55 && offset == -8);
    IS(cublasSetFixedPointEmulationMantissaBitCountPointer(h, &count),
       SUCCESS);
    IS(cublasGetFixedPointEmulationMantissaBitCountPointer(h, &pointer),
       SUCCESS);
    EXPECT(pointer == &count);
}

static void handles(cublasHandle_t h)
{
    cublasPointerMode_t mode = CUBLAS_POINTER_MODE_DEVICE;
    cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_ALLOWED;
    int version = 0;

    IS(cublasCreate(NULL), INVALID_VALUE);
    IS(cublasGetVersion(h, &version), SUCCESS);
    EXPECT(version >= 11000);
    IS(cublasGetPointerMode(h, &mode), SUCCESS);
    EXPECT(mode == CUBLAS_POINTER_MODE_HOST);
    IS(cublasGetAtomicsMode(h, &atomics), SUCCESS);
    EXPECT(atomics == CUBLAS_ATOMICS_NOT_ALLOWED);
    IS(cublasSetPointerMode(h, (cublasPointerMode_t)9), INVALID_VALUE);
    IS(cublasSetStream(NULL, 0), NOT_INITIALIZED);
    emulation(h);
    EXPECT(!strcmp(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED),
                   "CUBLAS_STATUS_NOT_SUPPORTED"));
    EXPECT(strlen(cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE)) > 0);
}

int main()
{
    cublasHandle_t h;
    float *p;

    OK(cudaMalloc(&p, 256));
    OK(cudaMemset(p, 0, 256));
    BLAS(cublasCreate(&h));
    handles(h);
    products(h, p);
    others(h, p);
    OK(cudaDeviceSynchronize());
    BLAS(cublasDestroy(h));
    OK(cudaFree(p));
    printf("done\n");
}
