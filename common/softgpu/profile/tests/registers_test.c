/* SPDX-License-Identifier: MIT */
/* Registers by ptxas: found by name in its output; put into a program by
 * softcc; assumed, and marked so, without nvcc.  Accesses that nvcc splits:
 * found in its PTX, told of lines that access 16 bytes. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/tests/run_tests.h"
#include "common/softgpu/profile/registers.h"
#include "common/softgpu/tests/process.h"

static const char *build;
static char folder[300];

static const char program[] =
    "#include <cuda_runtime.h>\n"
    "__global__ void scale(float *x) { x[threadIdx.x] *= 2; }\n"
    "static __global__ void hidden(float *x) { x[threadIdx.x] += 1; }\n"
    "namespace { __global__ void unnamed(float *x) { x[threadIdx.x] -= 1; } }\n"
    "template <int N> __global__ void fill(float *x) { x[threadIdx.x] = N; }\n"
    "__global__ void wide(float4 *x) { x[threadIdx.x].x += 1;\n"
    "    x[threadIdx.x] = make_float4(1, 2, 3, 4); }\n"
    "__global__ void four(float *x) { x += 4 * threadIdx.x;\n"
    "    x[0] = x[1] = x[2] = x[3] = 1; }\n"
    "int main()\n{\n    float *x;\n    cudaMalloc(&x, 512);\n"
    "    cudaMemset(x, 0, 512);\n"
    "    wide<<<1, 32>>>((float4 *)x);\n    four<<<1, 32>>>(x);\n"
    "    scale<<<1, 32>>>(x);\n    hidden<<<1, 32>>>(x);\n"
    "    unnamed<<<1, 32>>>(x);\n    fill<3><<<1, 32>>>(x);\n"
    "    return cudaFree(x);\n}\n";

/* Stores that nvcc split, in line 7; in line 9 the source has four. */
#define PTX_OF(kernel, line)                                             \
    ".visible .entry " kernel "(\n{\n"                                   \
    "\t.loc\t1 " line " 5\n"                                             \
    "\tst.global.f32 \t[%rd4], %f1;\n\tst.global.f32 \t[%rd4+4], %f2;\n" \
    "\t.loc\t1 " line " 5\n"                                             \
    "\tst.global.f32 \t[%rd4+8], %f3;\n"                               \
    "\tst.global.f32 \t[%rd4+12], %f4;\n}\n"

/* Output of ptxas -v; each kernel has another number.  Only sm_90a has what the
 * software GPU runs: wgmma, for example. */
static const char nvcc[] =
    "#!/bin/sh\ncase \"$*\" in *-arch=sm_90a*) ;; *) exit 1 ;; esac\n"
    "while [ \"$1\" != --keep-dir ]; do shift; done\n"
    "cat >$2/program.ptx <<'END'\n"
    PTX_OF("_Z4wideP6float4", "7") PTX_OF("_Z4fourPf", "9")
    "\t.file\t1 \"/elsewhere/program.cu\"\nEND\n"
    "cat <<END\n"
    "ptxas info    : Compiling entry function '_Z5scalePf' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z5scalePf\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 41 registers, used 0 barriers\n"
    "ptxas info    : Compiling entry function '_Z6hiddenPf' for 'sm_90'\n"
    "ptxas info    : Used 42 registers, used 0 barriers\n"
    "ptxas info    : Compiling entry function "
    "'_ZN36_GLOBAL__N__99559c59_4_s_cu_ac8e194f7unnamedEPf' for 'sm_90'\n"
    "ptxas info    : Used 43 registers, used 0 barriers\n"
    "ptxas info    : Compiling entry function '_Z4fillILi3EEvPf' for 'sm_90'\n"
    "ptxas info    : Used 44 registers, used 0 barriers\n"
    "END\n";

static uint32_t in(const char *text, const char *name)
{
    return find_ptxas_registers(text, text + strlen(text), name);
}

static void by_name(void)
{
    static const char text[] = "_Z4stepPf 10\n_Z5step2Pf 20\n_Z3endv 30";

    CU_ASSERT_EQUAL(in(text, "_Z4stepPf"), 10);
    CU_ASSERT_EQUAL(in(text, "_Z5step2Pf"), 20);
    CU_ASSERT_EQUAL(in(text, "_Z3endv"), 30);
    CU_ASSERT_EQUAL(in(text, "_Z4stepPd"), 0);
    CU_ASSERT_EQUAL(in(text, "_ZL4stepPf"), 10);
    CU_ASSERT_EQUAL(in("", "_Z4stepPf"), 0);
    CU_ASSERT_EQUAL(in("\n\nnonsense\n_Z4stepPf x\n", "_Z4stepPf"), 0);
}

static void split_lines(void)
{
    static const char text[] = "_Z4stepPf 10\n_Z4stepPf store /a/b.cu:12\n";
    const char *end = text + strlen(text);

#define SPLIT(name, word, file, line) \
    find_split_line(text, end, name, word, file, line)
    CU_ASSERT(SPLIT("_ZL4stepPf", "store", "c/b.cu", 12));
    CU_ASSERT(!SPLIT("_Z4stepPf", "store", "b.cu", 13));
    CU_ASSERT(!SPLIT("_Z4stepPf", "load", "b.cu", 12));
    CU_ASSERT(!SPLIT("_Z4stepPf", "store", "a.cu", 12));
    CU_ASSERT(!SPLIT("_Z4stopPf", "store", "b.cu", 12));
#undef SPLIT
}

/* Compilers mangle unnamed namespaces differently; the rest must agree. */
static void by_unnamed_name(void)
{
    static const char text[] = "_ZN36_GLOBAL__N__99559c59_4_s_cu_ac8e194f4stepE"
                               "Pf 7\n";

    CU_ASSERT_EQUAL(in(text, "_ZN12_GLOBAL__N_14stepEPf"), 7);
    CU_ASSERT_EQUAL(in(text, "_ZN12_GLOBAL__N_14stopEPf"), 0);
    CU_ASSERT_EQUAL(in("_ZN99_GLOBAL__N_14stepEPf 7\n", "_Z4stepPf"), 0);
}

static int write_file(const char *name, const char *text, mode_t mode)
{
    char path[400];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    out = fopen(path, "w");
    if (!out)
        return -1;
    fputs(text, out);
    return fclose(out) == 0 ? chmod(path, mode) : -1;
}

/* Build with this nvcc and run.  @return the report */
static json_t *report_with(const char *nvcc_is, char *option)
{
    char softcc[400], source[400], binary[400], base[400], json[400], env[450];
    char *compile[] = {softcc, "--profile", option, source, "-o", binary, NULL};
    char *run[] = {binary, NULL};
    char *build_env[] = {env, NULL}, *run_env[] = {json, NULL};
    struct outcome o;

    snprintf(softcc, sizeof softcc, "%s/softcc", build);
    snprintf(source, sizeof source, "%s/program.cu", folder);
    snprintf(binary, sizeof binary, "%s/program", folder);
    snprintf(base, sizeof base, "%s/run", folder);
    snprintf(json, sizeof json, "SOFTGPU_JSON=%s/report.json", folder);
    snprintf(env, sizeof env, "NVCC=%s", nvcc_is);
    remove(binary);
    run_process(compile, build_env, 60, base, &o);
    CU_ASSERT_EQUAL(o.status, 0);
    CU_ASSERT_STRING_EQUAL(o.err, "");
    free_outcome(&o);
    run_process(run, run_env, 60, base, &o);
    CU_ASSERT_EQUAL(o.status, 0);
    free_outcome(&o);
    return json_load_file(strchr(json, '=') + 1, 0, NULL);
}

static int member_number(const json_t *report, const char *kernel,
                         const char *key)
{
    const json_t *list = json_object_get(report, "kernels");

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *k = json_array_get(list, i), *v = json_object_get(k, key);
        const char *name = json_string_value(json_object_get(k, "name"));

        if (name && strcmp(name, kernel) == 0)
            return json_is_boolean(v) ? json_is_true(v)
                                      : (int)json_integer_value(v);
    }
    return -1;
}

static __attribute__((unused)) void measured_by_ptxas(void)
{
    char path[400];
    json_t *report;

    snprintf(path, sizeof path, "%s/nvcc", folder);
    report = report_with(path, "-w");
    CU_ASSERT_EQUAL(member_number(report, "scale", "registers"), 41);
    CU_ASSERT_EQUAL(member_number(report, "hidden", "registers"), 42);
    CU_ASSERT_EQUAL(member_number(report, "unnamed", "registers"), 43);
    CU_ASSERT_EQUAL(member_number(report, "fill<3>", "registers"), 44);
    CU_ASSERT_EQUAL(member_number(report, "scale", "registers_measured"), 1);
    json_decref(report);
}

/* The first advice for a kernel. */
static const char *first_advice(const json_t *report, const char *kernel)
{
    size_t i;
    const json_t *k;

    json_array_foreach(json_object_get(report, "kernels"), i, k)
        if (strcmp(json_string_value(json_object_get(k, "name")), kernel) == 0)
            return json_string_value(json_object_get(
                json_array_get(json_object_get(k, "advice"), 0), "text"));
    return "";
}

/* Only where the source has an access of 16 bytes. */
static __attribute__((unused)) void warns_of_splits(void)
{
    char path[400];
    json_t *report;

    snprintf(path, sizeof path, "%s/nvcc", folder);
    report = report_with(path, "-w");
    CU_ASSERT_PTR_NOT_NULL(strstr(first_advice(report, "wide"),
                                  "nvcc splits this store of 16 bytes"));
    CU_ASSERT_PTR_NULL(strstr(first_advice(report, "four"), "splits"));
    json_decref(report);
}

static void is_assumed(json_t *report)
{
    CU_ASSERT_EQUAL(member_number(report, "scale", "registers_measured"), 0);
    CU_ASSERT(member_number(report, "scale", "registers") > 0);
    CU_ASSERT_NOT_EQUAL(member_number(report, "scale", "registers"), 41);
    json_decref(report);
}

/* The program is built even if nvcc fails or is not installed. */
static __attribute__((unused)) void without_ptxas(void)
{
    is_assumed(report_with("/nowhere/nvcc", "-w"));
}

static __attribute__((unused)) void ptxas_not_requested(void)
{
    char path[400];

    snprintf(path, sizeof path, "%s/nvcc", folder);
    is_assumed(report_with(path, "--no-ptxas"));
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"found by name", by_name},
        {"found in an unnamed namespace", by_unnamed_name},
        {"lines that are split", split_lines},
#ifndef __SANITIZE_ADDRESS__ /* the program itself would be the same */
        {"measured by ptxas", measured_by_ptxas},
        {"warns of split accesses", warns_of_splits},
        {"assumed without nvcc", without_ptxas},
        {"assumed with --no-ptxas", ptxas_not_requested},
#endif
        CU_TEST_INFO_NULL,
    };

    build = getenv("BUILD") ? getenv("BUILD") : "build";
    snprintf(folder, sizeof folder, "%s/registers", build);
    mkdir(folder, 0777);
    if (write_file("program.cu", program, 0666) != 0
        || write_file("nvcc", nvcc, 0777) != 0)
        return 2;
    return run_tests("registers", tests);
}
