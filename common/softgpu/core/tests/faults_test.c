/* SPDX-License-Identifier: MIT */
/* Kernels that go wrong: the right error, who and where, and life goes on. */
#include "core_tests.h"

static void fine_one(const void *closure)
{
    softgpu_barrier();
    __atomic_fetch_add(*(int *const *)closure, 1, __ATOMIC_RELAXED);
}

/* After each failure another grid must run as if nothing had been. */
static void expect(int got, int error, const char *words)
{
    int count = 0, *p = &count;
    CU_ASSERT_EQUAL(got, error);
    CU_ASSERT(report_says(words));
    CU_ASSERT_EQUAL(run_1d(fine_one, &p, 5, 70), 0);
    CU_ASSERT_EQUAL(count, 350);
}

/* An address where nothing is, out of sight of the sanitizers. */
static void __attribute__((noinline, no_sanitize("address", "undefined")))
store_to(uintptr_t address)
{
    *(volatile int *)address = 1;
}

static void wild_one(const void *closure)
{
    (void)closure;
    softgpu_barrier();
    if (blockIdx.x == 2 && threadIdx.x == 17)
        store_to(64);
    softgpu_barrier();
}

static void illegal_address(void)
{
    expect(run_1d(wild_one, NULL, 4, 40), SOFTGPU_ILLEGAL_ADDRESS,
           "illegal address 0x40 in block (2,0,0) thread (17,0,0)");
}

/* Shared memory that runs over: it stops before it is somebody else's. */
static void runs_over(const void *closure)
{
    softgpu_barrier();
    if (blockIdx.x == 1 && threadIdx.x == 3)
        store_to((uintptr_t)softgpu_tls.shared
                 + (uintptr_t)*(const intptr_t *)closure);
}

static void beside_shared(void)
{
    intptr_t off = 8192;

    expect(run_1d(runs_over, &off, 2, 5), SOFTGPU_ILLEGAL_ADDRESS,
           "illegal address, past the end of the block's shared memory in "
           "block (1,0,0) thread (3,0,0)");
    off = -(1 << 18);
    expect(run_1d(runs_over, &off, 2, 5), SOFTGPU_ILLEGAL_ADDRESS,
           "illegal address, before the begin of the block's shared memory in "
           "block (1,0,0) thread (3,0,0)");
}

/* An address that no processor takes, by base, index and offset. */
static void __attribute__((noinline, no_sanitize("address", "undefined")))
load_far(const volatile int *base, uintptr_t index)
{
    (void)base[index + 3];
}

static void far_one(const void *closure)
{
    const uintptr_t far = *(const uintptr_t *)closure;
    if (threadIdx.x == 2 && far % 16)
        load_far((const int *)far, 16);
    else if (threadIdx.x == 2)
        store_to(far);
}

static void far_address(void)
{
#if defined(__x86_64__)
    uintptr_t far = 0x800000001000;
    expect(run_1d(far_one, &far, 1, 4), SOFTGPU_ILLEGAL_ADDRESS,
           "illegal address 0x800000001000 in block (0,0,0) thread (2,0,0)");
    far = 0xcbcbcbcbcbcbcbcb;
    expect(run_1d(far_one, &far, 1, 4), SOFTGPU_ILLEGAL_ADDRESS,
           "illegal address 0xcbcbcbcbcbcbcc17 in block");
#endif
}

static void plain_wild_one(const void *closure)
{
    (void)closure;
    if (blockIdx.x == 3 && threadIdx.x == 5)
        store_to(128);
}

static void wild_loop(const void *closure)
{
    do
        for (unsigned i = 0; i < blockDim.x; i++) {
            threadIdx.x = i;
            plain_wild_one(closure);
        }
    while (softgpu_next_in_row() && ++blockIdx.x);
}

static void thread_of_a_loop(void)
{
    expect(run_whole(wild_loop, plain_wild_one, NULL, 9, 33),
           SOFTGPU_ILLEGAL_ADDRESS, "block (3,0,0) thread (5,0,0)");
    expect(run_whole(wild_loop, plain_wild_one, NULL, 900, 33),
           SOFTGPU_ILLEGAL_ADDRESS, "block (3,0,0) thread (5,0,0)");
}

static int __attribute__((noinline, no_sanitize("address", "undefined")))
deeper(int n)
{
    volatile char frame[2048];
    frame[0] = (char)n;
    return n ? deeper(n - 1) + frame[0] : 0;
}

static void deep_one(const void *closure)
{
    deeper(*(const int *)closure);
}

static void stack_overflow(void)
{
    const int depth = 1 << 20;
    expect(run_1d(deep_one, &depth, 1, 3), SOFTGPU_STACK_ERROR,
           "stack overflow");
}

static void trap_one(const void *closure)
{
    (void)closure;
    if (threadIdx.x == 3)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "%s was called", "__trap()");
}

static void trap(void)
{
    expect(run_1d(trap_one, NULL, 2, 40), SOFTGPU_LAUNCH_FAILURE,
           "__trap() was called in block");
}

/* Lanes 16.. wait for the block, the others for the whole warp. */
static void stuck_one(const void *closure)
{
    (void)closure;
    if (threadIdx.x < 16)
        softgpu_warp_sync(~0u);
    else
        softgpu_barrier();
    softgpu_barrier();
}

static void stuck(void)
{
    expect(run_1d(stuck_one, NULL, 1, 32), SOFTGPU_LAUNCH_TIMEOUT,
           "block (0,0,0) can never go on: ");
    CU_ASSERT(1);
}

/* One block of a cooperative launch never comes to the grid barrier: the
 * others' error, not a hang, when it fails. */
static void endless_one(const void *closure)
{
    volatile int *flag = *(volatile int *const *)closure;
    if (blockIdx.x == 1)
        store_to(8);
    while (!*flag)
        ;
}

static void others_are_stopped(void)
{
    int flag = 0, *p = &flag;
    expect(run_1d(endless_one, &p, 6, 2), SOFTGPU_ILLEGAL_ADDRESS,
           "block (1,0,0)");
}

int main(void)
{
    const struct core_test tests[] = {
        {"illegal address", illegal_address},
        {"beside shared memory", beside_shared},
        {"address out of reach", far_address},
        {"thread of a loop", thread_of_a_loop},
        {"stack overflow", stack_overflow},
        {"trap", trap},
        {"stuck block", stuck},
        {"others are stopped", others_are_stopped},
        {NULL, NULL}};
    return run_core_tests("faults", tests);
}
