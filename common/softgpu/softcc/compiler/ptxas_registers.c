/* SPDX-License-Identifier: MIT */
/* --profile: registers of each kernel, as ptxas allocates them, and accesses
 * that nvcc splits.
 *
 * nvcc compiles the same file while the host compiler works.  For each kernel
 * one line "MANGLED_NAME REGISTERS" is added to a section of the object, which
 * the profiler reads when the program ends; lines of ptx_splits.h follow.
 * Without nvcc, or if it rejects the file, the section is missing and the
 * profiler assumes a number; nothing else depends on it. */
#include "ptxas_registers.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/softgpu/cards/card.h"
#include "output.h"
#include "ptx_splits.h"

/* $NVCC, or nvcc; NULL if it is not to be run. */
static const char *find_nvcc(const struct job *job)
{
    const char *nvcc = getenv("NVCC");

    if (!job->options->profile || !job->options->ptxas || (nvcc && !*nvcc))
        return NULL;
    return nvcc ? nvcc : "nvcc";
}

/* The options for the preprocessor that nvcc has, too. */
static void add_preprocessor_options(struct list *argv,
                                     const struct list *options)
{
    for (int i = 0; i < options->count; i++) {
        const char *option = options->at[i];

        if (strcmp(option, "-include") == 0 && i + 1 < options->count) {
            list_append(argv, option);
            list_append(argv, options->at[++i]);
        } else if (option[0] == '-' && strchr("IDU", option[1])) {
            list_append(argv, option);
        }
    }
}

/* nvcc's option for the described card: "-arch=sm_90a".  From 9.0 on a card has
 * instructions that only this variant knows, as wgmma; without it nvcc takes
 * the other side of an #if, and tells of a kernel that does not run here. */
static const char *architecture(void)
{
    static char text[32];
    const char *key = getenv("SOFTGPU_CARD");
    const struct softgpu_card *card = softgpu_find_card(key && *key ? key
                                                                    : "h200");

    if (!card)
        return "-arch=native";
    snprintf(text, sizeof text, "-arch=sm_%d%d%s", card->major, card->minor,
             card->major >= 9 ? "a" : "");
    return text;
}

static struct list nvcc_command(const char *nvcc, const struct job *job,
                                const char *input, const char *keep)
{
    const char *words[] = {
        nvcc, "-cubin", "-w", "-Xptxas", "-v", "-lineinfo", "--keep",
        "--keep-dir", keep, "--expt-relaxed-constexpr",
        "--extended-lambda", "-x", "cu", architecture(),
        strstr(job->options->standard, "20") ? "-std=c++20" : "-std=c++17",
    };
    struct list argv = { 0 };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        list_append(&argv, words[i]);
    if (job->options->rdc)
        list_append(&argv, "-rdc=true");
    add_preprocessor_options(&argv, &job->options->preprocess);
    list_append(&argv, input);
    list_append(&argv, "-o");
    list_append(&argv, "/dev/null");
    return argv;
}

void registers_start(struct registers *r, const struct job *job,
                     const char *input)
{
    const char *nvcc = find_nvcc(job);
    char path[PATH_MAX];

    r->running = false;
    if (!nvcc || !find_tool(nvcc, path))
        return;
    r->folder = create_temporary("nvcc");
    if (!r->folder || mkdir(r->folder, 0700) != 0)
        return;
    struct list argv = nvcc_command(nvcc, job, input, r->folder);
    struct program program = { .path = path,
                               .arguments = (char *const *)argv.at };
    fflush(NULL);
    r->running = process_start(&r->process, &program, &tool_limits) == 0;
    free(argv.at);
}

/* ptxas prints for each kernel "... Compiling entry function '_Z4tinyPf' for
 * 'sm_90'" and later "... Used 8 registers, ...". */
static void parse_ptxas_output(const struct capture *printed,
                               struct buffer *out)
{
    char line[4096], name[2048] = "";
    int registers;
    FILE *lines = printed->length
                      ? fmemopen(printed->text, printed->length, "r")
                      : NULL;

    while (lines && fgets(line, sizeof line, lines)) {
        const char *entry = strstr(line, "entry function '");
        const char *used = strstr(line, "Used ");

        if (entry)
            sscanf(entry, "entry function '%2047[^']", name);
        if (!used || !*name || sscanf(used, "Used %d reg", &registers) != 1)
            continue;
        buffer_printf(out, "%s %d\n", name, registers);
        *name = 0;
    }
    if (lines)
        fclose(lines);
}

/* Does the name end in ".ptx"? */
static bool is_ptx(const char *name)
{
    const size_t length = strlen(name);

    return length > 4 && strcmp(name + length - 4, ".ptx") == 0;
}

/* Read the PTX that nvcc left, and remove all that it left. */
static void parse_kept_files(const char *folder, struct buffer *out)
{
    DIR *list = opendir(folder);
    const struct dirent *entry;

    while (list && (entry = readdir(list)) != NULL) {
        char *path = concatenate(folder, "/", entry->d_name);
        FILE *ptx = is_ptx(entry->d_name) ? fopen(path, "r") : NULL;

        if (ptx) {
            find_split_accesses(ptx, out);
            fclose(ptx);
        }
        remove(path); /* "." and ".." stay */
        free(path);
    }
    if (list)
        closedir(list);
    remove(folder);
}

static void add_section(const char *object, const struct buffer *text)
{
    const char *file = write_temporary_file(text, "registers");
    char *section = concatenate("softgpu_registers=", file, "");
    struct list argv = { 0 };
    struct result r;

    list_append(&argv, "objcopy");
    list_append(&argv, "--add-section");
    list_append(&argv, section);
    list_append(&argv, "--set-section-flags");
    list_append(&argv, "softgpu_registers=alloc,readonly,data,contents");
    list_append(&argv, object);
    r = run_program(&argv, NULL);
    free_result(&r);
    free(argv.at);
    free(section);
}

void registers_finish(struct registers *r, const char *object, bool compiled)
{
    struct buffer text = { 0 };
    bool ended = false;
    int status;

    if (!r->running)
        return;
    if (compiled)
        ended = process_wait(&r->process, 0, HUGE_VAL) == WAIT_ENDED;
    status = process_stop(&r->process, ended ? 60 : 0);
    if (ended && status == 0) {
        parse_ptxas_output(&r->process.out, &text);
        parse_ptxas_output(&r->process.err, &text);
    }
    parse_kept_files(r->folder, &text);
    if (text.length)
        add_section(object, &text);
    free(text.bytes);
    process_free(&r->process);
}
