/* SPDX-License-Identifier: MIT */
/* Preemption signals at any moment, far more often than the monitor sends them:
 * as on an overloaded machine, where no thread seems to make progress. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/softgpu/core/code_range.h"
#include "common/softgpu/core/hooks.h"
#include "common/softgpu/core/monitor.h"
#include "core_tests.h"

enum { BLOCKS = 6, THREADS = 40, ROUNDS = 60, REPEATS = 4 };

static atomic_bool over;
static pthread_t kernel_thread; /* worker 0 */

/* Many more preemption signals than a real run gets. */
static void *send_signals(void *unused)
{
    const struct timespec moment = {0, 3000};
    while (!over) {
        for (int i = 0; i < 40; i++)
            pthread_kill(kernel_thread, SOFTGPU_PREEMPT_SIGNAL);
        nanosleep(&moment, NULL);
    }
    return unused;
}

/* Run a grid again and again under signals. @return how many failed */
static int run_under_signals(int (*run)(void))
{
    pthread_t thread;
    int failed = 0;
    over = false;
    kernel_thread = pthread_self();
    failed += run() != 0; /* handlers are installed from here on */
    pthread_create(&thread, NULL, send_signals, NULL);
    for (int i = 0; i < REPEATS; i++)
        failed += run() != 0;
    over = true;
    pthread_join(thread, NULL);
    return failed;
}

static int counts[ROUNDS];

/* No thread passes a grid barrier before all have arrived. */
static void grid_one(const void *closure)
{
    (void)closure;
    for (int i = 0; i < ROUNDS; i++) {
        __atomic_fetch_add(&counts[i], 1, __ATOMIC_RELAXED);
        softgpu_grid_barrier();
        if (__atomic_load_n(&counts[i], __ATOMIC_RELAXED) != BLOCKS * THREADS)
            softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "too early at %d", i);
    }
}

/* A cooperative kernel of many grid barriers. */
static int run_grid_barriers(void)
{
    for (int i = 0; i < ROUNDS; i++)
        counts[i] = 0;
    return run_cooperative(grid_one, NULL, BLOCKS, THREADS);
}

/* Signals in the middle of a grid barrier do no harm. */
static void grid_barriers(void)
{
    CU_ASSERT_EQUAL(run_under_signals(run_grid_barriers), 0);
}

/* Barriers of the block and warp calls, alternately. */
static void block_one(const void *closure)
{
    (void)closure;
    for (int i = 0; i < ROUNDS; i++) {
        const unsigned lanes = threadIdx.x < 32 ? ~0u : 0xff;
        const int all = softgpu_barrier_vote(SOFTGPU_COUNT, 1);
        const uint64_t lane = softgpu_lane_id();
        const uint64_t next = (lane + 1) % (lanes == 0xff ? 8 : 32);
        if (all != THREADS
            || softgpu_warp_shuffle(lanes, lane, (int)next) != next)
            softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "wrong at %d", i);
    }
}

/* A kernel of many block barriers. */
static int run_block_barriers(void)
{
    return run_1d(block_one, NULL, 20 * BLOCKS, THREADS);
}

/* Signals in the middle of a block barrier do no harm. */
static void block_barriers(void)
{
    CU_ASSERT_EQUAL(run_under_signals(run_block_barriers), 0);
}

/* --- signals of others ---------------------------------------------------- */

static atomic_int urgent; /* signals that reached the program */

static void on_urgent(int number)
{
    (void)number;
    urgent++;
}

/* A program that installed its own handler before the first launch still gets
 * the signals that other processes send; the monitor's are none of them. */
static void own_handler(void)
{
    const struct sigaction own = {.sa_handler = on_urgent};
    struct sigaction before;
    const int last = urgent;
    sigaction(SOFTGPU_PREEMPT_SIGNAL, NULL, &before);
    if (before.sa_handler == SIG_DFL) /* the tests run several times */
        sigaction(SOFTGPU_PREEMPT_SIGNAL, &own, NULL);
    CU_ASSERT_EQUAL(run_block_barriers(), 0);
    kill(getpid(), SOFTGPU_PREEMPT_SIGNAL);
    pthread_kill(pthread_self(), SOFTGPU_PREEMPT_SIGNAL);
    CU_ASSERT_EQUAL(urgent, last + 1);
}

/* --- signals within the core itself -------------------------------------- */

/* A signal that interrupts this code.  It is not in the core's code section,
 * like the few instructions between the core and a library. */
static void signal_here(void)
{
#if defined(__x86_64__)
    long result = SYS_tgkill;
    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "D"((long)getpid()), "S"((long)gettid()),
                       "d"((long)SOFTGPU_PREEMPT_SIGNAL)
                     : "rcx", "r11", "memory");
#endif
}

/* Hook: a signal at the worst moment, between block and thread. */
static void at_block(struct softgpu_block *b)
{
    (void)b;
    if (CURRENT_BLOCK && CURRENT_THREAD)
        signal_here();
}

static int runs[40 * BLOCKS][THREADS];

/* Counts its runs, with signals before and after a barrier. */
static void once_one(const void *closure)
{
    (void)closure;
    __atomic_fetch_add(&runs[blockIdx.x][threadIdx.x], 1, __ATOMIC_RELAXED);
    softgpu_barrier();
    signal_here();
    softgpu_barrier();
}

/* A thread that waits or has returned must not be preempted. */
static void signals_in_the_core(void)
{
    static const struct softgpu_hooks hooks = {.block_begin = at_block,
                                               .block_end = at_block};
    int wrong = 0;
    memset(runs, 0, sizeof runs);
    softgpu_hooks = &hooks;
    CU_ASSERT_EQUAL(run_1d(once_one, NULL, 40 * BLOCKS, THREADS), 0);
    softgpu_hooks = NULL;
    for (int i = 0; i < 40 * BLOCKS; i++)
        for (int t = 0; t < THREADS; t++)
            wrong += runs[i][t] != 1;
    CU_ASSERT_EQUAL(wrong, 0);
}

#if defined(__x86_64__)
/* Stubs as linkers write them, at each of their instructions, and code that is
 * none. */
static void linkage_stubs(void)
{
    static const unsigned char lazy[] = {0xff, 0x25, 1, 2, 3, 0, 0x68, 7, 0,
                                         0, 0, 0xe9, 0x70, 0xff, 0xff, 0xff};
    static const unsigned char marked[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff,
                                           0x25, 1, 2, 3, 0, 0x90, 0x90, 0x90};
    static const unsigned char numbered[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x68, 7,
                                             0, 0, 0, 0xf2, 0xe9, 1, 2, 3, 4};
    static const unsigned char first[] = {0xff, 0x35, 1, 2, 3, 0, 0xff, 0x25,
                                          1, 2, 3, 0, 0x90, 0x90, 0x90, 0x90};
    static const unsigned char code[] = {0x68, 7, 0, 0, 0, 0xe8, 1, 2, 3, 4,
                                         0x55, 0x48, 0x89, 0xe5, 0xff, 0xd0,
                                         0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0xc3};

    CU_ASSERT(softgpu_is_linkage_stub(lazy));
    CU_ASSERT(softgpu_is_linkage_stub(lazy + 6));
    CU_ASSERT(softgpu_is_linkage_stub(marked));
    CU_ASSERT(softgpu_is_linkage_stub(marked + 4));
    CU_ASSERT(softgpu_is_linkage_stub(numbered));
    CU_ASSERT(softgpu_is_linkage_stub(numbered + 4));
    CU_ASSERT(softgpu_is_linkage_stub(first));
    CU_ASSERT(softgpu_is_linkage_stub(first + 6));
    CU_ASSERT_FALSE(softgpu_is_linkage_stub(code));
    CU_ASSERT_FALSE(softgpu_is_linkage_stub(code + 10));
    CU_ASSERT_FALSE(softgpu_is_linkage_stub(code + 14));
    CU_ASSERT_FALSE(softgpu_is_linkage_stub(code + 16));
}
#endif

int main(void)
{
    static const struct core_test tests[] = {
        {"the program's own handler", own_handler}, /* before any launch */
        {"barriers of the grid, disturbed", grid_barriers},
        {"barriers and warps, disturbed", block_barriers},
        {"a signal while the core is at work", signals_in_the_core},
#if defined(__x86_64__)
        {"stubs of the linkage table", linkage_stubs},
#endif
        {NULL, NULL},
    };
    setenv("SOFTGPU_THREADS", "3", 1);
    return run_core_tests("core: signals", tests);
}
