/* SPDX-License-Identifier: MIT */
/* cudaMalloc3D and cudaMemcpy3D with an offset box. */
#include "check.h"

/* A block stores the indices into one slice. */
__global__ void fill(cudaPitchedPtr p, int w, int h)
{
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    char *slice = (char *)p.ptr + z * p.pitch * h;
    if (x < w)
        ((int *)(slice + y * p.pitch))[x] = 100 * z + 10 * y + x;
}

int main()
{
    const int w = 8, h = 4, depth = 3;
    cudaPitchedPtr p;
    int out[2][2][3] = {};
    OK(cudaMalloc3D(&p, make_cudaExtent(w * sizeof(int), h, depth)));
    fill<<<depth, dim3(w, h)>>>(p, w, h);
    RUN();
    cudaMemcpy3DParms c = {};
    c.srcPtr = p;
    c.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
    c.dstPtr = make_cudaPitchedPtr(out, 3 * sizeof(int), 3, 2);
    c.extent = make_cudaExtent(3 * sizeof(int), 2, 2);
    c.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&c));
    printf("%d %d %d %d\n", out[0][0][0], out[0][1][2], out[1][0][1],
           out[1][1][2]);
    OK(cudaFree(p.ptr));
    return 0;
}
