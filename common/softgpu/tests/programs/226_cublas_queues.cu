/* SPDX-License-Identifier: MIT */
/* cuBLAS: calls keep their place in a stream, wait for events, become nodes of
 * a graph, take scalars from the device at their turn; copies with strides. */
// flags: -lcublas
#include "cublas_check.h"

static const int n = 1000;

/* Sets one element per thread. */
__global__ void fill(float *x, float value)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/* Kernel, call, kernel: in this order. */
static void in_order(cublasHandle_t h)
{
    const float two = 2;
    array<float> x(n), y(n);
    cudaStream_t s, other;
    cudaEvent_t filled;

    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaEventCreate(&filled));
    fill<<<n / 100, 100, 0, other>>>(x.device, 3);
    fill<<<n / 100, 100, 0, other>>>(y.device, 1);
    OK(cudaEventRecord(filled, other));
    OK(cudaStreamWaitEvent(s, filled));
    BLAS(cublasSetStream(h, s));
    BLAS(cublasSaxpy(h, n, &two, x.device, 1, y.device, 1));
    fill<<<n / 100, 100, 0, s>>>(x.device, 100);
    BLAS(cublasSaxpy(h, n, &two, x.device, 1, y.device, 1));
    OK(cudaStreamSynchronize(s));
    y.fetch();
    near(y.host[n - 1], 1 + 6 + 200, 0, "order");
    BLAS(cublasSetStream(h, 0));
    OK(cudaEventDestroy(filled));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(other));
}

/* Three launches of one graph of a product and a sum. */
static void graph(cublasHandle_t h)
{
    const float one = 1, half = 0.5f;
    array<float> a(16), c(16);
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    size_t nodes = 0;
    cudaGraphNode_t all[8];
    enum cudaGraphNodeType type;

    for (int i = 0; i < 16; i++)
        a.host[i] = i % 5 == 0; /* unit */
    a.send();
    for (float &x : c.host)
        x = 8;
    c.send();
    OK(cudaStreamCreate(&s));
    BLAS(cublasSetStream(h, s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    BLAS(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.device, 4,
                     a.device, 4, &half, c.device, 4));
    BLAS(cublasSaxpy(h, 16, &one, a.device, 1, c.device, 1));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphGetNodes(graph, NULL, &nodes));
    EXPECT(nodes == 2);
    nodes = nodes < 8 ? nodes : 8;
    OK(cudaGraphGetNodes(graph, all, &nodes));
    OK(cudaGraphNodeGetType(all[0], &type));
    EXPECT(type == cudaGraphNodeTypeKernel);
    OK(cudaGraphInstantiate(&run, graph, 0));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(run, s));
    OK(cudaStreamSynchronize(s));
    c.fetch();
    near(c.host[1], 1, 0, "graph, beside the diagonal");
    near(c.host[5], 1 + 2 * (1 + 0.5 + 0.25), 0, "graph, on it");
    OK(cudaGraphExecDestroy(run));
    OK(cudaGraphDestroy(graph));
    BLAS(cublasSetStream(h, 0));
    OK(cudaStreamDestroy(s));
}

/* alpha is the result of the call before: the host never sees it. */
static void device_scalars(cublasHandle_t h)
{
    array<float> x(n), scalar(1);
    array<int> where(1);

    x.randomize();
    x.host[17] = 4;
    x.send();
    BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(cublasIsamax(h, n, x.device, 1, where.device));
    BLAS(cublasSasum(h, 1, x.device + 17, 1, scalar.device));
    BLAS(cublasSscal(h, n, scalar.device, x.device, 1));
    BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    where.fetch();
    x.fetch();
    near(where.host[0], 18, 0, "index on the device");
    near(x.host[17], 16, 0, "scaled by the device");
}

static void copies()
{
    double from[60], to[60];
    array<double> x(60);

    for (int i = 0; i < 60; i++)
        from[i] = i;
    BLAS(cublasSetVector(10, sizeof *from, from, 3, x.device, 2));
    BLAS(cublasGetVector(10, sizeof *to, x.device, 2, to, 1));
    for (int i = 0; i < 10; i++)
        near(to[i], 3 * i, 0, "vector");
    BLAS(cublasSetMatrix(5, 6, sizeof *from, from, 10, x.device, 7));
    BLAS(cublasGetMatrix(5, 6, sizeof *to, x.device, 7, to, 5));
    for (int i = 0; i < 30; i++)
        near(to[i], from[i % 5 + i / 5 * 10], 0, "matrix");
    BLAS(cublasSetVectorAsync(60, sizeof *from, from, 1, x.device, 1, 0));
    BLAS(cublasGetVectorAsync(60, sizeof *to, x.device, 1, to, 1, 0));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 60; i++)
        near(to[i], from[i], 0, "later");
}

int main()
{
    cublasHandle_t h;

    BLAS(cublasCreate(&h));
    in_order(h);
    graph(h);
    device_scalars(h);
    copies();
    BLAS(cublasDestroy(h));
    return tell("queues");
}
