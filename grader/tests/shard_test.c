/* SPDX-License-Identifier: MIT */
/* Fencing tokens of shards: which task may publish, and what a new owner
 * takes. */
#include <CUnit/CUnit.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/remove_tree.h"
#include "common/base/tests/run_tests.h"
#include "grader/autograde/shard.h"

static char folder[] = "/tmp/shard_test.XXXXXX";
static struct failure failure;

/* Take a shard over. */
static struct shard claim(int index)
{
    struct shard shard;

    failure.text[0] = 0;
    if (!shard_claim(folder, index, &shard, &failure))
        CU_FAIL_FATAL("a claim failed");
    return shard;
}

/* As the owner of the token. */
static bool publish(const struct shard *shard, const char *name)
{
    return store_publish(&shard->store, name, "{}", 2);
}

/* Tokens count from 1, a shard each. */
static void test_each_claim_has_a_higher_token(void)
{
    struct shard first = claim(0), second = claim(0), other = claim(1);

    CU_ASSERT_EQUAL(first.token, 1);
    CU_ASSERT_EQUAL(second.token, 2);
    CU_ASSERT_EQUAL(other.token, 1);
    CU_ASSERT_FALSE(shard_owns(&first));
    CU_ASSERT(shard_owns(&second));
    CU_ASSERT(shard_owns(&other));
    shard_close(&first);
    shard_close(&second);
    shard_close(&other);
}

/* Work that the former owner published is not done again. */
static void test_a_new_owner_takes_the_results(void)
{
    struct shard first = claim(2), second;

    CU_ASSERT(publish(&first, "a.json"));
    CU_ASSERT(publish(&first, "end"));
    second = claim(2);
    CU_ASSERT(store_has(&second.store, "a.json"));
    CU_ASSERT_FALSE(store_has(&first.store, "a.json"));
    /* a report is not taken */
    CU_ASSERT_FALSE(store_has(&second.store, "end"));
    shard_close(&first);
    shard_close(&second);
}

/* It does not notice that it was replaced, and writes all the same. */
static void test_a_replaced_process_publishes_nothing(void)
{
    struct shard zombie = claim(3), second = claim(3), last, results;
    size_t moved = 9;

    CU_ASSERT(publish(&zombie, "late.json"));
    CU_ASSERT(publish(&second, "right.json"));
    last = claim(3);
    CU_ASSERT(publish(&zombie, "later.json"));
    results = claim(4);
    CU_ASSERT(shard_move(&last, results.store.folder, &moved));
    CU_ASSERT_EQUAL(moved, 1);
    CU_ASSERT(store_has(&results.store, "right.json"));
    CU_ASSERT_FALSE(store_has(&results.store, "late.json"));
    CU_ASSERT_FALSE(store_has(&results.store, "later.json"));
    shard_close(&zombie);
    shard_close(&second);
    shard_close(&last);
    shard_close(&results);
}

/* Moving overwrites no result. */
static void test_a_result_that_is_there_stays(void)
{
    struct shard first = claim(5), results = claim(6);
    size_t length = 0, moved;
    char *text;

    CU_ASSERT(store_publish(&results.store, "a.json", "old", 3));
    CU_ASSERT(store_publish(&first.store, "a.json", "new", 3));
    CU_ASSERT(shard_move(&first, results.store.folder, &moved));
    text = store_read(&results.store, "a.json", &length);
    CU_ASSERT(text && !strcmp(text, "old"));
    free(text);
    shard_close(&first);
    shard_close(&results);
}

enum { PROCESSES = 8, RACES = 25 };

/* Claim a token of each of RACES shards, and send them. */
static _Noreturn void race(int go, int tokens)
{
    char byte;

    if (read(go, &byte, 1) < 0) /* until the other end is closed */
        _exit(1);
    for (int i = 0; i < RACES; i++) {
        struct shard mine;

        if (!shard_claim(folder, 100 + i, &mine, NULL)
            || write(tokens, &mine.token, sizeof mine.token) < 0)
            _exit(1);
        shard_close(&mine);
    }
    _exit(0);
}

/* Many processes at once: each token goes to one of them. */
static void test_tokens_of_a_race_differ(void)
{
    int tokens[2], go[2], taken[PROCESSES + 1] = {0}, status, token;

    CU_ASSERT_FATAL(pipe(tokens) == 0 && pipe(go) == 0);
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            close(go[1]);
            race(go[0], tokens[1]);
        }
    close(go[0]);
    close(go[1]);
    for (int i = 0; i < PROCESSES; i++) {
        wait(&status);
        CU_ASSERT_EQUAL_FATAL(status, 0);
    }
    for (int i = 0; i < PROCESSES * RACES; i++) {
        CU_ASSERT_FATAL(read(tokens[0], &token, sizeof token) > 0
                        && token >= 1 && token <= PROCESSES);
        taken[token]++;
    }
    for (int i = 1; i <= PROCESSES; i++)
        CU_ASSERT_EQUAL(taken[i], RACES);
    close(tokens[0]);
    close(tokens[1]);
}

/* Without a claim there is none. */
static void test_the_newest_is_found(void)
{
    struct shard first = claim(8), second;
    struct store newest;

    CU_ASSERT_EQUAL(shard_newest(folder, 9, &newest), 0);
    CU_ASSERT(publish(&first, "a.json"));
    second = claim(8);
    CU_ASSERT_EQUAL(shard_newest(folder, 8, &newest), 2);
    CU_ASSERT(store_has(&newest, "a.json"));
    store_close(&newest);
    shard_close(&first);
    shard_close(&second);
}

/* No token without a folder to write to: the run was removed. */
static void test_a_run_that_ended_gives_no_token(void)
{
    struct shard shard;

    CU_ASSERT_FALSE(shard_claim("/tmp/shard_test.none", 0, &shard, &failure));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, "No such file"));
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"each claim has a higher token", test_each_claim_has_a_higher_token},
        {"a new owner takes the results", test_a_new_owner_takes_the_results},
        {"a replaced process publishes nothing",
         test_a_replaced_process_publishes_nothing},
        {"a result that is there stays", test_a_result_that_is_there_stays},
        {"tokens of a race differ", test_tokens_of_a_race_differ},
        {"the newest is found", test_the_newest_is_found},
        {"a run that ended gives no token",
         test_a_run_that_ended_gives_no_token},
        CU_TEST_INFO_NULL};
    int failures;

    if (!mkdtemp(folder))
        return 2;
    failures = run_tests("shard", tests);
    remove_tree(folder);
    return failures;
}
