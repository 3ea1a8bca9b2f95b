/* SPDX-License-Identifier: MIT */
/* The calls that the linker sends to the runner: on a card those of the runtime
 * that launch_wrappers_gpu.c, memcpy_wrappers.c, handle_wrappers.c and
 * library_wrappers.c count; on the software GPU all. */
#include "recipe.h"

static const char *const launch_wraps[] = {
    "--wrap=cudaLaunchKernel", "--wrap=__cudaLaunchKernel",
    "--wrap=cudaMemcpyFromSymbol", "--wrap=cudaMemcpyFromSymbolAsync",
    "--wrap=cudaMemcpyToSymbol", "--wrap=cudaMemcpyToSymbolAsync", NULL};
static const char *const memcpy_wraps[] = {
    "--wrap=cudaMemcpy",       "--wrap=cudaMemcpyAsync",
    "--wrap=cudaMemcpy2D",     "--wrap=cudaMemcpy2DAsync",
    "--wrap=cudaMemcpy3D",     "--wrap=cudaMemcpy3DAsync",
    "--wrap=cudaGraphAddMemcpyNode", "--wrap=cudaGraphAddMemcpyNode1D",
    "--wrap=cudaGraphMemcpyNodeSetParams",
    "--wrap=cudaGraphExecMemcpyNodeSetParams",
    "--wrap=cudaGraphExecMemcpyNodeSetParams1D",
    "--wrap=cudaGraphAddNode", "--wrap=cudaGraphAddNode_v2",
    "--wrap=cudaGraphNodeSetParams", "--wrap=cudaGraphExecNodeSetParams",
    "--wrap=cudaMemcpyBatchAsync", "--wrap=cudaMemcpy3DBatchAsync", NULL};
static const char *const handle_wraps[] = {
    "--wrap=cudaMalloc",        "--wrap=cudaMallocAsync",
    "--wrap=cudaMallocPitch",
    "--wrap=cudaMallocManaged", "--wrap=cudaHostAlloc",
    "--wrap=cudaMallocHost",    "--wrap=cudaHostRegister",
    "--wrap=cudaFree",          "--wrap=cudaFreeAsync",
    "--wrap=cudaFreeHost",      "--wrap=cudaHostUnregister",
    "--wrap=cudaStreamCreate",  "--wrap=cudaStreamCreateWithFlags",
    "--wrap=cudaStreamCreateWithPriority", "--wrap=cudaStreamDestroy",
    "--wrap=cudaEventCreate",   "--wrap=cudaEventCreateWithFlags",
    "--wrap=cudaEventDestroy",  "--wrap=cudaGraphCreate",
    "--wrap=cudaGraphClone",    "--wrap=cudaStreamEndCapture",
    "--wrap=cudaGraphDestroy",
    "--wrap=cudaGraphInstantiate", "--wrap=cudaGraphInstantiateWithFlags",
    "--wrap=cudaGraphInstantiateWithParams",
    "--wrap=cudaGraphExecDestroy", "--wrap=cudaGraphLaunch", NULL};
static const char *const library_wraps[] = {
    "--wrap=cudnnCreate",       "--wrap=cudnnDestroy",
    "--wrap=cudnnSetStream",    "--wrap=cublasCreate_v2",
    "--wrap=cublasDestroy_v2",  "--wrap=cublasSetStream_v2",
    "--wrap=cudnnCreateTensorDescriptor",
    "--wrap=cudnnDestroyTensorDescriptor",
    "--wrap=cudnnCreateFilterDescriptor",
    "--wrap=cudnnDestroyFilterDescriptor",
    "--wrap=cudnnCreateConvolutionDescriptor",
    "--wrap=cudnnDestroyConvolutionDescriptor",
    "--wrap=cudnnCreateActivationDescriptor",
    "--wrap=cudnnDestroyActivationDescriptor",
    "--wrap=cudnnCreatePoolingDescriptor",
    "--wrap=cudnnDestroyPoolingDescriptor",
    "--wrap=cudnnCreateOpTensorDescriptor",
    "--wrap=cudnnDestroyOpTensorDescriptor",
    "--wrap=cudnnCreateReduceTensorDescriptor",
    "--wrap=cudnnDestroyReduceTensorDescriptor",
    "--wrap=cudnnCreateDropoutDescriptor",
    "--wrap=cudnnDestroyDropoutDescriptor", NULL};

/* On the software GPU: all calls that host code makes of the device process
 * (grader/runner/soft). */
#define R(name, ...) "--wrap=" #name ","
#define C(name, ...) "--wrap=" #name ","
static const char soft_wraps[] =
#include "grader/runner/soft/remote_runtime.def.h"
    "--wrap=getenv,--wrap=softgpu_max_potential_block";
static const char soft_library_wraps[] =
#include "grader/runner/soft/remote_libraries.def.h"
    ;
#undef R
#undef C

static void add_all(struct command *command, const char *const *wraps)
{
    for (; *wraps; wraps++) {
        command_add(command, "-Xlinker");
        command_add(command, *wraps);
    }
}

/* softcc separates them at the commas. */
static void add_list(struct command *command, const char *wraps)
{
    command_add(command, "-Xlinker");
    command_add(command, wraps);
}

void add_wraps(struct command *command, const struct target *target,
               const struct lab *lab)
{
    const bool libraries = *lab->libraries;

    if (target->kind == DEVICE_SOFT) {
        add_list(command, soft_wraps);
        if (libraries)
            add_list(command, soft_library_wraps);
        return;
    }
    add_all(command, launch_wraps);
    add_all(command, memcpy_wraps);
    add_all(command, handle_wraps);
    if (libraries)
        add_all(command, library_wraps);
}
