/* SPDX-License-Identifier: MIT */
/* Kernels that fault: the error code, the block and thread, and that the next
 * grid runs. */
#include <stdio.h>

#include "common/softgpu/core/fault.h"
#include "core_tests.h"

/* A kernel that works, to be run after a fault. */
static void fine_one(const void *closure)
{
    softgpu_barrier();
    __atomic_fetch_add(*(int *const *)closure, 1, __ATOMIC_RELAXED);
}

/* After each fault the next grid must run normally. */
static void expect(int got, int error, const char *words)
{
    int count = 0, *p = &count;
    CU_ASSERT_EQUAL(got, error);
    CU_ASSERT(report_contains(words));
    CU_ASSERT_EQUAL(run_1d(fine_one, &p, 5, 70), 0);
    CU_ASSERT_EQUAL(count, 350);
}

/* A store to an unmapped address, not instrumented by the sanitizers. */
static void __attribute__((noinline, no_sanitize("address", "undefined")))
store_to(uintptr_t address)
{
    *(volatile int *)address = 1;
}

/* One thread of one block stores to an address without memory. */
static void illegal_store_thread(const void *closure)
{
    (void)closure;
    softgpu_barrier();
    if (blockIdx.x == 2 && threadIdx.x == 17)
        store_to(64);
    softgpu_barrier();
}

/* The message has address, block and thread. */
static void illegal_address(void)
{
    expect(run_1d(illegal_store_thread, NULL, 4, 40), SOFTGPU_ILLEGAL_ADDRESS,
           "illegal address 0x40 in block (2,0,0) thread (17,0,0)");
}

/* A store past shared memory faults before it reaches other memory. */
static void store_past_shared(const void *closure)
{
    softgpu_barrier();
    if (blockIdx.x == 1 && threadIdx.x == 3)
        store_to((uintptr_t)softgpu_tls.shared
                 + (uintptr_t)*(const intptr_t *)closure);
}

/* Beyond either end of shared memory lies no other block's. */
static void shared_out_of_bounds(void)
{
    intptr_t off = 8192;

    expect(run_1d(store_past_shared, &off, 2, 5), SOFTGPU_ILLEGAL_ADDRESS,
           "illegal address, past the end of the block's shared memory in "
           "block (1,0,0) thread (3,0,0)");
    off = -(1 << 18);
    expect(run_1d(store_past_shared, &off, 2, 5), SOFTGPU_ILLEGAL_ADDRESS,
           "illegal address, before the start of the block's shared memory in "
           "block (1,0,0) thread (3,0,0)");
}

#if defined(__x86_64__)
/* A non-canonical address, by base, index and displacement. */
static void __attribute__((noinline, no_sanitize("address", "undefined")))
load_noncanonical(const volatile int *base, uintptr_t index)
{
    (void)base[index + 3];
}

/* The processor does not tell these addresses in its signal. */
static void noncanonical_thread(const void *closure)
{
    const uintptr_t far = *(const uintptr_t *)closure;
    if (threadIdx.x == 2 && far % 16)
        load_noncanonical((const int *)far, 16);
    else if (threadIdx.x == 2)
        store_to(far);
}

/* The address is found by decoding the instruction. */
static void noncanonical_address(void)
{
    uintptr_t far = 0x800000001000;
    expect(run_1d(noncanonical_thread, &far, 1, 4), SOFTGPU_ILLEGAL_ADDRESS,
           "illegal address 0x800000001000 in block (0,0,0) thread (2,0,0)");
    far = 0xcbcbcbcbcbcbcbcb;
    expect(run_1d(noncanonical_thread, &far, 1, 4), SOFTGPU_ILLEGAL_ADDRESS,
           "illegal address 0xcbcbcbcbcbcbcc17 in block");
}
#else /* the signal names the address */
static void noncanonical_address(void) {}
#endif

/* The same without a barrier: the block needs no fibers. */
static void illegal_store_no_barrier(const void *closure)
{
    (void)closure;
    if (blockIdx.x == 3 && threadIdx.x == 5)
        store_to(128);
}

/* As softcc writes it for kernels without barriers. */
static void illegal_store_loop(const void *closure)
{
    do
        for (unsigned i = 0; i < blockDim.x; i++) {
            threadIdx.x = i;
            illegal_store_no_barrier(closure);
        }
    while (softgpu_next_in_batch() && ++blockIdx.x);
}

/* In a loop of threads the message still names the right one. */
static void thread_of_a_loop(void)
{
    expect(run_thread_loop(illegal_store_loop, illegal_store_no_barrier, NULL,
                           9, 33),
           SOFTGPU_ILLEGAL_ADDRESS, "block (3,0,0) thread (5,0,0)");
    expect(run_thread_loop(illegal_store_loop, illegal_store_no_barrier, NULL,
                           900, 33),
           SOFTGPU_ILLEGAL_ADDRESS, "block (3,0,0) thread (5,0,0)");
}

/* On x86 a division by zero is a signal. */
static void __attribute__((no_sanitize("undefined")))
division_thread(const void *closure)
{
    volatile int zero = 0;
    (void)closure;
    zero = 7 / zero;
}

/* Only x86 traps for it. */
static void division_by_zero(void)
{
#if defined(__x86_64__)
    expect(run_1d(division_thread, NULL, 1, 3), SOFTGPU_LAUNCH_FAILURE,
           "integer division by zero");
#else
    (void)division_thread;
#endif
}

/* 2 KiB of stack a level; volatile prevents a tail call. */
static int __attribute__((noinline, no_sanitize("address", "undefined")))
recurse(int n)
{
    volatile char frame[2048];
    frame[0] = (char)n;
    return n ? recurse(n - 1) + frame[0] : 0;
}

/* As deep as the test wants. */
static void recurse_thread(const void *closure)
{
    recurse(*(const int *)closure);
}

/* The guard page tells it from other illegal addresses. */
static void stack_overflow(void)
{
    const int depth = 1 << 20;
    expect(run_1d(recurse_thread, &depth, 1, 3), SOFTGPU_STACK_ERROR,
           "stack overflow");
}

/* One thread calls __trap(). */
static void trap_one(const void *closure)
{
    (void)closure;
    if (threadIdx.x == 3)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "%s was called", "__trap()");
}

/* The message has the name of what was called. */
static void trap(void)
{
    expect(run_1d(trap_one, NULL, 2, 40), SOFTGPU_LAUNCH_FAILURE,
           "__trap() was called in block");
}

/* Lanes 16 to 31 wait for the block, the others for the warp. */
static void deadlock_thread(const void *closure)
{
    (void)closure;
    if (threadIdx.x < 16)
        softgpu_warp_sync(~0u);
    else
        softgpu_barrier();
    softgpu_barrier();
}

/* A block whose threads wait at different barriers is reported at once. */
static void deadlock(void)
{
    expect(run_1d(deadlock_thread, NULL, 1, 32), SOFTGPU_LAUNCH_TIMEOUT,
           "block (0,0,0) is deadlocked: ");
    CU_ASSERT(1);
}

/* Of several faults the first is the one that is reported. */
static void two_faults_thread(const void *closure)
{
    struct run *run = CURRENT_BLOCK->worker->run;
    (void)closure;
    if (threadIdx.x != 1)
        return;
    CU_ASSERT(softgpu_fault_claim(run, SOFTGPU_LAUNCH_FAILURE));
    snprintf(run->fault.text, sizeof run->fault.text, "the first fault");
    CU_ASSERT_FALSE(softgpu_fault_claim(run, SOFTGPU_ASSERT));
    softgpu_fail(SOFTGPU_ILLEGAL_ADDRESS, "the third fault");
}

/* Of two faults the first one that happened counts. */
static void first_fault_is_reported(void)
{
    expect(run_1d(two_faults_thread, NULL, 1, 4), SOFTGPU_LAUNCH_FAILURE,
           "the first fault");
}

/* One block faults while the others spin: they are stopped. */
static void endless_one(const void *closure)
{
    volatile int *flag = *(volatile int *const *)closure;
    if (blockIdx.x == 1)
        store_to(8);
    while (!*flag)
        ;
}

/* After a fault, blocks that would never end are stopped. */
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
        {"shared memory out of bounds", shared_out_of_bounds},
        {"non-canonical address", noncanonical_address},
        {"thread of a thread loop", thread_of_a_loop},
        {"division by zero", division_by_zero},
        {"stack overflow", stack_overflow},
        {"trap", trap},
        {"deadlock", deadlock},
        {"the first of several faults", first_fault_is_reported},
        {"other blocks are stopped", others_are_stopped},
        {NULL, NULL}};
    return run_core_tests("faults", tests);
}
