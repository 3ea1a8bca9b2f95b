/* SPDX-License-Identifier: MIT */
/* The results of member functions that are called through cast pointers, and
 * bytes that the C++ library fills: compilers that rewrite calls and casts. */
#include <algorithm>
#include <cstdio>
#include <new>

struct shape {
    __device__ virtual float area() const = 0;
};

struct box : shape {
    float w, h;

    __device__ box(float w, float h) : w(w), h(h) {}
    __device__ float area() const override { return w * h; }
};

/* Each thread makes a box in shared memory, and asks another one's area. */
__global__ void in_place(float *out)
{
    __shared__ alignas(box) unsigned char room[32][sizeof(box)];
    const int i = threadIdx.x;
    shape *other;
    box *mine = new (room[i]) box(i, 2);

    __syncthreads();
    other = reinterpret_cast<box *>(room[31 - i]);
    out[i] = other->area();
    out[i] += ((box *)room[i])->area();
    out[i] = ((box *)room[i])->area() + out[i] + mine->w;
}

/* Each thread has 24 bytes. */
__global__ void fill(unsigned char *bytes)
{
    unsigned char *mine = bytes + 24 * threadIdx.x;

    std::fill_n(mine, 24, (unsigned char)(threadIdx.x + 1));
    std::fill(mine + 3, mine + 9, (unsigned char)7);
    std::reverse(mine, mine + 24);
    std::swap(*std::min_element(mine, mine + 24), mine[23]);
}

int main()
{
    static unsigned char h_bytes[24 * 32];
    float *out, h_out[32], areas = 0;
    unsigned char *bytes;
    int total = 0;

    cudaMalloc(&out, sizeof h_out);
    cudaMalloc(&bytes, sizeof h_bytes);
    in_place<<<1, 32>>>(out);
    fill<<<1, 32>>>(bytes);
    cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_bytes, bytes, sizeof h_bytes, cudaMemcpyDeviceToHost);
    for (float each : h_out)
        areas += each;
    for (int i = 0; i < 24 * 32; i++)
        total += i % 24 * h_bytes[i];
    printf("%g %d\n", areas, total);
    cudaFree(out);
    cudaFree(bytes);
    return 0;
}
