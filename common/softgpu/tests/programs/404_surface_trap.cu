/* SPDX-License-Identifier: MIT */
/* An access outside of a surface ends the kernel by default. */
// stderr: 404_surface_trap.cu:13
// stderr: thread (3,0,0)
// stderr: outside of the surface
#include "check.h"

/* The last thread writes past the row. */
__global__ void write(cudaSurfaceObject_t s)
{
    const int x = threadIdx.x;

    surf1Dwrite(x, s, x * 4);
}

int main()
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    cudaResourceDesc resource = {};
    cudaSurfaceObject_t s;
    OK(cudaMallocArray(&resource.res.array.array, &desc, 3, 0,
                       cudaArraySurfaceLoadStore));
    OK(cudaCreateSurfaceObject(&s, &resource));
    write<<<1, 4>>>(s);
    SHOW(cudaDeviceSynchronize());
    return 0;
}
