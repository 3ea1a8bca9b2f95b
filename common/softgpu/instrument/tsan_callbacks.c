/* SPDX-License-Identifier: MIT */
/* The callbacks of -fsanitize=thread: the compiler puts a call of one of them
 * before each load and store, and one in place of each atomic operation.
 * libtsan itself is never linked. */
#include <string.h>

#include "on_access.h"

SOFTGPU_TLS struct same_access_filter same_access_filter;
SOFTGPU_TLS struct parameter_filter parameter_filter;

void pass_access(const volatile void *p, uint64_t bytes_and_flags,
                 uintptr_t pc, uintptr_t frame)
{
    const uint32_t bytes = (uint32_t)bytes_and_flags;
    const uint32_t flags = (uint32_t)(bytes_and_flags >> 32);
    struct softgpu_tool *t = softgpu_tools;

    for (; t->next; t = t->next)
        t->access(p, bytes, flags, pc, frame);
    t->access(p, bytes, flags, pc, frame); /* mostly the one: a tail call */
}

void pass_range(const volatile void *p, size_t bytes, uint32_t flags,
                uintptr_t pc, uintptr_t frame)
{
    for (struct softgpu_tool *t = softgpu_tools; t; t = t->next)
        t->range(p, bytes, flags, pc, frame);
}

/* A fence of memory order acquire releases nothing, and the other way round. */
static void pass_fence(uint32_t flags, int order)
{
    if (order != __ATOMIC_RELEASE)
        flags |= FENCE_ACQUIRE;
    if (order != __ATOMIC_ACQUIRE && order != __ATOMIC_CONSUME)
        flags |= FENCE_RELEASE;
    for (struct softgpu_tool *t = softgpu_tools; t; t = t->next)
        if (t->fence)
            t->fence(flags);
}

/* The library's own: a call of memcpy() here would count once more
 * (library_copies.c). */
void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__real_memmove(void *to, const void *from, size_t bytes);
void *__real_memset(void *to, int value, size_t bytes);

/* --- loads and stores ----------------------------------------------------- */

#define DEFINE_ACCESS(name, bytes, flags)                                      \
    CALLBACK void __tsan_##name##bytes(void *p)                                \
    {                                                                          \
        on_access(p, bytes, flags, CALLER_PC);                                 \
    }
#define DEFINE_ACCESS_SIZES(name, flags)                                      \
    DEFINE_ACCESS(name, 1, flags)                                              \
    DEFINE_ACCESS(name, 2, flags)                                              \
    DEFINE_ACCESS(name, 4, flags)                                              \
    DEFINE_ACCESS(name, 8, flags)                                              \
    DEFINE_ACCESS(name, 16, flags)

DEFINE_ACCESS_SIZES(read, 0)
DEFINE_ACCESS_SIZES(write, ACCESS_WRITE)
DEFINE_ACCESS_SIZES(unaligned_read, 0)
DEFINE_ACCESS_SIZES(unaligned_write, ACCESS_WRITE)
DEFINE_ACCESS_SIZES(volatile_read, ACCESS_VOLATILE)
DEFINE_ACCESS_SIZES(volatile_write, ACCESS_VOLATILE | ACCESS_WRITE)
DEFINE_ACCESS_SIZES(unaligned_volatile_read, ACCESS_VOLATILE)
DEFINE_ACCESS_SIZES(unaligned_volatile_write, ACCESS_VOLATILE | ACCESS_WRITE)

#define DEFINE_READ_WRITE(name, bytes)                                         \
    CALLBACK void __tsan_##name##bytes(void *p)                                \
    {                                                                          \
        on_access(p, bytes, 0, CALLER_PC);                                     \
        on_access(p, bytes, ACCESS_WRITE, CALLER_PC);                          \
    }
DEFINE_READ_WRITE(read_write, 1)
DEFINE_READ_WRITE(read_write, 2)
DEFINE_READ_WRITE(read_write, 4)
DEFINE_READ_WRITE(read_write, 8)
DEFINE_READ_WRITE(read_write, 16)
DEFINE_READ_WRITE(unaligned_read_write, 2)
DEFINE_READ_WRITE(unaligned_read_write, 4)
DEFINE_READ_WRITE(unaligned_read_write, 8)
DEFINE_READ_WRITE(unaligned_read_write, 16)

CALLBACK void __tsan_read_range(void *p, size_t bytes)
{
    pass_range(p, bytes, 0, CALLER_PC, CALLER_FRAME);
}

CALLBACK void __tsan_write_range(void *p, size_t bytes)
{
    pass_range(p, bytes, ACCESS_WRITE, CALLER_PC, CALLER_FRAME);
}

CALLBACK void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    pass_range(from, bytes, 0, CALLER_PC, CALLER_FRAME);
    pass_range(to, bytes, ACCESS_WRITE, CALLER_PC, CALLER_FRAME);
    return __real_memcpy(to, from, bytes);
}

CALLBACK void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    pass_range(from, bytes, 0, CALLER_PC, CALLER_FRAME);
    pass_range(to, bytes, ACCESS_WRITE, CALLER_PC, CALLER_FRAME);
    return __real_memmove(to, from, bytes);
}

CALLBACK void *__tsan_memset(void *to, int value, size_t bytes)
{
    pass_range(to, bytes, ACCESS_WRITE, CALLER_PC, CALLER_FRAME);
    return __real_memset(to, value, bytes);
}

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}

/* The pointer to the virtual table: written by constructors, read by calls. */
CALLBACK void __tsan_vptr_update(void **p, void *value)
{
    (void)value;
    on_access(p, sizeof *p, ACCESS_WRITE, CALLER_PC);
}

CALLBACK void __tsan_vptr_read(void **p)
{
    on_access(p, sizeof *p, 0, CALLER_PC);
}

/* --- atomics: passed to the tools, then executed -------------------------- */

#define ATOMIC_FLAGS(order)                                                    \
    (ACCESS_WRITE | ATOMIC_LOAD_FLAGS(order)                                   \
     | ((order) >= __ATOMIC_RELEASE ? ACCESS_RELEASE : 0u))
#define ATOMIC_LOAD_FLAGS(order)                                               \
    (ACCESS_ATOMIC | ACCESS_STATED                                             \
     | ((order) != __ATOMIC_RELAXED && (order) != __ATOMIC_RELEASE             \
            ? ACCESS_ACQUIRE                                                   \
            : 0u))

#define ATOMIC_RMW(bits, type, name, builtin)                                  \
    CALLBACK type __tsan_atomic##bits##_##name(volatile type *p, type v,       \
                                               int order)                      \
    {                                                                          \
        on_access(p, sizeof(type), ATOMIC_FLAGS(order), CALLER_PC);            \
        return builtin(p, v, __ATOMIC_SEQ_CST);                                \
    }

#define ATOMIC_CAS(bits, type, strength)                                       \
    CALLBACK int __tsan_atomic##bits##_compare_exchange_##strength(            \
        volatile type *p, type *expected, type v, int good, int bad)           \
    {                                                                          \
        (void)bad;                                                             \
        on_access(p, sizeof(type), ATOMIC_FLAGS(good) | ACCESS_COMPARE,        \
                  CALLER_PC);                                                  \
        return __atomic_compare_exchange_n(p, expected, v, 0,                  \
                                           __ATOMIC_SEQ_CST,                   \
                                           __ATOMIC_SEQ_CST);                  \
    }

#define ATOMICS(bits, type)                                                    \
    CALLBACK type __tsan_atomic##bits##_load(const volatile type *p, int order)\
    {                                                                          \
        on_access(p, sizeof(type), ATOMIC_LOAD_FLAGS(order), CALLER_PC);       \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                           \
    }                                                                          \
    CALLBACK void __tsan_atomic##bits##_store(volatile type *p, type v,        \
                                              int order)                       \
    {                                                                          \
        on_access(p, sizeof(type), ATOMIC_FLAGS(order) | ACCESS_STORE_ONLY,    \
                  CALLER_PC);                                                  \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                              \
    }                                                                          \
    ATOMIC_RMW(bits, type, exchange, __atomic_exchange_n)                      \
    ATOMIC_RMW(bits, type, fetch_add, __atomic_fetch_add)                      \
    ATOMIC_RMW(bits, type, fetch_sub, __atomic_fetch_sub)                      \
    ATOMIC_RMW(bits, type, fetch_and, __atomic_fetch_and)                      \
    ATOMIC_RMW(bits, type, fetch_or, __atomic_fetch_or)                        \
    ATOMIC_RMW(bits, type, fetch_xor, __atomic_fetch_xor)                      \
    ATOMIC_RMW(bits, type, fetch_nand, __atomic_fetch_nand)                    \
    ATOMIC_CAS(bits, type, strong)                                             \
    ATOMIC_CAS(bits, type, weak)                                               \
    CALLBACK type __tsan_atomic##bits##_compare_exchange_val(                  \
        volatile type *p, type expected, type v, int good, int bad)            \
    {                                                                          \
        (void)bad;                                                             \
        on_access(p, sizeof(type), ATOMIC_FLAGS(good) | ACCESS_COMPARE,        \
                  CALLER_PC);                                                  \
        __atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_SEQ_CST,      \
                                    __ATOMIC_SEQ_CST);                         \
        return expected;                                                       \
    }

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

CALLBACK void __tsan_atomic_thread_fence(int order)
{
    __atomic_thread_fence(order);
    pass_fence(FENCE_DEVICE, order);
}

CALLBACK void __tsan_atomic_signal_fence(int order)
{
    pass_fence(0, order);
}
