/* SPDX-License-Identifier: MIT */
/* The headers and calls in C. */
// flags: -lcudnn
#include <stdio.h>

#include <cudnn.h>

int main(void)
{
    const float one = 1, zero = 0;
    const float h_x[4] = {-1, 2, -3, 4};
    float h_y[4], *d_x, *d_y;
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t desc;
    cudnnActivationDescriptor_t act;
    int bad = 0;

    bad |= cudnnCreate(&handle);
    bad |= cudnnCreateTensorDescriptor(&desc);
    bad |= cudnnCreateActivationDescriptor(&act);
    bad |= cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                                      1, 1, 2, 2);
    bad |= cudnnSetActivationDescriptor(act, CUDNN_ACTIVATION_RELU,
                                        CUDNN_NOT_PROPAGATE_NAN, 0);
    bad |= cudaMalloc((void **)&d_x, sizeof h_x);
    bad |= cudaMalloc((void **)&d_y, sizeof h_y);
    bad |= cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
    bad |= cudnnActivationForward(handle, act, &one, desc, d_x, &zero, desc,
                                  d_y);
    bad |= cudaMemcpy(h_y, d_y, sizeof h_y, cudaMemcpyDeviceToHost);
    printf("%d: %g %g %g %g\n", bad, h_y[0], h_y[1], h_y[2], h_y[3]);
    printf("%s, %d\n", cudnnGetErrorString(CUDNN_STATUS_BAD_PARAM),
           cudnnGetVersion() >= 9000);
    cudaFree(d_x);
    cudaFree(d_y);
    cudnnDestroyActivationDescriptor(act);
    cudnnDestroyTensorDescriptor(desc);
    cudnnDestroy(handle);
    return 0;
}
