/* SPDX-License-Identifier: MIT */
/* Broken launches and shared variables. */
__global__ void k(int *p)
{
    __shared__ int n = 3;  // at: 5:20 initializer
    __shared__ int m{4};   // at: 6:20 initializer
}
int main()
{
    k<<<1, 1>>>;           // at: 10:6 launch
    k<<<1, 1(p);           // at: 11:6 launch
}
