/* SPDX-License-Identifier: MIT */
/* #pragma unroll in its forms. */
#define FOUR 4
// expect: for(int i=0;i<1;i++);
// absent: #pragma unroll FOUR
// absent: nv_diag
// expect: unroll 4
// expect: unroll 7
// absent: unroll 99
__global__ void k(int n)
{
#pragma unroll FOUR
    for (int i = 0; i < 1; i++) ;
    _Pragma("unroll") for (int i = 0; i < 2; i++) ;
    #pragma unroll (7)
    while (n--) ;
#pragma unroll 99
    n = 3;
#pragma nv_diag_suppress 177
}
