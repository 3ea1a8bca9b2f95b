/* Loops that poll let other threads run. */
// expect: while (softgpu_spin(), *(
// expect: while (softgpu_spin(), seen == 0)
// expect: for (;softgpu_spin(),true;)
// expect: while (softgpu_spin(), load(flag) == 0);
// expect: while (i < 8);
// expect: while (const int *p = next())
// expect: while (n > 1) n /= 2; return n
__device__ const int *next()
{
    return nullptr;
}

__device__ int load(volatile int *p)
{
    return *p;
}

/* The memory that is polled stands in the condition, or was loaded before. */
__global__ void names_it(int *first, volatile int *second)
{
    int seen;

    while (*(volatile int *)first == 0) { }
    do {
        seen = *second;
    } while (seen == 0);
    for (;;)
        if (*second) break;
    while (const int *p = next()) *second = *p;
}

/* In a function that is called. */
__global__ void calls(int *flag, int *out)
{
    int i = 0;

    while (load(flag) == 0);
    do {
        out[i++] = 2;
    } while (i < 8);
}

__host__ __device__ constexpr int half(int n)
{
    while (n > 1) n /= 2;
    return n;
}
