// SPDX-License-Identifier: MIT
// A thread that comes past the last barrier of a kernel, or left it out, says
// so: the checks tell it from one that returned early.
__device__ int together(int *a) { __syncthreads(); return a[0]; }

// It returns in two places, one of them before the barrier.
__global__ void ends(int *a, unsigned n)
{
    if (n == 0) return;
    auto twice = [](int x) { return 2 * x; };
    if (threadIdx.x < n) { a[0] = twice(together(a)); }
    else { atomicAdd(a, 1); return; }
}
// expect: if (n == 0) return;
// expect: atomicAdd(a, 1); return  softgpu::leave_kernel();
// expect: softgpu::leave_kernel(); } );}

// Without a barrier there is nothing to leave out.
__global__ void alone(int *a) { if (*a) return; atomicAdd(a, 1); }
// expect: if (*a) return; atomicAdd(a, 1); }
