/* SPDX-License-Identifier: MIT */
/* Asynchronous copies and what orders threads, as the watchers are told. */
#include <string.h>

#include "common/softgpu/core/fault.h"
#include "common/softgpu/core/hooks.h"
#include "core_tests.h"
#include "softgpu/copies.h"

/* What thread 0 of block 0 was seen to do: a letter an event. */
static char events[64];
static const void *issued_at, *landed_at, *object;
static uint64_t phase;
static int from[4] = {1, 2, 3, 4}, to[4];

static void note(char letter)
{
    const size_t n = strlen(events);
    if (n + 1 < sizeof events && blockIdx.x == 0 && threadIdx.x == 0)
        events[n] = letter;
}

static void on_copied(void *dst, const void *src, size_t bytes,
                      const void *site)
{
    CU_ASSERT(bytes == sizeof to);
    CU_ASSERT_PTR_EQUAL(dst, to);
    CU_ASSERT(src == from || src == NULL);
    issued_at = site;
    note(src ? 'c' : 'z');
}

static void on_landed(void *dst, const void *src, size_t bytes,
                      const void *site)
{
    CU_ASSERT(bytes == sizeof to);
    CU_ASSERT_PTR_EQUAL(dst, to);
    CU_ASSERT(src == from || src == NULL);
    CU_ASSERT_EQUAL(to[3], src ? 0 : 4); /* before the bytes move */
    landed_at = site;
    note('l');
}

static void on_ordered(enum softgpu_ordering how, const volatile void *where,
                       uint64_t which)
{
    object = (const void *)where;
    phase = which;
    note(how == SOFTGPU_RELEASES ? 'r' : 'a');
}

static const struct softgpu_hooks hooks = {.async_copied = on_copied,
                                           .async_landed = on_landed,
                                           .ordered = on_ordered};

static void copy_one(const void *closure)
{
    (void)closure;
    softgpu_copy_later(NULL, to, from, sizeof to);
    softgpu_copy_commit(NULL);
    softgpu_copy_later(NULL, to, NULL, sizeof to);
    softgpu_copy_commit(NULL);
    softgpu_copy_wait(NULL, 1);
    CU_ASSERT_EQUAL(to[3], 4);
    CU_ASSERT(landed_at != issued_at);
    softgpu_copy_wait(NULL, 0);
    CU_ASSERT_EQUAL(to[3], 0);
    CU_ASSERT_PTR_EQUAL(landed_at, issued_at);
    softgpu_ordered(SOFTGPU_RELEASES, to, 7);
    softgpu_ordered(SOFTGPU_ACQUIRES, from, 8);
    softgpu_copy_later(NULL, to, from, sizeof to); /* never waited for */
}

static void told(void)
{
    memset(events, 0, sizeof events);
    memset(to, 0, sizeof to);
    softgpu_hooks = &hooks;
    CU_ASSERT_EQUAL(run_1d(copy_one, NULL, 1, 1), 0);
    softgpu_hooks = NULL;
    CU_ASSERT_STRING_EQUAL(events, "czllrac");
    CU_ASSERT_PTR_EQUAL(object, from);
    CU_ASSERT_EQUAL(phase, 8);
    CU_ASSERT_EQUAL(to[3], 0);
}

static void wild_one(const void *closure)
{
    (void)closure;
    softgpu_copy_later(NULL, (void *)(uintptr_t)(256 + 64 * threadIdx.x), from,
                       4);
    softgpu_barrier();
    softgpu_copy_commit(NULL);
    if (threadIdx.x == 9)
        softgpu_copy_wait(NULL, 0);
}

/* A copy that faults is over: a later fault is not put down to it. */
static void faulty(void)
{
    CU_ASSERT_EQUAL(run_1d(wild_one, NULL, 1, 32), SOFTGPU_ILLEGAL_ADDRESS);
    CU_ASSERT(report_says("illegal address 0x340 in block (0,0,0) thread "
                          "(9,0,0) at "));
    CU_ASSERT(report_says("copies_test.c:90"));
    CU_ASSERT_PTR_NULL(softgpu_copy_site);
}

int main(void)
{
    static const struct core_test tests[] = {
        {"watchers are told of copies and of order", told},
        {"a fault in a copy is the line's that issued it", faulty},
        {NULL, NULL},
    };
    return run_core_tests("core: asynchronous copies", tests);
}
