/* SPDX-License-Identifier: MIT */
/* A stream that waits for another process holds up no other stream, and what
 * follows the wait runs when the other process has recorded its event.  A
 * process that is killed records no more: then the wait is over. */
// stderr: ended before the event that this one waits for
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int to_child[2], to_parent[2];

/** One thread. */
__global__ void store(int *p, int v)
{
    *p = v;
}

static void wait_for_parent(void *)
{
    char byte;
    EXPECT(read(to_child[0], &byte, 1) == 1);
}

/* Its stream stores when the parent says so; the second time it never does. */
static int child()
{
    cudaIpcMemHandle_t h;
    cudaIpcEventHandle_t of_event;
    cudaEvent_t event;
    cudaStream_t s;
    int *p;
    EXPECT(read(to_child[0], &h, sizeof h) == sizeof h);
    OK(cudaIpcOpenMemHandle((void **)&p, h, cudaIpcMemLazyEnablePeerAccess));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(
        &event, cudaEventDisableTiming | cudaEventInterprocess));
    OK(cudaIpcGetEventHandle(&of_event, event));
    for (int i = 0; i < 2; i++) {
        OK(cudaLaunchHostFunc(s, wait_for_parent, NULL));
        store<<<1, 1, 0, s>>>(p, 7);
        OK(cudaEventRecord(event, s));
        EXPECT(write(to_parent[1], &of_event, sizeof of_event)
               == sizeof of_event);
        OK(cudaStreamSynchronize(s));
        wait_for_parent(NULL);
    }
    return 0;
}

int main()
{
    EXPECT(pipe(to_child) == 0 && pipe(to_parent) == 0);
    const pid_t pid = fork();
    if (!pid)
        return child();
    cudaIpcMemHandle_t h;
    cudaIpcEventHandle_t of_event;
    cudaEvent_t event;
    cudaStream_t a, b;
    int *p, *q, first, second;
    OK(cudaMalloc((void **)&p, 4));
    OK(cudaMalloc((void **)&q, 4));
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaIpcGetMemHandle(&h, p));
    EXPECT(write(to_child[1], &h, sizeof h) == sizeof h);
    EXPECT(read(to_parent[0], &of_event, sizeof of_event) == sizeof of_event);
    OK(cudaIpcOpenEventHandle(&event, of_event));
    OK(cudaStreamWaitEvent(a, event, 0));
    OK(cudaMemcpyAsync(q, p, 4, cudaMemcpyDeviceToDevice, a));
    store<<<1, 1, 0, b>>>(p, 5);
    OK(cudaStreamSynchronize(b));
    OK(cudaMemcpyAsync(&first, p, 4, cudaMemcpyDeviceToHost, b));
    OK(cudaStreamSynchronize(b));
    SHOW(cudaStreamQuery(a));
    SHOW(cudaEventQuery(event));
    EXPECT(write(to_child[1], "x", 1) == 1);
    OK(cudaStreamSynchronize(a));
    OK(cudaEventSynchronize(event));
    SHOW(cudaEventQuery(event));
    OK(cudaMemcpy(&second, q, 4, cudaMemcpyDeviceToHost));
    printf("%d %d\n", first, second);

    EXPECT(write(to_child[1], "x", 1) == 1);
    EXPECT(read(to_parent[0], &of_event, sizeof of_event) == sizeof of_event);
    OK(cudaStreamWaitEvent(a, event, 0));
    store<<<1, 1, 0, a>>>(q, 9);
    SHOW(cudaEventQuery(event));
    kill(pid, SIGKILL);
    OK(cudaStreamSynchronize(a));
    OK(cudaMemcpy(&second, q, 4, cudaMemcpyDeviceToHost));
    printf("%d\n", second);
    waitpid(pid, NULL, 0);
    OK(cudaEventDestroy(event));
    OK(cudaFree(p));
    OK(cudaFree(q));
    return 0;
}
