/* SPDX-License-Identifier: MIT */
/** @file
 *  Helpers of the test programs.  Every failure is printed, so that the output
 *  differs from the expected one.
 */
#ifndef CHECK_H
#define CHECK_H

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

/** Stop with the text of the error, unless there is none. */
static inline void ok(cudaError_t error, const char *what, int line)
{
    if (error == cudaSuccess)
        return;
    printf("line %d: %s: %s\n", line, what, cudaGetErrorName(error));
    exit(2);
}

/** This call must succeed. */
#define OK(call) ok(call, #call, __LINE__)

/** The launch before this must succeed, and so must its kernel. */
#define RUN() \
    (ok(cudaGetLastError(), "launch", __LINE__), \
     ok(cudaDeviceSynchronize(), "kernel", __LINE__))

/** This must be true; says so if not. */
#define EXPECT(condition) \
    ((condition) ? (void)0 \
                 : (void)printf("line %d: not so: %s\n", __LINE__, #condition))

/** Print the name of an error that is expected. */
#define SHOW(call) printf("%s\n", cudaGetErrorName(call))

/** Arrays of managed() that nobody freed; they are when the program ends. */
static struct managed_list {
    void *all[256];
    int n;
    ~managed_list()
    {
        cudaPointerAttributes of;
        while (n-- > 0)
            if (cudaPointerGetAttributes(&of, all[n]) == cudaSuccess
                && of.type == cudaMemoryTypeManaged)
                cudaFree(all[n]);
    }
} managed_list;

/** n zeroed elements that host and device both see. */
template <class T> static inline T *managed(size_t n)
{
    T *p = nullptr;
    OK(cudaMallocManaged((void **)&p, n * sizeof(T)));
    OK(cudaMemset(p, 0, n * sizeof(T)));
    OK(cudaDeviceSynchronize());
    if (managed_list.n < 256)
        managed_list.all[managed_list.n++] = p;
    return p;
}

/** The sum of n elements. */
template <class T> static inline T total(const T *p, int n)
{
    T sum = 0;
    for (int i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

#endif
