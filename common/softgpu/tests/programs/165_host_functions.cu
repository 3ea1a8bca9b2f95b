/* SPDX-License-Identifier: MIT */
/* Host functions run in stream order. */
#include "check.h"

/* Does not commute with the host functions' additions. */
__global__ void multiply(int *a, int by) { *a *= by; }

struct note {
    int *a;
    int add;
};

static void CUDART_CB add_note(void *data)
{
    note *n = (note *)data;
    *n->a += n->add;
}

static void CUDART_CB called(cudaStream_t, cudaError_t error, void *data)
{
    *(int *)data = error == cudaSuccess ? 99 : -1;
}

int main()
{
    int *a, seen = 0;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaHostAlloc(&a, sizeof(int), cudaHostAllocDefault));
    note first = {a, 3}, second = {a, 4};
    *a = 1;
    multiply<<<1, 1, 0, stream>>>(a, 10);
    OK(cudaLaunchHostFunc(stream, add_note, &first));
    multiply<<<1, 1, 0, stream>>>(a, 10);
    OK(cudaLaunchHostFunc(stream, add_note, &second));
    OK(cudaStreamAddCallback(stream, called, &seen, 0));
    OK(cudaStreamSynchronize(stream));
    printf("%d %d\n", *a, seen);
    return 0;
}
