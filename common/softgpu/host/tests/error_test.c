/* SPDX-License-Identifier: MIT */
/* Names and texts of errors, and the last error. */
#include "host_tests.h"

/* Names, texts and values of errors are CUDA's. */
static void names(void)
{
    CU_ASSERT_STRING_EQUAL(cudaGetErrorName(cudaSuccess), "cudaSuccess");
    CU_ASSERT_STRING_EQUAL(cudaGetErrorString(cudaSuccess), "no error");
    CU_ASSERT_STRING_EQUAL(cudaGetErrorName(cudaErrorInvalidConfiguration),
                           "cudaErrorInvalidConfiguration");
    CU_ASSERT_STRING_EQUAL(cudaGetErrorString(cudaErrorMemoryAllocation),
                           "out of memory");
    CU_ASSERT_STRING_EQUAL(cudaGetErrorString(cudaErrorIllegalAddress),
                           "an illegal memory access was encountered");
    CU_ASSERT_STRING_EQUAL(cudaGetErrorName((cudaError_t)12345),
                           "unrecognized error code");
    CU_ASSERT_EQUAL(cudaErrorInvalidConfiguration, 9);
    CU_ASSERT_EQUAL(cudaErrorAssert, 710);
}

/* cudaGetLastError() clears the error, a successful call does not. */
static void last_error(void)
{
    RETURNS(cudaErrorInvalidValue, cudaMalloc(NULL, 4));
    OK(cudaDeviceSynchronize()); /* a success clears nothing */
    RETURNS(cudaErrorInvalidValue, cudaPeekAtLastError());
    RETURNS(cudaErrorInvalidValue, cudaGetLastError());
    OK(cudaGetLastError());
    OK(cudaPeekAtLastError());
}

/* The last of several errors is kept. */
static void latest_wins(void)
{
    RETURNS(cudaErrorInvalidValue, cudaMalloc(NULL, 4));
    RETURNS(cudaErrorInvalidDevice, cudaSetDevice(99));
    RETURNS(cudaErrorInvalidDevice, cudaGetLastError());
}

CU_TestInfo error_tests[] = {{"names and texts", names},
                             {"peek keeps, get clears", last_error},
                             {"the latest error is kept", latest_wins},
                             CU_TEST_INFO_NULL};
