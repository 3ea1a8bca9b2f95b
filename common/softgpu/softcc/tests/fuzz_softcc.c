/* SPDX-License-Identifier: MIT */
/* A bounded fuzzer of the lexer and the rewriter, with seeded mutations of the
 * case files.  No input may cause a crash or a hang, and text without CUDA's
 * words must keep all its tokens.
 *
 *     fuzz_softcc [iterations [seed]] */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/tests/run_tests.h"
#include "common/softgpu/softcc/rewriter/tokens.h"

#define CASES "common/softgpu/softcc/tests/cases"
#define MAX_CASES 128
#define MAX_SECONDS 2.0 /* for one input; a hang would take longer */

static long iterations = 1000;
static unsigned long long state = 1;
static struct buffer cases[MAX_CASES];
static int case_count;

/* xorshift64: the same sequence everywhere. */
static unsigned long long random_number(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static size_t random_below(size_t n)
{
    return n ? (size_t)(random_number() % n) : 0;
}

static void load_case(const char *name)
{
    char path[512], block[4096];
    size_t n;
    snprintf(path, sizeof path, CASES "/%s", name);
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return;
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        buffer_write(&cases[case_count], block, n);
    fclose(f);
    case_count += cases[case_count].length > 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int load_cases(void)
{
    DIR *dir = opendir(CASES);
    char *names[MAX_CASES];
    int n = 0;
    for (struct dirent *e; dir && (e = readdir(dir)) && n < MAX_CASES;)
        if (strstr(e->d_name, ".cu"))
            names[n++] = strdup(e->d_name);
    if (dir)
        closedir(dir);
    qsort(names, (size_t)n, sizeof *names, by_name);
    for (int i = 0; i < n; i++) {
        load_case(names[i]);
        free(names[i]);
    }
    return case_count ? 0 : 1;
}

static void free_cases(void)
{
    for (int i = 0; i < case_count; i++)
        free(cases[i].bytes);
}

/* --- mutations ------------------------------------------------------------ */

static const char *const fragments[] = {
    "<<<", ">>>", "<", ">", ">>", "(", ")", "{", "}", "[", "]", ";", ",", "::",
    "__global__ ", "__shared__ ", "__device__ ", "extern ", "template <", "=",
    "\n# 7 \"other.h\" 1 3\n", "\n# 9 \"case.cu\" 2\n", "\n#pragma unroll 4\n",
    "\"", "'", "R\"x(", ")x\"", "/*", "//", "\\\n", "operator", "typename T",
    "__launch_bounds__(", "\0", "\xff", "namespace a {", "struct s {", "...",
    "\n# 99999999999 \"a\" \n", "k<<<1, 2>>>(3);", "alignas(", "static ",
};

static void insert(struct buffer *b, size_t at, const char *text, size_t n)
{
    struct buffer result = { 0 };
    buffer_write(&result, b->bytes, at);
    buffer_write(&result, text, n);
    buffer_write(&result, b->bytes + at, b->length - at);
    free(b->bytes);
    *b = result;
}

static void erase(struct buffer *b, size_t at, size_t n)
{
    n = n < b->length - at ? n : b->length - at;
    memmove(b->bytes + at, b->bytes + at + n, b->length - at - n);
    b->length -= n;
    b->bytes[b->length] = 0;
}

static void mutate(struct buffer *b)
{
    size_t at = random_below(b->length);
    const char *fragment =
        fragments[random_below(sizeof fragments / sizeof *fragments)];
    const struct buffer *other = &cases[random_below((size_t)case_count)];
    size_t from = random_below(other->length);
    switch (random_below(5)) {
    case 0: insert(b, at, fragment, strlen(fragment) + !*fragment); break;
    case 1: erase(b, at, 1 + random_below(8)); break;
    case 2: erase(b, at, random_below(b->length / 2 + 1)); break;
    case 3:
        insert(b, at, other->bytes + from, random_below(other->length - from));
        break;
    default:
        if (b->length)
            b->bytes[at] = (char)random_number();
    }
}

static void make_input(struct buffer *b)
{
    const struct buffer *from = &cases[random_below((size_t)case_count)];
    static const char head[] = "# 1 \"case.cu\"\n";
    buffer_write(b, head, sizeof head - 1);
    buffer_write(b, from->bytes, from->length);
    for (size_t n = random_below(8); n-- > 0;)
        mutate(b);
    buffer_write(b, "\n", 1);
}

/* --- properties ----------------------------------------------------------- */

static void rewrite_text(const struct buffer *in, struct buffer *out,
                         bool clang)
{
    struct unit u = { .dialect = { .clang = clang } };
    struct buffer shown = { 0 };
    analyze_unit(&u, in->bytes, in->length);
    rewrite_unit(&u);
    emit_unit(&u, out);
    show_unit(&u, &shown);
    free(shown.bytes);
    free_unit(&u);
}

static void test_no_crash(void)
{
    for (long i = 0; i < iterations; i++) {
        struct buffer in = { 0 }, out = { 0 };
        unsigned long long seed = state;
        make_input(&in);
        clock_t start = clock();
        rewrite_text(&in, &out, i & 1);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (seconds > MAX_SECONDS)
            printf("slow: seed %llu took %g s\n", seed, seconds);
        CU_ASSERT(seconds <= MAX_SECONDS);
        free(in.bytes);
        free(out.bytes);
    }
}

/* Destroy all words that the rewriter acts on, and nothing else. */
static void remove_cuda(struct buffer *b)
{
    for (size_t i = 0; i + 2 < b->length; i++) {
        if (b->bytes[i] == '_' && b->bytes[i + 1] == '_')
            b->bytes[i] = 'u';
        if (memcmp(b->bytes + i, "<<", 2) == 0)
            b->bytes[i + 1] = '+';
        if (memcmp(b->bytes + i, "asm", 3) == 0
            || memcmp(b->bytes + i, "tex", 3) == 0
            || memcmp(b->bytes + i, "sur", 3) == 0
            || memcmp(b->bytes + i, "pra", 3) == 0
            || memcmp(b->bytes + i, "cud", 3) == 0)
            b->bytes[i] = 'X';
    }
}

/* The code tokens of preprocessed text, one a line. */
static void list_tokens(const struct buffer *text, struct buffer *list)
{
    struct unit u = { 0 };
    tokenize_unit(&u, text->bytes, text->length);
    for (struct token *t = skip_to_code(u.first); t; t = next_code(t)) {
        buffer_write(list, t->text, (size_t)t->length);
        buffer_write(list, "\n", 1);
    }
    free_unit(&u);
}

static void test_plain_tokens_unchanged(void)
{
    for (long i = 0; i < iterations / 4; i++) {
        struct buffer in = { 0 }, out = { 0 }, before = { 0 }, after = { 0 };
        unsigned long long seed = state;
        make_input(&in);
        remove_cuda(&in);
        rewrite_text(&in, &out, i & 1);
        list_tokens(&in, &before);
        list_tokens(&out, &after);
        bool equal = before.length == after.length
                     && (before.length == 0
                         || memcmp(before.bytes, after.bytes, before.length)
                                == 0);
        if (!equal)
            printf("tokens differ: seed %llu\n", seed);
        CU_ASSERT(equal);
        free(in.bytes);
        free(out.bytes);
        free(before.bytes);
        free(after.bytes);
    }
}

int main(int argc, char **argv)
{
    iterations = argc > 1 ? atol(argv[1]) : iterations;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 20250101;
    if (load_cases()) {
        fputs("fuzz_softcc: no cases in " CASES "\n", stderr);
        return 1;
    }
    CU_TestInfo tests[] = {
        {"no crash, no hang", test_no_crash},
        {"plain tokens stay", test_plain_tokens_unchanged},
        CU_TEST_INFO_NULL,
    };
    const int status = run_tests("softcc, mutated input", tests);
    free_cases();
    return status;
}
