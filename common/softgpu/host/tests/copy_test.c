/* SPDX-License-Identifier: MIT */
/* Copies and fills: results and errors. */
#include <stdlib.h>
#include <string.h>

#include "host_tests.h"

#define H2D cudaMemcpyHostToDevice
#define D2H cudaMemcpyDeviceToHost
#define D2D cudaMemcpyDeviceToDevice

/* Host to device, device to device, device to host; cudaMemcpyDefault finds the
 * direction from the pointers. */
static void round_trip(void)
{
    int in[4] = {1, 2, 3, 4}, out[4] = {0}, *a, *b;
    OK(cudaMalloc((void **)&a, sizeof in));
    OK(cudaMalloc((void **)&b, sizeof in));
    OK(cudaMemcpy(a, in, sizeof in, H2D));
    OK(cudaMemcpy(b, a, sizeof in, D2D));
    OK(cudaMemcpy(out, b, sizeof in, D2H));
    CU_ASSERT_EQUAL(memcmp(in, out, sizeof in), 0);
    memset(out, 0, sizeof out);
    OK(cudaMemcpy(out, a + 1, 8, cudaMemcpyDefault));
    CU_ASSERT_EQUAL(out[1], 3);
    OK(cudaFree(a));
    OK(cudaFree(b));
}

/* One byte too many, a wrong direction, NULL, and freed memory. */
static void refused(void)
{
    int host[4], *d;
    OK(cudaMalloc((void **)&d, 16));
    RETURNS(cudaErrorInvalidValue, cudaMemcpy(d, host, 17, H2D));
    RETURNS(cudaErrorInvalidValue, cudaMemcpy(d + 1, host, 16, H2D));
    RETURNS(cudaErrorInvalidValue, cudaMemcpy(host, d, 16, H2D));
    RETURNS(cudaErrorInvalidValue, cudaMemcpy(d, host, 16, D2H));
    RETURNS(cudaErrorInvalidValue, cudaMemcpy(NULL, host, 4, H2D));
    RETURNS(cudaErrorInvalidValue, cudaMemcpy(d, NULL, 4, H2D));
    RETURNS(cudaErrorInvalidMemcpyDirection,
            cudaMemcpy(d, host, 4, (enum cudaMemcpyKind)7));
    OK(cudaMemcpy(d, host, 0, H2D));
    OK(cudaFree(d));
    RETURNS(cudaErrorInvalidValue, cudaMemcpy(d, host, 4, H2D));
}

/* Rows of a pitched allocation; a pitch smaller than the row is an error. */
static void rows(void)
{
    char in[3][10], out[3][5], *d;
    size_t pitch;
    for (int i = 0; i < 30; i++)
        in[i / 10][i % 10] = (char)i;
    OK(cudaMallocPitch((void **)&d, &pitch, 5, 3));
    OK(cudaMemcpy2D(d, pitch, in[0] + 2, 10, 5, 3, H2D));
    OK(cudaMemcpy2D(out, 5, d, pitch, 5, 3, D2H));
    CU_ASSERT_EQUAL(out[2][4], in[2][6]);
    RETURNS(cudaErrorInvalidPitchValue,
            cudaMemcpy2D(d, 4, in, 10, 5, 3, H2D));
    RETURNS(cudaErrorInvalidPitchValue,
            cudaMemcpy2D(d, pitch, in, 4, 5, 3, H2D));
    RETURNS(cudaErrorInvalidValue,
            cudaMemcpy2D(d, pitch, d, pitch, 5, 3, H2D)); /* no host memory */
    RETURNS(cudaErrorInvalidValue,
            cudaMemcpy2D(d, pitch, in, 10, 5, 4, H2D));
    OK(cudaFree(d));
}

/* Regions whose size wraps around: the product of rows and pitch is small, or
 * 0, and each row but the first lies outside of the allocation. */
static void wrapped_sizes(void)
{
    const size_t row = 1 << 20, pitch = 4096 - row, half = (size_t)1 << 63;
    char *host = calloc(2, row), *d;
    OK(cudaMalloc((void **)&d, 4096));
    RETURNS(cudaErrorInvalidValue,
            cudaMemcpy2D(d, pitch, host, row, row, 2, H2D));
    RETURNS(cudaErrorInvalidValue,
            cudaMemcpy2D(host, row, d, pitch, row, 2, D2H));
    RETURNS(cudaErrorInvalidValue, cudaMemset2D(d, pitch, 0, row, 2));
    RETURNS(cudaErrorInvalidValue,
            cudaMemcpy2D(d, half, host, half, 64, 3, H2D));
    RETURNS(cudaErrorInvalidValue,
            cudaMemcpy2DAsync(d, half, host, half, half, 2, H2D, 0));
    OK(cudaFree(d));
    free(host);
}

/* A box of a 3-D array, at an offset, into a smaller array. */
static void boxes(void)
{
    char in[2][3][4], out[8] = {0};
    struct cudaPitchedPtr d;
    for (int i = 0; i < 24; i++)
        in[i / 12][i / 4 % 3][i % 4] = (char)i;
    OK(cudaMalloc3D(&d, make_cudaExtent(4, 3, 2)));
    struct cudaMemcpy3DParms p = {
        .srcPtr = make_cudaPitchedPtr(in, 4, 4, 3), .dstPtr = d,
        .extent = make_cudaExtent(4, 3, 2), .kind = H2D};
    OK(cudaMemcpy3D(&p));
    p = (struct cudaMemcpy3DParms){
        .srcPtr = d, .srcPos = {1, 1, 0}, .kind = D2H,
        .dstPtr = make_cudaPitchedPtr(out, 2, 2, 2),
        .extent = make_cudaExtent(2, 2, 2)};
    OK(cudaMemcpy3D(&p));
    CU_ASSERT_EQUAL(out[0], in[0][1][1]);
    CU_ASSERT_EQUAL(out[7], in[1][2][2]);
    p.dstPtr.pitch = 1; /* less than a row */
    RETURNS(cudaErrorInvalidPitchValue, cudaMemcpy3D(&p));
    p.dstPtr.pitch = 2;
    p.srcPtr.pitch = 1;
    RETURNS(cudaErrorInvalidPitchValue, cudaMemcpy3D(&p));
    p.srcPtr.pitch = d.pitch;
    p.extent.depth = 3;
    RETURNS(cudaErrorInvalidValue, cudaMemcpy3D(&p));
    RETURNS(cudaErrorInvalidValue, cudaMemcpy3D(NULL));
    OK(cudaFree(d.ptr));
}

/* cudaMemset() takes the low byte of its value. */
static void fills(void)
{
    unsigned char *d, out[8];
    int host;
    OK(cudaMalloc((void **)&d, 8));
    OK(cudaMemset(d, 0x1ff, 8)); /* only the low byte is used */
    OK(cudaMemset2D(d, 4, 7, 2, 2));
    OK(cudaMemcpy(out, d, 8, D2H));
    CU_ASSERT_EQUAL(out[1], 7);
    CU_ASSERT_EQUAL(out[2], 0xff);
    CU_ASSERT_EQUAL(out[5], 7);
    RETURNS(cudaErrorInvalidValue, cudaMemset(d, 0, 9));
    RETURNS(cudaErrorInvalidValue, cudaMemset(&host, 0, 4));
    OK(cudaMemset(d, 0, 0));
    OK(cudaFree(d));
}

/* Pageable memory is staged at the call; pinned memory is read when the copy
 * runs: to change it earlier is a bug of the program. */
static void source_read_at(void)
{
    cudaStream_t s;
    int plain = 1, *pinned, *d = device_ints(2, 0);
    OK(cudaStreamCreate(&s));
    OK(cudaMallocHost((void **)&pinned, sizeof *pinned));
    *pinned = 1;
    OK(cudaMemcpyAsync(d, &plain, sizeof plain, H2D, s));
    OK(cudaMemcpyAsync(d + 1, pinned, sizeof plain, H2D, s));
    plain = *pinned = 2;
    OK(cudaStreamSynchronize(s));
    CU_ASSERT_EQUAL(device_int(d), 1);
    CU_ASSERT_EQUAL(device_int(d + 1), 2);
    OK(cudaStreamDestroy(s));
}

/* A copy to pageable memory waits; one to pinned memory does not. */
static void destination_written_at(void)
{
    int plain = 0, *pinned, *d = device_ints(1, 5);
    OK(cudaMallocHost((void **)&pinned, sizeof *pinned));
    *pinned = 0;
    OK(cudaMemcpyAsync(pinned, d, sizeof *d, D2H, NULL));
    CU_ASSERT_EQUAL(*pinned, 0);
    OK(cudaMemcpyAsync(&plain, d, sizeof *d, D2H, NULL));
    CU_ASSERT_EQUAL(plain, 5);
    CU_ASSERT_EQUAL(*pinned, 5);
}

/* Host memory is registered as a whole, if need be by two calls, or not at
 * all. */
static void registered_in_part(void)
{
    int plain[4] = {0}, *d = device_ints(4, 5);
    OK(cudaHostRegister(plain + 1, 2 * sizeof *plain, 0));
    RETURNS(cudaErrorInvalidValue,
            cudaMemcpy(plain, d, 2 * sizeof *d, D2H)); /* ends in it */
    RETURNS(cudaErrorInvalidValue,
            cudaMemcpyAsync(plain + 2, d, 2 * sizeof *d, D2H, NULL));
    RETURNS(cudaErrorInvalidValue, cudaMemcpy(d, plain, sizeof plain, H2D));
    OK(cudaMemcpy(plain + 1, d, 2 * sizeof *d, D2H));
    OK(cudaMemcpy(plain, d, sizeof *d, D2H)); /* beside it */
    CU_ASSERT(plain[0] == 5 && plain[1] == 5 && plain[2] == 5 && !plain[3]);
    OK(cudaHostRegister(plain + 3, sizeof *plain, 0));
    OK(cudaMemcpy(plain + 1, d, 3 * sizeof *d, D2H));
    CU_ASSERT_EQUAL(plain[3], 5);
    OK(cudaHostUnregister(plain + 1));
    OK(cudaHostUnregister(plain + 3));
}

static int variable[4]; /* as a __device__ variable is to the host */

/* cudaMemcpyToSymbol() with offsets at and beyond the end. */
static void symbols(void)
{
    int in = 7, out = 0;
    void *address;
    struct softgpu_symbol_copy c = {variable, sizeof variable, &in,
                                    sizeof in,  4,             H2D, 1};
    OK(softgpu_copy_symbol(&c));
    CU_ASSERT_EQUAL(variable[1], 7);
    OK(softgpu_symbol_address(&address, variable, sizeof variable));
    OK(cudaMemcpy(&out, (int *)address + 1, sizeof out, D2H));
    CU_ASSERT_EQUAL(out, 7);
    RETURNS(cudaErrorInvalidValue,
            cudaMemcpy(&out, address, sizeof variable + 1, D2H));
    c.offset = 13;
    RETURNS(cudaErrorInvalidValue, softgpu_copy_symbol(&c));
    c.offset = 0;
    c.kind = D2H;
    RETURNS(cudaErrorInvalidMemcpyDirection, softgpu_copy_symbol(&c));
}

static int of_each_device = 3;

/* The current device's copy of the variable. */
static int read_symbol(void)
{
    int out = -1;
    const struct softgpu_symbol_copy c = {
        &of_each_device, sizeof out, &out, sizeof out, 0, D2H, 0};
    OK(softgpu_copy_symbol(&c));
    return out;
}

/* Only the current device's copy changes. */
static void write_symbol(int value)
{
    const struct softgpu_symbol_copy c = {
        &of_each_device, sizeof value, &value, sizeof value, 0, H2D, 1};
    OK(softgpu_copy_symbol(&c));
}

/* Each device has its own copy, and a reset restores the initial value. */
static void symbol_of_each_device(void)
{
    CU_ASSERT_EQUAL(read_symbol(), 3);
    write_symbol(10);
    OK(cudaSetDevice(1));
    CU_ASSERT_EQUAL(read_symbol(), 3);
    write_symbol(11);
    OK(cudaSetDevice(0));
    CU_ASSERT_EQUAL(read_symbol(), 10);
    OK(cudaDeviceReset());
    CU_ASSERT_EQUAL(read_symbol(), 3);
    OK(cudaSetDevice(1));
    CU_ASSERT_EQUAL(read_symbol(), 11);
    OK(cudaSetDevice(0));
}

CU_TestInfo copy_tests[] = {
    {"round trip", round_trip},
    {"errors", refused},
    {"rows", rows},
     {"sizes that wrap around", wrapped_sizes},
    {"boxes", boxes},
    {"fills", fills},
    {"when the source is read", source_read_at},
    {"when the destination is written", destination_written_at},
    {"memory registered in part", registered_in_part},
    {"symbols", symbols},
    {"symbols of each device", symbol_of_each_device},
    CU_TEST_INFO_NULL};
