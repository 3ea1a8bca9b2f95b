/* SPDX-License-Identifier: MIT */
/* Performing a call of the host process: its pointers are replaced by copies
 * of what they point to, and what the call has written is copied back. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>

#include "common/softgpu/core/core.h"
#include "common/softgpu/core/hooks.h"
#include "common/softgpu/host/call.h"
#include "common/softgpu/host/launch.h"
#include "common/softgpu/host/memory.h"
#include "common/softgpu/host/remote.h"
#include "grader/runner/device.h"
#include "grader/runner/resources.h"
#include "call_choices.h"
#include "call_copies.h"
#include "handles.h"
#include "process.h"
#include "transfers.h"

enum { NODE = 'n', GRAPH = 'g', EVENT = 'e' }; /* types of handles */
enum { ARGUMENT_ALIGN = 64 };

/* The number of elements is another argument. */
static void replace_array(struct call *call, uint64_t *argument,
                          bool is_output)
{
    const size_t element = *call->size++;
    uint64_t *count = &call->argument[*call->size++];

    *count = (uint32_t)*count; /* the call must not see more */
    replace_struct(call, argument, element * *count, is_output);
}

/* Handles are numbers of the host process; each must be one that it was
 * given. */
static void replace_handles(struct call *call, uint64_t *argument)
{
    const size_t count = (uint32_t)call->argument[*call->size++];
    uint64_t *handle;

    replace_struct(call, argument, count * sizeof *handle, false);
    handle = (uint64_t *)*argument;
    for (size_t i = 0; handle && i < count; i++)
        handle[i] = check_handle(handle[i], NODE, USE);
}

/* A kernel's record: one of those that are registered. */
static void check_kernel(uint64_t *argument)
{
    const struct softgpu_kernel *k = softgpu_kernels();

    while (k && (uint64_t)k != *argument)
        k = k->next;
    *argument = (uint64_t)k;
}

/* Arguments of kernels are aligned alike in both processes. */
static size_t round_up(size_t bytes)
{
    return (bytes + ARGUMENT_ALIGN - 1) / ARGUMENT_ALIGN * ARGUMENT_ALIGN;
}

/* The arguments of a kernel, which its function tells the sizes of. */
static void **copy_arguments(struct call *call, void **host, const void *func)
{
    const struct softgpu_kernel *k = softgpu_find_kernel(func);
    size_t total = ARGUMENT_ALIGN;
    char *values;
    void **args;

    if (!host || !k)
        return NULL;
    args = free_after_call(call, calloc(k->params + 1, sizeof *args));
    host_read(args, host, k->params * sizeof *args);
    for (uint32_t i = 0; i < k->params; i++)
        total += round_up(k->param_bytes[i]);
    values = free_after_call(call, aligned_alloc(ARGUMENT_ALIGN, total));
    for (uint32_t i = 0; i < k->params; i++) {
        host_read(values, args[i], k->param_bytes[i]);
        args[i] = values;
        values += round_up(k->param_bytes[i]);
    }
    count_kernel_arguments(k, args);
    return args;
}

/* Arguments are copied by the sizes that the kernel was registered with. */
static void replace_kernel_params(struct call *call,
                                  struct cudaKernelNodeParams *p)
{
    p->kernelParams = copy_arguments(call, p->kernelParams, p->func);
    p->extra = NULL;
}

/* A graph's kernel node. */
static void replace_kernel_node(struct call *call, uint64_t *argument)
{
    replace_struct(call, argument, sizeof(struct cudaKernelNodeParams), false);
    if (*argument)
        replace_kernel_params(call, (struct cudaKernelNodeParams *)*argument);
}

/* Parameters of a node of any type. */
static void replace_node(struct call *call, uint64_t *argument)
{
    struct cudaGraphNodeParams *p;

    replace_struct(call, argument, sizeof *p, false);
    p = (struct cudaGraphNodeParams *)*argument;
    if (!p)
        return;
    if (p->type == cudaGraphNodeTypeKernel)
        replace_kernel_params(call, &p->kernel);
    else if (p->type == cudaGraphNodeTypeGraph)
        p->graph.graph = (cudaGraph_t)check_handle((uint64_t)p->graph.graph,
                                                   GRAPH, USE);
    else if (p->type == cudaGraphNodeTypeWaitEvent
             || p->type == cudaGraphNodeTypeEventRecord)
        p->eventRecord.event = (cudaEvent_t)check_handle(
            (uint64_t)p->eventRecord.event, EVENT, USE);
}

/* Room for handles that the call gives out. */
static void replace_handle_list(struct call *call, uint64_t *argument,
                                size_t count)
{
    struct copy *copy = NULL;

    if (count <= MAX_ARRAY_BYTES / sizeof(uint64_t))
        copy = replace_pointer(call, argument, count * sizeof(uint64_t), true);
    else
        *argument = 0;
    if (copy)
        copy->handles = NODE;
}

/* A length in memory of the host process, which may change it at any time: it
 * is read once. */
static size_t read_count(struct call *call, uint64_t host)
{
    call->has_list = true;
    if (host)
        host_read(&call->list_length, (const void *)host, sizeof(size_t));
    return call->list_length;
}

/* A structure of a size that the table gives; the one after a list is the
 * list's length. */
static void replace_sized(struct call *call, uint64_t *argument,
                          bool is_output)
{
    struct copy *copy =
        replace_struct(call, argument, *call->size++, is_output);

    if (copy && call->has_list)
        memcpy(copy->local, &call->list_length, sizeof(size_t));
}

/* The attributes are a list of limited length. */
static void replace_launch_config(struct call *call, uint64_t *argument)
{
    cudaLaunchConfig_t *c;
    size_t bytes;
    void *attributes;

    replace_struct(call, argument, sizeof *c, false);
    c = (cudaLaunchConfig_t *)*argument;
    if (!c || !c->attrs)
        return;
    if (c->numAttrs > MAX_LAUNCH_ATTRIBUTES) {
        *argument = 0; /* which the call refuses */
        return;
    }
    bytes = c->numAttrs * sizeof *c->attrs;
    attributes = free_after_call(call, malloc(bytes + 1));
    host_read(attributes, c->attrs, bytes);
    c->attrs = attributes;
}

/* Letters of the tables say what an argument is; that of a handle is followed
 * by its type's. */
static void replace_argument(struct call *call, const char *letter,
                             uint64_t *a)
{
    struct copy *copy;

    switch (*letter) {
    case 'h':
        *a = check_handle(*a, letter[1], call->use);
        break;
    case 'H':
        copy = replace_struct(call, a, sizeof *a, true);
        if (copy)
            copy->handles = letter[1];
        break;
    case 'u':
        copy = replace_struct(call, a, sizeof(cudaGraphExecUpdateResultInfo),
                              true);
        if (copy)
            copy->is_update = true;
        break;
    case 'b':
    case 'i':
        replace_sized(call, a, *letter == 'b');
        break;
    case 'a':
    case 'A':
        replace_array(call, a, *letter == 'A');
        break;
    case 'n':
        replace_handles(call, a);
        break;
    case 'c':
    case 'r':
        replace_scalar(call, a, *letter == 'r');
        break;
    case 'k':
        check_kernel(a);
        break;
    case 'l':
        *a = (uint64_t)copy_arguments(
            call, (void **)*a, (const void *)call->argument[*call->size++]);
        break;
    case 'K':
        replace_kernel_node(call, a);
        break;
    case 'N':
        replace_node(call, a);
        break;
    case 'm':
        replace_handle_list(call, a, read_count(call, a[1]));
        break;
    case 'x':
        replace_launch_config(call, a);
        break;
    default:
        break;
    }
}

/* A dim3 takes two registers, or none and two places on the stack. */
static void replace_arguments(struct call *call)
{
    unsigned at = 0;

    for (const char *letter = call->function->letters; *letter; letter++) {
        if (*letter == 'f')
            continue;
        replace_argument(call, letter, &call->argument[at]);
        at += *letter == 'D' ? 2 : 1;
        letter += *letter == 'h' || *letter == 'H';
    }
}

/* A launch of no kernel: they are known when all initializers have run. */
static uint64_t refuse_launch(void)
{
    static atomic_flag is_told = ATOMIC_FLAG_INIT;

    if (is_image_imported())
        return softgpu_record_error(cudaErrorInvalidDeviceFunction);
    if (!atomic_flag_test_and_set(&is_told))
        fputs("warpbook: a kernel that is launched before main(), by the "
              "constructor of a global object, does not run\n", stderr);
    return softgpu_record_error(cudaErrorInitializationError);
}

/* Does the name begin so? */
static bool begins(const char *name, const char *text)
{
    return !strncmp(name, text, strlen(text));
}

/* Calls that enqueue work, and that no wrapper lets fail: memsets, and those of
 * cuDNN and cuBLAS that get a handle, but for its settings and for queries, for
 * which a submission may have an answer of its own. */
static bool is_work(const struct remote_function *function)
{
    static const char *const others[] = {
        "cublasGet", "cublasSet", "cudnnDropoutGet", "cudnnFind", "cudnnGet",
        "cudnnRestore", "cudnnSetDropout"};

    if (function->counted || begins(function->name, "cublasLt"))
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(function->name, others[i]))
            return false;
    return begins(function->name, "cudaMemset")
           || (begins(function->name, "cudnn")
               && begins(function->letters, "hc"))
           || (begins(function->name, "cublas")
               && begins(function->letters, "hb"));
}

/* Must this call fail?  @param[out] status  what it then returns */
static bool work_fails(const struct remote_function *function,
                       uint64_t *status)
{
    if (!is_work(function)
        || !resources_call_fails(function->name, softgpu_remote_site))
        return false;
    *status = CUDNN_STATUS_EXECUTION_FAILED;
    if (begins(function->name, "cublas"))
        *status = CUBLAS_STATUS_EXECUTION_FAILED;
    if (begins(function->name, "cuda")) {
        *status = cudaErrorMemoryAllocation;
        device_leave_memory_error();
    }
    return true;
}

/* The call that this thread performs. */
static _Thread_local const struct remote_function *performed;

const char *remote_performed(void)
{
    return performed ? performed->name : NULL;
}

uint64_t remote_perform(const struct remote_function *function,
                        struct remote_arguments *arguments)
{
    uint64_t real[REMOTE_REALS];
    struct call call = {.function = function, .argument = arguments->integer,
                        .real = real, .size = function->size};
    const uint64_t *a = arguments->integer;
    const double *f = arguments->real;
    const bool counts = runner_counts_launches && function->counted;
    const struct remote_function *outer = performed;
    uint64_t result;

    memcpy(real, arguments->real, sizeof real);
    if (strstr(function->name, "Destroy"))
        call.use = counts ? DESTROY : FORGET;
    replace_arguments(&call);
    count_call(&call);
    if (function->letters[0] == 'k' && !a[0])
        return refuse_launch();
#define VALUE(n) a[n],
#define STACKED_VALUE(n) , a[n]
    if (!strncmp(function->name, "runner_", 7))
        softgpu_remote_site = NULL; /* its copies are our own */
    performed = function;
    /* The checkers count by themselves, and report what fails. */
    if (!runner_counts_launches || !work_fails(function, &result))
        result = (counts ? function->counted : function->call)(
            REMOTE_REGISTERS(VALUE) f[0], f[1], f[2], f[3]
            REMOTE_STACK(STACKED_VALUE));
    performed = outer;
    if (!(uint32_t)result)
        count_given(&call);
    count_query(&call, (uint32_t)result);
    finish_copies(&call, (uint32_t)result != 0);
    return result;
}
