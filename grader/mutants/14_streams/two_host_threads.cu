// verdict: SCORE
// expect: 60 100 right
// Right: two threads of the host allocate and call in any order.
/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 14: two threads of the host, each with two lanes of its own. */
#include <thread>
#include <vector>

#include "stage.h"

namespace {

/** A lane: what one batch in flight needs. */
class lane {
  public:
    lane() = default;
    lane(const lane &) = delete;
    ~lane()
    {
        if (stream) cudaStreamSynchronize(stream);
        if (free_again) cudaEventDestroy(free_again);
        if (h_floats) cudaFreeHost(h_floats);
        if (d_floats) cudaFree(d_floats);
        if (stream) cudaStreamDestroy(stream);
    }

    cudaError_t open(int size)
    {
        const size_t bytes = size * sizeof(float);
        const size_t padded = (bytes + 255) / 256 * 256;
        cudaError_t err = cudaStreamCreateWithFlags(&stream,
                                                    cudaStreamNonBlocking);

        if (!err) err = cudaEventCreate(&free_again);
        if (!err) err = cudaMallocHost(&h_floats, bytes);
        if (!err) err = cudaMalloc(&d_floats, 2 * padded);
        d_second = d_floats + padded / sizeof(float);
        return err;
    }

    cudaError_t pass(const unsigned char *h_in, float *h_out, int size)
    {
        const size_t bytes = size * sizeof(float);
        cudaError_t err = cudaEventSynchronize(free_again);

        if (err) return err;
        load_batch(h_in, h_floats, size);
        err = cudaMemcpyAsync(d_floats, h_floats, bytes, cudaMemcpyDefault,
                              stream);
        if (!err) err = cudaEventRecord(free_again, stream);
        if (!err) err = run_stages(d_floats, d_second, size, stream);
        if (!err)
            err = cudaMemcpyAsync(h_out, d_floats, bytes,
                                  cudaMemcpyDeviceToHost, stream);
        return err;
    }

    cudaError_t finish() { return cudaStreamSynchronize(stream); }

  private:
    cudaStream_t stream = nullptr;
    cudaEvent_t free_again = nullptr;
    float *h_floats = nullptr, *d_floats = nullptr, *d_second = nullptr;
};

/** Every `workers`-th batch, from batch `first` on. */
cudaError_t work(const unsigned char *h_in, float *h_out, int batches, int size,
                 int first, int workers)
{
    lane lanes[2];
    cudaError_t err = cudaSuccess;
    int turn = 0;

    for (lane &l : lanes)
        if (!err) err = l.open(size);
    for (long long b = first; !err && b < batches; b += workers)
        err = lanes[turn++ % 2].pass(h_in + b * size, h_out + b * size, size);
    for (lane &l : lanes)
        if (!err) err = l.finish();
    return err;
}

} // namespace

int streams(const unsigned char *h_in, float *h_out, int batches, int size)
{
    enum { WORKERS = 2 };
    cudaError_t result[WORKERS] = {};
    std::vector<std::thread> threads;

    if (batches <= 0 || size <= 0) return cudaSuccess;
    cudaError_t err = CUDA_CHECK(cudaHostRegister(
        h_out, (size_t)batches * size * sizeof(float), cudaHostRegisterPortable));
    if (err) return err;
    for (int i = 0; i < WORKERS; i++)
        threads.emplace_back([=, &result] {
            result[i] = work(h_in, h_out, batches, size, i, WORKERS);
        });
    for (std::thread &t : threads) t.join();
    for (cudaError_t r : result)
        if (!err) err = r;
    const cudaError_t end = cudaHostUnregister(h_out);
    return err ? err : end;
}
