/* SPDX-License-Identifier: MIT */
/* Variables of the device, as the runtime knows them: size, memory, a value
 * on each device, in two files. */
// flags: -rdc=true
// env: SOFTGPU_DEVICES=2
#include "../check.h"

#include "table.h"

extern __device__ int elsewhere[];
__device__ int elsewhere[6] = {1, 2, 3, 4, 5, 6};
__device__ int plain = 5, *pointer, grid[2][3];
__constant__ float filter[9];
static __device__ double alone;
__managed__ long shared_by_all = 40;
__device__ float twice(float x) { return 2 * x; }
__device__ float (*function)(float) = twice;
__device__ float (*is_later)(float);
namespace deep {
namespace {
__device__ unsigned char inner[5] = {9};
}
struct point { int x, y; };
__device__ point origin = {3, 4};
} // namespace deep
template <class T> struct holder {
    static __device__ T value;
};
template <class T> __device__ T holder<T>::value;
__device__ int never_in_a_call = 100;

/* Changes each variable once. */
__global__ void step()
{
    plain += 1;
    never_in_a_call += 1;
    deep::origin.x += plain;
    shared_by_all += 1;
    table[2] += plain;
    holder<int>::value += 7;
    is_later = function;
}

/* Returns a variable and a result by a function pointer. */
__global__ void hand_over(int *out)
{
    out[0] = never_in_a_call;
    out[1] = int(is_later(21));
}

template <class S> void size(const char *name, const S &symbol)
{
    size_t bytes = 0;
    void *address = nullptr;
    cudaPointerAttributes a;
    OK(cudaGetSymbolSize(&bytes, symbol));
    OK(cudaGetSymbolAddress(&address, symbol));
    OK(cudaPointerGetAttributes(&a, address));
    printf("%s %zu type %d device %d\n", name, bytes, a.type, a.device);
}

static void sizes()
{
    size("plain", plain);
    size("pointer", pointer);
    size("grid", grid);
    size("filter", filter);
    size("alone", alone);
    size("shared_by_all", shared_by_all);
    size("inner", deep::inner);
    size("origin", deep::origin);
    size("elsewhere", elsewhere);
    size("table", table);
    size("holder", holder<int>::value);
}

static void refusals()
{
    int h[12] = {0};
    SHOW(cudaMemcpyToSymbol(filter, h, 36));
    SHOW(cudaMemcpyToSymbol(filter, h, 37));
    SHOW(cudaMemcpyToSymbol(filter, h, 4, 33));
    SHOW(cudaMemcpyFromSymbol(h, deep::inner, 2, 4));
    SHOW(cudaMemcpyFromSymbol(h, deep::inner, 2, size_t(-1)));
    SHOW(cudaMemcpyFromSymbol(h, plain, 4, 0, cudaMemcpyHostToDevice));
    void *address;
    OK(cudaGetSymbolAddress(&address, elsewhere));
    SHOW(cudaMemcpy(h, address, 24, cudaMemcpyDeviceToHost));
    printf("%d\n", h[5]);
    SHOW(cudaMemcpy(h, address, 28, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(address, h, 24, cudaMemcpyDeviceToHost));
    (void)cudaGetLastError();
}

int main()
{
    int *out = managed<int>(2);
    sizes();
    refusals();
    for (int device = 0; device < 2; device++) {
        OK(cudaSetDevice(device));
        for (int i = 0; i <= device; i++)
            step<<<1, 1>>>();
        RUN();
    }
    for (int device = 1; device >= 0; device--) {
        deep::point p;
        float third;
        OK(cudaSetDevice(device));
        OK(cudaMemcpyFromSymbol(&p, deep::origin, sizeof p));
        OK(cudaMemcpyFromSymbol(&third, table, 4, 8));
        hand_over<<<1, 1>>>(out);
        RUN();
        printf("device %d: %d %d %g %d %d\n", device, p.x, p.y, third, out[0],
               out[1]);
    }
    OK(cudaSetDevice(1));
    size("on 1", plain);
    OK(cudaDeviceReset());
    OK(cudaMemcpyFromSymbol(out, never_in_a_call, 4));
    printf("%d, after a reset %d\n", int(shared_by_all), out[0]);
    return 0;
}
/* nvcc refuses memory qualifiers of members, which clang accepts. */
