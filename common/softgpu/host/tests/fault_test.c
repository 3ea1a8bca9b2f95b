/* SPDX-License-Identifier: MIT */
/* A kernel that faults: which calls return the error, and how it is cleared. */
#include "common/softgpu/core/core.h"
#include "host_tests.h"

static const dim3 one = {1, 1, 1};
static cudaError_t callback_status = cudaSuccess;

/* Keeps the status that the stream passes to its callbacks. */
static void callback(cudaStream_t s, cudaError_t status, void *data)
{
    (void)s;
    (void)data;
    callback_status = status;
}

/* After a fault in a kernel all calls return its error, until a reset. */
static void sticky(void)
{
    void *p;
    int *d = device_ints(1, 0), other = -1;
    LAUNCH(one, one, 0, NULL, bad_store_kernel((int *)16));
    OK(cudaPeekAtLastError()); /* the kernel has not run yet */
    LAUNCH(one, one, 0, NULL, add_kernel(d, 1, 1));
    OK(cudaStreamAddCallback(NULL, callback, NULL, 0));
    RETURNS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    RETURNS(cudaErrorIllegalAddress, callback_status);
    RETURNS(cudaErrorIllegalAddress, cudaGetLastError());
    RETURNS(cudaErrorIllegalAddress, cudaGetLastError()); /* again */
    RETURNS(cudaErrorIllegalAddress, cudaMalloc(&p, 4));
    RETURNS(cudaErrorIllegalAddress, cudaFree(d));
    LAUNCH(one, one, 0, NULL, add_kernel(d, 1, 1));
    RETURNS(cudaErrorIllegalAddress, cudaPeekAtLastError());
    OK(cudaSetDevice(1)); /* other devices have no error */
    OK(cudaMalloc(&p, 4));
    OK(cudaGetDevice(&other));
    CU_ASSERT_EQUAL(other, 1);
    cudaGetLastError();
    cudaSetDevice(0);
    OK(cudaDeviceReset());
    OK(cudaGetLastError());
    OK(cudaMalloc(&p, 4));
}

/* As on a GPU, freed memory and addresses past all mapped memory fault. */
static void freed_memory(void)
{
    int *d;
    const size_t bytes = (size_t)8 << 20;
    OK(cudaMalloc((void **)&d, bytes));
    LAUNCH(one, one, 0, NULL, bad_store_kernel(d + bytes / sizeof *d - 1));
    OK(cudaDeviceSynchronize());
    OK(cudaFree(d));
    LAUNCH(one, one, 0, NULL, bad_store_kernel(d + bytes / sizeof *d / 2));
    RETURNS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    CU_ASSERT_PTR_NOT_NULL(strstr(
        softgpu_last_fault_report(),
        ", in memory of 8388608 bytes that was freed before in block"));
    OK(cudaDeviceReset());
}

/* The message tells which allocation is near, and on which side. */
static void neighbor(void)
{
    static const char *const words[] = {
        ", 12 bytes before the start of an allocation of 4 bytes in block",
        ", 2097152 bytes past the end of an allocation of 4 bytes in block",
        ", at or near a NULL pointer in block"};
    const size_t far = (size_t)1 << 21;

    for (int k = 0; k < 3; k++) {
        int *d = device_ints(1, 0);
        LAUNCH(one, one, 0, NULL, bad_store_kernel(
            k == 0 ? d - 3 : k == 1 ? d + far / sizeof *d + 1 : (int *)64));
        RETURNS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
        CU_ASSERT_PTR_NOT_NULL(strstr(softgpu_last_fault_report(), words[k]));
        OK(cudaDeviceReset());
    }
}

/* cudaDeviceReset() invalidates memory and streams. */
static void reset_frees_all(void)
{
    cudaStream_t s;
    int *d = device_ints(1, 0);
    OK(cudaStreamCreate(&s));
    OK(cudaDeviceReset());
    RETURNS(cudaErrorInvalidValue, cudaFree(d));
    RETURNS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(s));
    cudaGetLastError();
}

CU_TestInfo fault_tests[] = {{"an error is sticky until reset", sticky},
                             {"freed memory", freed_memory},
                             {"neighbor", neighbor},
                             {"reset frees all", reset_frees_all},
                             CU_TEST_INFO_NULL};
