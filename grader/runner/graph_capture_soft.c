/* SPDX-License-Identifier: MIT */
/* A call in a stream capture on the software GPU, which can switch to the
 * per-thread default stream at run time. */
#include <cuda_runtime_api.h>

#include "graph_capture.h"

extern int softgpu_per_thread_default;

/* Instantiates the captured graph and launches it once. */
static cudaError_t launch_graph(cudaGraph_t graph)
{
    cudaGraphExec_t graph_exec = NULL;
    cudaError_t error = cudaGraphInstantiate(&graph_exec, graph, 0);

    if (!error)
        error = cudaGraphLaunch(graph_exec, cudaStreamPerThread);
    if (!error)
        error = cudaStreamSynchronize(cudaStreamPerThread);
    if (graph_exec)
        cudaGraphExecDestroy(graph_exec);
    return error;
}

int64_t call_captured(int64_t (*call)(const struct frame *),
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
        error = launch_graph(graph);
    if (graph)
        cudaGraphDestroy(graph);
    return error ? (int64_t)error : status;
}
