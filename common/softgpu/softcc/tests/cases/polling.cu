/* Loops that poll let other threads run. */
// expect: while (softgpu_spin(), *(
// expect: while (softgpu_spin(), seen == 0)
// expect: for (;;) if (softgpu_spin(), false) {} else if (*second) break;
// expect: while (softgpu_spin(), load(flag) == 0);
// expect: while (softgpu_spin(), i < 8);
// expect: while (const int *p = next()) *second = *p;
// expect: while (const int *p = next()) {softgpu_spin(); seen = *p;
// expect: while (int left{*second}) {softgpu_spin(); *second = left - 1;
// expect: for (int i = 0;softgpu_spin(), hidden->word == 0; i++)
// expect: for (int done = 0;softgpu_spin(), !done;)
// expect: for (int i = 0; i < 8; i++)
// expect: if (hidden->word == 0) {softgpu_spin();goto again;}
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
    for (int done = 0; !done;)
        done = *second;
    while (const int *p = next()) *second = *p;
    while (const int *p = next()) { seen = *p; *second = seen; }
    while (int left{*second}) { *second = left - 1; }
}

/* What the compiler evaluates may be in device code, too. */
__global__ void constant(volatile int *out)
{
    constexpr auto halved = [](int n) {
        while (n > 1) n /= 2;
        return n;
    };
    static_assert(halved(8) == 1, "");
    *out = halved(4);
    __syncthreads();
}

struct hides { volatile int word; };
/* The type hides that the word is volatile. */
__global__ void hidden_word(hides *hidden, int *out)
{
    for (int i = 0; hidden->word == 0; i++)
        out[i] = 0;
    for (int i = 0; i < 8; i++)
        out[i] += 1;
again:
    if (hidden->word == 0) goto again;
    __syncthreads();
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
