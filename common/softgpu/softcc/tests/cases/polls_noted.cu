/* For --check: what a loop polls. */
// expect: while (softgpu_polls(), atomicAdd(a, 0) == 0)
// expect: softgpu_polls(), atomicAdd(a, 0) < n && softgpu_polls() && !*b)
// expect: atomicAdd(a, 0) || !softgpu_polls() || is<int &&, true>(*b))
// expect: while (i < n) i += *b;
// expect: do {softgpu_polls(); seen = *b; i++; } while (seen == 0);
// expect: do {softgpu_polls();seen = atomicAdd(a, 0);} while (softgpu_spin(), seen == 0);
// expect: do { seen = *b; } while (false);
// expect: do seen = *b; while (softgpu_spin(), 0);
// expect: for (;;) if (softgpu_polls(), false) {} else if (atomicAdd(a, 0))
// expect: while (true) if (softgpu_polls(), false) {} else if (atomicAdd(a, 1))
// expect: while (!done) if (softgpu_polls(), false) {} else done =
// expect: for (int d = 8; d; d /= 2)
// expect: do {softgpu_polls();do{ auto
// absent: constexpr int half(int n) { while (softgpu
// absent: i < 8 &&
template <class T, bool B> __device__ bool is(int x)
{
    return x == B;
}

__host__ __device__ constexpr int half(int n)
{
    while (n > 1) n /= 2;
    return n;
}

/* Loops that poll, and others. */
__global__ void polls(int *a, const int *b, int n)
{
    int seen, i = 0;

    while (atomicAdd(a, 0) == 0)
        continue;
    while (atomicAdd(a, 0) < n && !*b)
        i++;
    while (atomicAdd(a, 0) || is<int &&, true>(*b))
        i++;
    while (i < n) i += *b;
    do { seen = *b; i++; } while (seen == 0);
    do seen = atomicAdd(a, 0); while (seen == 0);
    do { seen = *b; } while (false);
    do seen = *b; while (0);
    do asm volatile("ld.volatile.global.b32 %0, [%1];" : "=r"(seen) : "l"(b));
    while (seen == 0);
    for (;;)
        if (atomicAdd(a, 0))
            break;
    bool done = false;
    while (!done)
        done = atomicAdd(a, 0);
    #pragma unroll
    for (int d = 8; d; d /= 2) a[d] = d;
}

/* No end that -Wreturn-type could warn of. */
__device__ int count(int *a)
{
    while (true)
        if (atomicAdd(a, 1))
            return 1;
}
