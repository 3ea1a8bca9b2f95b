/* SPDX-License-Identifier: MIT */
/* --profile: how many registers a thread takes, by ptxas, where nvcc is.
 *
 * nvcc compiles the same file beside the host compiler; of what ptxas says
 * one line a kernel is kept, "MANGLED_NAME REGISTERS", in a section of the
 * object that the profiler reads when the program ends.  Without nvcc, or
 * where it does not take the file, the section is not there and registers are
 * assumed; nothing else depends on it. */
#define _GNU_SOURCE
#include "registers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "../cards/card.h"

/* $NVCC, or nvcc on the path; NULL when it is not to be asked. */
static const char *find_nvcc(const struct job *job)
{
    const char *nvcc = getenv("NVCC");

    if (!job->options->profile || !job->options->ptxas || (nvcc && !*nvcc))
        return NULL;
    return nvcc ? nvcc : "nvcc";
}

/* Of the options for the preprocessor those that nvcc knows. */
static void add_preprocess(struct list *argv, const struct list *options)
{
    for (int i = 0; i < options->count; i++) {
        const char *option = options->at[i];

        if (strcmp(option, "-include") == 0 && i + 1 < options->count) {
            list_add(argv, option);
            list_add(argv, options->at[++i]);
        } else if (option[0] == '-' && strchr("IDU", option[1])) {
            list_add(argv, option);
        }
    }
}

/* "-arch=sm_90" for the card that is described. */
static const char *architecture(void)
{
    static char text[32];
    const char *key = getenv("SOFTGPU_CARD");
    const struct softgpu_card *card = softgpu_find_card(key && *key ? key
                                                                    : "h200");

    if (!card)
        return "-arch=native";
    snprintf(text, sizeof text, "-arch=sm_%d%d", card->major, card->minor);
    return text;
}

static void become(const char *nvcc, const struct job *job, const char *input,
                   int messages)
{
    const char *words[] = {
        nvcc, "-cubin", "-w", "-Xptxas", "-v", "--expt-relaxed-constexpr",
        "--extended-lambda", "-x", "cu", architecture(),
        strstr(job->options->standard, "20") ? "-std=c++20" : "-std=c++17",
    };
    struct list argv = {0};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        list_add(&argv, words[i]);
    if (job->options->rdc)
        list_add(&argv, "-rdc=true");
    add_preprocess(&argv, &job->options->preprocess);
    list_add(&argv, input);
    list_add(&argv, "-o");
    list_add(&argv, "/dev/null");
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(messages, STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    execvp(argv.at[0], (char *const *)argv.at);
    _exit(127);
}

void registers_begin(struct registers *r, const struct job *job,
                     const char *input)
{
    const char *nvcc = find_nvcc(job);

    r->child = 0;
    r->messages = nvcc ? memfd_create("ptxas", MFD_CLOEXEC) : -1;
    if (r->messages < 0)
        return;
    fflush(NULL);
    r->child = fork();
    if (r->child == 0)
        become(nvcc, job, input, r->messages);
}

/* "... Compiling entry function '_Z4tinyPf' for 'sm_90'", and some lines on
 * "... Used 8 registers, ...". */
static void keep_numbers(FILE *messages, struct buffer *out)
{
    char line[4096], name[2048] = "";
    int registers;

    while (fgets(line, sizeof line, messages)) {
        const char *entry = strstr(line, "entry function '");
        const char *used = strstr(line, "Used ");

        if (entry)
            sscanf(entry, "entry function '%2047[^']", name);
        if (!used || !*name || sscanf(used, "Used %d reg", &registers) != 1)
            continue;
        snprintf(line, sizeof line, "%s %d\n", name, registers);
        buffer_add(out, line, strlen(line));
        *name = 0;
    }
}

static void put_section(const char *object, const struct buffer *text)
{
    char *section = NULL;
    struct list argv = {0};

    if (asprintf(&section, "softgpu_registers=%s", write_temporary(text)) < 0)
        return;
    list_add(&argv, "objcopy");
    list_add(&argv, "--add-section");
    list_add(&argv, section);
    list_add(&argv, "--set-section-flags");
    list_add(&argv, "softgpu_registers=alloc,readonly,data,contents");
    list_add(&argv, object);
    run_program(&argv, NULL, true);
    free(argv.at);
    free(section);
}

void registers_end(struct registers *r, const char *object, bool compiled)
{
    struct buffer text = {0};
    FILE *messages;
    int status = 1;

    if (r->child > 0 && !compiled)
        kill(r->child, SIGTERM);
    if (r->child > 0)
        waitpid(r->child, &status, 0);
    messages = r->messages >= 0 ? fdopen(r->messages, "r") : NULL;
    if (messages && compiled && status == 0) {
        rewind(messages);
        keep_numbers(messages, &text);
    }
    if (text.length)
        put_section(object, &text);
    free(text.bytes);
    if (messages)
        fclose(messages);
}
