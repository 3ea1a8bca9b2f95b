/* SPDX-License-Identifier: MIT */
/* Sizes and alignments of the built-in vectors. */
#include "check.h"

#define SHOW_TYPE(t) printf(#t " %zu %zu\n", sizeof(t), alignof(t))

int main()
{
    SHOW_TYPE(char2);
    SHOW_TYPE(uchar3);
    SHOW_TYPE(uchar4);
    SHOW_TYPE(short2);
    SHOW_TYPE(ushort3);
    SHOW_TYPE(short4);
    SHOW_TYPE(int2);
    SHOW_TYPE(int3);
    SHOW_TYPE(uint4);
    SHOW_TYPE(float1);
    SHOW_TYPE(float2);
    SHOW_TYPE(float3);
    SHOW_TYPE(float4);
    SHOW_TYPE(longlong2);
    SHOW_TYPE(double2);
    SHOW_TYPE(double3);
    SHOW_TYPE(dim3);
    return 0;
}
