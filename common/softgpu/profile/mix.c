/* SPDX-License-Identifier: MIT */
/* Runs objdump on this very program and reads what it writes.  A basic block
 * begins behind a call to the function that announces it. */
#define _GNU_SOURCE
#include "mix.h"

#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/** What is known while lines are read. */
struct reader {
    struct mix *mix;
    uint64_t bias;   /* this process's addresses less the file's */
    uint64_t block;  /* 0: in none */
    bool announced;  /* the next instruction begins a block */
    enum mix_class waiting; /* of the instruction before: ends here */
    uint32_t width;         /* its width */
};

static int find_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    return 1; /* the first one is the program */
}

static int append(struct mix *mix, struct mix_instruction one)
{
    if (mix->count == mix->room) {
        size_t room = mix->room ? 2 * mix->room : 1024;
        struct mix_instruction *more = realloc(mix->all, room * sizeof *more);

        if (!more)
            return -1;
        mix->all = more;
        mix->room = room;
    }
    mix->all[mix->count++] = one;
    return 0;
}

/* A call that tells an index out of bounds was reached: it is --check's, and so
 * are the comparison and the jump around it, which a program that is only
 * profiled does not have.  (clang keeps such calls elsewhere; there they
 * count.) */
static void drop_bounds_check(struct mix *mix)
{
    size_t n = mix->count;

    while (n && mix->all[n - 1].class == MIX_INTEGER)
        n--; /* what the call is given */
    if (!n || mix->all[n - 1].class != MIX_BRANCH)
        return;
    n--;
    mix->count = n - (n && mix->all[n - 1].class == MIX_INTEGER);
}

/* "  401136:\tcall   401030 <name>".  An instruction's site is the address of
 * the next one, as if it were a call. */
static void take_line(struct reader *r, char *line)
{
    char *colon, *text;
    uint64_t address = strtoull(line, &colon, 16);

    if (colon == line || colon[0] != ':' || colon[1] != '\t')
        return;
    text = colon + 2;
    address += r->bias;
    if (r->waiting != MIX_NONE)
        append(r->mix, (struct mix_instruction){address, r->block, r->waiting,
                                                r->width});
    if (r->announced)
        r->block = address;
    if (strstr(text, "<__ubsan_handle_out_of_bounds>"))
        drop_bounds_check(r->mix);
    r->announced = strstr(text, "<__sanitizer_cov_trace_pc") != NULL;
    r->waiting = r->block && !r->announced ? mix_classify(text) : MIX_NONE;
    r->width = r->waiting != MIX_NONE ? mix_width(text) : 1;
}

static void take_lines(struct reader *r, FILE *in)
{
    char *line = NULL;
    size_t room = 0;

    while (getline(&line, &room, in) > 0) {
        if (strstr(line, ">:\n")) { /* a function begins */
            r->block = 0;
            r->announced = false;
            r->waiting = MIX_NONE;
        }
        take_line(r, line);
    }
    free(line);
}

/* Start objdump with its output in a pipe.  @return the end to read, or -1 */
static int start(pid_t *child, char *from, char *to)
{
    char path[4096];
    char *argv[] = {"objdump", "-d", "-w", "--no-show-raw-insn", from, to,
                    path, NULL};
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    posix_spawn_file_actions_t actions;
    int ends[2], failed;

    path[n > 0 ? n : 0] = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    failed = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!failed)
        return ends[0];
    close(ends[0]);
    return -1;
}

int mix_read(uint64_t from, uint64_t to, struct mix *mix)
{
    struct reader r = {.mix = mix};
    char first[48], last[48];
    pid_t child;
    FILE *in;
    int end;

    memset(mix, 0, sizeof *mix);
    dl_iterate_phdr(find_bias, &r.bias);
    snprintf(first, sizeof first, "--start-address=0x%llx",
             (unsigned long long)(from - r.bias));
    snprintf(last, sizeof last, "--stop-address=0x%llx",
             (unsigned long long)(to - r.bias));
    end = start(&child, first, last);
    in = end < 0 ? NULL : fdopen(end, "r");
    if (!in)
        return -1;
    take_lines(&r, in);
    fclose(in);
    waitpid(child, NULL, 0);
    return mix->count ? 0 : -1;
}

void mix_free(struct mix *mix)
{
    free(mix->all);
    memset(mix, 0, sizeof *mix);
}
