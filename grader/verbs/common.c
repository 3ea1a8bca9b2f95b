/* SPDX-License-Identifier: MIT */
/* Functions that several verbs share. */
#include "common.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/paths.h"
#include "common/base/text.h"
#include "grader/lab/hidden.h"
#include "grader/workbench/progress.h"
#include "watch_bench.h"

int report_error(int code, const char *format, ...)
{
    va_list arguments;
    char line[1024] = "warpbook: ";
    const size_t head = strlen(line);
    int length;

    fflush(stdout);
    va_start(arguments, format);
    length = vsnprintf(line + head, sizeof line - head, format, arguments);
    va_end(arguments);
    if (isatty(STDERR_FILENO) && length >= 0
        && (size_t)length < sizeof line - head && !strchr(line, '\n')) {
        text_wrap(stderr, 0, line);
        return code;
    }
    va_start(arguments, format);
    fputs("warpbook: ", stderr);
    vfprintf(stderr, format, arguments); /* whole, however long */
    va_end(arguments);
    fputc('\n', stderr);
    return code;
}

char *command_or_key(char text[COMMAND_SIZE], const char *command, char key,
                     int lab)
{
    return getenv(WATCH_TEXT)
               ? text_format(text, COMMAND_SIZE, "key %c", key)
               : text_format(text, COMMAND_SIZE, "%s%02d", command, lab);
}

bool load_lab(const char *name, const struct options *options,
              struct lab *lab)
{
    char error[LAB_ERROR_SIZE];
    struct failure failure;
    struct progress progress;

    if (!name) {
        progress_read(&progress);
        name = next_lab_stem(&progress);
    }
    if (!lab_open(name, lab, error)) {
        report_error(0, "%s", error);
        return false;
    }
    if (!hidden_add(options->hidden, lab, &failure)) {
        report_error(0, "%s", failure.text);
        return false;
    }
    if (options->seconds > 0)
        lab->seconds = options->seconds;
    if (options->memory > 0)
        lab->memory = lab->memory_gpu = options->memory;
    return true;
}

bool open_json(const struct options *options, struct output_file *file)
{
    *file = OUTPUT_FILE_NONE;
    if (!options->json || !strcmp(options->json, "-")
        || output_file_open(options->json, file))
        return true;
    report_error(0, "cannot write %s: %s", options->json, strerror(errno));
    return false;
}

/* Links to folders count. */
static bool is_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool output_is_folder(const char *path)
{
    return access(path, F_OK) || is_folder(path)
           || report_error(false, "%s: a file, not a folder to write into",
                           path);
}

bool path_is_within(const char *path, const char *folder)
{
    char inner[PATH_MAX], outer[PATH_MAX], parent[PATH_MAX];
    size_t length;
    char *slash;

    if (!realpath(folder, outer))
        return false;
    if (!realpath(path, inner)) { /* it is not made yet */
        text_format(parent, sizeof parent, "%s", path);
        slash = strrchr(parent, '/');
        if (slash)
            *slash = 0;
        if (!realpath(!slash ? "." : slash == parent ? "/" : parent, inner))
            return false;
    } else if (!strcmp(inner, outer)) {
        return false;
    }
    length = strlen(outer);
    return !strncmp(inner, outer, length)
           && (!inner[length] || inner[length] == '/');
}

bool source_path(const struct options *options, const struct lab *lab,
                 char *path)
{
    const char *from = options->from;
    char inner[PATH_MAX], found[PATH_MAX];
    size_t length = strlen(from);

    if (!strcmp(from, "labs"))
        labs_path(path, "labs/%s/%s.cu", lab->stem, lab->name);
    else if (!strcmp(from, "solutions"))
        root_path(path, "solutions/%s/%s", lab->stem, lab->reference);
    else if (length > 3 && !strcmp(from + length - 3, ".cu"))
        text_format(path, PATH_MAX, "%s", from);
    else if (!is_folder(from)) {
        report_error(0, access(from, F_OK) == 0
                     ? "--from %s: not a .cu file; an archive has "
                     "to be unpacked first"
                     : "--from %s: neither labs nor solutions, nor a "
                     "folder, nor a .cu file", from);
        return false;
    } else {
        text_format(inner, sizeof inner, "%s/%s", from, lab->stem);
        text_format(path, PATH_MAX, "%s/%s.cu", is_folder(inner) ? inner : from,
                    lab->name);
    }
    if (realpath(path, found)) /* compilers run in another folder */
        text_format(path, PATH_MAX, "%s", found);
    return true;
}

bool card_context_open(const struct options *options,
                       const struct target *target, bool must_exist,
                       struct card_context *context)
{
    char path[PATH_MAX], error[LAB_ERROR_SIZE];
    struct card_facts facts;

    *context = (struct card_context){0};
    if (target->kind != DEVICE_GPU)
        return true;
    context->card = card_open(NULL, getenv("CUDA_VISIBLE_DEVICES"));
    card_describe(context->card, &facts);
    text_format(facts.name, sizeof facts.name, "%.90s", target->model);
    calibration_default_path(path);
    if (options->calibration)
        text_format(path, sizeof path, "%s", options->calibration);
    if (!calibration_read(path, &facts, &context->calibration, error))
        report_error(0, "%s", error);
    else if (options->calibration && must_exist && !context->calibration.root)
        report_error(0, "%s: no such calibration; warpbook calibrate writes "
                     "one", path);
    else
        return true;
    card_context_close(context);
    return false;
}

void card_context_close(struct card_context *context)
{
    card_close(context->card);
    calibration_free(&context->calibration);
}
