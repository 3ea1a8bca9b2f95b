/* SPDX-License-Identifier: MIT */
/* The pool of access records: how many nodes there are, and when. */
#include <CUnit/Basic.h>

#include "common/softgpu/watch/record_pool.h"

enum { CAPACITY = 4, NODES = CAPACITY - 1 }; /* index 0 is none */

static void allocates_each_node_once(void)
{
    struct record_pool pool;

    record_pool_init(&pool, CAPACITY);
    for (uint32_t i = 1; i <= NODES; i++) {
        CU_ASSERT_EQUAL(record_pool_alloc(&pool), i);
        pool.nodes[i].next = i; /* there is memory for it */
    }
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(record_pool_alloc(&pool), 0);
    watch_release(pool.nodes, CAPACITY * sizeof *pool.nodes);
}

static void stays_full_without_counting_on(void)
{
    struct record_pool pool;

    record_pool_init(&pool, CAPACITY);
    for (int i = 0; i < 100; i++)
        record_pool_alloc(&pool);
    CU_ASSERT_EQUAL(pool.used, CAPACITY);
    watch_release(pool.nodes, CAPACITY * sizeof *pool.nodes);
}

static void reset_frees_all(void)
{
    struct record_pool pool;

    record_pool_init(&pool, CAPACITY);
    while (record_pool_alloc(&pool))
        continue;
    record_pool_reset(&pool);
    for (uint32_t i = 1; i <= NODES; i++)
        CU_ASSERT_EQUAL(record_pool_alloc(&pool), i);
    CU_ASSERT_EQUAL(record_pool_alloc(&pool), 0);
    watch_release(pool.nodes, CAPACITY * sizeof *pool.nodes);
}

static void without_memory_there_are_none(void)
{
    struct record_pool pool = {.nodes = NULL, .capacity = 0};

    record_pool_reset(&pool);
    CU_ASSERT_EQUAL(record_pool_alloc(&pool), 0);
}

int main(void)
{
    CU_pSuite suite;
    int failed;

    if (CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    suite = CU_add_suite("record pool", NULL, NULL);
    CU_add_test(suite, "each node is allocated once",
                allocates_each_node_once);
    CU_add_test(suite, "a full pool stays full",
                stays_full_without_counting_on);
    CU_add_test(suite, "reset frees all nodes", reset_frees_all);
    CU_add_test(suite, "without memory there are none",
                without_memory_there_are_none);
    CU_basic_run_tests();
    failed = CU_get_number_of_failures() > 0;
    CU_cleanup_registry();
    return failed;
}
