/* SPDX-License-Identifier: MIT */
/* Launches of functions that are no kernels; launched_pointers.cu has what may
 * be launched. */
void plain(int *p) { *p = 1; }
__device__ void device(int *p) { *p = 1; }
template <typename T> void generic(T *p) { *p = 1; }
int main()
{
    int *p;
    plain<<<1, 2>>>(p);                 // at: 10:5 plain
    device<<<dim3(1, 2), 2>>>(p);       // at: 11:5 device
    generic<int><<<1, 2>>>(p);          // at: 12:5 generic
    plain(p);
}
