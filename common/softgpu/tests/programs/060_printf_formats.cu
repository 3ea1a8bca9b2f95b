/* SPDX-License-Identifier: MIT */
/* Device printf knows the formats of C. */
#include <cstdio>

/* Integers, characters, strings and floats, with widths and precisions. */
__global__ void show(const char *name, double pi)
{
    printf("%d %5d|%-5d|%05d %u %x %X %o\n", -7, 42, 42, 42, 4000000000u, 255,
           255, 8);
    printf("%c%c %s %10s|%-10s|\n", 'o', 'k', "text", "right", "left");
    printf("%f %.2f %8.3f %e %g %a\n", pi, pi, pi, pi, pi, 1.0);
    printf("%lld %llu %ld %hd\n", -1099511627776ll, 1ull << 63, 5l, (short)-3);
    printf("100%% %6d %.1f\n", 12, 2.75);
    printf("%s\n", name);
}

__device__ const char d_name[] = "from device memory";

/* A string in device memory as an argument. */
__global__ void constant()
{
    printf("%d argument, %s\n", 1, d_name);
}

int main()
{
    char *name;
    cudaMallocManaged(&name, 16);
    for (int i = 0; i < 16; i++)
        name[i] = "managed text"[i < 12 ? i : 12];
    show<<<1, 1>>>(name, 3.14159265358979);
    cudaDeviceSynchronize();
    constant<<<1, 1>>>();
    cudaDeviceSynchronize();
    return cudaFree(name);
}
