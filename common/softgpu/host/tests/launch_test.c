/* SPDX-License-Identifier: MIT */
/* Launches: errors of launch configurations and shared memory. */
#include "host_tests.h"

static const dim3 one = {1, 1, 1};

/* The error of a launch with this configuration. */
static cudaError_t shape(dim3 grid, dim3 block)
{
    LAUNCH(grid, block, 0, NULL, bounded_kernel());
    return cudaGetLastError();
}

/* Grids and blocks at CUDA's limits and one beyond. */
static void shapes(void)
{
    const cudaError_t bad = cudaErrorInvalidConfiguration;
    OK(shape(one, blocks_of(64)));
    RETURNS(bad, shape(blocks_of(0), one));
    RETURNS(bad, shape(one, blocks_of(0)));
    RETURNS(bad, shape(one, blocks_of(1025)));
    RETURNS(bad, shape((dim3){1, 65536, 1}, one));
    RETURNS(bad, shape((dim3){1, 1, 65536}, one));
    RETURNS(bad, shape(blocks_of(0x80000000u), one));
    RETURNS(bad, shape(one, (dim3){1, 1, 65}));
    RETURNS(bad, shape(one, (dim3){32, 33, 1}));
    RETURNS(cudaErrorLaunchOutOfResources, shape(one, blocks_of(65)));
    OK(cudaDeviceSynchronize());
}

/* Launch with so many bytes of dynamic shared memory. */
static cudaError_t with_shared(size_t bytes)
{
    LAUNCH(one, one, bytes, NULL, shared_kernel());
    return cudaGetLastError();
}

/* More than 48 KiB need cudaFuncSetAttribute() first; static memory counts. */
static void shared_memory(void)
{
    const void *f = (const void *)shared_kernel;
    const int max_dynamic = 227 * 1024 - 40 * 1024; /* beside static memory */
    OK(with_shared(8 * 1024));
    RETURNS(cudaErrorInvalidValue, with_shared(8 * 1024 + 1));
    RETURNS(cudaErrorInvalidValue,
            cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 max_dynamic + 1));
    RETURNS(cudaErrorInvalidValue, cudaGetLastError());
    OK(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            max_dynamic));
    OK(with_shared((size_t)max_dynamic));
    RETURNS(cudaErrorInvalidValue, with_shared((size_t)max_dynamic + 1));
    OK(cudaDeviceSynchronize());
}

/* cudaLaunchKernel() copies its arguments before it returns. */
static void by_address(void)
{
    int *d = device_ints(4, 1), n = 4, v = 3;
    void *args[] = {&d, &n, &v};
    OK(cudaLaunchKernel((const void *)add_kernel, blocks_of(2), blocks_of(2),
                        args, 0, NULL));
    v = 1000; /* the argument was copied */
    CU_ASSERT_EQUAL(device_int(d + 3), 4);
    RETURNS(cudaErrorInvalidDeviceFunction,
            cudaLaunchKernel(&n, one, one, args, 0, NULL));
    RETURNS(cudaErrorInvalidConfiguration,
            cudaLaunchKernel((const void *)add_kernel, one, blocks_of(2000),
                             args, 0, NULL));
    RETURNS(cudaErrorInvalidValue,
            cudaLaunchKernel((const void *)add_kernel, one, one, NULL, 0,
                             NULL));
    cudaGetLastError();
}

/* As many blocks as are resident at once, and one more. */
static void cooperative(void)
{
    int *d = device_ints(1, 0), n = 1, v = 3;
    void *args[] = {&d, &n, &v};
    const void *f = (const void *)add_kernel;
    OK(cudaLaunchCooperativeKernel(f, blocks_of(264), blocks_of(1024), args, 0,
                                   NULL));
    RETURNS(cudaErrorCooperativeLaunchTooLarge,
            cudaLaunchCooperativeKernel(f, blocks_of(265), blocks_of(1024),
                                        args, 0, NULL));
    CU_ASSERT_EQUAL(device_int(d), 3);
}

/* Attributes of cudaLaunchKernelEx(); clusters are refused by name. */
static void attributes(void)
{
    int *d = device_ints(1, 0), n = 1, v = 3;
    void *args[] = {&d, &n, &v};
    cudaLaunchAttribute a[2] = {{.id = cudaLaunchAttributeCooperative},
                                {.id = cudaLaunchAttributePriority}};
    a[0].val.cooperative = 1;
    cudaLaunchConfig_t c = {.gridDim = blocks_of(1), .blockDim = blocks_of(1),
                            .attrs = a, .numAttrs = 2};
    OK(cudaLaunchKernelExC(&c, (const void *)add_kernel, args));
    CU_ASSERT_EQUAL(device_int(d), 3);
    a[1].id = cudaLaunchAttributeClusterDimension;
    a[1].val.clusterDim.x = 2;
    RETURNS(cudaErrorNotSupported,
            cudaLaunchKernelExC(&c, (const void *)add_kernel, args));
    RETURNS(cudaErrorInvalidValue, cudaLaunchKernelExC(NULL, NULL, args));
    cudaGetLastError();
}

/* f<<<>>>(g()), where g() launches a kernel, too. */
static int launching_argument(int *d)
{
    LAUNCH(one, one, 0, NULL, add_kernel(d, 1, 1));
    return 10;
}
/* A launch as an argument of a launch. */
static void nested(void)
{
    int *d = device_ints(1, 0);
    LAUNCH(one, one, 0, NULL, add_kernel(d, 1, launching_argument(d)));
    OK(cudaGetLastError());
    CU_ASSERT_EQUAL(device_int(d), 11);
}

/* A kernel that is called without <<<...>>> is an error. */
static void unconfigured(void)
{
    bounded_kernel();
    RETURNS(cudaErrorMissingConfiguration, cudaGetLastError());
}

CU_TestInfo launch_tests[] = {{"shapes", shapes},
                              {"shared memory", shared_memory},
                              {"by address", by_address},
                              {"cooperative", cooperative},
                              {"attributes", attributes},
                              {"launch in an argument", nested},
                              {"called without <<<>>>", unconfigured},
                              CU_TEST_INFO_NULL};
