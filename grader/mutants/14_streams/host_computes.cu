// verdict: WRONG
// expect: no kernel was launched
/* SPDX-License-Identifier: MIT */
// The host computes the stages.
#include <stdlib.h>
#include <string.h>

#include "stage.h"

static void next_stage(const float *x, float *y, int size, int number)
{
    for (int i = 0; i < size; i++) {
        const float mean = 0.5f * (x[i] + x[(i + number + 1) % size]);

        y[i] = number % 2 ? fabsf(mean) - 0.25f : mean;
    }
}

int streams(const unsigned char *h_in, float *h_out, int batches, int size)
{
    float *y = (float *)malloc(size * sizeof(float) + 1);

    for (int b = 0; b < batches && size; b++, h_in += size, h_out += size) {
        load_batch(h_in, h_out, size);
        for (int number = 0; number < STREAMS_STAGES; number++) {
            next_stage(h_out, y, size, number);
            memcpy(h_out, y, size * sizeof(float));
        }
    }
    free(y);
    return cudaSuccess;
}
