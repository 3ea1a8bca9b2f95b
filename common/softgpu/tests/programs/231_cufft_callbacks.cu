/* SPDX-License-Identifier: MIT */
/* cuFFT with the program's functions: the input is scaled when it is loaded,
 * the output when it is stored, in both batches; then without them. */
// flags: -lcufft
#include <cufftXt.h>

#include "check.h"

enum { N = 8, BATCH = 2 };

/** A factor for each batch. */
struct factors {
    float load[BATCH], store;
};

/** Scale an element as its batch is. */
__device__ cufftComplex load(void *data, size_t offset, void *info, void *)
{
    const float f = ((factors *)info)->load[offset / N];
    const cufftComplex c = ((cufftComplex *)data)[offset];
    return make_cuFloatComplex(c.x * f, c.y * f);
}

/** Scale each element of the output. */
__device__ void store(void *data, size_t offset, cufftComplex element,
                      void *info, void *)
{
    const float f = ((factors *)info)->store;
    ((cufftComplex *)data)[offset] =
        make_cuFloatComplex(element.x * f, element.y * f);
}

/** Where the host reads the functions' addresses. */
__device__ cufftCallbackLoadC load_at = load;
/** Likewise. */
__device__ cufftCallbackStoreC store_at = store;

/** Transform; element 0 of each batch is the sum of its inputs. */
static void transform(cufftHandle plan, cufftComplex *in, cufftComplex *out)
{
    cufftComplex y[N * BATCH];
    printf("exec %d:", cufftExecC2C(plan, in, out, CUFFT_FORWARD));
    OK(cudaMemcpy(y, out, sizeof y, cudaMemcpyDeviceToHost));
    printf(" %g and %g, then %g\n", y[0].x, y[N].x, y[1].x);
}

int main()
{
    const factors factor = {{1, 10}, 0.5f};
    cufftComplex ones[N * BATCH], *in, *out;
    cufftCallbackLoadC h_load;
    cufftCallbackStoreC h_store;
    factors *d_factor;
    cufftHandle plan;
    for (int i = 0; i < N * BATCH; i++)
        ones[i] = make_cuFloatComplex(1, 0);
    OK(cudaMalloc(&in, sizeof ones));
    OK(cudaMalloc(&out, sizeof ones));
    OK(cudaMalloc(&d_factor, sizeof factor));
    OK(cudaMemcpy(in, ones, sizeof ones, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(d_factor, &factor, sizeof factor, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromSymbol(&h_load, load_at, sizeof h_load));
    OK(cudaMemcpyFromSymbol(&h_store, store_at, sizeof h_store));
    printf("plan %d\n", cufftPlan1d(&plan, N, CUFFT_C2C, BATCH));
    printf("load %d\n", cufftXtSetCallback(plan, (void **)&h_load,
                                           CUFFT_CB_LD_COMPLEX,
                                           (void **)&d_factor));
    printf("store %d\n", cufftXtSetCallback(plan, (void **)&h_store,
                                            CUFFT_CB_ST_COMPLEX,
                                            (void **)&d_factor));
    transform(plan, in, out);
    cufftXtClearCallback(plan, CUFFT_CB_ST_COMPLEX);
    transform(plan, in, out);
    cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX);
    transform(plan, in, out);
    OK(cudaFree(d_factor));
    OK(cudaFree(in));
    OK(cudaFree(out));
    cufftDestroy(plan);
}
