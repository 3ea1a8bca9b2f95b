/* SPDX-License-Identifier: MIT */
/* What nvcc's own headers include: placement new and <utility>. */
#include <cstdio>

/* A polynomial of degree 1; its constructor stores both coefficients. */
struct line {
    float slope, offset;

    __device__ line(float a, float b) : slope(a), offset(b) {}
    __device__ virtual float at(float x) const { return slope * x + offset; }
};

/* The same, squared. */
struct square : line {
    __device__ square(float a, float b) : line(a, b) {}
    __device__ float at(float x) const override
    {
        const float y = line::at(x);
        return y * y;
    }
};

/* Each thread makes an object in shared memory, every second a derived one, and
 * evaluates that of its neighbor. */
__global__ void make(float *y)
{
    __shared__ alignas(line) unsigned char s_object[32][sizeof(line)];
    const unsigned t = threadIdx.x;

    if (t % 2)
        new (s_object[t]) square((float)t, 1);
    else
        new (s_object[t]) line((float)t, 1);
    __syncthreads();
    y[t] = ((line *)s_object[(t + 1) % 32])->at(2);
}

/* Elements of an array are made in place. */
__global__ void make_array(float2 *p, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        new (p + i) float2{(float)i, (float)-i};
}

int main()
{
    float *y, first = 1, second = 2;
    float2 *p;

    cudaMallocManaged(&y, 32 * sizeof *y);
    cudaMallocManaged(&p, 100 * sizeof *p);
    make<<<1, 32>>>(y);
    make_array<<<1, 32>>>(p, 100);
    cudaDeviceSynchronize();
    std::swap(first, second);
    const float moved = std::move(first);
    printf("%g %g %g %g\n", y[0], y[1], y[30], y[31]);
    printf("%g %g, %g %g\n", p[99].x, p[99].y, moved, second);
    cudaFree(y);
    cudaFree(p);
}
