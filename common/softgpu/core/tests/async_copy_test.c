/* SPDX-License-Identifier: MIT */
/* Asynchronous copies and synchronization, as the hooks report them. */
#include <stdio.h>
#include <string.h>

#include "common/softgpu/core/fault.h"
#include "common/softgpu/core/hooks.h"
#include "core_tests.h"
#include "softgpu/async_copy.h"
#include "softgpu/mbarrier.h"

/* Events of thread 0 of block 0: one letter each. */
static char events[64];
static const void *issued_at, *landed_at, *object;
static uint64_t phase;
static int from[4] = {1, 2, 3, 4}, to[4];

/* Append a letter for an event of thread 0 of block 0. */
static void note(char letter)
{
    const size_t n = strlen(events);
    if (n + 1 < sizeof events && blockIdx.x == 0 && threadIdx.x == 0)
        events[n] = letter;
}

/* Hook: the copy is issued; a copy of nothing fills with zeros. */
static void on_copied(void *dst, const void *src, size_t bytes,
                      const void *site, int posted)
{
    CU_ASSERT(!posted);
    CU_ASSERT(bytes == sizeof to);
    CU_ASSERT_PTR_EQUAL(dst, to);
    CU_ASSERT(src == from || src == NULL);
    issued_at = site;
    note(src ? 'c' : 'z');
}

/* Hook: called when a wait completes the copy, before the bytes move. */
static void on_landed(void *dst, const void *src, size_t bytes,
                      const void *site, int posted)
{
    CU_ASSERT_FALSE(posted);
    CU_ASSERT(bytes == sizeof to);
    CU_ASSERT_PTR_EQUAL(dst, to);
    CU_ASSERT(src == from || src == NULL);
    CU_ASSERT_EQUAL(to[3], src ? 0 : 4); /* before the bytes move */
    landed_at = site;
    note('l');
}

/* Hook: a release or an acquire of the asynchronous barrier. */
static void on_ordered(unsigned how, const volatile void *where,
                       uint64_t which)
{
    object = (const void *)where;
    phase = which;
    note(how == SOFTGPU_RELEASES ? 'r' : 'a');
}

static const struct softgpu_hooks hooks = {.async_copy_issued = on_copied,
                                           .async_copy_completed = on_landed,
                                           .ordered = on_ordered};

/* Two copies in two groups; waiting for all but one completes the first. */
static void copy_one(const void *closure)
{
    (void)closure;
    softgpu_copy_async(NULL, to, from, sizeof to);
    softgpu_copy_commit(NULL);
    softgpu_copy_async(NULL, to, NULL, sizeof to);
    softgpu_copy_commit(NULL);
    softgpu_copy_wait(NULL, 1);
    CU_ASSERT_EQUAL(to[3], 4);
    CU_ASSERT(landed_at != issued_at);
    softgpu_copy_wait(NULL, 0);
    CU_ASSERT_EQUAL(to[3], 0);
    CU_ASSERT_PTR_EQUAL(landed_at, issued_at);
    softgpu_ordered(SOFTGPU_RELEASES, to, 7);
    softgpu_ordered(SOFTGPU_ACQUIRES, from, 8);
    softgpu_copy_async(NULL, to, from, sizeof to); /* never waited for */
}

/* Issued, filled, completed, in this order, each at its own site. */
static void hooks_see_copies(void)
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

static char issue_line[40]; /* where the copy below is issued */

/* The destination is accessed at the wait, but the copy is what is wrong. */
static void illegal_store_thread(const void *closure)
{
    (void)closure;
    snprintf(issue_line, sizeof issue_line, "async_copy_test.c:%d",
             __LINE__ + 1);
    softgpu_copy_async(NULL, (void *)(uintptr_t)(256 + 64 * threadIdx.x), from,
                       4);
    softgpu_barrier();
    softgpu_copy_commit(NULL);
    if (threadIdx.x == 9)
        softgpu_copy_wait(NULL, 0);
}

/* A copy that faults has ended: a later fault is not attributed to it. */
static void fault_in_copy(void)
{
    CU_ASSERT_EQUAL(run_1d(illegal_store_thread, NULL, 1, 32),
                    SOFTGPU_ILLEGAL_ADDRESS);
    CU_ASSERT(report_contains("illegal address 0x340 in block (0,0,0) thread "
                              "(9,0,0) at "));
    CU_ASSERT(report_contains(issue_line));
    CU_ASSERT_PTR_NULL(softgpu_copy_site);
}

/* A byte of the block's shared memory. */
static unsigned char *shared(size_t offset)
{
    return (unsigned char *)softgpu_tls.shared + offset;
}

/* A copy function that reverses the bytes. */
static void reversed(void *dst, const void *src, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((char *)dst)[i] = src ? ((const char *)src)[bytes - 1 - i] : 0;
}

/* A copy function that only checks when it is called. */
static void note_step(void *dst, const void *src, size_t bytes)
{
    CU_ASSERT(dst == to && src == from && bytes == 3);
    CU_ASSERT_EQUAL(to[1], 2); /* after the copy before it */
    note('s');
}

/* Thread 0 posts copies to a barrier, thread 1 completes them; copies that
 * thread 0 queued for itself wait for thread 0. */
static void post_one(const void *closure)
{
    (void)closure;
    uint64_t *barrier = (uint64_t *)(void *)shared(0);
    if (threadIdx.x == 0) {
        softgpu_mbarrier_init(barrier, 1);
        softgpu_copy_async(NULL, to, from, sizeof to);
        softgpu_copy_async(NULL, NULL, from, sizeof to);
        softgpu_call_async(NULL, note_step, to, from, 3);
        softgpu_copy_commit(NULL);
        softgpu_copy_post(barrier, reversed, shared(16), "abc", 3);
        softgpu_copy_post(barrier, reversed, shared(19), NULL, 1);
        softgpu_mbarrier_arrive(barrier, 4);
        *shared(16) = 0;
    }
    softgpu_barrier();
    if (threadIdx.x == 1) {
        CU_ASSERT_EQUAL(softgpu_mbarrier_test_wait(barrier, 1), 1);
        CU_ASSERT_EQUAL(*shared(16), 0);
        CU_ASSERT_EQUAL(softgpu_mbarrier_test_wait(barrier, 0), 1);
        CU_ASSERT_EQUAL(memcmp(shared(16), "cba", 4), 0);
        CU_ASSERT_EQUAL(softgpu_mbarrier_test_wait(barrier, 1), 0);
        CU_ASSERT_EQUAL(to[0], 0);
    }
    softgpu_barrier();
    if (threadIdx.x == 0)
        softgpu_copy_wait(NULL, 0);
}

/* Copies that nobody waits for are done when the kernel ends. */
static void posted_copies_complete(void)
{
    memset(to, 0, sizeof to);
    memset(events, 0, sizeof events);
    CU_ASSERT_EQUAL(run_1d(post_one, NULL, 1, 2), 0);
    CU_ASSERT_STRING_EQUAL(events, "s");
    CU_ASSERT_EQUAL(to[3], 4);
}

/* Misuse of an mbarrier, by number. */
static void misuse_one(const void *closure)
{
    const int how = *(const int *)closure;
    uint64_t *barrier = (uint64_t *)(void *)shared(0);
    *barrier = 0;
    if (how > 0)
        softgpu_mbarrier_init(barrier + (how == 1), how == 2 ? 0 : 1);
    if (how == 3)
        softgpu_mbarrier_init((uint64_t *)(void *)shared(4), 1);
    if (how == 4)
        softgpu_copy_post(barrier, reversed, shared(16), "abc", 3);
    softgpu_mbarrier_arrive(barrier, how == 5 ? 1 << 20 : 1);
    if (how == 6)
        softgpu_mbarrier_arrive(barrier, 0);
    softgpu_mbarrier_test_wait(barrier, 0);
}

/* Each misuse of a barrier in shared memory has a message of its own. */
static void mbarrier_misuse(void)
{
    static const char *const texts[] = {
        "never initialized", "never initialized", "expects 1 to 1048575",
        "aligned to 8 bytes", "2 bytes more were copied",
        "cannot wait for 1048576", "more arrivals"};

    for (int how = 0; how < 7; how++) {
        CU_ASSERT(run_1d(misuse_one, &how, 1, 1) != 0);
        CU_ASSERT(report_contains(texts[how]));
    }
}

int main(void)
{
    static const struct core_test tests[] = {
        {"hooks report copies and synchronization", hooks_see_copies},
        {"a fault in a copy names the line that issued it", fault_in_copy},
        {"posted copies complete for any thread; steps in order",
         posted_copies_complete},
        {"an mbarrier reports its misuse", mbarrier_misuse},
        {NULL, NULL},
    };
    return run_core_tests("core: asynchronous copies", tests);
}
