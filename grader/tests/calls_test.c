/* SPDX-License-Identifier: MIT */
/* The [function NAME] sections of settings, and the C that is made of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/paths.h"
#include "common/base/text.h"
#include "common/base/files.h"
#include "common/base/temp_dir.h"
#include "grader/calls/generate.h"
#include "grader/calls/prototype.h"
#include "common/base/tests/run_tests.h"

static struct contract contract;

/* Reads this text as settings. */
static bool read_text(const char *text, char *error)
{
    static char folder[PATH_MAX], path[PATH_MAX + 16];

    if (!*folder)
        CU_ASSERT_FATAL(temp_dir_create(folder));
    text_format(path, sizeof path, "%s/lab.ini", folder);
    CU_ASSERT_FATAL(write_file(path, text, strlen(text)));
    return contract_read(path, &contract, error);
}

/* Scalars, structures, pointers to const and to others. */
static void parses_prototypes(void)
{
    static struct function f;
    char error[CONTRACT_ERROR];

    CU_ASSERT_FATAL(parse_prototype("size_t f(const unsigned char *d_a, struct "
                                    "step *s, unsigned long long n, float p)",
                                    &f, error));
    CU_ASSERT_STRING_EQUAL(f.name, "f");
    CU_ASSERT_STRING_EQUAL(f.result, "size_t");
    CU_ASSERT_EQUAL(f.parameters, 4);
    CU_ASSERT_STRING_EQUAL(f.parameter[0].type, "unsigned char");
    CU_ASSERT_TRUE(f.parameter[0].is_const && f.parameter[0].is_pointer);
    CU_ASSERT_STRING_EQUAL(f.parameter[1].type, "struct step");
    CU_ASSERT_TRUE(!f.parameter[1].is_const && f.parameter[1].is_pointer);
    CU_ASSERT_STRING_EQUAL(f.parameter[2].type, "unsigned long long");
    CU_ASSERT_STRING_EQUAL(f.parameter[2].name, "n");
    CU_ASSERT_STRING_EQUAL(f.parameter[3].type, "float");
}

/* The message says what was expected where. */
static void refuses_prototypes(void)
{
    static const char *const bad[][2] = {
        {"int f", "\"(\" expected before \"\""},
        {"int f(", "a type expected"},
        {"int f()", "a type expected before \")\""},
        {"int f(int)", "a name expected before \")\""},
        {"int f(int a", "\",\" or \")\" expected"},
        {"int f(int a[4])", "\",\" or \")\" expected before \"[4])\""},
        {"int f(struct s a)", "a pointer to the struct expected"},
        {"int f(int a) b", "the end expected before \"b\""},
        {"f(int a)", "a name expected before \"(int a)\""}};
    static struct function f;
    char error[CONTRACT_ERROR];

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CU_ASSERT_FALSE(parse_prototype(bad[i][0], &f, error));
        CU_ASSERT_PTR_NOT_NULL(strstr(error, bad[i][1]));
        if (!strstr(error, bad[i][1]))
            printf("    %s\n", error);
    }
}

#define GEMM "[function gemm]\nprototype = int gemm(const float *d_a, " \
    "float *c, int m, float beta)\n"

/* Sizes are expressions of the arguments; an array may be input under a
 * condition. */
static void reads_arrays(void)
{
    char error[CONTRACT_ERROR];
    const struct array *a, *c;

    CU_ASSERT_FATAL(read_text("[lab]\ntitle = x\n" GEMM
                              "d_a = [m][2 * m + a[0]]\n"
                              "c = [m] inout if beta != 0 else out\n", error));
    CU_ASSERT_EQUAL(contract.functions, 1);
    a = find_array(contract.function, 0, "");
    c = find_array(contract.function, 1, "");
    CU_ASSERT_FATAL(a && c);
    CU_ASSERT_EQUAL(a->dims, 2);
    CU_ASSERT_STRING_EQUAL(a->dim[1], "2 * m + a[0]");
    CU_ASSERT_EQUAL(a->direction, DIRECTION_IN);
    CU_ASSERT_EQUAL(c->direction, DIRECTION_INOUT);
    CU_ASSERT_STRING_EQUAL(c->condition, "beta != 0");
    CU_ASSERT_EQUAL(c->otherwise, DIRECTION_OUT);
}

/* Each is refused, with the line where there is one. */
static void refuses_lines(void)
{
    static const char *const bad[][2] = {
        {"[lab]\n", "lab.ini: there is no section [function NAME]"},
        {"[function f]\na = [n]\n", "lab.ini:2: the first key of [function f]"},
        {"[function f]\nprototype = int g(int a)\n", ":2: the prototype decl"},
        {GEMM "d_a = [m]\n", "[function gemm]: no line says how large c is"},
        {GEMM "d_b = [m]\n", "lab.ini:3: the prototype has no pointer d_b"},
        {GEMM "m = [m]\n", ":3: the prototype has no pointer m"},
        {GEMM "c = m\n", ":3: a size such as [n] is expected: \"m\""},
        {GEMM "c = [m\n", ":3: there is no \"]\" for this \"[\": \"[m\""},
        {GEMM "c = []\n", ":3: this dimension is empty"},
        {GEMM "c = [m] written\n", ":3: this is not expected behind the size"},
        {GEMM "c = [m] out if m\n", ":3: \"if CONDITION else DIRECTION\""},
        {GEMM "c = [m]\nc = [m]\n", ":4: c has a size already"},
        {GEMM "d_a = [m]\nc = [m] in place of d_x\n", "in place of d_x"},
        {GEMM "d_a = [m] in place of c\nc = [m]\n", "wants an array before"},
        {GEMM GEMM, ":4: gemm has a prototype already"}};
    char error[CONTRACT_ERROR];

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CU_ASSERT_FALSE(read_text(bad[i][0], error));
        CU_ASSERT_PTR_NOT_NULL(strstr(error, bad[i][1]));
        if (!strstr(error, bad[i][1]))
            printf("    %s\n", error);
    }
}

/* Are these texts in what is written, in this order? */
static void check_written(void (*write)(FILE *, const char *,
                                        const struct contract *),
                          const char *const *texts)
{
    char *written = NULL;
    const char *at;
    size_t length;
    FILE *out = open_memstream(&written, &length);

    CU_ASSERT_FATAL(out != NULL);
    write(out, "99_test", &contract);
    CU_ASSERT_FATAL(fclose(out) == 0);
    at = written;
    for (; *texts && at; texts++) {
        at = strstr(at, *texts);
        CU_ASSERT_PTR_NOT_NULL(at);
        if (!at)
            printf("    missing: %s\n%s", *texts, written);
    }
    free(written);
}

/* Both ends number the arguments alike. */
static void writes_both_ends(void)
{
    static const char *const stub[] = {
        "#include \"labs/99_test/test.h\"",
        "int step(\n    const struct update *u,\n    float *d_y,\n"
        "    void *d_w,\n    int n)",
        "passed_u.d_p = NULL;", "call_begin(0);",
        "call_parameters(\"step(u, u.d_p, d_y, d_w, n)\");",
        "call_struct(&passed_u, sizeof passed_u);",
        ".name = \"u.d_p\",\n        .kind = ARG_INOUT", ".data = u->d_p",
        ".element = sizeof *u->d_p",
        ".shown_as = CALL_SHOWN_AS(u->d_p), .dims = 1", "{u->n}",
        ".overwritten_by = d_y", ".name = \"d_y\",\n        .kind = ARG_OUT",
        ".place = ON_DEVICE", ".name = \"d_w\"", "suite_allocated(d_w)",
        "call_integer((int64_t)n);", "return (int)call_end();", NULL};
    static const char *const thunk[] = {
        "struct update u = *(const struct update *)frame_array(f, 0);",
        "u.d_p = frame_pointer(f, 1);", "step(", "&u,",
        "frame_pointer(f, 2),", "frame_pointer(f, 3),",
        "(int)frame_integer(f, 4));", "case 0:", NULL};
    char error[CONTRACT_ERROR];

    CU_ASSERT_FATAL(read_text(
        "[function step]\nprototype = int step(const struct update *u, "
        "float *d_y, void *d_w, int n)\nu.d_p = [u->n] inout\n"
        "d_y = [n]\nd_w = [all]\n", error));
    strcpy(contract.function[0].array[1].in_place_of, "u.d_p");
    check_written(write_stubs, stub);
    check_written(write_thunk, thunk);
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"prototypes are parsed", parses_prototypes},
        {"other declarations are refused", refuses_prototypes},
        {"arrays are described", reads_arrays},
        {"wrong lines are refused, by number", refuses_lines},
        {"stub and thunk number arguments alike", writes_both_ends},
        CU_TEST_INFO_NULL};

    return paths_init() ? run_tests("calls", tests) : EXIT_FAILURE;
}
