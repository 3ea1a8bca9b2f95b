/* SPDX-License-Identifier: MIT */
/* cuFFT: a plan by types; one of half is refused, also in words, since many
 * programs do not look at its status. */
// flags: -lcufft
// stderr: transforms of half and bfloat16 are not on the software GPU
#include <cufftXt.h>

#include "check.h"

static int plan_of(cudaDataType real, cudaDataType complex,
                   cudaDataType execution)
{
    cufftHandle plan;
    long long n = 8;
    size_t bytes = 0;
    EXPECT(cufftCreate(&plan) == CUFFT_SUCCESS);
    const int status =
        cufftXtMakePlanMany(plan, 1, &n, nullptr, 1, 8, real, nullptr, 1, 5,
                            complex, 1, &bytes, execution);
    EXPECT(cufftDestroy(plan) == CUFFT_SUCCESS);
    return status;
}

int main()
{
    printf("float %d, double %d\n", plan_of(CUDA_R_32F, CUDA_C_32F, CUDA_C_32F),
           plan_of(CUDA_R_64F, CUDA_C_64F, CUDA_C_64F));
    printf("half %d\n", plan_of(CUDA_R_16F, CUDA_C_16F, CUDA_C_16F));
    return 0;
}
