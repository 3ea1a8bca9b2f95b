/* SPDX-License-Identifier: MIT */
/* mbarrier objects.  A block's threads share one OS thread, and nothing stops
 * the core: plain loads and stores will do. */
#include "softgpu/mbarrier.h"

#include "block.h"
#include "softgpu/copies.h"

enum { COUNT_BITS = 20, COUNT_MOST = (1 << COUNT_BITS) - 1, PHASES = 8 };

/* The word, lowest bits first; `expected` is never 0. */
struct state {
    uint64_t pending : COUNT_BITS;
    uint64_t expected : COUNT_BITS;
    int64_t bytes : COUNT_BITS + 1; /* expected and not yet there */
    uint64_t phase : 3;
};

union word {
    uint64_t bits;
    struct state state;
};

static void check_place(const uint64_t *barrier)
{
    if ((uintptr_t)barrier % sizeof *barrier)
        softgpu_fail(716, "an mbarrier must be aligned to 8 bytes");
    if (!softgpu_is_shared(barrier))
        softgpu_fail(719, "an mbarrier must be in shared memory");
}

static union word look(const uint64_t *barrier)
{
    union word word;

    check_place(barrier);
    word.bits = *barrier;
    if (word.state.expected == 0)
        softgpu_fail(719, "this mbarrier was never initialised");
    return word;
}

/* Write the word; the next phase begins if this one is complete. */
static void settle(uint64_t *barrier, union word word)
{
    if (word.state.pending == 0 && word.state.bytes == 0) {
        word.state.pending = word.state.expected;
        word.state.phase++;
    }
    *barrier = word.bits;
}

static void add_bytes(union word *word, int64_t bytes)
{
    const int64_t sum = word->state.bytes + bytes;

    if (sum > COUNT_MOST || sum < -COUNT_MOST)
        softgpu_fail(719, "an mbarrier cannot wait for %lld bytes",
                     (long long)sum);
    word->state.bytes = sum;
}

void softgpu_mbarrier_init(uint64_t *barrier, unsigned arrivals)
{
    union word word = {.bits = 0};

    check_place(barrier);
    if (arrivals < 1 || arrivals > COUNT_MOST)
        softgpu_fail(719, "an mbarrier expects 1 to %d arrivals, not %u",
                     COUNT_MOST, arrivals);
    word.state.pending = word.state.expected = arrivals;
    *barrier = word.bits;
}

void softgpu_mbarrier_arrive(uint64_t *barrier, unsigned bytes)
{
    union word word;

    softgpu_ordered(SOFTGPU_RELEASES, barrier, look(barrier).state.phase);
    word = look(barrier);
    if (word.state.pending == 0)
        softgpu_fail(719, "more arrivals at an mbarrier than the %u it "
                     "expects", (unsigned)word.state.expected);
    add_bytes(&word, bytes);
    word.state.pending--;
    settle(barrier, word);
}

/* Let the copies land that the phase still waits for. */
static void land(uint64_t *barrier)
{
    const size_t bytes = softgpu_copy_land(barrier);
    union word word;

    if (bytes == 0)
        return;
    softgpu_ordered(SOFTGPU_RELEASES, barrier, look(barrier).state.phase);
    word = look(barrier); /* others may have had a turn */
    add_bytes(&word, -(int64_t)bytes);
    if (word.state.bytes < 0)
        softgpu_fail(719, "%d bytes more were copied than the mbarrier "
                     "expects", -(int)word.state.bytes);
    settle(barrier, word);
}

static int is_open(const union word *word, unsigned parity)
{
    return (word->state.phase & 1) == parity;
}

int softgpu_mbarrier_done(uint64_t *barrier, unsigned parity)
{
    union word word = look(barrier);

    if (is_open(&word, parity) && word.state.pending == 0) {
        land(barrier);
        word = look(barrier);
    }
    if (is_open(&word, parity)) {
        softgpu_yield();
        return 0;
    }
    softgpu_ordered(SOFTGPU_ACQUIRES, barrier,
                    (word.state.phase + PHASES - 1u) % PHASES);
    return 1;
}
