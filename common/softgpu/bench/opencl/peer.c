/* SPDX-License-Identifier: MIT */
/* Times kernels.cl on a CPU runtime of OpenCL:
 *
 *      peer PLATFORM NAME    the row's median nanoseconds
 *      peer                  the platforms with a CPU, a line each
 *
 * PLATFORM is a part of its name ("Intel", "Portable").  The output is compared
 * with that of plain_NAME(), as main.c does.  BENCH_CPU=1: CPU time, divided by
 * the OS threads, as main.c measures it.  Exit status 1: a wrong output; 3: the
 * platform is not there, or lacks what the row needs.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 210
#include <CL/cl.h>
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../bench.h"

enum { ROUNDS = 7, MOST_PLATFORMS = 8, WRONG = 1, ABSENT = 3 };

/* A launch: `first` and `second` are the first two arguments, c the third. */
struct launch {
    const char *row, *kernel;
    void (*plain)(const struct bench_data *);
    size_t global[2], block[2];
    int outputs; /* floats that are compared */
};

static const struct launch launches[] = {
    {"vector_add", "vector_add", plain_vector_add, {VECTOR_N, 1}, {BLOCK, 1},
     VECTOR_N},
    {"gemm_naive", "gemm_naive", plain_gemm_naive, {GEMM_N, GEMM_N}, {16, 16},
     GEMM_N * GEMM_N},
    {"gemm_tiled", "gemm_tiled", plain_gemm_tiled, {GEMM_N, GEMM_N}, {16, 16},
     GEMM_N * GEMM_N},
    {"gemm_blocked", "gemm_blocked", plain_gemm_blocked,
     {BLOCKED_N, BLOCKED_N / 64}, {64, 1}, BLOCKED_N * BLOCKED_N},
    {"reduce_tree", "reduce_tree", plain_reduce_tree, {VECTOR_N, 1},
     {BLOCK, 1}, VECTOR_N / BLOCK},
    {"reduce_shuffle", "reduce_shuffle", plain_reduce_shuffle, {VECTOR_N, 1},
     {BLOCK, 1}, VECTOR_N / BLOCK},
    {"convolution", "convolution", plain_convolution, {IMAGE_N, IMAGE_N},
     {16, 16}, IMAGE_N * IMAGE_N},
    {"histogram", "histogram", plain_histogram, {64 * BINS, 1}, {BINS, 1},
     BINS},
    {"barrier", "barriers", plain_barrier, {BARRIER_BLOCKS * BLOCK, 1},
     {BLOCK, 1}, BARRIER_BLOCKS * BLOCK},
};
enum { LAUNCHES = sizeof launches / sizeof *launches };

/* A device with a queue, and the buffers of one row. */
struct peer {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel, after; /* `after` follows the kernel, or NULL */
    cl_mem out;
};

static void require(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "peer: %s: OpenCL error %d\n", what, error);
    exit(ABSENT);
}

/* --- platforms ----------------------------------------------------------- */

/* The CPU of a platform whose name contains the text; "" shows all names. */
static bool find_device(const char *name, cl_device_id *device)
{
    cl_platform_id all[MOST_PLATFORMS];
    cl_uint count = 0;
    char text[256];
    if (clGetPlatformIDs(MOST_PLATFORMS, all, &count) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < count && i < MOST_PLATFORMS; i++) {
        clGetPlatformInfo(all[i], CL_PLATFORM_NAME, sizeof text, text, NULL);
        if (clGetDeviceIDs(all[i], CL_DEVICE_TYPE_CPU, 1, device, NULL)
            != CL_SUCCESS)
            continue;
        if (!*name)
            puts(text);
        else if (strstr(text, name))
            return true;
    }
    return false;
}

/* Warps are sub-groups, which OpenCL 3.0 makes optional. */
static bool has_sub_groups(cl_device_id device)
{
    char extensions[16384] = "";
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1,
                    extensions, NULL);
    return strstr(extensions, "_subgroups") != NULL;
}

/* --- the program --------------------------------------------------------- */

static char *read_source(void)
{
    enum { MOST = 1 << 16 };
    char *text = calloc(MOST, 1);
    FILE *f = fopen("opencl/kernels.cl", "r");
    if (!text || !f || !fread(text, 1, MOST - 1, f)) {
        perror("peer: opencl/kernels.cl");
        exit(ABSENT);
    }
    fclose(f);
    return text;
}

static cl_program build(const struct peer *p)
{
    char options[256], *source = read_source();
    cl_int error;
    cl_program program = clCreateProgramWithSource(
        p->context, 1, (const char **)&source, NULL, &error);
    require(error, "the program");
    /* as softcc contracts a * b + c, and as plain C is compiled */
    snprintf(options, sizeof options,
             "-cl-std=CL2.0 -cl-mad-enable -DVECTOR_N=%d -DGEMM_N=%d "
             "-DBLOCKED_N=%d -DIMAGE_N=%d -DBARRIERS=%d %s",
             VECTOR_N, GEMM_N, BLOCKED_N, IMAGE_N, BARRIERS,
             has_sub_groups(p->device) ? "-DSUB_GROUPS" : "");
    require(clBuildProgram(program, 1, &p->device, options, NULL, NULL),
            "compiling kernels.cl");
    free(source);
    return program;
}

static cl_mem buffer(const struct peer *p, const void *from, size_t bytes)
{
    cl_int error;
    cl_mem made = clCreateBuffer(
        p->context, CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0),
        bytes, (void *)from, &error);
    require(error, "a buffer");
    return made;
}

static void set_arguments(cl_kernel kernel, cl_mem first, cl_mem second,
                          cl_mem third)
{
    cl_mem all[] = {first, second, third};
    for (cl_uint i = 0; i < 3; i++)
        require(clSetKernelArg(kernel, i, sizeof *all, &all[i]), "arguments");
}

/* Everything that a row needs but its launches. */
static struct peer prepare(cl_device_id device, const struct launch *launch,
                           const struct bench_data *w)
{
    static const unsigned zeros[BINS];
    const bool counts = !strcmp(launch->row, "histogram");
    struct peer p = {.device = device};
    cl_int error;
    p.context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    require(error, "the context");
    p.queue = clCreateCommandQueueWithProperties(p.context, device, NULL,
                                                 &error);
    require(error, "the queue");
    cl_program program = build(&p);
    p.kernel = clCreateKernel(program, launch->kernel, &error);
    require(error, launch->kernel);
    p.out = buffer(&p, NULL, VECTOR_N * sizeof(float));
    cl_mem first = counts ? buffer(&p, w->bytes, VECTOR_N)
                          : buffer(&p, w->a, VECTOR_N * sizeof(float));
    cl_mem second = counts ? buffer(&p, zeros, sizeof zeros)
                           : buffer(&p, w->b, VECTOR_N * sizeof(float));
    set_arguments(p.kernel, first, second, p.out);
    if (counts) {
        p.after = clCreateKernel(program, "copy_counts", &error);
        require(error, "copy_counts");
        set_arguments(p.after, first, second, p.out);
    }
    return p;
}

/* --- time ---------------------------------------------------------------- */

static double now_ns(bool cpu)
{
    struct timespec t;
    clock_gettime(cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    const double ns = (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
    return cpu ? ns / omp_get_num_procs() : ns;
}

static void launch_once(const struct peer *p, const struct launch *launch)
{
    static const size_t bins[] = {BINS};
    require(clEnqueueNDRangeKernel(p->queue, p->kernel, 2, NULL,
                                   launch->global, launch->block, 0, NULL,
                                   NULL),
            "a launch");
    if (p->after)
        require(clEnqueueNDRangeKernel(p->queue, p->after, 1, NULL, bins, bins,
                                       0, NULL, NULL),
                "a launch");
    require(clFinish(p->queue), "a kernel");
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of the rounds, after two that are not counted. */
static double time_row(const struct peer *p, const struct launch *launch)
{
    const bool cpu = getenv("BENCH_CPU") != NULL;
    double times[ROUNDS];
    for (int i = -2; i < ROUNDS; i++) {
        const double start = now_ns(cpu);
        launch_once(p, launch);
        if (i >= 0)
            times[i] = now_ns(cpu) - start;
    }
    qsort(times, ROUNDS, sizeof *times, compare_times);
    return times[ROUNDS / 2];
}

/* --- outputs ------------------------------------------------------------- */

static bool outputs_match(const struct peer *p, const struct launch *launch,
                          const struct bench_data *w)
{
    float *got = malloc(VECTOR_N * sizeof *got);
    if (!got)
        return false;
    require(clEnqueueReadBuffer(p->queue, p->out, CL_TRUE, 0,
                                (size_t)launch->outputs * sizeof *got, got, 0,
                                NULL, NULL),
            "the output");
    launch->plain(w);
    int wrong = -1;
    for (int i = launch->outputs - 1; i >= 0; i--)
        if (!(fabsf(got[i] - w->out[i]) <= 1e-3f * (1 + fabsf(w->out[i]))))
            wrong = i;
    if (wrong >= 0)
        fprintf(stderr, "peer: %s: [%d] is %g, should be %g\n", launch->row,
                wrong, (double)got[wrong], (double)w->out[wrong]);
    free(got);
    return wrong < 0;
}

int main(int argc, char **argv)
{
    cl_device_id device;
    if (argc != 3)
        return find_device("", &device);
    if (!find_device(argv[1], &device))
        return ABSENT;
    float *numbers = malloc(3 * VECTOR_N * sizeof *numbers);
    unsigned char *bytes = malloc(VECTOR_N);
    if (!numbers || !bytes)
        return ABSENT;
    for (int i = 0; i < VECTOR_N; i++) {
        numbers[i] = (float)rand() / (float)RAND_MAX;
        numbers[VECTOR_N + i] = (float)rand() / (float)RAND_MAX;
        bytes[i] = (unsigned char)(rand() >> 8);
    }
    const struct bench_data w = {numbers, numbers + VECTOR_N, bytes,
                                 numbers + 2 * VECTOR_N};
    for (int i = 0; i < LAUNCHES; i++) {
        if (strcmp(launches[i].row, argv[2]))
            continue;
        const struct peer p = prepare(device, &launches[i], &w);
        printf("%.0f\n", time_row(&p, &launches[i]));
        return outputs_match(&p, &launches[i], &w) ? 0 : WRONG;
    }
    fprintf(stderr, "peer: no row %s\n", argv[2]);
    return ABSENT;
}
