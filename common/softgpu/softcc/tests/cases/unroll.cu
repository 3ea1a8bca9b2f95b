/* SPDX-License-Identifier: MIT */
/* #pragma unroll in its forms. */
#define FOUR 4
constexpr int FIVE = 2 * FOUR - 3;
enum { SIX = (FIVE + 7) / 2 };
template <int N> __device__ void t(int n)
{
#pragma unroll (N)
    while (n--) ;
}
// expect: for(int i=0;i<1;i++);
// absent: #pragma unroll FOUR
// absent: nv_diag
// absent: diagnostic
// expect: unroll 4
// expect: unroll 7
// absent: unroll 99
// expect: unroll 12
// expect: unroll 5
// expect: unroll 6
// expect: unroll 16
__global__ void k(int n)
{
#pragma unroll FOUR
    for (int i = 0; i < 1; i++) ;
    _Pragma("unroll") for (int i = 0; i < 2; i++) ;
    #pragma unroll (7)
    while (n--) ;
#pragma unroll (FOUR * (1 + 2))
    while (n--) ;
#pragma unroll FIVE
    while (n--) ;
#pragma unroll SIX
    while (n--) ;
#pragma unroll 99
    n = 3;
#pragma diagnostic push
#pragma nv_diag_suppress 177
#pragma nv_diag_once 177
#pragma diagnostic pop
}
