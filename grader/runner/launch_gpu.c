/* SPDX-License-Identifier: MIT */
/* Launches on the gpu device.  nvcc's stubs call cudaLaunchKernel up to CUDA
 * 12, __cudaLaunchKernel from CUDA 13 on. */
#include "launch.h"

WRAP_LAUNCH(cudaLaunchKernel)
#if CUDART_VERSION >= 13000
WRAP_LAUNCH(__cudaLaunchKernel)
#endif
