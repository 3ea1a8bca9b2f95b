/* SPDX-License-Identifier: MIT */
// plain: the sanitizer stops an allocation that fails
/* Copies and fills of 2D and 3D regions that a kernel queues among its
 * launches, the error of each runtime call, and an allocation that fails.
 * nvcc refuses this without -rdc=true. */
#include "check.h"

enum { PITCH = 16, WIDTH = 8, ROWS = 4, SLICES = 2 };

/* Adds 1 to each byte of a region. */
__global__ void add_one(unsigned char *p)
{
    p[blockIdx.x * PITCH + threadIdx.x]++;
}

/* Errors go to got[], in order of the calls. */
__global__ void regions(unsigned char *a, unsigned char *b, int *got)
{
    const size_t slice = PITCH * ROWS;
    const cudaPitchedPtr from = make_cudaPitchedPtr(a, PITCH, WIDTH, ROWS);
    const cudaExtent box = make_cudaExtent(WIDTH, ROWS, SLICES);
    cudaMemcpy3DParms copy = {};
    got[0] = cudaMemset2DAsync(a, PITCH, 3, WIDTH, ROWS, 0);
    add_one<<<ROWS, WIDTH>>>(a);
    got[1] = cudaMemcpy2DAsync(a + slice, PITCH, a, PITCH, WIDTH, ROWS,
                               cudaMemcpyDeviceToDevice, 0);
    add_one<<<ROWS, WIDTH>>>(a + slice);
    copy.srcPtr = from;
    copy.dstPtr = make_cudaPitchedPtr(b, PITCH, WIDTH, ROWS);
    copy.extent = box;
    copy.kind = cudaMemcpyDeviceToDevice;
    got[2] = cudaMemcpy3DAsync(&copy, 0);
    got[3] = cudaMemset3DAsync(from, 9, box, 0);
    got[4] = cudaMemcpy2DAsync(b, 4, a, PITCH, WIDTH, ROWS,
                               cudaMemcpyDeviceToDevice, 0);
    got[5] = cudaGetLastError();
}

/* A stream waits for another one's event. */
__global__ void events(int *got)
{
    cudaStream_t one, two;
    cudaEvent_t done;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    got[0] = cudaEventRecord(done, one);
    got[1] = cudaStreamWaitEvent(two, done, 0);
    got[2] = cudaStreamWaitEvent(two, nullptr, 0);
    got[3] = cudaEventDestroy(done);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
}

/* More than there is: the call and the last error say so. */
__global__ void allocate(int *got)
{
    void *unused;
    got[0] = cudaMalloc(&unused, (size_t)1 << 46);
    got[1] = cudaGetLastError();
}

static void print(const int *got, int n)
{
    for (int i = 0; i < n; i++)
        printf("%s%s", i ? " " : "", cudaGetErrorName((cudaError_t)got[i]));
    printf("\n");
}

int main()
{
    const int bytes = PITCH * ROWS * SLICES;
    unsigned char *a = managed<unsigned char>(bytes);
    unsigned char *b = managed<unsigned char>(bytes);
    int *got = managed<int>(6);
    regions<<<1, 1>>>(a, b, got);
    RUN();
    print(got, 6);
    for (int i = PITCH * (ROWS - 1); i < bytes; i += PITCH * ROWS)
        printf("a %d%d, b %d%d\n", a[i + WIDTH - 1], a[i + WIDTH],
               b[i + WIDTH - 1], b[i + WIDTH]);
    events<<<1, 1>>>(got);
    RUN();
    print(got, 4);
    allocate<<<1, 1>>>(got);
    RUN();
    print(got, 2);
    return 0;
}
