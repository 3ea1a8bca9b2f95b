/* SPDX-License-Identifier: MIT */
/* Sampling: the report says what the checker leaves out, in text and JSON. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <CUnit/Basic.h>

#include "common/softgpu/tests/process.h"

static const char program[] =
    "__global__ void large(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x]"
    " = 1; }\n"
    "__global__ void small(int *a) { a[threadIdx.x] = 2; }\n"
    "__global__ void one_block(int *a, int *b, int at)\n"
    "{\n"
    "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    a[i] = i;\n"
    "    a[i] += b[blockIdx.x == 5 && threadIdx.x == 9 ? at : 0];\n"
    "}\n"
    "static void wrong(int *a, char **argument)\n"
    "{\n"
    "    int *b;\n"
    "    cudaMalloc(&b, 4096 * sizeof *b);\n"
    "    large<<<64, 64>>>(b);\n"
    "    if (*argument[1] == 'u')\n"
    "        cudaFree(b), cudaMalloc(&b, 4096 * sizeof *b),\n"
    "            cudaMemset(b, 0, sizeof *b);\n"
    "    one_block<<<64, 64>>>(a, b, *argument[1] == 'o' ? 4096 : 4095);\n"
    "    cudaFree(b);\n"
    "    cudaFree(a);\n"
    "}\n"
    "int main(int count, char **argument)\n"
    "{\n"
    "    int *a;\n"
    "    if (count > 1 && *argument[1] > '9') {\n"
    "        cudaMalloc(&a, 16384);\n"
    "        wrong(a, argument);\n"
    "        return cudaDeviceSynchronize() != cudaSuccess;\n"
    "    }\n"
    "    cudaMalloc(&a, count > 1 ? 300u << 20 : 16384);\n"
    "    large<<<64, 64>>>(a);\n"
    "    large<<<32, 64>>>(a);\n"
    "    small<<<1, 64>>>(a);\n"
    "    cudaFree(a);\n"
    "    return cudaDeviceSynchronize();\n"
    "}\n";

static char folder[300], exe[320];

static int build_program(void)
{
    const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
    char softcc[300], source[320], *none[] = {NULL};
    char *argv[] = {softcc, "--check", source, "-o", exe, NULL};
    struct outcome o;
    FILE *out;

    snprintf(folder, sizeof folder, "%s/sample", build);
    snprintf(softcc, sizeof softcc, "%s/softcc", build);
    snprintf(source, sizeof source, "%s/sampled.cu", folder);
    snprintf(exe, sizeof exe, "%s/sampled", folder);
    mkdir(folder, 0755);
    out = fopen(source, "w");
    if (!out || fputs(program, out) < 0 || fclose(out))
        return 2;
    run_process(argv, none, 120, exe, &o);
    if (o.status)
        fprintf(stderr, "softcc: status %d: %s\n", o.status, o.err);
    free_outcome(&o);
    return o.status;
}

/* Run it. @return the field `sampled` of its report */
static json_t *run_and_read_sampling(char *argument, char *threads,
                                     const char *text)
{
    char path[340], json[360], *argv[] = {exe, argument, NULL};
    char *env[] = {json, threads, NULL};
    struct outcome o;
    json_t *report, *field;

    snprintf(path, sizeof path, "%s.json", exe);
    snprintf(json, sizeof json, "SOFTGPU_JSON=%s", path);
    run_process(argv, env, 60, exe, &o);
    CU_ASSERT_EQUAL(o.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.err, text));
    CU_ASSERT(*text || !o.err[0]);
    free_outcome(&o);
    report = json_load_file(path, 0, NULL);
    field = json_incref(json_object_get(report, "sampled"));
    json_decref(report);
    return field;
}

static json_int_t number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_integer(value) ? json_integer_value(value) : -1;
}

static void test_nothing_skipped(void)
{
    json_t *all = run_and_read_sampling(NULL, "SOFTGPU_CHECK_THREADS=4096", "");

    CU_ASSERT(json_is_array(json_object_get(all, "kernels")));
    CU_ASSERT_EQUAL(json_array_size(json_object_get(all, "kernels")), 0);
    CU_ASSERT_EQUAL(number(all, "allocations"), 0);
    CU_ASSERT_EQUAL(number(all, "bytes"), 0);
    json_decref(all);
}

static void test_large_launches(void)
{
    json_t *all = run_and_read_sampling(NULL, "SOFTGPU_CHECK_THREADS=1024",
                                        "every 4th block of 2 large launches");
    const json_t *kernels = json_object_get(all, "kernels");
    const json_t *kernel = json_array_get(kernels, 0);
    const char *name = json_string_value(json_object_get(kernel, "kernel"));

    CU_ASSERT_EQUAL(json_array_size(kernels), 1);
    CU_ASSERT_STRING_EQUAL(name ? name : "", "large");
    CU_ASSERT_EQUAL(number(kernel, "every"), 4);
    CU_ASSERT_EQUAL(number(kernel, "launches"), 2);
    json_decref(all);
}

/* The program's lines on stderr; one launch in part is checked. */
static void expect_message(char *argument, const char *text)
{
    char *argv[] = {exe, argument, NULL};
    char *env[] = {"SOFTGPU_CHECK_THREADS=1024", NULL};
    struct outcome o;

    run_process(argv, env, 60, exe, &o);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.err, text));
    CU_ASSERT_PTR_NOT_NULL(strstr(o.err, "every 4th block"));
    CU_ASSERT(*text || !strstr(o.err, "finding"));
    free_outcome(&o);
}

/* Block 5 is not sampled, and what blocks that are not store is initialized. */
static void test_other_blocks(void)
{
    expect_message("uninitialized", "read of uninitialized memory");
    expect_message("outside", "0 bytes past the end");
    expect_message("right", "");
}

static void test_large_allocation(void)
{
    json_t *all = run_and_read_sampling("300", "SOFTGPU_CHECK_THREADS=4096",
                                        "1 allocation of 300 MB");

    CU_ASSERT_EQUAL(number(all, "allocations"), 1);
    CU_ASSERT_EQUAL(number(all, "bytes"), 300 << 20);
    json_decref(all);
}

int main(void)
{
    CU_pSuite suite;
    int failed;

#ifdef __SANITIZE_ADDRESS__ /* the program would be the same */
    puts("sample: tested in the plain build");
    return 77;
#endif
    if (build_program() || CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    suite = CU_add_suite("sample", NULL, NULL);
    CU_add_test(suite, "nothing is left out", test_nothing_skipped);
    CU_add_test(suite, "blocks that are not sampled", test_other_blocks);
    CU_add_test(suite, "launches too large", test_large_launches);
    CU_add_test(suite, "memory too large", test_large_allocation);
    CU_basic_run_tests();
    failed = CU_get_number_of_failures() > 0;
    CU_cleanup_registry();
    return failed;
}
