/* SPDX-License-Identifier: MIT */
/* Graphs beside kernels: a kernel waits for a graph, and a graph for a kernel,
 * while the instance of the graph is launched in a second stream, too. */
#include "check.h"

enum { HALVES = 2 };

struct words {
    int flag, reply, copy, runs;
};

/* Add to `reply`, when the flag is set. */
__global__ void answer(volatile int *flag, int *reply)
{
    while (*flag == 0) { }
    __threadfence();
    atomicAdd(reply, 5);
}

/* Ends the wait of the other kernel. */
__global__ void set(int *flag, int *runs)
{
    atomicAdd(runs, 1);
    __threadfence();
    atomicExch(flag, 1);
}

static struct words get(const struct words *d)
{
    struct words h;
    OK(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    return h;
}

static void clear(struct words *d)
{
    OK(cudaMemset(d, 0, sizeof *d));
    OK(cudaDeviceSynchronize());
}

/* A graph of a kernel and a copy. */
static cudaGraphExec_t capture(cudaStream_t s, struct words *d, int waits)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    if (waits)
        answer<<<1, 1, 0, s>>>(&d->flag, &d->reply);
    else
        set<<<1, 1, 0, s>>>(&d->flag, &d->runs);
    OK(cudaMemcpyAsync(&d->copy, waits ? &d->reply : &d->runs, sizeof d->copy,
                       cudaMemcpyDeviceToDevice, s));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(cudaGraphDestroy(graph));
    return exec;
}

static void show(const char *name, struct words *d)
{
    RUN();
    const struct words h = get(d);
    printf("%s: flag %d, reply %d, copy %d, runs %d\n", name, h.flag, h.reply,
           h.copy, h.runs);
    clear(d);
}

int main()
{
    cudaStream_t s[HALVES];
    struct words *d;
    OK(cudaMalloc((void **)&d, sizeof *d));
    for (int i = 0; i < HALVES; i++)
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
    cudaGraphExec_t waits = capture(s[0], d, 1), sets = capture(s[0], d, 0);
    clear(d);
    answer<<<1, 1, 0, s[0]>>>(&d->flag, &d->reply);
    OK(cudaGraphLaunch(sets, s[1]));
    OK(cudaStreamSynchronize(s[0]));
    show("graph for a kernel", d);
    OK(cudaGraphLaunch(waits, s[0]));
    set<<<1, 1, 0, s[1]>>>(&d->flag, &d->runs);
    show("kernel for a graph", d);
    OK(cudaGraphLaunch(waits, s[0]));
    OK(cudaGraphLaunch(waits, s[1]));
    set<<<1, 1>>>(&d->flag, &d->runs);
    show("one instance twice", d);
    for (int i = 0; i < HALVES; i++)
        OK(cudaStreamDestroy(s[i]));
    OK(cudaGraphExecDestroy(waits));
    OK(cudaGraphExecDestroy(sets));
    OK(cudaFree(d));
    return 0;
}
