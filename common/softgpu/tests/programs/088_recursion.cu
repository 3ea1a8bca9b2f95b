/* SPDX-License-Identifier: MIT */
/* Recursion in device functions, one of them mutual. */
#include "check.h"

__device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ int odd(int n);
__device__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }

__device__ void sort(int *a, int first, int last)
{
    if (first >= last)
        return;
    int i = first, j = last, middle = a[(first + last) / 2];
    while (i <= j) {
        while (a[i] < middle)
            i++;
        while (a[j] > middle)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    sort(a, first, j);
    sort(a, i, last);
}

/* Calls three recursive functions, one of which sorts a segment of a. */
__global__ void recursive(int *out, int *a, int n)
{
    int i = threadIdx.x;
    out[i] = fibonacci(i) * 10 + even(i);
    sort(a + i * n, 0, n - 1);
}

int main()
{
    int n = 50, *out = managed<int>(16), *a = managed<int>(16 * n);
    for (int i = 0; i < 16 * n; i++)
        a[i] = i * 7919 % 1000;
    recursive<<<1, 16>>>(out, a, n);
    RUN();
    for (int i = 0; i < 16 * n; i++)
        EXPECT(i % n == 0 || a[i - 1] <= a[i]);
    printf("%d %d %d\n", out[10], out[15], total(a, 16 * n));
    return 0;
}
