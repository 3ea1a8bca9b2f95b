/* SPDX-License-Identifier: MIT */
/* Kernels written by hand as softcc and launch.h would generate them. */
#include <stdio.h>

#include "host_tests.h"

#define CLOSURE(name) const struct name##_closure *c = closure
#define COUNT(types) (sizeof types / sizeof types[0])

/* Threads of the present block. */
static unsigned threads(void)
{
    return blockDim.x * blockDim.y * blockDim.z;
}

/* --- add ----------------------------------------------------------------- */
struct add_closure {
    int *p, n, v;
};
/* p[i] += v, for the thread's element. */
static void add_thread(const struct add_closure *c, unsigned thread)
{
    const int i = (int)(blockIdx.x * blockDim.x + thread);
    if (i < c->n)
        c->p[i] += c->v;
}
/* A kernel without barriers runs its block's threads in a loop. */
static void add_run(const void *closure)
{
    CLOSURE(add);
    for (unsigned t = 0; t < threads(); t++)
        add_thread(c, t);
}
/* A kernel whose threads are fibers calls this for each. */
static void add_one(const void *closure)
{
    CLOSURE(add);
    add_thread(c, threadIdx.x);
}
/* As cudaLaunchKernel() calls it: by addresses of the arguments. */
static void add_call(void **args)
{
    add_kernel(*(int **)args[0], *(int *)args[1], *(int *)args[2]);
}
static const uint32_t add_bytes[] = {sizeof(int *), sizeof(int), sizeof(int)};
static struct softgpu_kernel add = {
    .name = "add", .file = "kernels.cu", .line = 1,
    .stub = (const void *)add_kernel, .run = add_run, .run_thread = add_one,
    .call = add_call, .param_bytes = add_bytes, .params = COUNT(add_bytes),
    .max_dynamic = -1, .carveout = -1};
void add_kernel(int *p, int n, int v)
{
    const struct add_closure c = {p, n, v};
    softgpu_launch(&add, &c, sizeof c, _Alignof(struct add_closure));
}

/* --- count, poke: one pointer -------------------------------------------- */
struct pointer_closure {
    int *p;
};
static const uint32_t pointer_bytes[] = {sizeof(int *)};
static int launches;

/* Writes how often it was launched. */
static void count_run(const void *closure)
{
    CLOSURE(pointer);
    *c->p = ++launches;
}
/* As cudaLaunchKernel() calls it. */
static void count_call(void **args)
{
    count_kernel(*(int **)args[0]);
}
static struct softgpu_kernel count = {.name = "count",
                                      .file = "kernels.cu",
                                      .line = 2,
                                      .stub = (const void *)count_kernel,
                                      .run = count_run,
                                      .run_thread = count_run,
                                      .call = count_call,
                                      .param_bytes = pointer_bytes,
                                      .params = 1,
                                      .max_dynamic = -1,
                                      .carveout = -1};
void count_kernel(int *p)
{
    const struct pointer_closure c = {p};
    softgpu_launch(&count, &c, sizeof c, _Alignof(struct pointer_closure));
}

/* Stores where no memory is. */
static void bad_store_run(const void *closure)
{
    CLOSURE(pointer);
    *(volatile int *)c->p = 1;
}
/* As cudaLaunchKernel() calls it. */
static void bad_store_call(void **args)
{
    bad_store_kernel(*(int **)args[0]);
}
static struct softgpu_kernel bad_store = {.name = "poke",
                                          .file = "kernels.cu",
                                          .line = 3,
                                          .stub =
                                              (const void *)bad_store_kernel,
                                          .run = bad_store_run,
                                          .run_thread = bad_store_run,
                                          .call = bad_store_call,
                                          .param_bytes = pointer_bytes,
                                          .params = 1,
                                          .max_dynamic = -1,
                                          .carveout = -1};
void bad_store_kernel(int *p)
{
    const struct pointer_closure c = {p};
    softgpu_launch(&bad_store, &c, sizeof c, _Alignof(struct pointer_closure));
}

/* --- kernels for tests of limits ------------------------------------------ */
static void nothing_run(const void *closure)
{
    (void)closure;
}
/* A kernel with launch bounds, without parameters. */
static void bounded_call(void **args)
{
    (void)args;
    bounded_kernel();
}
static struct softgpu_kernel bounded = {
    .name = "bounded", .file = "kernels.cu", .line = 4,
    .stub = (const void *)bounded_kernel, .run = nothing_run,
    .run_thread = nothing_run, .call = bounded_call, .max_threads = 64,
    .max_dynamic = -1, .carveout = -1};
void bounded_kernel(void)
{
    const char c = 0;
    softgpu_launch(&bounded, &c, sizeof c, 1);
}

/* A kernel with static shared memory, without parameters. */
static void shared_call(void **args)
{
    (void)args;
    shared_kernel();
}
static struct softgpu_kernel shared = {
    .name = "shared", .file = "kernels.cu", .line = 5,
    .stub = (const void *)shared_kernel, .run = nothing_run,
    .run_thread = nothing_run, .call = shared_call, .max_dynamic = -1,
    .carveout = -1};
static struct softgpu_shared_variable slot = {
    .kernel = &shared, .name = "tile", .bytes = 40 * 1024, .align = 16};
void shared_kernel(void)
{
    const char c = 0;
    softgpu_launch(&shared, &c, sizeof c, 1);
}

void register_kernels(void)
{
    softgpu_register_kernel(&add);
    softgpu_register_kernel(&count);
    softgpu_register_kernel(&bad_store);
    softgpu_register_kernel(&bounded);
    softgpu_register_kernel(&shared);
    softgpu_register_shared(&slot);
}

void expect_error(cudaError_t expected, cudaError_t got, const char *call,
                  const char *file, int line)
{
    char text[300];
    snprintf(text, sizeof text, "%s is %s, not %s", call,
             cudaGetErrorName(got), cudaGetErrorName(expected));
    CU_assertImplementation(expected == got, (unsigned)line, text, file,
                            "", CU_FALSE);
}

int *device_ints(int n, int value)
{
    int *p = NULL, host[64];
    for (int i = 0; i < n; i++)
        host[i] = value;
    OK(cudaMalloc((void **)&p, (size_t)n * sizeof *p));
    OK(cudaMemcpy(p, host, (size_t)n * sizeof *p, cudaMemcpyHostToDevice));
    return p;
}

int device_int(const int *p)
{
    int value = -1;
    OK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}
