/* SPDX-License-Identifier: MIT */
/* The functions that code compiled with -fsanitize=thread calls for each load
 * and store; libtsan itself is never linked.  Each one finds who accesses
 * what, then shows it to the watchers. */
#include <string.h>

#include "host.h"
#include "order.h"
#include "race.h"
#include "watch.h"
#include "watchers.h"

#define ENTRY __attribute__((noinline))
#define CODE ((uintptr_t)__builtin_return_address(0))

static inline __attribute__((always_inline)) void
seen(const volatile void *p, uint32_t bytes, uint32_t flags, uintptr_t code)
{
    struct access access = {.address = (uintptr_t)p, .bytes = bytes,
                            .flags = flags, .code = code,
                            .block = watch_here()};

    if (!access.block) {
        watch_host_access(&access);
        return;
    }
    race_settle();
    watch_place(&access);
    if (flags & (ACCESS_ATOMIC | ACCESS_VOLATILE)
        && access.region != REGION_SHARED)
        order_touch(access.block, access.address, flags & ACCESS_WRITE);
    watch_show(&access);
}

/* Long accesses (a struct, memcpy) are shown 16 bytes at a time. */
static void seen_range(const volatile void *p, size_t bytes, uint32_t flags,
                       uintptr_t code)
{
    const volatile char *at = p;

    while (bytes) {
        size_t part = 16 - ((uintptr_t)at & 15);

        part = part < bytes ? part : bytes;
        seen(at, (uint32_t)part, flags, code);
        at += part;
        bytes -= part;
    }
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
    seen_range(p, bytes, 0, CODE);
}

ENTRY void __tsan_write_range(void *p, size_t bytes)
{
    seen_range(p, bytes, ACCESS_WRITE, CODE);
}

ENTRY void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    seen_range(from, bytes, 0, CODE);
    seen_range(to, bytes, ACCESS_WRITE, CODE);
    return memcpy(to, from, bytes);
}

ENTRY void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    seen_range(from, bytes, 0, CODE);
    seen_range(to, bytes, ACCESS_WRITE, CODE);
    return memmove(to, from, bytes);
}

ENTRY void *__tsan_memset(void *to, int value, size_t bytes)
{
    seen_range(to, bytes, ACCESS_WRITE, CODE);
    return memset(to, value, bytes);
}

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void **p, void *value) { (void)p, (void)value; }
void __tsan_vptr_read(void **p) { (void)p; }

/* --- atomics: shown, then done -------------------------------------------- */

#define RMW(bits, type, name, builtin)                                         \
    ENTRY type __tsan_atomic##bits##_##name(volatile type *p, type v, int order) \
    {                                                                          \
        (void)order;                                                           \
        seen(p, sizeof(type), ACCESS_WRITE | ACCESS_ATOMIC, CODE);             \
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
        (void)order;                                                           \
        seen(p, sizeof(type), ACCESS_WRITE | ACCESS_ATOMIC, CODE);             \
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
        (void)good, (void)bad;                                                 \
        seen(p, sizeof(type), ACCESS_WRITE | ACCESS_ATOMIC, CODE);             \
        return __atomic_compare_exchange_n(p, expected, v, 0,                  \
                                           __ATOMIC_SEQ_CST,                   \
                                           __ATOMIC_SEQ_CST);                  \
    }                                                                          \
    ENTRY int __tsan_atomic##bits##_compare_exchange_weak(                     \
        volatile type *p, type *expected, type v, int good, int bad)           \
    {                                                                          \
        (void)good, (void)bad;                                                 \
        seen(p, sizeof(type), ACCESS_WRITE | ACCESS_ATOMIC, CODE);             \
        return __atomic_compare_exchange_n(p, expected, v, 0,                  \
                                           __ATOMIC_SEQ_CST,                   \
                                           __ATOMIC_SEQ_CST);                  \
    }                                                                          \
    ENTRY type __tsan_atomic##bits##_compare_exchange_val(                     \
        volatile type *p, type expected, type v, int good, int bad)            \
    {                                                                          \
        (void)good, (void)bad;                                                 \
        seen(p, sizeof(type), ACCESS_WRITE | ACCESS_ATOMIC, CODE);             \
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
    if (watch_here())
        watch_here()->fences++;
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}

/* -fsanitize=bounds: an index outside an array whose size the compiler knows,
 * in shared, local or constant memory, or in the next row of a tile. */
ENTRY void __ubsan_handle_out_of_bounds(void *data, uintptr_t index)
{
    struct access access = {.code = CODE, .block = watch_here()};
    struct softgpu_sighting seen = {.kind = SOFTGPU_FIND_OUT_OF_BOUNDS,
                                    .code = access.code};

    (void)data;
    if (access.block)
        seen = watch_sighting(&access, SOFTGPU_FIND_OUT_OF_BOUNDS);
    softgpu_find(&seen, "index %td is outside the array", (ptrdiff_t)index);
}
