/* SPDX-License-Identifier: MIT */
/** @file
 *  mbarrier objects (PTX).  All threads of a block run on one OS thread, and a
 *  signal does not preempt the core: plain loads and stores suffice.
 */
#include "softgpu/mbarrier.h"

#include "block.h"
#include "softgpu/async_copy.h"

enum { COUNT_BITS = 20, COUNT_MAX = (1 << COUNT_BITS) - 1, PHASES = 8 };

/* The fields of the object, lowest bits first; `expected` is never 0. */
struct state {
    uint64_t pending : COUNT_BITS;
    uint64_t expected : COUNT_BITS;
    int64_t bytes : COUNT_BITS + 1; /* expected and not yet copied */
    uint64_t phase : 3;
};

union word {
    uint64_t bits;
    struct state state;
};

/* The errors are CUDA's for misaligned and illegal addresses. */
static void check_barrier_address(const uint64_t *barrier)
{
    if ((uintptr_t)barrier % sizeof *barrier)
        softgpu_fail(716, "an mbarrier must be aligned to 8 bytes");
    if (!softgpu_is_shared(barrier))
        softgpu_fail(719, "an mbarrier must be in shared memory");
}

/* A barrier that was never initialized expects no thread. */
static union word load_state(const uint64_t *barrier)
{
    union word word;

    check_barrier_address(barrier);
    word.bits = *barrier;
    if (word.state.expected == 0)
        softgpu_fail(719, "this mbarrier was never initialized");
    return word;
}

/* Store the state; if the phase is complete, start the next one. */
static void store_state(uint64_t *barrier, union word word)
{
    if (word.state.pending == 0 && word.state.bytes == 0) {
        word.state.pending = word.state.expected;
        word.state.phase++;
    }
    *barrier = word.bits;
}

/* Bytes that are expected count up, bytes that have arrived count down. */
static void add_bytes(union word *word, int64_t bytes)
{
    const int64_t sum = word->state.bytes + bytes;

    if (sum > COUNT_MAX || sum < -COUNT_MAX)
        softgpu_fail(719, "an mbarrier cannot wait for %lld bytes",
                     (long long)sum);
    word->state.bytes = sum;
}

void softgpu_mbarrier_init(uint64_t *barrier, unsigned arrivals)
{
    union word word = {.bits = 0};

    check_barrier_address(barrier);
    if (arrivals < 1 || arrivals > COUNT_MAX)
        softgpu_fail(719, "an mbarrier expects 1 to %d arrivals, not %u",
                     COUNT_MAX, arrivals);
    word.state.pending = word.state.expected = arrivals;
    *barrier = word.bits;
}

void softgpu_mbarrier_arrive(uint64_t *barrier, unsigned bytes)
{
    union word word;

    softgpu_ordered(SOFTGPU_RELEASES, barrier, load_state(barrier).state.phase);
    word = load_state(barrier);
    if (word.state.pending == 0)
        softgpu_fail(719, "more arrivals at an mbarrier than the %u it "
                     "expects", (unsigned)word.state.expected);
    add_bytes(&word, bytes);
    word.state.pending--;
    store_state(barrier, word);
}

/* Complete the copies that the phase still waits for. */
static void complete_copies(uint64_t *barrier)
{
    const size_t bytes = softgpu_copy_complete(barrier);
    union word word;

    if (bytes == 0)
        return;
    softgpu_ordered(SOFTGPU_RELEASES, barrier, load_state(barrier).state.phase);
    word = load_state(barrier); /* other threads may have run */
    add_bytes(&word, -(int64_t)bytes);
    if (word.state.bytes < 0)
        softgpu_fail(719, "%d bytes more were copied than the mbarrier "
                     "expects", -(int)word.state.bytes);
    store_state(barrier, word);
}

/* A phase is named by its parity, as in PTX. */
static int is_current_phase(const union word *word, unsigned parity)
{
    return (word->state.phase & 1) == parity;
}

int softgpu_mbarrier_test_wait(uint64_t *barrier, unsigned parity)
{
    union word word = load_state(barrier);

    if (is_current_phase(&word, parity) && word.state.pending == 0) {
        complete_copies(barrier);
        word = load_state(barrier);
    }
    if (is_current_phase(&word, parity)) {
        softgpu_yield();
        return 0;
    }
    softgpu_ordered(SOFTGPU_ACQUIRES, barrier,
                    (word.state.phase + PHASES - 1u) % PHASES);
    return 1;
}
