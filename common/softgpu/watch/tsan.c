/* SPDX-License-Identifier: MIT */
/* The functions that code compiled with -fsanitize=thread calls for each load
 * and store; libtsan itself is never linked.  Each one shows the access to
 * the checks, to the profiler, or to both. */
#include <string.h>

#include "modes.h"
#include "watch.h"
#include "words.h"

#define ENTRY __attribute__((noinline))
#define CODE ((uintptr_t)__builtin_return_address(0))
/* Where the caller's frame begins, without a frame pointer of our own. */
#define FRAME ((uintptr_t)__builtin_dwarf_cfa() - 2 * sizeof(void *))

/* Most blocks of a long launch are not. */
static inline int is_profiled(void)
{
    return softgpu_tls.block && softgpu_tls.block->profile;
}

/* Here, for without the checks it stays empty: then no access is quick. */
SOFTGPU_TLS struct words_fast words_fast;

/* Apart from the entries, which need no frame of their own without it: they
 * end in it.  `what`: bytes, and flags above them. */
static __attribute__((noinline)) void
seen_newly(const volatile void *p, uint64_t what, uintptr_t code,
           uintptr_t frame)
{
    const uint32_t bytes = (uint32_t)what, flags = (uint32_t)(what >> 32);

    if (is_profiled())
        profile_access(p, bytes, flags, code, frame);
    else if (profile_host_access && !softgpu_tls.block)
        profile_host_access(bytes);
    if (check_access)
        check_access(p, bytes, flags, code);
}

/* Likewise for what words_plain() holds for.  A block that is profiled has
 * no such words. */
static __attribute__((noinline)) void
seen_in_shared(const volatile void *p, uint64_t what, uintptr_t code,
               uintptr_t frame)
{
    const uint32_t words = (uint32_t)what / 4;

    if (!words_only_begin(words_index(p, (uint32_t)what) * words, words,
                          (uint32_t)(what >> 32), code))
        seen_newly(p, what, code, frame);
}

/* Inlined into each entry: the frame is the entry's.  Most accesses are plain
 * reads of shared memory that tell nothing new; those end here. */
static inline __attribute__((always_inline)) void
seen(const volatile void *p, uint32_t bytes, uint32_t flags, uintptr_t code)
{
    const uint64_t what = (uint64_t)flags << 32 | bytes;
    const size_t at = words_index(p, bytes);

    if (!words_plain(at, bytes, flags))
        seen_newly(p, what, code, FRAME);
    else if (flags
             || !words_nothing_new(at * (bytes / 4), bytes / 4, code))
        seen_in_shared(p, what, code, FRAME);
}

/* Long accesses (a struct, memcpy) are shown to the profiler as what a card
 * would make of them: words, or bytes. */
static void seen_range(const volatile void *p, size_t bytes, uint32_t flags,
                       uintptr_t code, uintptr_t frame)
{
    const volatile char *at = p, *end = at + bytes;
    size_t part = (((uintptr_t)p | bytes) & 3) == 0 ? 4 : 1;

    if (is_profiled())
        for (; at < end; at += part)
            profile_access(at, (uint32_t)part, flags, code, frame);
    else if (profile_host_access && !softgpu_tls.block)
        profile_host_access(bytes);
    if (check_range)
        check_range(p, bytes, flags, code);
}

#define PLAIN(name, bytes, flags)                \
    ENTRY void __tsan_##name##bytes(void *p)     \
    {                                            \
        seen(p, bytes, flags, CODE);             \
    }
#define SIZES(name, flags)                                              \
    PLAIN(name, 1, flags) PLAIN(name, 2, flags) PLAIN(name, 4, flags)   \
    PLAIN(name, 8, flags) PLAIN(name, 16, flags)

SIZES(read, 0)
SIZES(write, ACCESS_WRITE)
SIZES(unaligned_read, 0)
SIZES(unaligned_write, ACCESS_WRITE)
SIZES(volatile_read, ACCESS_VOLATILE)
SIZES(volatile_write, ACCESS_VOLATILE | ACCESS_WRITE)
SIZES(unaligned_volatile_read, ACCESS_VOLATILE)
SIZES(unaligned_volatile_write, ACCESS_VOLATILE | ACCESS_WRITE)

#define BOTH(name, bytes)                                     \
    ENTRY void __tsan_##name##bytes(void *p)                  \
    {                                                         \
        seen(p, bytes, 0, CODE);                              \
        seen(p, bytes, ACCESS_WRITE, CODE);                   \
    }
BOTH(read_write, 1) BOTH(read_write, 2) BOTH(read_write, 4)
BOTH(read_write, 8) BOTH(read_write, 16)
BOTH(unaligned_read_write, 2) BOTH(unaligned_read_write, 4)
BOTH(unaligned_read_write, 8) BOTH(unaligned_read_write, 16)

ENTRY void __tsan_read_range(void *p, size_t bytes)
{
    seen_range(p, bytes, 0, CODE, FRAME);
}

ENTRY void __tsan_write_range(void *p, size_t bytes)
{
    seen_range(p, bytes, ACCESS_WRITE, CODE, FRAME);
}

ENTRY void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    seen_range(from, bytes, 0, CODE, FRAME);
    seen_range(to, bytes, ACCESS_WRITE, CODE, FRAME);
    return memcpy(to, from, bytes);
}

ENTRY void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    seen_range(from, bytes, 0, CODE, FRAME);
    seen_range(to, bytes, ACCESS_WRITE, CODE, FRAME);
    return memmove(to, from, bytes);
}

ENTRY void *__tsan_memset(void *to, int value, size_t bytes)
{
    seen_range(to, bytes, ACCESS_WRITE, CODE, FRAME);
    return memset(to, value, bytes);
}

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}

/* A constructor tells which class an object is of; a call asks. */
ENTRY void __tsan_vptr_update(void **p, void *value)
{
    (void)value;
    seen(p, sizeof *p, ACCESS_WRITE, CODE);
}

ENTRY void __tsan_vptr_read(void **p)
{
    seen(p, sizeof *p, 0, CODE);
}

/* --- atomics: shown, then done -------------------------------------------- */

#define CHANGES(order)              \
    (ACCESS_WRITE | ACCESS_ATOMIC   \
     | ((order) >= __ATOMIC_RELEASE ? ACCESS_RELEASE : 0u))

#define RMW(bits, type, name, builtin)                                         \
    ENTRY type __tsan_atomic##bits##_##name(volatile type *p, type v, int order) \
    {                                                                          \
        seen(p, sizeof(type), CHANGES(order), CODE);                           \
        return builtin(p, v, __ATOMIC_SEQ_CST);                                \
    }

#define ATOMICS(bits, type)                                                    \
    ENTRY type __tsan_atomic##bits##_load(const volatile type *p, int order)   \
    {                                                                          \
        (void)order;                                                           \
        seen(p, sizeof(type), ACCESS_ATOMIC, CODE);                            \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                           \
    }                                                                          \
    ENTRY void __tsan_atomic##bits##_store(volatile type *p, type v,           \
                                           int order)                          \
    {                                                                          \
        seen(p, sizeof(type), CHANGES(order), CODE);                           \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                              \
    }                                                                          \
    RMW(bits, type, exchange, __atomic_exchange_n)                             \
    RMW(bits, type, fetch_add, __atomic_fetch_add)                             \
    RMW(bits, type, fetch_sub, __atomic_fetch_sub)                             \
    RMW(bits, type, fetch_and, __atomic_fetch_and)                             \
    RMW(bits, type, fetch_or, __atomic_fetch_or)                               \
    RMW(bits, type, fetch_xor, __atomic_fetch_xor)                             \
    RMW(bits, type, fetch_nand, __atomic_fetch_nand)                           \
    ENTRY int __tsan_atomic##bits##_compare_exchange_strong(                   \
        volatile type *p, type *expected, type v, int good, int bad)           \
    {                                                                          \
        (void)bad;                                                             \
        seen(p, sizeof(type), CHANGES(good), CODE);                            \
        return __atomic_compare_exchange_n(p, expected, v, 0,                  \
                                           __ATOMIC_SEQ_CST,                   \
                                           __ATOMIC_SEQ_CST);                  \
    }                                                                          \
    ENTRY int __tsan_atomic##bits##_compare_exchange_weak(                     \
        volatile type *p, type *expected, type v, int good, int bad)           \
    {                                                                          \
        (void)bad;                                                             \
        seen(p, sizeof(type), CHANGES(good), CODE);                            \
        return __atomic_compare_exchange_n(p, expected, v, 0,                  \
                                           __ATOMIC_SEQ_CST,                   \
                                           __ATOMIC_SEQ_CST);                  \
    }                                                                          \
    ENTRY type __tsan_atomic##bits##_compare_exchange_val(                     \
        volatile type *p, type expected, type v, int good, int bad)            \
    {                                                                          \
        (void)bad;                                                             \
        seen(p, sizeof(type), CHANGES(good), CODE);                            \
        __atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_SEQ_CST,      \
                                    __ATOMIC_SEQ_CST);                         \
        return expected;                                                       \
    }

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

ENTRY void __tsan_atomic_thread_fence(int order)
{
    __atomic_thread_fence(order);
    if (check_fence)
        check_fence();
}

ENTRY void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    if (check_fence)
        check_fence();
}

/* --- what the device headers tell ------------------------------------------ */

/* A word is locked from the look at it to the swap, so that the operation is
 * done once and is counted once.  It is a courtesy, not what makes it right:
 * who waited long goes on. */
enum { LOCKS = 256, LONG = 4096 };
static uint8_t locks[LOCKS];

static uint8_t *lock_of(const void *p)
{
    return &locks[((uintptr_t)p >> 2) % LOCKS];
}

static void lock(const void *p)
{
    for (int i = 0; i < LONG; i++)
        if (!__atomic_exchange_n(lock_of(p), 1, __ATOMIC_ACQUIRE))
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

#define SWAP(type)                                                          \
    do {                                                                    \
        type was = (type)expected;                                          \
        __atomic_compare_exchange_n((type *)p, &was, (type)desired, 0,      \
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
        return was;                                                         \
    } while (0)

static uint64_t swap(void *p, uint32_t bytes, uint64_t expected,
                     uint64_t desired)
{
    switch (bytes) {
    case 2: SWAP(uint16_t);
    case 4: SWAP(uint32_t);
    default: SWAP(uint64_t);
    }
}

ENTRY uint64_t softgpu_watched_atomic(const void *p, uint32_t bytes)
{
    seen(p, bytes, ACCESS_WRITE | ACCESS_ATOMIC, CODE);
    lock(p);
    return load(p, bytes);
}

uint64_t softgpu_unwatched_swap(void *p, uint32_t bytes, uint64_t expected,
                                uint64_t desired)
{
    uint64_t was = swap(p, bytes, expected, desired);

    __atomic_store_n(lock_of(p), 0, __ATOMIC_RELEASE);
    return was;
}

char *softgpu_watched_place(struct softgpu_slot *slot, const char *name)
{
    if (!slot->name)
        slot->name = name;
    return (slot->kernel ? softgpu_tls.shared : softgpu_tls.functions)
           + slot->offset;
}

void softgpu_watched_parameters(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    if (profile_parameters)
        profile_parameters(to, bytes);
}

/* -fsanitize-coverage=trace-pc: the first thing in each basic block. */
ENTRY void __sanitizer_cov_trace_pc(void)
{
    if (is_profiled())
        profile_basic_block(CODE, FRAME);
}
