/* SPDX-License-Identifier: MIT */
/* Guards of every form: blocks inside, on and beyond the edge, sizes that fit
 * the block and that do not, shapes of two and three dimensions. */
#include "check.h"

struct shape { int rows, columns; };

/* The plain form: one index, one bound. */
__global__ void scale(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * i + 1;
}

/* A lower and an upper bound, with a return. */
__global__ void last_ones(int *a, unsigned from, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < from || i >= n)
        return;
    a[i] += 5;
}

/* Two indices; beyond the edge one thread stores as well. */
__global__ void plane(int *a, shape s)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x,
              y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x < s.columns && y < s.rows)
        a[y * s.columns + x] = 100 * y + x;
    else if (x == s.columns && y == s.rows)
        a[y * s.columns] = -8;
}

/* Six bounds of three indices, all but the edges of a volume. */
__global__ void inside(int *a, int rows, int columns)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = threadIdx.z;
    if (x < 1 || x > columns - 2 || y < 1 || (rows - 1) <= y || z >= 2)
        return;
    a[(z * rows + y) * columns + x] = 1;
}

/* The bound changes in the guarded branch. */
__global__ void changes(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        n = i / 2; /* a thread's own */
        a[i] = n;
    }
}

/* Threads of one quadrant return: no comparison holds for a whole block. */
__global__ void corner(int *a, int n, int m)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x,
              j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j >= m)
        return;
    a[j * 8 + i] = 1;
}

static long long sum(const int *a, int n)
{
    long long total = 0;
    for (int i = 0; i < n; i++)
        total += (long long)a[i] * (i % 7 + 1);
    return total;
}

int main()
{
    enum { MOST = 100 * 70 * 2 + 1 };
    int *a = managed<int>(MOST);
    const int sizes[] = {1, 31, 256, 257, 1000, 4096};
    for (int n : sizes) {
        for (int i = 0; i < MOST; i++)
            a[i] = -1;
        scale<<<(n + 255) / 256 + 2, 256>>>(a, n);
        last_ones<<<n / 64 + 1, 64>>>(a, n / 3, n);
        RUN();
        printf("%lld ", sum(a, MOST));
        changes<<<n / 100 + 1, 100>>>(a, n);
        RUN();
        printf("%lld\n", sum(a, MOST));
    }
    for (int columns : {16, 33, 100}) {
        shape s = {70, columns};
        plane<<<dim3(columns / 16 + 1, 5), dim3(16, 16)>>>(a, s);
        RUN();
        printf("%lld %d\n", sum(a, 70 * columns), a[70 * columns]);
    }
    for (int i = 0; i < MOST; i++)
        a[i] = 0;
    inside<<<dim3(13, 9), dim3(8, 8, 3)>>>(a, 70, 100);
    RUN();
    printf("%lld\n", sum(a, MOST));
    for (int i = 0; i < 64; i++)
        a[i] = 0;
    corner<<<1, dim3(8, 8)>>>(a, 4, 4);
    RUN();
    int written = 0;
    for (int i = 0; i < 64; i++)
        written += a[i];
    printf("%d\n", written);
    return 0;
}
