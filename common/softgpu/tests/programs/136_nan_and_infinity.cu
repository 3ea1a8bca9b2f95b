/* SPDX-License-Identifier: MIT */
/* NaN and infinity: classification and comparisons. */
#include "check.h"

/* Each element is one test; zero keeps them from the compiler. */
__global__ void classify(int *out, float zero)
{
    float inf = 1.0f / zero, nan = zero / zero, tiny = 1e-40f;
    out[0] = isnan(nan) != 0;
    out[1] = isinf(inf) != 0;
    out[2] = isfinite(tiny) != 0;
    out[3] = nan == nan;
    out[4] = fmaxf(nan, 2.0f) == 2.0f;
    out[5] = signbit(-zero) != 0;
    out[6] = tiny > 0.0f;
    out[7] = isnan(nanf("")) != 0;
    out[8] = __float2int_rz(nan);
    out[9] = isnan(sqrtf(-1.0f - zero)) != 0;
    out[10] = logf(zero) < -1e38f;
}

int main()
{
    int *out = managed<int>(11);
    classify<<<1, 1>>>(out, 0.0f);
    RUN();
    for (int i = 0; i < 11; i++)
        printf("%d ", out[i]);
    printf("\n");
    return 0;
}
