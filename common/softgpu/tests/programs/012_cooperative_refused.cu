/* SPDX-License-Identifier: MIT */
/* More blocks than can be resident together are refused; a plain launch has
 * no valid grid group. */
#include "check.h"
#include <cooperative_groups.h>

/* Returns whether its launch was cooperative. */
__global__ void valid(int *out)
{
    *out = cooperative_groups::this_grid().is_valid();
}

int main()
{
    int *out = managed<int>(1), per_sm, sms;
    void *args[] = {&out};
    *out = 7;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, valid, 1024, 0));
    OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    dim3 most(per_sm * sms), more(per_sm * sms + 1);
    SHOW(cudaLaunchCooperativeKernel((void *)valid, more, 1024, args, 0, 0));
    SHOW(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    printf("%d\n", *out);
    SHOW(cudaLaunchCooperativeKernel((void *)valid, most, 1024, args, 0, 0));
    RUN();
    printf("%d\n", *out);
    valid<<<1, 1>>>(out);
    RUN();
    printf("%d\n", *out);
    return 0;
}
