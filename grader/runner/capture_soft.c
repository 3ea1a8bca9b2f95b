/* SPDX-License-Identifier: MIT */
/* A call captured into a graph, on the soft device: which stream is the
 * default one is decided while the program runs. */
#include <cuda_runtime_api.h>

#include "capture.h"

extern int softgpu_per_thread_default;

/* Runs what was captured, once. */
static cudaError_t replay(cudaGraph_t graph)
{
    cudaGraphExec_t made = NULL;
    cudaError_t error = cudaGraphInstantiate(&made, graph, 0);

    if (!error)
        error = cudaGraphLaunch(made, cudaStreamPerThread);
    if (!error)
        error = cudaStreamSynchronize(cudaStreamPerThread);
    if (made)
        cudaGraphExecDestroy(made);
    return error;
}

int64_t captured_call(int64_t (*call)(const struct frame *),
                      const struct frame *frame)
{
    cudaGraph_t graph = NULL;
    cudaError_t error;
    int64_t status;

    softgpu_per_thread_default = 1;
    error = cudaStreamBeginCapture(cudaStreamPerThread,
                                   cudaStreamCaptureModeThreadLocal);
    if (error)
        return error;
    status = call(frame);
    error = cudaStreamEndCapture(cudaStreamPerThread, &graph);
    softgpu_per_thread_default = 0;
    if (!error)
        error = replay(graph);
    if (graph)
        cudaGraphDestroy(graph);
    return error ? (int64_t)error : status;
}
