// SPDX-License-Identifier: MIT
// flags: -lcudnn
// Dropout: rate, scale, the same mask backward, another one the next time, the
// same ones from the same seed, and a fresh one each time a graph runs.
#include "cudnn_check.h"

static const float rate = 0.3f;
static const std::vector<int> size = {10, 10, 10, 20};

struct dropout {
    cudnnHandle_t handle;
    cudnnDropoutDescriptor_t desc;
    tensor<float> x, y;
    void *states, *reserve;
    size_t states_bytes, reserve_bytes;

    dropout(cudnnHandle_t h) : handle(h), x(size), y(size)
    {
        DNN(cudnnCreateDropoutDescriptor(&desc));
        DNN(cudnnDropoutGetStatesSize(h, &states_bytes));
        DNN(cudnnDropoutGetReserveSpaceSize(x.desc, &reserve_bytes));
        OK(cudaMalloc(&states, states_bytes));
        OK(cudaMalloc(&reserve, reserve_bytes));
        for (size_t i = 0; i < x.count; i++)
            x[i] = 1 + (float)i;
    }
    ~dropout()
    {
        cudnnDestroyDropoutDescriptor(desc);
        cudaFree(states);
        cudaFree(reserve);
    }
    void seed(unsigned long long s)
    {
        DNN(cudnnSetDropoutDescriptor(desc, handle, rate, states, states_bytes,
                                      s));
    }
    void forward()
    {
        DNN(cudnnDropoutForward(handle, desc, x.desc, x.data, y.desc, y.data,
                                reserve, reserve_bytes));
    }
    std::vector<double> draw()
    {
        forward();
        OK(cudaDeviceSynchronize());
        return y.values();
    }
};

static void one_draw(dropout &d)
{
    const std::vector<double> y = d.draw();
    size_t dropped = 0;

    for (size_t i = 0; i < y.size(); i++)
        if (y[i] == 0)
            dropped++;
        else
            EXPECT(std::fabs(y[i] * (1 - (double)rate) / d.x[i] - 1) < 1e-6);
    // 20000 draws: five standard deviations are 324
    EXPECT(std::fabs((double)dropped - 6000) < 324);
    tensor<float> dy(size), dx(size);
    DNN(cudnnDropoutBackward(d.handle, d.desc, dy.desc, dy.data, dx.desc,
                             dx.data, d.reserve, d.reserve_bytes));
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < y.size(); i++)
        EXPECT(y[i] == 0 ? dx[i] == 0
                         : std::fabs(dx[i] - dy[i] / (1 - rate)) < 1e-5);
}

static void in_graph(dropout &d)
{
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    OK(cudaStreamCreate(&s));
    DNN(cudnnSetStream(d.handle, s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    d.forward();
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    std::vector<double> last;
    for (int i = 0; i < 3; i++) {
        OK(cudaGraphLaunch(exec, s));
        OK(cudaStreamSynchronize(s));
        EXPECT(d.y.values() != last);
        last = d.y.values();
    }
    DNN(cudnnSetStream(d.handle, nullptr));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(s));
}

int main()
{
    cudnnHandle_t h;

    DNN(cudnnCreate(&h));
    {
        dropout d(h);
        d.seed(42);
        const std::vector<double> first = d.draw(), second = d.draw();
        EXPECT(first != second);
        d.seed(42);
        EXPECT(d.draw() == first);
        DNN(cudnnRestoreDropoutDescriptor(d.desc, h, rate, d.states,
                                          d.states_bytes, 42));
        EXPECT(d.draw() == second);
        d.seed(43);
        EXPECT(d.draw() != first);
        one_draw(d);
        in_graph(d);
    }
    DNN(cudnnDestroy(h));
    printf("done\n");
    return 0;
}
