/* SPDX-License-Identifier: MIT */
/* --check, --profile: the program is compiled so that every load and store is
 * reported (-fsanitize=thread, without its library), for the profile each
 * basic block too, and linked with those that look on. */
#include "driver.h"

/* One access in the source is one access in the report: no vectors, no
 * unrolling, nothing done by a library function behind the watchers' back. */
static const char *const both[] = {
    "-O1", "-g", "-fsanitize=thread", "-DSOFTGPU_WATCHED",
    "-fno-builtin-memset", "-fno-builtin-memcpy", "-fno-omit-frame-pointer",
};
static const char *const gcc_only[] = {
    "--param=tsan-distinguish-volatile=1", "-Wno-tsan",
};
static const char *const clang_only[] = {
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

/* clang's other half of -fsanitize=bounds puts traps where it knows better. */
static const char *const check_gcc[] = { "-fsanitize=bounds" };
static const char *const check_clang[] = { "-fsanitize=array-bounds" };

/* Ways that part and join in the source do so in the program. */
static const char *const profile_gcc[] = {
    "-fsanitize-coverage=trace-pc", "-fno-reorder-blocks", "-fno-thread-jumps",
};
static const char *const profile_clang[] = {
    "-fsanitize-coverage=bb,no-prune,trace-pc",
    "-mllvm", "-disable-block-placement", "-mllvm", "-enable-tail-merge=0",
};

static void add_all(struct list *argv, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list_add(argv, words[i]);
}

#define ADD_ALL(argv, words) add_all(argv, words, sizeof words / sizeof *words)

bool is_watched(const struct options *options)
{
    return options->check || options->profile;
}

void add_watch_options(struct list *argv, const struct job *job)
{
    if (!is_watched(job->options))
        return;
    ADD_ALL(argv, both);
    if (job->places.clang)
        ADD_ALL(argv, clang_only);
    else
        ADD_ALL(argv, gcc_only);
    if (job->options->check && job->places.clang)
        ADD_ALL(argv, check_clang);
    else if (job->options->check)
        ADD_ALL(argv, check_gcc);
    if (job->options->profile && job->places.clang)
        ADD_ALL(argv, profile_clang);
    else if (job->options->profile)
        ADD_ALL(argv, profile_gcc);
}

void add_watch_libraries(struct list *argv, const struct job *job)
{
    if (!is_watched(job->options))
        return;
    list_add(argv, "-Wl,-u,softgpu_watching");
    if (job->options->check)
        list_add(argv, "-Wl,-u,softgpu_with_check,--wrap=malloc,--wrap=free"
                       ",--wrap=memcpy,--wrap=memmove,--wrap=memset");
    else
        list_add(argv, "-lstdc++"); /* its operator new before the checks' */
    if (job->options->profile)
        list_add(argv, "-Wl,-u,softgpu_with_profile");
    list_add(argv, "-lsoftgpu_watch");
}

void add_watch_needs(struct list *argv, const struct job *job)
{
    static const char *const words[] = { "-ldw", "-ljansson" };

    if (is_watched(job->options))
        ADD_ALL(argv, words);
}
