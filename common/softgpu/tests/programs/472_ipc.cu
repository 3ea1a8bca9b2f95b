/* SPDX-License-Identifier: MIT */
/* Device memory and events of another process: both processes use the same
 * bytes, a stream waits for a record of the other one, and each misuse has the
 * error that CUDA documents. */
#include <csignal>

#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { N = 1 << 20, SMALL = 100 };

static int to_child[2], to_parent[2];

template <class T> static void put(int file, const T &x)
{
    EXPECT(write(file, &x, sizeof x) == (ssize_t)sizeof x);
}

template <class T> static T get(int file)
{
    T x;
    if (read(file, &x, sizeof x) != (ssize_t)sizeof x) {
        printf("the other process has ended\n");
        exit(3);
    }
    return x;
}

/* p[i] += v. */
__global__ void add(int *p, int n, int v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += v;
}

/* Add v a thousand times, so slowly that others could overtake. */
__global__ void add_slowly(int *p, int v)
{
    for (int k = 0; k < 1000; k++) {
        p[threadIdx.x] += v;
        __threadfence();
    }
}

/* What one process gives the other one. */
struct handles {
    cudaIpcMemHandle_t large, small;
    cudaIpcEventHandle_t begun, ended;
};

/* Opens what the parent has, works on it when the parent's kernel has ended,
 * and exports memory that is still there when this process is killed. */
static int child()
{
    handles h = get<handles>(to_child[0]);
    int *large, *small, *again, first;
    cudaEvent_t begun, ended;
    cudaStream_t s;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaIpcOpenMemHandle((void **)&large, h.large,
                            cudaIpcMemLazyEnablePeerAccess));
    OK(cudaIpcOpenMemHandle((void **)&small, h.small,
                            cudaIpcMemLazyEnablePeerAccess));
    OK(cudaIpcOpenMemHandle((void **)&again, h.large,
                            cudaIpcMemLazyEnablePeerAccess));
    EXPECT(again == large && small != large);
    OK(cudaIpcOpenEventHandle(&begun, h.begun));
    OK(cudaIpcOpenEventHandle(&ended, h.ended));
    SHOW(cudaFree(large));
    SHOW(cudaEventElapsedTime(NULL, begun, ended));

    OK(cudaStreamWaitEvent(s, begun, 0)); /* the parent's record */
    add<<<(N + 255) / 256, 256, 0, s>>>(large, N, 1);
    add<<<1, 128, 0, s>>>(small, SMALL, 10);
    OK(cudaEventRecord(ended, s));
    OK(cudaMemcpyAsync(&first, large, 4, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    printf("child: %d\n", first);

    OK(cudaIpcCloseMemHandle(again));
    OK(cudaMemset(large + 1, 0, 4)); /* still open */
    OK(cudaIpcCloseMemHandle(large));
    SHOW(cudaIpcCloseMemHandle(large));
    SHOW(cudaMemset(large, 0, 4));
    OK(cudaIpcCloseMemHandle(small));
    OK(cudaEventDestroy(begun));
    OK(cudaEventDestroy(ended));

    int *mine, *gone;
    cudaIpcMemHandle_t of_mine, of_gone;
    OK(cudaMalloc((void **)&gone, 4));
    OK(cudaIpcGetMemHandle(&of_gone, gone));
    OK(cudaFree(gone));
    OK(cudaMalloc((void **)&mine, 4));
    OK(cudaMemset(mine, 7, 4));
    OK(cudaDeviceSynchronize());
    OK(cudaIpcGetMemHandle(&of_mine, mine));
    fflush(stdout);
    put(to_parent[1], of_mine);
    put(to_parent[1], of_gone);
    for (;;)
        pause();
}

/* Errors of calls in the process that makes the handles. */
static void misuse(int *d)
{
    cudaIpcMemHandle_t h, none = {};
    cudaIpcEventHandle_t of_event;
    cudaEvent_t plain, e;
    int *managed_ints = managed<int>(1);
    void *p;
    SHOW(cudaIpcGetMemHandle(&h, d + 1));
    SHOW(cudaIpcGetMemHandle(&h, managed_ints));
    SHOW(cudaIpcGetMemHandle(NULL, d));
    OK(cudaIpcGetMemHandle(&h, d));
    SHOW(cudaIpcOpenMemHandle(&p, h, 0));
    SHOW(cudaIpcOpenMemHandle(&p, h, cudaIpcMemLazyEnablePeerAccess));
    SHOW(cudaIpcOpenMemHandle(&p, none, cudaIpcMemLazyEnablePeerAccess));
    SHOW(cudaIpcCloseMemHandle(d));
    SHOW(cudaEventCreateWithFlags(&e, cudaEventInterprocess));
    OK(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
    SHOW(cudaIpcGetEventHandle(&of_event, plain));
    OK(cudaEventDestroy(plain));
}

/* The driver API's handle has the same bytes, in a type of its own. */
static CUipcMemHandle driver_handle(const cudaIpcMemHandle_t &h)
{
    CUipcMemHandle d;
    static_assert(sizeof d == sizeof h, "64 bytes");
    memcpy(&d, &h, sizeof d);
    return d;
}

/* The child's memory: there as long as the child, or as it is open. */
static void use_childs(pid_t pid)
{
    cudaIpcMemHandle_t h = get<cudaIpcMemHandle_t>(to_parent[0]);
    cudaIpcMemHandle_t gone = get<cudaIpcMemHandle_t>(to_parent[0]);
    CUdeviceptr p;
    int first;
    SHOW((cudaError_t)cuIpcOpenMemHandle(&p, driver_handle(gone),
                                         CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    SHOW((cudaError_t)cuIpcOpenMemHandle(&p, driver_handle(h), 0));
    OK((cudaError_t)cuIpcOpenMemHandle(&p, driver_handle(h),
                                       CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    OK(cudaMemcpy(&first, (void *)p, 4, cudaMemcpyDeviceToHost));
    printf("of the child: %x\n", first);
    OK((cudaError_t)cuIpcCloseMemHandle(p));
    void *q;
    SHOW(cudaIpcOpenMemHandle(&q, h, cudaIpcMemLazyEnablePeerAccess));
}

int main()
{
    EXPECT(pipe(to_child) == 0 && pipe(to_parent) == 0);
    const pid_t pid = fork(); /* before the first call of CUDA */
    if (!pid)
        return child();
    static int host[N];
    int *large, *between, *small;
    cudaEvent_t begun, ended;
    handles h;
    OK(cudaMalloc((void **)&large, sizeof host));
    OK(cudaMalloc((void **)&between, 4)); /* in a chunk that is shared */
    OK(cudaMalloc((void **)&small, SMALL * 4));
    OK(cudaMemset(small, 0, SMALL * 4));
    for (int i = 0; i < N; i++)
        host[i] = i;
    OK(cudaMemcpy(large, host, sizeof host, cudaMemcpyHostToDevice));
    misuse(large);
    const unsigned flags = cudaEventDisableTiming | cudaEventInterprocess;
    OK(cudaEventCreateWithFlags(&begun, flags));
    OK(cudaEventCreateWithFlags(&ended, flags));
    OK(cudaIpcGetMemHandle(&h.large, large));
    OK(cudaIpcGetMemHandle(&h.small, small));
    OK(cudaIpcGetEventHandle(&h.begun, begun));
    OK(cudaIpcGetEventHandle(&h.ended, ended));
    add_slowly<<<1, 256>>>(large, 1);
    OK(cudaEventRecord(begun, 0));
    OK(cudaEventQuery(ended)); /* not recorded */
    fflush(stdout);
    put(to_child[1], h);
    OK(cudaDeviceSynchronize());
    use_childs(pid);
    OK(cudaEventSynchronize(ended));
    OK(cudaMemcpy(host, large, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d %d %d\n", host[0], host[1], host[N - 1]);
    OK(cudaMemcpy(host, small, SMALL * 4, cudaMemcpyDeviceToHost));
    printf("%d %d\n", host[0], host[SMALL - 1]);
    OK(cudaFree(large));
    OK(cudaFree(between));
    OK(cudaFree(small));
    OK(cudaEventDestroy(begun));
    OK(cudaEventDestroy(ended));
    return 0;
}
