/* SPDX-License-Identifier: MIT */
/* --check: the program is compiled so that every load and store is reported
 * (-fsanitize=thread, without its library) and linked with the watchers. */
#include "driver.h"

/* One access in the source is one access in the report: no vectors, no
 * unrolling, nothing done by a library function behind the watchers' back. */
static const char *const both[] = {
    "-O1", "-g", "-fsanitize=thread,bounds", "-DSOFTGPU_WATCHED",
    "-fno-builtin-memset", "-fno-builtin-memcpy", "-fno-omit-frame-pointer",
};
static const char *const gcc_only[] = {
    "--param=tsan-distinguish-volatile=1",
};
static const char *const clang_only[] = {
    "-mllvm", "-tsan-instrument-read-before-write=1",
    "-mllvm", "-tsan-distinguish-volatile=1",
    "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops",
    "-gdwarf-aranges",
};

static void add_all(struct list *argv, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list_add(argv, words[i]);
}

#define ADD_ALL(argv, words) add_all(argv, words, sizeof words / sizeof *words)

void add_watch_options(struct list *argv, const struct job *job)
{
    if (!job->options->check)
        return;
    ADD_ALL(argv, both);
    if (job->places.clang)
        ADD_ALL(argv, clang_only);
    else
        ADD_ALL(argv, gcc_only);
}

void add_watch_libraries(struct list *argv, const struct job *job)
{
    static const char *const words[] = {
        "-Wl,--whole-archive", "-lsoftgpu_watch", "-Wl,--no-whole-archive",
    };

    if (job->options->check)
        ADD_ALL(argv, words);
}

void add_watch_needs(struct list *argv, const struct job *job)
{
    static const char *const words[] = { "-ldw", "-ljansson" };

    if (job->options->check)
        ADD_ALL(argv, words);
}
