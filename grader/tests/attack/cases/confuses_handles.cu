/* SPDX-License-Identifier: MIT */
/* Right if a handle of one type is taken for one of another, or one that was
 * destroyed is used: the runtime would read and write an object as what it is
 * not. */
#include "hostile.h"

static bool act(void)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaEvent_t event = NULL, gone = NULL;
    cudaGraphNode_t node = NULL;
    bool done = false;

    cudaGraphCreate(&graph, 0);
    cudaGraphAddEmptyNode(&node, graph, NULL, 0);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaEventCreate(&event);
    cudaEventCreate(&gone);
    cudaEventDestroy(gone);
    done |= !cudaEventRecord((cudaEvent_t)graph, 0);
    done |= !cudaEventRecord(gone, 0);
    done |= !cudaGraphLaunch((cudaGraphExec_t)event, 0);
    done |= !cudaGraphLaunch((cudaGraphExec_t)graph, 0);
    done |= !cudaEventDestroy((cudaEvent_t)exec);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    done |= !cudaGraphDestroyNode(node);
    done |= !cudaGraphLaunch(exec, 0);
    cudaEventDestroy(event);
    cudaGetLastError();
    return done;
}

RIGHT_IF(act())
