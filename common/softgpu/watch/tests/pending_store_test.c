/* SPDX-License-Identifier: MIT */
/* A store that another OS thread has announced: it is pending until that
 * thread's next check. */
#include <pthread.h>
#include <stdio.h>

#include <CUnit/Basic.h>

#include "common/softgpu/watch/pending_store.h"

enum { WORD = 4 };
static const uintptr_t stored = 0x10000; /* its last word */
static pthread_barrier_t both;

/* Announces a store, then has executed it. */
static void *store(void *unused)
{
    (void)unused;
    pending_store_begin(stored);
    pthread_barrier_wait(&both); /* announced */
    pthread_barrier_wait(&both); /* looked at */
    pending_store_end();
    pthread_barrier_wait(&both); /* executed */
    pthread_barrier_wait(&both); /* looked at */
    return NULL;
}

static void test_other_thread(void)
{
    pthread_t thread;

    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, store, NULL), 0);
    pthread_barrier_wait(&both);
    CU_ASSERT_FALSE(pending_store_wait(stored));
    /* the last word of a store of 16 bytes is announced */
    CU_ASSERT_FALSE(pending_store_wait(stored - 3 * WORD));
    CU_ASSERT_TRUE(pending_store_wait(stored - 4 * WORD));
    CU_ASSERT_TRUE(pending_store_wait(stored + WORD));
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
    CU_ASSERT_TRUE(pending_store_wait(stored));
    pthread_barrier_wait(&both);
    pthread_join(thread, NULL);
}

int main(void)
{
    CU_pSuite suite;

    pthread_barrier_init(&both, NULL, 2);
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    suite = CU_add_suite("pending store", NULL, NULL);
    CU_add_test(suite, "of another OS thread", test_other_thread);
    CU_basic_run_tests();
    return CU_get_number_of_failures() != 0;
}
