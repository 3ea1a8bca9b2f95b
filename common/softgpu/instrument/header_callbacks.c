/* SPDX-License-Identifier: MIT */
/* Callbacks that the device headers (include/softgpu) call in an instrumented
 * program, and the one of -fsanitize-coverage. */
#include <pthread.h>
#include <string.h>

#include "common/softgpu/core/block.h"
#include "common/softgpu/core/fiber.h"
#include "on_access.h"

/* An atomic without a machine instruction (atomicMax on float, ...) is a loop
 * around compare-and-swap in a header.  softgpu_instrumented_atomic() locks
 * the word and softgpu_uninstrumented_cas() unlocks it, so that the loop runs
 * once and the tools see one access.  The result does not depend on the lock:
 * after MAX_LOCK_SPINS a thread goes on without it. */
enum { LOCK_COUNT = 256, MAX_LOCK_SPINS = 4096 };
static uint8_t locks[LOCK_COUNT];

static uint8_t *word_lock(const void *p)
{
    return &locks[((uintptr_t)p >> 2) % LOCK_COUNT];
}

static void lock(const void *p)
{
    for (int i = 0; i < MAX_LOCK_SPINS; i++)
        if (!__atomic_exchange_n(word_lock(p), 1, __ATOMIC_ACQUIRE))
            return;
}

static uint64_t load(const void *p, uint32_t bytes)
{
    switch (bytes) {
    case 2: return __atomic_load_n((const uint16_t *)p, __ATOMIC_SEQ_CST);
    case 4: return __atomic_load_n((const uint32_t *)p, __ATOMIC_SEQ_CST);
    default: return __atomic_load_n((const uint64_t *)p, __ATOMIC_SEQ_CST);
    }
}

#define RETURN_CAS(type)                                                       \
    do {                                                                       \
        type previous = (type)expected;                                        \
        __atomic_compare_exchange_n((type *)p, &previous, (type)desired, 0,    \
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
        return previous;                                                       \
    } while (0)

static uint64_t compare_and_swap(void *p, uint32_t bytes, uint64_t expected,
                                 uint64_t desired)
{
    switch (bytes) {
    case 2: RETURN_CAS(uint16_t);
    case 4: RETURN_CAS(uint32_t);
    default: RETURN_CAS(uint64_t);
    }
}

CALLBACK uint64_t softgpu_instrumented_atomic(const void *p, uint32_t bytes,
                                              enum softgpu_atomic_kind kind)
{
    enum { ADDED = SOFTGPU_ATOMIC_BLOCK | SOFTGPU_ATOMIC_STATED };
    static const uint32_t flags[] = {
        [SOFTGPU_ATOMIC_UPDATE] = ACCESS_WRITE | ACCESS_ATOMIC,
        [SOFTGPU_ATOMIC_COMPARE] =
            ACCESS_WRITE | ACCESS_ATOMIC | ACCESS_COMPARE,
        [SOFTGPU_ATOMIC_LOAD] =
            ACCESS_WRITE | ACCESS_ATOMIC | ACCESS_LOAD_ONLY,
    };

    on_access(p, bytes,
              flags[kind & ~ADDED]
                  | (kind & SOFTGPU_ATOMIC_BLOCK ? ACCESS_OF_BLOCK : 0u)
                  | (kind & SOFTGPU_ATOMIC_STATED ? ACCESS_STATED : 0u),
              CALLER_PC);
    lock(p);
    return load(p, bytes);
}

uint64_t softgpu_uninstrumented_cas(void *p, uint32_t bytes, uint64_t expected,
                                    uint64_t desired)
{
    uint64_t previous = compare_and_swap(p, bytes, expected, desired);

    __atomic_store_n(word_lock(p), 0, __ATOMIC_RELEASE);
    return previous;
}

CALLBACK void softgpu_instrumented_operand(const volatile void *p,
                                           size_t bytes, int writes,
                                           const void *site)
{
    const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

    if (softgpu_tls.block
        && ((uintptr_t)p < frame
            || (uintptr_t)p >= (uintptr_t)softgpu_tls.thread->stack->top))
        pass_range(p, bytes, writes ? ACCESS_WRITE : 0, (uintptr_t)site,
                   frame);
}

CALLBACK void softgpu_note_poll(void)
{
    for (struct softgpu_tool *t = softgpu_tools; t; t = t->next)
        if (t->polls)
            t->polls();
}

/* A kernel that uses a variable of a device function has it in each block:
 * its bytes count once, whichever thread comes first. */
static void count_function_variable(const struct softgpu_shared_variable *slot)
{
    enum { PAIRS = 1024 };
    static struct {
        const struct softgpu_kernel *kernel;
        const struct softgpu_shared_variable *slot;
    } known[PAIRS];
    static SOFTGPU_TLS int last; /* entry that this OS thread found last */
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct softgpu_kernel *kernel =
        softgpu_tls.block->worker->run->grid->kernel;
    int i = 0;

    if (known[last].kernel == kernel && known[last].slot == slot)
        return;
    pthread_mutex_lock(&mutex);
    while (i < PAIRS && known[i].kernel
           && (known[i].kernel != kernel || known[i].slot != slot))
        i++;
    if (i < PAIRS && !known[i].kernel) {
        known[i].kernel = kernel;
        known[i].slot = slot;
        kernel->function_shared += slot->bytes;
    }
    last = i < PAIRS ? i : 0;
    pthread_mutex_unlock(&mutex);
}

char *softgpu_shared_address(struct softgpu_shared_variable *slot,
                             const char *name)
{
    if (!slot->name)
        slot->name = name;
    if (!slot->kernel)
        count_function_variable(slot);
    return (slot->kernel ? softgpu_tls.shared : softgpu_tls.functions)
           + slot->offset;
}

void softgpu_copy_parameters(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    for (struct softgpu_tool *t = softgpu_tools; t; t = t->next)
        if (t->parameters)
            t->parameters(to, bytes);
}

/* -fsanitize-coverage=trace-pc: the first thing in each basic block. */
CALLBACK void __sanitizer_cov_trace_pc(void)
{
    const uintptr_t pc = CALLER_PC, frame = CALLER_FRAME;

    for (struct softgpu_tool *t = softgpu_tools; t; t = t->next)
        if (t->basic_block)
            t->basic_block(pc, frame);
}
