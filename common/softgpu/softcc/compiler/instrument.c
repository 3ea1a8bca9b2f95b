/* SPDX-License-Identifier: MIT */
/* --check, --profile: the compiler instruments every load and store
 * (-fsanitize=thread, without its library), for the profile each basic block,
 * too.  The program is linked with the library that the instrumentation
 * calls. */
#include "command.h"

/* One access in the source must be one instrumented access: no vectorization,
 * no unrolling, no library function that accesses memory. */
static const char *const common_options[] = {
    "-O1", "-fsanitize=thread", "-DSOFTGPU_INSTRUMENTED",
    "-fno-builtin-memset", "-fno-builtin-memcpy", "-fno-builtin-memmove",
    "-fno-builtin-mempcpy", "-fno-builtin-bcopy", "-fno-builtin-bzero",
    "-fno-builtin-strcpy", "-fno-builtin-strncpy", "-fno-builtin-stpcpy",
    "-fno-builtin-strcat", "-fno-builtin-strncat", "-fno-builtin-memcmp",
    "-fno-builtin-bcmp", "-fno-builtin-strlen", "-fno-builtin-strcmp",
    "-fno-builtin-strncmp", "-fno-omit-frame-pointer",
};
static const char *const gcc_options[] = {
    "--param=tsan-distinguish-volatile=1", "-Wno-tsan",
};
static const char *const clang_options[] = {
    "-mllvm", "-tsan-instrument-read-before-write=1",
    "-mllvm", "-tsan-distinguish-volatile=1",
    "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops",
    "-mllvm", "-disable-vector-combine",
    /* an access stays on its line and in its branch */
    "-mllvm", "-sink-common-insts=false", "-mllvm", "-hoist-common-insts=false",
    "-mllvm", "-simplifycfg-merge-cond-stores=false",
    "-mllvm", "-simplifycfg-hoist-cond-stores=false",
    "-fno-delete-null-pointer-checks", "-fno-builtin-printf",
    "-gdwarf-4", "-gdwarf-aranges", /* of 5, libdw misses inlined calls */
};

/* -fsanitize=local-bounds, the other half of bounds in clang, only traps. */
static const char *const check_gcc[] = { "-fsanitize=bounds" };
static const char *const check_clang[] = { "-fsanitize=array-bounds" };

/* The control flow graph of the program is that of the source; functions are
 * inlined, as nvcc inlines them: what is constant in a call is constant. */
static const char *const profile_gcc[] = {
    "-fsanitize-coverage=trace-pc", "-fno-reorder-blocks", "-fno-thread-jumps",
    "-finline-functions", "-finline-small-functions",
    "--param=max-inline-insns-auto=200", "--param=early-inlining-insns=100",
};
static const char *const profile_clang[] = {
    "-fsanitize-coverage=bb,no-prune,trace-pc",
    "-mllvm", "-disable-block-placement", "-mllvm", "-enable-tail-merge=0",
};

static void add_all(struct list *argv, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list_append(argv, words[i]);
}

#define ADD_ALL(argv, words) add_all(argv, words, sizeof words / sizeof *words)

void add_instrument_options(struct list *argv, const struct job *job)
{
    if (!is_instrumented(job->options))
        return;
    ADD_ALL(argv, common_options);
    /* Functions, inlined calls and lines are all that messages need; gcc takes
     * a third longer to track variables as well.  In clang's -g1 functions lack
     * their scopes. */
    list_append(argv, job->options->debug || job->toolchain.clang ? "-g"
                                                                  : "-g1");
    if (job->toolchain.clang)
        ADD_ALL(argv, clang_options);
    else
        ADD_ALL(argv, gcc_options);
    if (job->calls_copies)
        list_append(argv, "-fno-elide-constructors");
    if (job->options->check && job->toolchain.clang)
        ADD_ALL(argv, check_clang);
    else if (job->options->check)
        ADD_ALL(argv, check_gcc);
    if (job->options->profile && job->toolchain.clang)
        ADD_ALL(argv, profile_clang);
    else if (job->options->profile)
        ADD_ALL(argv, profile_gcc);
}

const char *runtime_library(const struct job *job, const char *name)
{
    return concatenate(job->toolchain.library,
                       concatenate("/lib", name, ".a"), "");
}

void add_instrument_libraries(struct list *argv, const struct job *job)
{
    if (!is_instrumented(job->options))
        return;
    list_append(argv, "-Wl,-u,softgpu_instrumentation"
                   ",--wrap=memcpy,--wrap=memmove,--wrap=memset"
                   ",--wrap=memcmp,--wrap=strlen,--wrap=strcmp"
                   ",--wrap=strncmp");
    if (job->options->check)
        list_append(argv, "-Wl,-u,softgpu_with_check,--wrap=malloc,--wrap=free"
                       ",--wrap=modf,--wrap=modff,--wrap=frexp,--wrap=frexpf"
                       ",--wrap=remquo,--wrap=remquof,--wrap=sincos"
                       ",--wrap=sincosf,--wrap=printf,--wrap=vprintf");
    else
        list_append(argv, "-lstdc++"); /* its operator new before the checks' */
    if (job->options->profile)
        list_append(argv, "-Wl,-u,softgpu_with_profile");
    list_append(argv, runtime_library(job, "softgpu_watch"));
}

void add_instrument_dependencies(struct list *argv, const struct job *job)
{
    if (!is_instrumented(job->options))
        return;
    list_append(argv, "-ljansson");
}
