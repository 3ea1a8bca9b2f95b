/* SPDX-License-Identifier: MIT */
/* What is counted of the host's choices: nothing of a loop that repeats itself,
 * and more than the bytes of the result that they could tell. */
#include <stdint.h>
#include <stdlib.h>

#include "common/base/random.h"
#include "common/base/tests/run_tests.h"
#include "grader/runner/soft/choices.h"

static const char key; /* its address names a call */

static size_t tell_word(uint64_t word)
{
    return choice_bytes(&key, &word, 1, true);
}

/* The bytes of word(i) for i = 0, 1, ... */
static size_t tell_words(uint64_t (*word)(size_t i), size_t count)
{
    size_t bytes = 0;

    choices_forget();
    for (size_t i = 0; i < count; i++)
        bytes += tell_word(word(i));
    return bytes;
}

static uint64_t same_word(size_t i)
{
    (void)i;
    return 0x7f0012345678;
}

static uint64_t next_piece(size_t i)
{
    return 0x7f0000000000 + 4096 * i;
}

static uint64_t previous_piece(size_t i)
{
    return 0x7f0000000000 - 4096 * i;
}

/* Three buffers in turns; the pieces of each go on. */
static uint64_t piece_in_turns(size_t i)
{
    return 0x7f0000000000 + (i % 3 << 24) + 512 * (i / 3);
}

static uint64_t stream_of_16(size_t i)
{
    static const uint64_t handle[] = {9, 2, 700, 4, 3, 1, 60000, 8};

    return handle[i % 8] + (i / 8 % 2 ? 0x5500 : 0);
}

static uint64_t random_byte(size_t i)
{
    (void)i;
    return random_bits() % 256;
}

static uint64_t random_bit(size_t i)
{
    (void)i;
    return random_bits() % 2;
}

/* The second round of each may be new, too; then nothing is. */
static void loops_tell_nothing(void)
{
    CU_ASSERT_EQUAL(tell_words(same_word, 1000), 0);
    CU_ASSERT(tell_words(next_piece, 1000) <= 8);
    CU_ASSERT(tell_words(previous_piece, 1000) <= 8);
    CU_ASSERT_EQUAL(tell_words(next_piece, 2000),
                    tell_words(next_piece, 1000));
    CU_ASSERT_EQUAL(tell_words(piece_in_turns, 3000),
                    tell_words(piece_in_turns, 30));
    CU_ASSERT_EQUAL(tell_words(stream_of_16, 3200),
                    tell_words(stream_of_16, 32));
}

/* A byte tells a byte, a bit an eighth; what is counted is no less. */
static void results_are_counted(void)
{
    CU_ASSERT(tell_words(random_byte, 1000) >= 1000);
    CU_ASSERT(tell_words(random_bit, 8000) >= 1000);
}

/* Its size, and one for the place of a difference. */
static void difference_is_counted_by_size(void)
{
    choices_forget();
    CU_ASSERT_EQUAL(tell_word(1000), 0);
    CU_ASSERT_EQUAL(tell_word(1000), 0);
    CU_ASSERT_EQUAL(tell_word(1001), 2);
    CU_ASSERT_EQUAL(tell_word(1001), 0);
    CU_ASSERT(tell_word(1001 + (1 << 20)) >= 4);
    CU_ASSERT(tell_word(UINT64_MAX / 3) >= 8);
}

/* A first choice that is not free counts as a difference from 0; keys and
 * numbers of words have each a past of their own. */
static void pasts_are_apart(void)
{
    static const char other;
    const uint64_t words[] = {70000, 0, 1};

    choices_forget();
    CU_ASSERT_EQUAL(choice_bytes(&key, words, 3, false), 4 + 0 + 2);
    CU_ASSERT_EQUAL(choice_bytes(&key, words, 3, false), 0);
    CU_ASSERT_EQUAL(choice_bytes(&other, words, 3, false), 6);
    CU_ASSERT_EQUAL(choice_bytes(&key, words, 2, false), 4);
    CU_ASSERT_EQUAL(choice_bytes(&key, words, 3, false), 0);
    choices_forget();
    CU_ASSERT_EQUAL(choice_bytes(&key, words, 3, false), 6);
}

/* The first call of a function is free, but not each of its numbers of words,
 * as a launch with 0, 1, 2... attributes has; nor in the next call others. */
static void only_first_of_function_is_free(void)
{
    enum { MOST = 100 };
    uint64_t words[2 * MOST];

    for (size_t i = 0; i < 2 * MOST; i++)
        words[i] = (uint64_t)1 << 60 | random_bits();
    choices_forget();
    for (size_t count = 1; count <= 2 * MOST; count++) {
        if (count == MOST + 1)
            choices_next_call();
        CU_ASSERT_EQUAL(choice_bytes(&key, words, count, true),
                        count == 1 ? 0 : count * sizeof *words);
    }
    choices_forget();
}

/* The next call of the lab may do what this one did; what it does otherwise is
 * counted, also after a call of which nothing is kept. */
static void repeated_call_tells_nothing(void)
{
    static const uint64_t words[] = {70000, 3, 0x7f0012345678, 70000, 9};
    uint64_t other;

    choices_forget();
    for (size_t call = 0; call < 4; call++) {
        size_t bytes = 0;

        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            bytes += choice_bytes(&key, &words[i], 1, false);
        CU_ASSERT_EQUAL(bytes == 0, call > 0);
        choices_next_call();
    }
    other = words[0] + 256;
    CU_ASSERT_EQUAL(choice_bytes(&key, &other, 1, true), 3);
    CU_ASSERT_EQUAL(choice_bytes(&key, &words[1], 1, true), 0);
    choices_next_call();
    choices_next_call();
    CU_ASSERT_EQUAL(choice_bytes(&key, words, 1, false), 4);
    choices_forget();
}

/* A result in the arguments of each call is counted in each. */
static void results_of_calls_are_counted(void)
{
    enum { WORDS = 50 };

    choices_forget();
    for (size_t call = 0; call < 4; call++) {
        uint64_t words[WORDS];

        for (size_t i = 0; i < WORDS; i++)
            words[i] = random_bits();
        CU_ASSERT(choice_bytes(&key, words, WORDS, !call) >= 300 || !call);
        choices_next_call();
    }
    choices_forget();
}

/* A table that each call copies; what differs from it is the host's own. */
static void repeated_data_tell_nothing(void)
{
    enum { BYTES = 70000 /* more than is kept */, KEPT = 65536 };
    static char data[BYTES];

    choices_forget();
    random_bytes((uint8_t *)data, BYTES);
    CU_ASSERT_EQUAL(choice_data_bytes(data, BYTES), BYTES);
    choices_next_call();
    CU_ASSERT_EQUAL(choice_data_bytes(data, 100), 0);
    data[100] ^= 1;
    CU_ASSERT_EQUAL(choice_data_bytes(data + 100, BYTES - 100),
                    BYTES - KEPT + 1);
    choices_next_call();
    CU_ASSERT_EQUAL(choice_data_bytes(data, KEPT), 0);
    CU_ASSERT_EQUAL(choice_data_bytes(data, 5), 5);
    choices_forget();
    CU_ASSERT_EQUAL(choice_data_bytes(data, 5), 5);
    choices_forget();
}

/* Two threads of the host make the same calls; which one is first tells little,
 * and no less than one of all the calls before could. */
static void order_tells_little(void)
{
    enum { CALLS = 200, WORDS = 2, BYTES = 28 };
    static uint64_t words[CALLS][WORDS];
    static char data[CALLS][BYTES];
    size_t bytes = 0, of_data = 0;

    random_bytes((uint8_t *)words, sizeof words);
    random_bytes((uint8_t *)data, sizeof data);
    choices_forget();
    for (int call = 0; call < 4; call++) {
        bytes = of_data = 0;
        for (int i = 0; i < 2; i++) {
            const int thread = (i + call) % 2;

            bytes += choice_bytes(&key, words[thread], WORDS, false);
            of_data += choice_data_bytes(data[thread], BYTES);
        }
        CU_ASSERT(!call || (bytes <= 4 && of_data <= 4));
        choices_next_call();
    }
    CU_ASSERT(bytes > 0);
    CU_ASSERT(of_data > 0);
    choices_forget();
    for (int i = 0; i < CALLS; i++) {
        choice_bytes(&key, words[i], WORDS, false);
        choice_data_bytes(data[i], BYTES);
    }
    choices_next_call();
    bytes = of_data = 0;
    for (int i = 0; i < CALLS; i++) {
        const unsigned any = (unsigned)random_bits() % CALLS;

        bytes += choice_bytes(&key, words[any], WORDS, false);
        of_data += choice_data_bytes(data[any], BYTES);
    }
    CU_ASSERT(bytes >= CALLS && of_data >= CALLS);
    choices_forget();
}

/* Beyond the keys that there is room for everything counts. */
static void too_many_keys_count(void)
{
    enum { KEYS = 2000 };
    static const char keys[KEYS];
    const uint64_t word = 255;
    size_t bytes = 0;

    choices_forget();
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < KEYS; i++)
            bytes += choice_bytes(&keys[i], &word, 1, true);
    CU_ASSERT_EQUAL(bytes, 2 * 2 * (KEYS - 1024));
    choices_forget();
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"a loop that repeats itself tells nothing", loops_tell_nothing},
        {"a result is counted", results_are_counted},
        {"a difference is counted by its size", difference_is_counted_by_size},
        {"each key has a past of its own", pasts_are_apart},
        {"only the first call of a function is free",
         only_first_of_function_is_free},
        {"a call that repeats the last one tells nothing",
         repeated_call_tells_nothing},
        {"a result in each call is counted", results_of_calls_are_counted},
        {"data that repeat themselves tell nothing",
         repeated_data_tell_nothing},
        {"the order of two threads tells little", order_tells_little},
        {"too many keys are counted", too_many_keys_count},
        CU_TEST_INFO_NULL};

    random_seed(1, "choices");
    return run_tests("choices", tests);
}
