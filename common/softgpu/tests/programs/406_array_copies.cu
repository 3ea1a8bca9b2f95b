/* SPDX-License-Identifier: MIT */
/* Copies to, from and between arrays, with offsets, and what is refused. */
#include "check.h"

enum { W = 4, H = 3 };

static void show(cudaArray_t array)
{
    int rows[H][W];
    OK(cudaMemcpy2DFromArray(rows, sizeof rows[0], array, 0, 0, sizeof rows[0],
                             H, cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            printf("%d%s", rows[y][x], x < W - 1 ? " "
                                       : y < H - 1 ? " | " : "\n");
}

static void in_boxes(cudaArray_t array)
{
    int *memory, host[2] = {};
    cudaMemcpy3DParms c = {};
    OK(cudaMalloc((void **)&memory, 8));
    c.srcArray = array;
    c.srcPos = make_cudaPos(2, 1, 0);
    c.dstPtr = make_cudaPitchedPtr(memory, 8, 2, 1);
    c.extent = make_cudaExtent(2, 1, 1); /* two elements */
    c.kind = cudaMemcpyDeviceToDevice;
    OK(cudaMemcpy3D(&c));
    OK(cudaMemcpy(host, memory, 8, cudaMemcpyDeviceToHost));
    printf("%d %d\n", host[0], host[1]);
    c.srcPos.x = 3; /* one too far */
    SHOW(cudaMemcpy3D(&c));
    OK(cudaFree(memory));
}

int main()
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>(),
                                three = cudaCreateChannelDesc(
                                    32, 32, 32, 0, cudaChannelFormatKindSigned);
    cudaArray_t a, b;
    cudaChannelFormatDesc got;
    cudaExtent size;
    cudaStream_t stream;
    int from[H][W];
    for (int i = 0; i < W * H; i++)
        from[i / W][i % W] = i;
    OK(cudaStreamCreate(&stream));
    OK(cudaMallocArray(&a, &desc, W, H));
    OK(cudaMallocArray(&b, &desc, W, H));
    OK(cudaMemcpy2DToArrayAsync(a, 0, 0, from, sizeof from[0], sizeof from[0],
                                H, cudaMemcpyHostToDevice, stream));
    OK(cudaMemcpy2DToArrayAsync(b, 0, 0, from, sizeof from[0], sizeof from[0],
                                H, cudaMemcpyDefault, stream));
    OK(cudaStreamSynchronize(stream));
    show(a);
    OK(cudaMemcpy2DArrayToArray(b, 4, 1, a, 0, 0, 8, 2));
    show(b);
    OK(cudaMemcpy2DToArray(b, 8, 2, from, 16, 8, 1, cudaMemcpyHostToDevice));
    show(b);
    in_boxes(a);
    OK(cudaArrayGetInfo(&got, &size, nullptr, a));
    printf("%d %d, %zu %zu %zu\n", got.x, got.y, size.width, size.height,
           size.depth);
    SHOW(cudaMemcpy2DToArray(b, 8, 2, from, 16, 12, 1, cudaMemcpyHostToDevice));
    OK(cudaFreeArray(b));
    SHOW(cudaMallocArray(&b, &three, 4, 4));
    SHOW(cudaMallocArray(&b, &desc, 0, 4));
    OK(cudaFreeArray(a));
    OK(cudaStreamDestroy(stream));
    return 0;
}
