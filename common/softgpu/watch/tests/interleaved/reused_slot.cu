/* SPDX-License-Identifier: MIT */
#include <cstdio>

enum { BLOCKS = 48, SUM = 1, PREFIX = 2 };

struct slot {
    int status, value[2];
};

__device__ void publish(volatile slot *s, int status, int value)
{
    s->value[DEFECT ? 0 : status - 1] = value;
    __threadfence();
    s->status = status;
}

/* A look-back with fences, whose block sum and prefix share a word: a block
 * that has read the status of the sum may find the prefix there. */
__global__ void scan(volatile slot *slots, int *out)
{
    const int b = blockIdx.x;
    int before = 0;

    publish(&slots[b], SUM, b + 1);
    for (int k = b - 1; k >= 0; k--) {
        int status;

        do
            status = slots[k].status;
        while (status == 0);
        __threadfence();
        before += slots[k].value[DEFECT ? 0 : status - 1];
        if (status == PREFIX)
            break;
    }
    publish(&slots[b], PREFIX, before + b + 1);
    out[b] = before + b + 1;
}

int main()
{
    slot *slots;
    int *out, got[BLOCKS], wrong = 0;

    cudaMalloc(&slots, BLOCKS * sizeof *slots);
    cudaMemset(slots, 0, BLOCKS * sizeof *slots);
    cudaMalloc(&out, sizeof got);
    scan<<<BLOCKS, 1>>>(slots, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int b = 0; b < BLOCKS; b++)
        wrong += got[b] != (b + 1) * (b + 2) / 2;
    cudaFree(slots);
    cudaFree(out);
    puts(wrong ? "wrong" : "right");
    return 0;
}
