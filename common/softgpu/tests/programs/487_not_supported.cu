/* SPDX-License-Identifier: MIT */
// flags: -lcublas
// flags: -lcublasLt
// flags: -lcudnn
// flags: -lcusparse
// flags: -lcusolver
/* A library call that is not supported says so on stderr, once for each reason:
 * name, argument and line.  What is supported, and a question, say nothing. */
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cudnn.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "check.h"

static char log_text[8192]; /* stderr since the last said() */
static const char *log_name;

/* What was printed to stderr; it is empty again. */
static const char *said()
{
    fflush(stderr);
    FILE *f = fopen(log_name, "r");
    const size_t n = fread(log_text, 1, sizeof log_text - 1, f);
    log_text[n] = 0;
    fclose(f);
    EXPECT(freopen(log_name, "w", stderr));
    return log_text;
}

/* One line with all three parts. */
static void expect_line(const char *call, const char *why, const char *place)
{
    const char *text = said(), *end = strchr(text, '\n');
    EXPECT(strstr(text, call) && strstr(text, why) && strstr(text, place));
    EXPECT(end && !end[1]);
    if (!strstr(text, call))
        printf("%s: %s\n", call, text);
}

static cublasStatus_t multiply(cublasHandle_t h, void *p, cudaDataType b)
{
    const float one = 1;
    return cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, p,
                        CUDA_R_16F, 4, p, b, 4, &one, (char *)p + 512,
                        CUDA_R_32F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

static void blas(void *p)
{
    cublasHandle_t h;
    cublasLtMatmulDesc_t d;
    cublasLtMatrixLayout_t m;
    const float one = 1, zero = 0;
    const cublasOperation_t t = CUBLAS_OP_T;

    EXPECT(!cublasCreate(&h));
    EXPECT(multiply(h, p, CUDA_R_16F) == CUBLAS_STATUS_SUCCESS);
    EXPECT(!*said());
    EXPECT(multiply(h, p, CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
    expect_line("cublasGemmEx()", "the types of A and B differ",
                "487_not_supported.cu:49");
    EXPECT(multiply(h, p, CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
    EXPECT(!*said()); /* once */
    EXPECT(!cublasDestroy(h));

    cublasLtHandle_t lt;
    EXPECT(!cublasLtCreate(&lt));
    EXPECT(!cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    EXPECT(!cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_TRANSC, &t,
                                           sizeof t));
    EXPECT(!cublasLtMatrixLayoutCreate(&m, CUDA_R_32F, 4, 4, 4));
    EXPECT(cublasLtMatmul(lt, d, &one, p, m, p, m, &zero, p, m, p, m, nullptr,
                          nullptr, 0, 0)
           == CUBLAS_STATUS_NOT_SUPPORTED);
    expect_line("cublasLtMatmul()", "transc", ".cu:78");
    EXPECT(!cublasLtMatrixLayoutDestroy(m));
    EXPECT(!cublasLtMatmulDescDestroy(d));
    EXPECT(!cublasLtDestroy(lt));
}

static void sparse_and_solver(void *p)
{
    cusparseDnVecDescr_t v;
    cusolverDnHandle_t h;

    EXPECT(cusparseCreateDnVec(&v, 4, p, CUDA_R_16F)
           == CUSPARSE_STATUS_NOT_SUPPORTED);
    expect_line("cusparseCreateDnVec()", "types", ".cu:92");
    EXPECT(!cusolverDnCreate(&h));
    EXPECT(cusolverDnSgetrf(h, 16385, 1, (float *)p, 16385, (float *)p,
                            (int *)p, (int *)p)
           == CUSOLVER_STATUS_NOT_SUPPORTED);
    expect_line("cusolverDnSgetrf()", "16384", ".cu:96");
    EXPECT(!cusolverDnDestroy(h));
}

static void dnn()
{
    cudnnTensorDescriptor_t t;

    EXPECT(!cudnnCreateTensorDescriptor(&t));
    EXPECT(cudnnSetTensor4dDescriptor(t, CUDNN_TENSOR_NCHW_VECT_C,
                                      CUDNN_DATA_FLOAT, 1, 1, 4, 4)
           == CUDNN_STATUS_NOT_SUPPORTED);
    expect_line("cudnnSetTensor4dDescriptor()", "format", "supported");
    EXPECT(!cudnnDestroyTensorDescriptor(t));
}

int main()
{
    char name[] = "/tmp/softgpu-test-XXXXXX";
    void *p;

    close(mkstemp(name));
    log_name = name;
    EXPECT(freopen(log_name, "w", stderr));
    OK(cudaMalloc(&p, 1 << 20));
    blas(p);
    sparse_and_solver(p);
    dnn();
    OK(cudaFree(p));
    remove(log_name);
    printf("done\n");
    return 0;
}
