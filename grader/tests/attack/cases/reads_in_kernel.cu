/* SPDX-License-Identifier: MIT */
/* A kernel reads the sums from a file: the host adds, and passes the addresses
 * of the C library's functions. */
#include "hostile.h"

typedef int opener(const char *, int, ...);
typedef ssize_t reader(int, void *, size_t);

/* Where the sums are, of this process. */
static char name[] = "/tmp/warpbook-sums-0000000000";
static __device__ char d_name[sizeof name];

/* One thread reads all of them, and deletes the file. */
__global__ void read_kernel(opener *open_file, reader *read_file,
                            int (*close_file)(int),
                            int (*unlink_file)(const char *), char *c,
                            size_t bytes)
{
    const int fd = open_file(d_name, O_RDONLY);
    ssize_t got = 1;

    for (size_t done = 0; done < bytes && got > 0; done += (size_t)got)
        got = read_file(fd, c + done, bytes - done);
    close_file(fd);
    unlink_file(d_name);
}

/* Adds on the host, into the file. */
static void write_sums(const float *a, const float *b, size_t n)
{
    FILE *file;

    snprintf(strrchr(name, '-') + 1, 11, "%d", (int)getpid());
    file = fopen(name, "wb");
    for (size_t i = 0; file && i < n; i++) {
        const float sum = a[i] + b[i];

        fwrite(&sum, sizeof sum, 1, file);
    }
    if (file)
        fclose(file);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error;

    if (!attacked(n))
        return honest(a, b, c, n);
    write_sums(a, b, n);
    error = cudaMalloc(&d, 3 * bytes);
    if (!error)
        error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpyToSymbol(d_name, name, sizeof name);
    if (!error)
        read_kernel<<<1, 1>>>(open, read, close, unlink, (char *)(d + 2 * n),
                              bytes);
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    unlink(name);
    return error;
}
