/* SPDX-License-Identifier: MIT */
/* Disassembles this program with objdump and parses the output.  A basic block
 * begins after a call of the coverage callback. */
#define _GNU_SOURCE
#include "instruction_mix.h"

#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/softgpu/core/program_file.h"
#include "constant_loops.h"

extern char **environ;

/** State of the parser. */
struct disassembly {
    struct instruction_mix *mix;
    /* load address of the program: process address - file address */
    uint64_t bias;
    uint64_t block;        /* 0: in no basic block */
    bool after_block_call; /* the next instruction begins a block */
    struct machine_line *lines; /* of the current function; owned */
    size_t count, capacity;     /* of lines */
};

static int find_load_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    return 1; /* the first entry is the program */
}

static int append_instruction(struct instruction_mix *mix,
                              struct decoded_instruction one)
{
    if (mix->count == mix->capacity) {
        size_t capacity = mix->capacity ? 2 * mix->capacity : 1024;
        struct decoded_instruction *more =
            realloc(mix->items, capacity * sizeof *more);

        if (!more)
            return -1;
        mix->items = more;
        mix->capacity = capacity;
    }
    mix->items[mix->count++] = one;
    return 0;
}

static bool is_integer(enum instruction_class class)
{
    return class == CLASS_INTEGER || class == CLASS_ADDRESS
           || class == CLASS_DIVISION;
}

/* A call of UBSan's out-of-bounds handler belongs to --check.  Drop the index
 * comparison and the branch around the call as well: a program that is only
 * profiled does not have them.  (clang places such calls at the end of the
 * function; there they count.) */
static void drop_bounds_check(struct instruction_mix *mix)
{
    size_t n = mix->count;

    while (n && is_integer(mix->items[n - 1].class))
        n--; /* arguments of the call */
    if (!n || mix->items[n - 1].class != CLASS_BRANCH)
        return;
    n--;
    mix->count = n - (n && is_integer(mix->items[n - 1].class));
}

/* Count one instruction of a function; the next one begins at `next`.  The site
 * of an instruction is that address, as the return address of a call is. */
static void count_line(struct disassembly *r, const struct machine_line *line,
                       uint64_t next, bool folded)
{
    const char *text = line->text;
    struct decoded_instruction one;

    if (r->after_block_call)
        r->block = line->address + r->bias;
    if (strstr(text, "<__ubsan_handle_out_of_bounds>"))
        drop_bounds_check(r->mix);
    r->after_block_call = strstr(text, "<__sanitizer_cov_trace_pc") != NULL;
    if (!r->block || r->after_block_call)
        return;
    one = decode_instruction(text, folded);
    one.code = next + r->bias;
    one.block = r->block;
    if (one.class != CLASS_NONE)
        append_instruction(r->mix, one);
}

/* A function has ended: count its instructions. */
static void count_function(struct disassembly *r)
{
    bool *folded = calloc(r->count + 1, sizeof *folded);

    if (folded)
        find_constant_loops(r->lines, r->count, folded);
    for (size_t i = 0; i < r->count; i++) {
        if (folded && i + 1 < r->count)
            count_line(r, &r->lines[i], r->lines[i + 1].address, folded[i]);
        free(r->lines[i].text);
    }
    free(folded);
    r->count = 0;
    r->block = 0;
    r->after_block_call = false;
}

/* Keep "  401136:\tcall   401030 <name>" until its function ends. */
static void keep_line(struct disassembly *r, char *line)
{
    char *colon;
    const uint64_t address = strtoull(line, &colon, 16);

    if (colon == line || colon[0] != ':' || colon[1] != '\t')
        return;
    if (r->count == r->capacity) {
        const size_t capacity = r->capacity ? 2 * r->capacity : 1024;
        struct machine_line *more =
            realloc(r->lines, capacity * sizeof *more);

        if (!more)
            return;
        r->lines = more;
        r->capacity = capacity;
    }
    colon[strcspn(colon, "\n")] = 0;
    r->lines[r->count].address = address;
    r->lines[r->count].text = strdup(colon + 2);
    r->count += r->lines[r->count].text != NULL;
}

static void parse_disassembly(struct disassembly *r, FILE *in)
{
    char *line = NULL;
    size_t capacity = 0;

    while (getline(&line, &capacity, in) > 0) {
        if (strstr(line, ">:\n"))
            count_function(r);
        keep_line(r, line);
    }
    count_function(r);
    free(r->lines);
    free(line);
}

/* Start objdump with its output in a pipe.  It gets the program as standard
 * input: the path may be gone, or in a folder that this user must not enter.
 * @return the reading end, or -1 */
static int start_objdump(pid_t *child, char *from, char *to)
{
    char *argv[] = {"objdump", "-d", "-w", "--no-show-raw-insn", from, to,
                    "/proc/self/fd/0", NULL};
    posix_spawn_file_actions_t actions;
    int pipe_ends[2], spawn_failed;
    int program = softgpu_open_program();

    if (program < 0)
        return -1;
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
        close(program);
        return -1;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, program, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    spawn_failed = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_ends[1]);
    close(program);
    if (!spawn_failed)
        return pipe_ends[0];
    close(pipe_ends[0]);
    return -1;
}

int disassemble_program(uint64_t from, uint64_t to, struct instruction_mix *mix)
{
    struct disassembly r = {.mix = mix};
    char first[48], last[48];
    pid_t child;
    FILE *in;
    int output;

    memset(mix, 0, sizeof *mix);
    dl_iterate_phdr(find_load_bias, &r.bias);
    snprintf(first, sizeof first, "--start-address=0x%llx",
             (unsigned long long)(from - r.bias));
    snprintf(last, sizeof last, "--stop-address=0x%llx",
             (unsigned long long)(to - r.bias));
    output = start_objdump(&child, first, last);
    in = output < 0 ? NULL : fdopen(output, "r");
    if (!in)
        return -1;
    parse_disassembly(&r, in);
    fclose(in);
    waitpid(child, NULL, 0);
    return mix->count ? 0 : -1;
}

void instruction_mix_free(struct instruction_mix *mix)
{
    free(mix->items);
    memset(mix, 0, sizeof *mix);
}
