/* SPDX-License-Identifier: MIT */
/* softcc --graded: what a graded file may not have is refused by name and line,
 * and its near misses compile.  The softcc of this program's build folder is
 * tested, from the root of the source tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "common/softgpu/softcc/compiler/run.h"

static char softcc[PATH_MAX], folder[PATH_MAX];

/* Compile a file with this text.
 *  @param option  another one
 *  @return softcc's exit status */
static int compile_with(const char *option, const char *text, char *messages,
                        size_t bytes)
{
    char source[PATH_MAX], object[PATH_MAX];
    struct list argv = { 0 };
    int status;

    snprintf(source, sizeof source, "%.4000s/x.cu", folder);
    snprintf(object, sizeof object, "%.4000s/x.o", folder);
    CU_ASSERT_TRUE(write_file(source, text, strlen(text)));
    const char *const words[] = { softcc, "--graded", option, "-c", source,
                                  "-o", object };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        list_append(&argv, words[i]);
    struct result r = run_program(&argv, NULL);
    status = r.status;
    text_format(messages, bytes, "%.*s", (int)r.err.length,
                r.err.length ? r.err.bytes : "");
    free(argv.at);
    free_result(&r);
    return status;
}

static int compile(const char *text, char *messages, size_t bytes)
{
    return compile_with("-O1", text, messages, bytes);
}

/* The end of each file: a kernel and its launch. */
#define REST                                                            \
    "__global__ void k(float *p, const float *q) { *p = f(q); }\n"      \
    "int run(float *p) { k<<<1, 1>>>(p, p); return 0; }\n"

/* Files that are refused, each for its own reason. */
static const struct {
    const char *text, *says; /* "x.cu:" precedes what it says */
} refusals[] = {
    { "#define A(x) ((((((((((x))))))))))\n#define B(x) A(A(A(A(A(x)))))\n"
      "#define C(x) B(B(B(B(B(x)))))\nint deep = C(C(C(C(C(1)))));\n"
      "__device__ float f(const float *q) { return *q; }\n" REST,
      "error: brackets are nested more than 1000 deep" },
    { "texture<float> t;\n"
      "__device__ float f(const float *q) { return *q; }\n" REST,
      "1:1: error: texture: a graded file has no texture references" },
    { "__attribute__((noinline, no_sanitize(\"thread\")))\n__device__ "
      "float f(const float *q) { return *q; }\n" REST,
      "1:26: error: the attribute `no_sanitize'" },
    { "<:<:gnu::no_sanitize(\"thread\"):>:> __device__ float f(const float "
      "*q) <% return *q; %>\n" REST,
      "1:10: error: the attribute `no_sanitize'" },
    { "__device__ __attribute__((indirect_branch(\"keep\"))) float f(const "
      "float *q) { return *q; }\n" REST,
      "1:27: error: the attribute `indirect_branch'" },
    { "__device__ float f(const float *q) {\n  __builtin_ia32_movnti((int *)q,"
      " 1); return *q; }\n" REST,
      "2:3: error: `__builtin_ia32_movnti' is an instruction" },
    { "#include <emmintrin.h>\n__device__ float f(const float *q) { return "
      "*q; }\n" REST, "emmintrin.h': a graded file has no instructions" },
    { "#include <random>\n__device__ float f(const float *q) {\n  "
      "_mm_stream_si32((int *)q, 1); return *q; }\n" REST,
      "3:3: error: `_mm_stream_si32' is an instruction" },
    { "__device__ __attribute__((copy(__ldg))) float f(const float *q) { "
      "return *q; }\n" REST, "1:27: error: the attribute `copy'" },
    { "\n[[gnu::optimize(\"O0\")]] __device__ float f(const float *q) { "
      "return *q; }\n" REST, "2:8: error: the attribute `optimize'" },
    { "#define HIDE __attribute__((__section__(\".text.x\")))\nHIDE "
      "__device__ float f(const float *q) { return *q; }\n" REST,
      "error: the attribute `__section__'" },
    { "__device__ float f(const float *q) {\n  asm volatile(\"nop\"); "
      "return *q; }\n" REST, "2:3: error: inline PTX: nop" },
    { "__device__ float f(const float *q) {\n  float x; asm(\"mov.f32 %0, "
      "0f0u)+g(0;\" : \"=f\"(x)); return x; }\n" REST,
      "2:12: error: inline PTX: 0f0u)+g(0: this number" },
    { "__device__ float f(const float *q) {\n  asm(\".reg .u32 a=g();\"); "
      "return *q; }\n" REST,
      "2:3: error: inline PTX: a=g(): this is no name" },
    { "__device__ float f(const float *q) {\n  asm(\"} {\"); return *q; "
      "}\n" REST, "2:3: error: inline PTX: {: each scope" },
    { "int g(int x) { int y; asm(\"mov.u32 %0, %1;\" : \"=r\"(y) : "
      "\"r\"(x)); return y; }\n__device__ float f(const float *q) { return "
      "*q; }\n" REST, "1:23: error: assembly" },
    { "__device__ float f(const float *q) __asm__(\"g\");\n__device__ "
      "float f(const float *q) { return *q; }\n" REST,
      "1:36: error: assembly" },
    { "#pragma GCC optimize(\"O0\")\n__device__ float f(const float *q) { "
      "return *q; }\n" REST, "1:1: error: a pragma with `optimize'" },
    { "#define P(x) _Pragma(#x)\nP(GCC optimize(\"O0\"))\n__device__ float "
      "f(const float *q) { return *q; }\n" REST,
      "error: a pragma with `optimize'" },
    { "__device__ float f(const float *q) {\n  float x; "
      "__builtin_memcpy(&x, q, 4); return x; }\n" REST,
      "2:12: error: `__builtin_memcpy' could hide" },
    { "__device__ float f(const float *q) { return *q; }\n\\\n#line 1 "
      "\"check.h\"\n" REST, "error: a `#line' directive" },
    { "#li\\\nne 1 \"check.h\"\n__device__ float f(const float *q) { "
      "return *q; }\n" REST, "1:1: error: a `#line' directive" },
    { "\n%:line 1 \"check.h\"\n__device__ float f(const float *q) { return "
      "*q; }\n" REST, "2:1: error: a `#line' directive" },
    { "# 1 \"/usr/include/x.h\" 1 3\n__device__ float f(const float *q) { "
      "return *q; }\n" REST, "1:1: error: a `#line' directive" },
    { "#ifndef ONCE\n#define ONCE\n#include __FILE__\n#else\n#pragma GCC "
      "system_header\n#endif\n__device__ float f(const float *q) { return "
      "*q; }\n" REST, "includes neither itself nor a device" },
    { "#include <stdlib.h>\n__device__ float f(const float *q) { return "
      "getenv(\"A\") ? 0 : *q; }\n" REST,
      "error: device code uses `getenv'" },
    { "#include <string.h>\n__device__ float f(const float *q) { char "
      "t[8]; strcpy(t, (const char *)q); return *t; }\n" REST,
      "error: device code uses `strcpy'" },
    { "__global__ void child() {}\n__device__ float f(const float *q) { "
      "child<<<1, 1>>>(); return *q; }\n" REST,
      "error: device code uses `kernel<<<...>>>()', which only host" },
    { "#include <exception>\n__device__ float f(const float *q) { "
      "std::set_terminate((void (*)())q); return *q; }\n" REST,
      "error: device code uses `_ZSt13set_terminatePFvvE'" },
    { "extern \"C\" void __cxa_guard_release(long long *);\n__device__ "
      "float f(const float *q) { __cxa_guard_release((long long *)q); return "
      "*q; }\n" REST, "1:17: error: `__cxa_guard_release' is a name" },
    { "__device__ float f(const float *q) {\n  __builtin_longjmp((void **)q, "
      "1); }\n" REST, "2:3: error: `__builtin_longjmp' could run code" },
    { "extern \"C\" int __real_cudaFree(void *);\n__device__ float f(const "
      "float *q) { return *q; }\n" REST,
      "1:16: error: `__real_cudaFree' is a name of the software GPU" },
};

static void refused(void)
{
    char messages[4096];

    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        CU_ASSERT_NOT_EQUAL(
            compile(refusals[i].text, messages, sizeof messages), 0);
        if (strstr(messages, refusals[i].says))
            continue;
        printf("    row %zu: wanted \"%s\", got %s\n", i, refusals[i].says,
               messages);
        CU_FAIL("not the message");
    }
}

/* Comments, literals, macros that are not used, compiler barriers, loops that a
 * pragma unrolls, inline PTX, arithmetic that the compiler calls. */
static void accepted(void)
{
    static const char text[] =
        "/* no_sanitize, #line 3\n#line 4 */\n"
        "#define UNUSED __attribute__((no_sanitize(\"thread\")))\n"
        "#include <string.h>\n#include <random>\n#include <cuda_fp16.h>\n"
        "static const char note[] = \"#line 7\\n# 1 \\\"x\\\" 1 3\";\n"
        "static const char raw[] = R\"(\n#line 9\n)\";\n"
        "#define TEXT(x) #x\n"
        "static const char line[] = TEXT(#line);\n"
        "__device__ __attribute__((noinline)) float f(const float *q) {\n"
        "  float x[4], sum = 0; memcpy(x, q, sizeof x);\n"
        "  asm volatile(\"\" ::: \"memory\");\n"
        "  { float y; asm(\"{ .reg .f32 t; ld.global.f32 t, [%1]; add.f32 %0, "
        "t, 0f3F800000; }\" : \"=f\"(y) : \"l\"(q)); sum += y; }\n"
        "#pragma unroll\n"
        "  for (int i = 0; i < 4; i++) sum += x[i];\n"
        "  const __int128 wide = (__int128)(long long)sum << 64;\n"
        "  sum += (float)(wide / (long long)x[0] % 1000);\n"
        "  sum += cyl_bessel_i0f(x[1]);\n"
        "  const double exact = (double)(float)__float2half(x[2]) * x[3];\n"
        "  sum += (float)__double2half(exact) + (float)(__half)exact;\n"
        "  return sum + 1'000; }\n" REST
        "#define A(x) ((((((((((x))))))))))\n"
        "#define B(x) A(A(A(A(A(A(A(A(A(A(x))))))))))\n"
        "int deep = B(B(1));\n"
        "int use() { return note[0] + raw[0] + line[0]; }\n";
    char messages[4096];

    CU_ASSERT_EQUAL(compile(text, messages, sizeof messages), 0);
    if (*messages)
        printf("    %s\n", messages);
}

/* Structs that a call returns. */
#define STRUCTS                                                              \
    "#include <new>\nstruct eight { float v[8]; };\n"                        \
    "__device__ __attribute__((noinline)) eight next(const eight &e) {\n"    \
    "  eight r = e; r.v[0] += 1; return r; }\n"                              \
    "__device__ eight whole;\n"                                              \
    "__device__ __attribute__((noinline)) float2 once(float2 v) {\n"         \
    "  return make_float2(v.x + 1, v.y); }\n"                                \
    "__device__ __attribute__((noinline)) float2 twice(float2 v) {\n"        \
    "  return once(once(v)); }\n"                                            \
    "__device__ void store(eight *p, const eight *q, bool both) {\n"
#define STRUCTS_END                                                          \
    "}\n__global__ void k(eight *p, const eight *q) { store(p, q, true); }\n" \
    "int run(eight *p) { k<<<1, 1>>>(p, p); return 0; }\n"

/* Compile a text of three parts.
 *  @param message  that it is refused with; "": it is accepted */
static void expect(const char *message, const char *begin, const char *middle,
                   const char *end)
{
    char text[4096], messages[4096];

    text_format(text, sizeof text, "%s%s%s", begin, middle, end);
    CU_ASSERT_EQUAL(!compile_with("--check", text, messages, sizeof messages),
                    !*message);
    if (*message ? !strstr(messages, message) : *messages != 0) {
        printf("    %s    %s\n", middle, messages);
        CU_FAIL("not the message");
    }
}

/* gcc instruments no store of what a call returns. */
static void unseen_stores(void)
{
    static const char *const seen[] = {
        "  p[1] = next(q[0]);\n", "  *p = next(*q), p[1] = next(*p);\n",
        "  if (both) (*p) = both ? next(*q) : next(q[1]);\n",
        "  for (int i = 0; i < 9; i++) p[i] = ::next(q[i]);\n",
        "  p->v[0] = next(*q).v[0]; eight e[2]; e[1] = next(*q); *p = e[1];\n",
        "  whole = next(*q); eight e = next(whole); p[2] = e;\n",
        "  auto f = [&](eight &e) { e = next(*q); }; f(both ? *p : p[1]);\n",
        "  float2 *to = (float2 *)p; to[0] = twice(to[1]);\n",
        "  const eight &e = next(*q), &g = next(e); p[2] = g;\n",
        "  p[1] = p[0] = next(*q); both ? p[1] = next(*q) : *p = *q;\n" };
    static const char *const unseen[] = {
        "  new (p) eight(next(*q));\n" };

    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        expect("", STRUCTS, seen[i], STRUCTS_END);
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        expect(": error: a struct that a call returns", STRUCTS, unseen[i],
               STRUCTS_END);
}

/* Structs that functions take by value. */
#define ARGUMENTS                                                            \
    "struct eight { float v[8]; };\n"                                        \
    "__device__ __attribute__((noinline)) float last(eight e) {\n"           \
    "  return e.v[7]; }\n"                                                   \
    "__device__ __attribute__((noinline)) float both(float2 a, eight b) {\n" \
    "  return a.x + last(b); }\n"                                            \
    "__device__ float f(const eight *q, float (*g)(eight)) {\n"
#define ARGUMENTS_END                                                        \
    "}\n__global__ void k(float *p, const eight *q) { *p = f(q, last); }\n"  \
    "int run(float *p, eight *q) { k<<<1, 1>>>(p, q); return 0; }\n"
/* Host code that depends on a copy that is left out. */
#define BUFFER                                                               \
    "struct buffer { float *at; ~buffer() { delete[] at; } };\n"             \
    "buffer make() { buffer b = { new float[4] }; return b; }\n"

/* gcc instruments no load of an argument, unless copies are calls. */
static void unseen_loads(void)
{
    static const char *const seen[] = {
        "  return last(q[1]) + g(*q);\n", "  return both({1, 2}, q[1]);\n",
        "  eight e = q[1]; const eight &r = e; return last(r) + last(e);\n" };
    static const char *const local =
        "  float a[4][4]; eight e = *q; a[1][g == last] = last(e);\n"
        "  for (int i = 0; i < 9; i++) a[i % 4][i % 3] += last(e);\n"
        "  return a[int(q->v[0])][int(q->v[1])] + both({1, 2}, e);\n";

    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        expect("", ARGUMENTS, seen[i], ARGUMENTS_END);
    expect("", ARGUMENTS, local, ARGUMENTS_END BUFFER);
    expect(":7:14: error: a struct that a function takes by value", ARGUMENTS,
           seen[0], ARGUMENTS_END BUFFER);
    expect(": error: a struct that a function takes by value", ARGUMENTS,
           "  return last(__builtin_bit_cast(eight, *(float(*)[8])q));\n",
           ARGUMENTS_END);
}

int main(void)
{
    CU_TestInfo tests[] = { { "refused by name and line", refused },
                            { "near misses", accepted },
                            { "stores of a call's result", unseen_stores },
                            { "loads of an argument", unseen_loads },
                            CU_TEST_INFO_NULL };

    if (!paths_init() || !temp_dir_create(folder))
        return 2;
    snprintf(softcc, sizeof softcc, "%.4000s/softcc", program_root());
    return run_tests("softcc --graded", tests);
}
