/* SPDX-License-Identifier: MIT */
/* Names and texts of errors. */
#include "check.h"

int main()
{
    cudaError_t all[] = {cudaSuccess, cudaErrorInvalidValue,
                         cudaErrorMemoryAllocation,
                         cudaErrorInvalidConfiguration, cudaErrorInvalidDevice,
                         cudaErrorIllegalAddress, cudaErrorLaunchFailure,
                         cudaErrorNotReady, cudaErrorAssert};
    for (cudaError_t e : all)
        printf("%d %s: %s\n", e, cudaGetErrorName(e), cudaGetErrorString(e));
    return 0;
}
