/* SPDX-License-Identifier: MIT */
/* Compilation of each input, and the link of all of them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/process.h"
#include "compile.h"
#include "compiler/output.h"
#include "compiler/refusal.h"
#include "compiler/toolkit_layout.h"
#include "driver.h"
#include "translate.h"

static const char *extension(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot : "";
}

static bool is_object(const char *path)
{
    static const char *const ends[] = { ".o", ".a", ".so", ".obj" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(extension(path), ends[i]) == 0)
            return true;
    return path[0] == '-' || strstr(path, ".so.") != NULL;
}

/* Can the input be read? @return false after a message */
static bool check_input(const char *path)
{
    struct stat s;
    const char *why = NULL;
    if (stat(path, &s) != 0 || access(path, R_OK) != 0)
        why = strerror(errno);
    else if (S_ISDIR(s.st_mode))
        why = "it is a directory";
    else if (S_ISREG(s.st_mode) && s.st_size == 0)
        why = "the file is empty";
    if (why)
        fprintf(stderr, "softcc: cannot compile %s: %s\n", path, why);
    return why == NULL;
}

/* "dir/prog.cu" gives "prog.o", in the current directory. */
static const char *object_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    int stem = (int)(strlen(name) - strlen(extension(name)));
    char *object = NULL;
    if (asprintf(&object, "%.*s.o", stem, name) < 0)
        exit(EXIT_FILES);
    return object;
}

/* -E, --show: to the file that -o names, or to stdout. */
static int write_text(const struct job *job, const struct buffer *text)
{
    const char *target = job->options->output;
    const char *path = target ? create_output(target) : NULL;
    if (target && path == NULL)
        return EXIT_FILES;
    FILE *f = path ? fopen(path, "wb") : stdout;
    bool good = f && fwrite(text->bytes, 1, text->length, f) == text->length;
    good = f && fflush(f) == 0 && good;
    if (!good)
        fprintf(stderr, "softcc: cannot write %s: %s\n",
                target ? target : "the output", strerror(errno));
    if (path && f)
        fclose(f);
    if (path)
        good = commit_output(path, target, good);
    return good ? EXIT_OK : EXIT_FILES;
}

/* --show: also say which engine runs each kernel, on stderr. */
static int show_engines(const struct job *job, const char *input)
{
    const char *object = create_temporary("engines.o");
    if (object == NULL)
        return EXIT_FILES;
    struct options compiling = *job->options;
    struct job compile = { .options = &compiling,
                           .toolchain = job->toolchain };
    compiling.mode = COMPILE;
    setenv("SOFTCC_SHOW_ENGINE", "1", 1);
    return compile_input(&compile, input, object, object_name(input));
}

static int print_translation(const struct job *job, const char *input)
{
    struct buffer text = { 0 };
    struct pch none = { 0 };
    int code = translate(job, &none, input, object_name(input), &text);
    if (code == EXIT_OK)
        code = write_text(job, &text);
    free(text.bytes);
    if (code == EXIT_OK && job->options->mode == SHOW
        && job->toolchain.vectors[0])
        code = show_engines(job, input);
    return code;
}

/* -c: one object for each source. */
static int compile_only(const struct job *job, const char *input)
{
    const char *output = job->options->output;
    const char *target = output ? output : object_name(input);
    const char *object = create_output(target);
    if (object == NULL)
        return EXIT_FILES;
    int code = compile_input(job, input, object, target);
    bool placed = commit_output(object, target, code == EXIT_OK);
    return code ? code : placed ? EXIT_OK : EXIT_FILES;
}

/* To an object that only this link needs. */
static int compile_for_link(const struct job *job, const char *input,
                            struct list *objects)
{
    const char *name = object_name(input);
    const char *object = create_temporary(name);
    if (object == NULL)
        return EXIT_FILES;
    list_append(objects, object);
    return compile_input(job, input, object, name);
}

static int process_input(const struct job *job, const char *input,
                         struct list *objects)
{
    enum mode mode = job->options->mode;
    if (is_object(input)) {
        if (refuse_library(input))
            return EXIT_UNSUPPORTED;
        list_append(objects, input);
        return input[0] == '-' || check_input(input) ? EXIT_OK : EXIT_FILES;
    }
    if (!check_input(input))
        return EXIT_FILES;
    if (mode == LINK || mode == ARCHIVE)
        return compile_for_link(job, input, objects);
    return mode == COMPILE ? compile_only(job, input)
                           : print_translation(job, input);
}

static bool check_output_count(const struct options *o)
{
    int sources = 0;
    for (int i = 0; i < o->inputs.count; i++)
        sources += !is_object(o->inputs.at[i]);
    if (!o->output || o->mode == LINK || o->mode == ARCHIVE || sources <= 1)
        return true;
    fputs("softcc: -o names one file, but there are several inputs\n", stderr);
    return false;
}

int drive(const struct options *o)
{
    struct job job = { .options = o };
    struct list objects = { 0 };
    int code = EXIT_OK;
    if (!find_toolchain(&job.toolchain))
        return EXIT_TOOLS;
    code = select_engine(&job);
    if (code != EXIT_OK)
        return code;
    if (!check_output_count(o))
        return EXIT_USAGE;
    if (o->verbose)
        print_toolkit(&job);
    if (o->mode == DEVICE_LINK)
        return link_device_code(&job);
    for (int i = 0; i < o->inputs.count; i++) {
        const char *input = o->inputs.at[i];
        int one = interrupted() ? EXIT_FILES
                                : process_input(&job, input, &objects);
        code = code ? code : one;
    }
    if (code == EXIT_OK && o->mode == LINK)
        code = interrupted() ? EXIT_FILES : link_program(&job, &objects);
    if (code == EXIT_OK && o->mode == ARCHIVE)
        code = interrupted() ? EXIT_FILES : archive_objects(&job, &objects);
    free(objects.at);
    if (code && interrupted()) {
        fputs("softcc: interrupted\n", stderr);
        code = 128 + interrupted();
    }
    return code;
}
