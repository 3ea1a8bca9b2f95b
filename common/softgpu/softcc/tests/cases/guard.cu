// SPDX-License-Identifier: MIT
// A bounds check at the beginning of a kernel is rewritten if its value for the
// first and the last thread determines that of all threads.
struct shape { unsigned rows, columns; bool empty() const; };

/* The plain form. */
__global__ void below(float *a, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 0;
}
// expect: softgpu::guard & softgpu_guard
// expect: if(softgpu_guard.probe((i < n)))return;if(softgpu_guard.always_true||(i < n))

/* Two indices, a return, members as bounds. */
__global__ void beyond(float *a, shape s)
{
    const unsigned x = threadIdx.x + blockDim.x * blockIdx.x,
                   y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= s.columns || (s.rows - 1 <= y)) return;
    a[y * s.columns + x] = 1;
}
// expect: probe(!(x >= s . columns || ( s . rows - 1 <= y ))))return;
// expect: if(!softgpu_guard.always_true&&(x >= s.columns || (s.rows - 1 <= y)))

/* A lower bound, and an upper one that is computed. */
__global__ void inner(float *a, unsigned rows)
{
    auto r = static_cast<unsigned>(blockIdx.y * blockDim.y) + threadIdx.y;
    if (r > 0 && 3 * (rows - 1) / 3 > r) { a[r] = 2; }
}
// expect: probe((r > 0 && 3 * (rows - 1) / 3 > r)))

// An early return of a conjunction: all return only where the whole condition
// holds, so it is not negated.
__global__ void corner(int *a, int n, int m)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x,
              j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j >= m) return;
    a[j * 8 + i] = 1;
}
// expect: probe((i < n && j >= m)))return;
// expect: if(softgpu_guard.always_true||(i < n && j >= m))

// A disjunction without a return: where it is false for the first and the last
// thread, it is false for all.
__global__ void edges(int *a, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 2 || i >= n - 2)
        a[i] = 0;
}
// expect: probe(!(i < 2 || i >= n - 2)))return;
// expect: if(!softgpu_guard.always_true&&(i < 2 || i >= n - 2))

// No bounds checks, or conditions that can change while the block runs.
__device__ int limit;
/* The bound is a device variable, which the kernel changes. */
__global__ void global(float *a) { int g1 = threadIdx.x; if (g1 < limit) a[g1] = limit = 0; }
/* The bound is behind a pointer, as it changes. */
__global__ void pointed(int *n) { int g2 = threadIdx.x; if (g2 < *n) *n = 0; }
/* The bound is an element of an array that changes. */
__global__ void element(int *n) { int g3 = threadIdx.x; if (g3 < n[0]) *n = 0; }
/* The bound is behind a reference. */
__global__ void reference(int &n) { int g4 = threadIdx.x; if (g4 < n) n = 0; }
/* An equality: the first and the last thread say nothing of the others. */
__global__ void equal(int *a, int n) { int g5 = threadIdx.x; if (g5 == n) *a = 0; }
/* Not every part of the condition is a bound. */
__global__ void both(int *a, int n) { int g6 = threadIdx.x; if (g6 < n || (g6 > 2 && n)) *a = 0; }
/* The index wraps around in its type. */
__global__ void narrow(int *a, int n) { unsigned char g7 = threadIdx.x; if (g7 < n) *a = 0; }
/* The index is not linear in the thread. */
__global__ void product(int *a, int n)
{ int g8 = blockIdx.x * (blockDim.x + threadIdx.x); if (g8 < n) *a = 0; }
/* The index mixes dimensions: y of the block, x of the thread. */
__global__ void crossed(int *a, int n)
{ int g9 = blockIdx.y * blockDim.x + threadIdx.x; if (g9 < n) *a = 0; }
/* The bound is a call. */
__global__ void called(int *a, shape s) { int g10 = threadIdx.x; if (g10 < s.empty()) *a = 0; }
/* A store comes before the check. */
__global__ void between(int *a, int n) { int g11 = threadIdx.x; a[1] = n; if (g11 < n) *a = 0; }
/* The condition changes its bound. */
__global__ void stepped(int *a, int n) { int g12 = threadIdx.x; if (g12 < n++) *a = 0; }
/* The index mixes dimensions: x of the block, y of the thread. */
__global__ void mixed(int *a, int n)
{ int g14 = blockIdx.x * blockDim.x + threadIdx.y; if (g14 < n) *a = 0; }
/* The index mixes dimensions: the size is that of x. */
__global__ void shifted(int *a, int n)
{ int g15 = blockIdx.y * blockDim.x + threadIdx.y; if (g15 < n) *a = 0; }
/* A barrier is in the branch. */
__global__ void waits(int *a, int n)
{
    int g13 = threadIdx.x;
    if (g13 < n)
        __syncthreads();
}
// absent: probe((g
// absent: probe(!(g
