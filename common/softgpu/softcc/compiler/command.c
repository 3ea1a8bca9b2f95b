/* SPDX-License-Identifier: MIT */
/* Command lines of the host compiler. */
#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cccl.h"
#include "command.h"
#include "openmp.h"
#include "output.h"
#include "run.h"
#include "toolkit_headers.h"

/* Debian's clang 19 has no omp.h without libomp-19-dev, and never quadmath.h.
 * Programs include them that nvcc compiles with gcc: gcc's come last. */
static void add_gcc_headers(struct list *argv, const char *include)
{
    glob_t found;
    if (glob("/usr/lib/gcc/*/*/include", 0, NULL, &found) == 0) {
        const char *last = found.gl_pathv[found.gl_pathc - 1];
        list_append(argv, "-idirafter");
        list_append(argv, concatenate(include, "/softgpu/gcc", ""));
        list_append(argv, "-idirafter");
        list_append(argv, concatenate(last, "", ""));
    }
    globfree(&found);
}

void add_cuda_headers(struct list *argv, const struct job *job)
{
    list_append(argv, "-isystem");
    list_append(argv, job->toolchain.include);
    if (job->toolchain.vectors[0])
        add_gcc_headers(argv, job->toolchain.include);
}

void add_color_option(struct list *argv)
{
    if (isatty(STDERR_FILENO))
        list_append(argv, "-fdiagnostics-color=always");
}

/* gcc 12 drops the rounding of a float to half and back where it vectorizes
 * with AVX512-FP16, so half arithmetic goes through float on every
 * processor. */
static bool has_avx512_fp16(void)
{
#ifdef __x86_64__
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d >> 23 & 1);
#else
    return false;
#endif
}

/* Instructions of instrumented builds are counted: what gcc prefers on one
 * processor must not change a modeled time.  In other builds, where gcc 12 does
 * not know the model, or a hypervisor hides features, it tunes for no CPU in
 * particular, and with AVX-512 its loops over threads then compute wrong
 * addresses (program 527).
 * @return an option, or NULL */
static const char *tuning(const struct job *job)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (!job->toolchain.clang && is_instrumented(job->options))
        return "-mtune=znver3";
    if (job->toolchain.clang || !__builtin_cpu_supports("avx512f"))
        return NULL;
    if (__builtin_cpu_is("intel"))
        return "-mtune=icelake-server";
    return __builtin_cpu_is("amdfam19h") ? NULL : "-mtune=znver3";
#else
    (void)job;
    return NULL;
#endif
}

void add_user_options(struct list *argv, const struct job *job, bool linking)
{
    static const char gcc_caret[] = "-fno-diagnostics-show-caret";
    const struct list *user = &job->options->compile;
    for (int i = 0; i < user->count; i++) {
        const char *option = user->at[i];
        if (job->toolchain.clang && strcmp(option, gcc_caret) == 0)
            option = "-fno-caret-diagnostics";
        if (linking && strcmp(option, "-ffast-math") == 0)
            continue;
        /* clang may have no library of OpenMP */
        if (!job->toolchain.no_openmp || !is_openmp_option(option))
            list_append(argv, option);
    }
}

void add_engine_option(struct list *argv, const struct job *job)
{
    if (job->toolchain.vectors[0])
        list_append(argv, concatenate("-fpass-plugin=", job->toolchain.vectors,
                                      ""));
}

/* Messages name the line of a call, also of `return cudaMalloc(...)', and the
 * column in bytes, as clang's messages and what --check finds do.  An int
 * product that overflows must be wrong in each grade: otherwise gcc may compute
 * it in 64 bits.  Instrumented builds count loads and stores as they are, and
 * vectors need the addresses of consecutive elements to be recognized. */
void add_graded_options(struct list *argv, const struct job *job)
{
    if (!job->options->graded)
        return;
    list_append(argv, "-fno-optimize-sibling-calls");
    if (!job->toolchain.clang)
        list_append(argv, "-fdiagnostics-column-unit=byte");
    if (!is_instrumented(job->options) && !job->toolchain.vectors[0])
        list_append(argv, "-fwrapv");
}

/* A variable that only one lane sets may be an argument: clang, which marks
 * arguments as defined, would conclude that each thread is that lane.  The
 * option that it does not has another name up to clang 14. */
static const char *noundef_option(const struct job *job)
{
    static const char *option;
    struct list argv = { 0 };

    if (job->toolchain.vectors[0])
        return "-no-enable-noundef-analysis"; /* of clang 19 */
    if (option)
        return option;
    list_append(&argv, job->toolchain.compiler);
    list_append(&argv, "-dumpversion");
    struct result r = run_program(&argv, NULL);
    const int version = r.status == 0 && r.out.bytes ? atoi(r.out.bytes) : 0;
    option = version && version < 15 ? "-disable-noundef-analysis"
                                     : "-no-enable-noundef-analysis";
    free(argv.at);
    free_result(&r);
    return option;
}

/* nvcc only warns of a function that ends without its return statement, which
 * is right where nobody uses the value: device code returns, and so does host
 * code, which nvcc does not optimize.  To an optimizing compiler that end is
 * unreachable, and it goes on with the next function.  gcc has no option for
 * it, but leaves it alone where all that is unreachable is to trap. */
static void add_return_options(struct list *argv, const struct job *job)
{
    const struct options *o = job->options;
    if (job->toolchain.clang) {
        list_append(argv, "-fno-strict-return");
        return;
    }
    for (int i = 0; i < o->compile.count; i++)
        if (strncmp(o->compile.at[i], "-fsanitize", 10) == 0)
            return; /* of the user's, which may not trap */
    list_append(argv, "-fsanitize=unreachable");
    if (!o->check) /* whose sanitizer of bounds reports */
        list_append(argv, "-fsanitize-undefined-trap-on-error");
}

/* Calls through pointers go to thunks, which in the device process refuse what
 * is no device code (grader/runner/soft/indirect_calls.c).  An array in local
 * memory that is larger than a guard page does not skip it. */
static void add_graded_code(struct list *argv, const struct job *job)
{
#ifdef __x86_64__
    static const char *const gcc[] = { "-mindirect-branch=thunk-extern",
                                       "-mindirect-branch-register" };
    static const char *const clang[] = { "-mretpoline",
                                         "-mretpoline-external-thunk" };
    for (size_t i = 0; i < 2; i++)
        list_append(argv, job->toolchain.clang ? clang[i] : gcc[i]);
#else
    (void)job;
#endif
    list_append(argv, "-fstack-clash-protection");
}

void add_code_options(struct list *argv, const struct job *job, bool cuda)
{
    const struct options *o = job->options;
    if (cuda) { /* device code has no errno, no traps, no aliasing rules */
        static const char *const fixed[] = {
#if defined(__aarch64__)
            "-mno-outline-atomics", /* as calls of libgcc they are host code */
#endif
            "-march=native", "-fno-math-errno", "-fno-trapping-math",
            "-fno-strict-aliasing", "-fno-semantic-interposition",
            "-ffunction-sections", "-fdata-sections" }; /* split_object.c */
        for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
            list_append(argv, fixed[i]);
        if (has_avx512_fp16())
            list_append(argv, "-mno-avx512fp16");
        if (tuning(job))
            list_append(argv, tuning(job));
        if (job->toolchain.clang) {
            list_append(argv, job->toolchain.vectors[0]
                                  ? "-ffp-contract=on"
                                  : "-ffp-contract=fast");
            list_append(argv, "-Xclang");
            list_append(argv, noundef_option(job));
            list_append(argv, "-Wno-pass-failed");
            /* clang 19 warns of its own -march=native where there is AVX10;
             * clang 14 does not know that warning. */
            list_append(argv, "-Wno-unknown-warning-option");
            list_append(argv, "-Wno-invalid-feature-combination");
        } else { /* messages name the line of a call: merge none */
            list_append(argv, "-fno-crossjumping");
            list_append(argv, "-fno-tree-tail-merge");
            /* gcc 12 takes registers of AVX-512 for unchanged by a call that
             * changes them (program 531) */
            list_append(argv, "-fno-ipa-ra");
        }
    }
    if (job->toolchain.clang) { /* warnings of nvcc and of gcc */
        list_append(argv, "-Wno-error=c++11-narrowing");
        list_append(argv, "-Wno-error=register");
    }
    bool instrumented = cuda && is_instrumented(o); /* own -O and -g */
    if (!instrumented)
        list_append(argv, o->optimize ? o->optimize : cuda ? "-O3" : "-O2");
    if (!o->debug && !instrumented)
        list_append(argv, "-g1");
    add_return_options(argv, job);
    if (cuda && o->graded)
        add_graded_code(argv, job);
    if (o->shared)
        list_append(argv, "-fPIC");
    if (o->module && !job->toolchain.clang) /* one image, loaded twice */
        list_append(argv, "-fno-gnu-unique");
    add_user_options(argv, job, false);
    if (cuda)
        add_instrument_options(argv, job);
}

static bool is_macro(const char *option)
{
    return strncmp(option, "-D", 2) == 0 || strncmp(option, "-U", 2) == 0;
}

/* Is the macro defined after CUDA's headers?  -DN=16 must not reach headers
 * that use N themselves.  Names with '_' at the beginning and the runtime's own
 * switches (CUDA_...) are for the headers. */
static bool is_late_macro(const char *option)
{
    return is_macro(option) && option[2] != '_'
           && strncmp(option + 2, "CUDA_", 5) != 0;
}

/* Append a late macro as a directive. */
static void add_directive(struct buffer *b, const char *option)
{
    const char *equals = strchr(option, '=');
    int name = (int)(equals ? equals - option - 2 : (long)strlen(option) - 2);
    if (option[1] == 'U')
        buffer_printf(b, "#undef %s\n", option + 2);
    else
        buffer_printf(b, "#define %.*s %s\n", name, option + 2,
                     equals ? equals + 1 : "1");
}

void add_preprocess_options(struct list *argv, const struct job *job)
{
    for (int i = 0; i < job->options->preprocess.count; i++)
        add_include_option(argv, job->options->preprocess.at[i]);
}

static bool has_option(const struct list *list, const char *a, const char *b)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->at[i], a) == 0 || strcmp(list->at[i], b) == 0)
            return true;
    return false;
}

const char *dependency_file(const struct job *job, const char *object)
{
    const struct list *user = &job->options->preprocess;
    const char *slash = strrchr(object, '/'), *dot = strrchr(object, '.');
    char *stem, *path;
    if (!wants_dependencies(job->options))
        return NULL;
    for (int i = 0; i + 1 < user->count; i++)
        if (strcmp(user->at[i], "-MF") == 0)
            return user->at[i + 1];
    stem = concatenate(object, "", "");
    if (dot && (!slash || dot > slash))
        stem[dot - object] = 0;
    path = concatenate(stem, ".d", "");
    free(stem);
    return path;
}

/* The compiler would name both after the temporary file that it writes. */
void add_dependency_options(struct list *argv, const struct job *job,
                            const char *object)
{
    const struct list *user = &job->options->preprocess;
    if (!wants_dependencies(job->options))
        return;
    if (!has_option(user, "-MT", "-MQ")) {
        list_append(argv, "-MQ");
        list_append(argv, object);
    }
    if (!has_option(user, "-MF", "-MF") && !has_option(user, "-M", "-MM")) {
        list_append(argv, "-MF");
        list_append(argv, dependency_file(job, object));
    }
}

/* Late macros are in a file that is included after cuda_runtime.h; not if
 * dependencies are asked for, which would list that file. */
void add_cuda_preprocess_options(struct list *argv, const struct job *job)
{
    const struct options *o = job->options;
    struct buffer late_macros = { 0 };
    bool defer = !wants_dependencies(o);
    for (int i = 0; i < o->preprocess.count; i++) {
        const char *option = o->preprocess.at[i];
        if (defer && is_late_macro(option))
            add_directive(&late_macros, option);
    }
    if (late_macros.length) {
        list_append(argv, "-include");
        list_append(argv, write_temporary_file(&late_macros, "macros.h"));
    }
    add_cccl(argv, job->toolchain.include);
    for (int i = 0; i < o->preprocess.count; i++)
        if (!defer || !is_late_macro(o->preprocess.at[i]))
            add_include_option(argv, o->preprocess.at[i]);
    free(late_macros.bytes);
}

void add_base_command(struct list *argv, const struct job *job)
{
    static const char *const defines[] = {
        "-D__SOFTCC__=1", "-D__CUDACC__=1", "-D__NVCC__=1",
        "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=8",
        "-D__CUDACC_VER_BUILD__=0",
        /* of NVIDIA's CCCL: Thrust's algorithms run on the host */
        "-D__CUDA_ARCH_LIST__=900", "-DCUB_PTX_ARCH=900",
        "-DCCCL_DISABLE_NVTX=1", "-DCCCL_DISABLE_NVFP8_SUPPORT=1",
        "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP" };
    list_append(argv, job->toolchain.compiler);
    list_append(argv, job->options->standard);
    for (size_t i = 0; i < sizeof defines / sizeof *defines; i++)
        list_append(argv, defines[i]);
    if (job->toolchain.vectors[0] && !is_instrumented(job->options))
        list_append(argv, "-DSOFTGPU_GANGS=1");
}

/* Does the option choose only which messages are shown, and how? */
static bool is_about_messages(const char *option)
{
    return strncmp(option, "-W", 2) == 0
           || strncmp(option, "-fdiagnostics", 13) == 0
           || strncmp(option, "-fno-diagnostics", 16) == 0;
}

/* Without such options: one header serves all choices of warnings. */
void add_pch_command(struct list *argv, const struct job *job)
{
    const struct list *user = &job->options->preprocess;
    struct list options = { 0 };
    add_base_command(argv, job);
    add_code_options(&options, job, true);
    for (int i = 0; i < options.count; i++)
        if (!is_about_messages(options.at[i]))
            list_append(argv, options.at[i]);
    free(options.at);
    for (int i = 0; i < user->count; i++)
        if (is_macro(user->at[i]) && !is_late_macro(user->at[i]))
            list_append(argv, user->at[i]);
}
