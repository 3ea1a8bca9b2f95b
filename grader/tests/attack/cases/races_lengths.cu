/* SPDX-License-Identifier: MIT */
/* Asks for lists of handles while a thread changes the length that it gave. */
#include "hostile.h"

static volatile size_t length = 1;
static volatile bool ended;

static void *change(void *unused)
{
    while (!ended) {
        length = 1;
        length = 100000;
    }
    return unused;
}

static void act(void)
{
    static cudaGraphNode_t nodes[100000];
    pthread_t thread;
    cudaGraph_t graph = NULL;
    cudaGraphNode_t node;

    ended = false;
    pthread_create(&thread, NULL, change, NULL);
    cudaGraphCreate(&graph, 0);
    for (int i = 0; i < 64; i++)
        cudaGraphAddEmptyNode(&node, graph, NULL, 0);
    for (int i = 0; i < 3000; i++)
        cudaGraphGetNodes(graph, nodes, (size_t *)&length);
    ended = true;
    pthread_join(thread, NULL);
    cudaGraphDestroy(graph);
    cudaGetLastError();
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        act();
    return honest(a, b, c, n);
}
