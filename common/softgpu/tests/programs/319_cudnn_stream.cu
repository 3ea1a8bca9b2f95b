// SPDX-License-Identifier: MIT
// flags: -lcudnn
// stderr: cudnnActivationForward
// stderr: x is host memory, which the device cannot access
// Calls are in order with kernels of their stream, may be captured, run again
// from the graph; a pointer to host memory fails them as it fails a kernel.
#include "cudnn_check.h"

/* Runs between two calls of cuDNN, so that the order shows. */
__global__ void add_one(float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] += 1;
}

static const float two = 2, zero = 0;

// x = 2 (x + 1), by a kernel and a call.
static void step(cudnnHandle_t h, tensor<float> &x, cudaStream_t s)
{
    add_one<<<1, 64, 0, s>>>(x.data, (int)x.count);
    DNN(cudnnTransformTensor(h, &two, x.desc, x.data, &zero, x.desc, x.data));
}

int main()
{
    cudnnHandle_t h;
    cudnnActivationDescriptor_t act;
    cudaStream_t s, of;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    tensor<float> x({1, 2, 4, 4});
    float *host = (float *)malloc(32 * sizeof *host);
    size_t nodes;

    DNN(cudnnCreate(&h));
    OK(cudaStreamCreate(&s));
    DNN(cudnnSetStream(h, s));
    DNN(cudnnGetStream(h, &of));
    EXPECT(of == s);
    for (size_t i = 0; i < x.count; i++)
        x[i] = (float)i;
    step(h, x, s);
    step(h, x, s);
    OK(cudaStreamSynchronize(s));
    for (size_t i = 0; i < x.count; i++)
        EXPECT(x[i] == 4 * (float)i + 6);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    step(h, x, s);
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT(nodes == 2);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (size_t i = 0; i < x.count; i++)
        x[i] = 0;
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(x[0] == 14 && x[31] == 14);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    DNN(cudnnCreateActivationDescriptor(&act));
    DNN(cudnnSetActivationDescriptor(act, CUDNN_ACTIVATION_RELU,
                                     CUDNN_PROPAGATE_NAN, 0));
    DNN(cudnnActivationForward(h, act, &two, x.desc, host, &zero, x.desc,
                               x.data));
    printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(s)));
    DNN(cudnnDestroyActivationDescriptor(act));
    DNN(cudnnDestroy(h));
    free(host);
    return 0;
}
