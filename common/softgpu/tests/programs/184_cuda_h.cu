/* SPDX-License-Identifier: MIT */
/* Programs include cuda.h beside the runtime, ask for versions and look for
 * the include guards of CUDA's headers. */
#include <cuda.h>

#include "check.h"

#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__)
#error "the guards that helper headers look for"
#endif

int main()
{
    int count = 0, version = 0;
    CUdevice device = -1;
    char name[64] = "";
    EXPECT(cuInit(0) == CUDA_SUCCESS);
    EXPECT(cuDeviceGetCount(&count) == CUDA_SUCCESS && count > 0);
    EXPECT(cuDeviceGet(&device, 0) == CUDA_SUCCESS);
    EXPECT(cuDeviceGetName(name, sizeof name, device) == CUDA_SUCCESS);
    EXPECT(cuDriverGetVersion(&version) == CUDA_SUCCESS);
    EXPECT(name[0] && version >= CUDA_VERSION / 1000 * 1000);
    EXPECT(CUDART_VERSION >= 11000 && sizeof(CUdeviceptr) == 8);
    printf("%d\n", device);
    return 0;
}
