/* SPDX-License-Identifier: MIT */
/* What happens to each input: preprocess, rewrite, compile, link. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "prelude.h"
#include "registers.h"

/* --- where things are -------------------------------------------------------------- */

/* Take the last name off a path. */
static void go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = 0;
}

void find_places(struct places *p)
{
    char folder[3072]; /* the executable's, then those above it */
    const char *home = getenv("SOFTGPU_HOME");
    ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[n > 0 ? n : 0] = 0;
    go_up(folder);
    snprintf(p->library, sizeof p->library, "%s/lib", folder);
    do {
        go_up(folder);
        snprintf(p->include, sizeof p->include, "%s/common/softgpu/include",
                 home && *home ? home : folder);
    } while (*folder && access(p->include, F_OK) != 0);
    const char *compiler = getenv("SOFTCC_CXX");
    p->compiler = compiler && *compiler ? compiler : "g++";
    p->clang = strstr(p->compiler, "clang") != NULL;
}

/* --- inputs ------------------------------------------------------------------------ */

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
    return strncmp(path, "-l", 2) == 0 || strstr(path, ".so.") != NULL;
}

/* "cu", "c++" or "c". */
static const char *language(const struct options *o, const char *path)
{
    if (o->language)
        return o->language;
    const char *e = extension(path);
    if (strcmp(e, ".c") == 0)
        return "c";
    return strcmp(e, ".cu") == 0 ? "cu" : "c++";
}

static bool readable(const char *path)
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

/* "dir/prog.cu" with another ending: "prog.o", in the current directory. */
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

/* --- one input --------------------------------------------------------------------- */

static int print_text(const struct job *job, const struct buffer *text)
{
    const char *target = job->options->output;
    const char *path = target ? start_output(target) : NULL;
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
        good = finish_output(path, target, good);
    return good ? EXIT_OK : EXIT_FILES;
}

/* The headers that were kept did not do: once more, without them. */
enum { AGAIN = -1 };

static void free_run(struct list *argv, struct result *r)
{
    free(r->out.bytes);
    free(r->err.bytes);
    free(argv->at);
}

/* Run the compiler or linker, which writes `target`.  A disk that is full is
 * one line, not what each of its parts says of that. */
static int run_compiler(struct list *argv, const struct buffer *text,
                        const char *target, struct prelude *prelude)
{
    struct result r = run_program(argv, text, true);
    if (prelude_failed(prelude, &r)) {
        free_run(argv, &r);
        return AGAIN;
    }
    bool full = r.status && r.err.bytes
                && strstr(r.err.bytes, strerror(ENOSPC)) != NULL;
    if (full)
        fprintf(stderr, "softcc: cannot write %s, or what it is made from in "
                        "%s: %s\n",
                target, temporary_directory(), strerror(ENOSPC));
    else if (r.err.length)
        fwrite(r.err.bytes, 1, r.err.length, stderr);
    if (r.out.length)
        fwrite(r.out.bytes, 1, r.out.length, stdout);
    free_run(argv, &r);
    return full ? EXIT_FILES : r.status ? EXIT_COMPILE : EXIT_OK;
}

/* Compile text (or, without, the file) to an object. */
static int compile_object(const struct job *job, const char *input,
                          const struct buffer *text, const char *object,
                          const char *named)
{
    const char *lang = language(job->options, input);
    bool c = strcmp(lang, "c") == 0;
    struct list argv = { 0 };
    list_add(&argv, job->places.compiler);
    if (!c)
        list_add(&argv, job->options->standard);
    add_code_options(&argv, job, text != NULL);
    add_color(&argv);
    if (text)
        prelude_bring(&argv, job->prelude, job);
    list_add(&argv, "-x");
    list_add(&argv, text ? "c++-cpp-output" : c ? "c" : "c++");
    if (text == NULL) {
        for (int i = 0; i < job->options->preprocess.count; i++)
            add_include(&argv, job->options->preprocess.at[i]);
        add_headers(&argv, job);
    }
    list_add(&argv, "-c");
    list_add(&argv, text ? "-" : input);
    list_add(&argv, "-o");
    list_add(&argv, object);
    return run_compiler(&argv, text, named, job->prelude);
}

/* Translate and compile. @return an exit code, or AGAIN */
static int compile_once(const struct job *job, const char *input,
                        const char *object, const char *named)
{
    struct buffer text = { 0 };
    int code = translate(job, input, named, &text);
    if (code == EXIT_OK)
        code = compile_object(job, input, &text, object, named);
    free(text.bytes);
    return code;
}

static int compile_to(struct job *job, const char *input, const char *object,
                      const char *named)
{
    struct registers registers = { 0, -1 };
    struct prelude prelude = { 0 };
    job->prelude = &prelude;
    if (strcmp(language(job->options, input), "cu") != 0)
        return compile_object(job, input, NULL, object, named);
    registers_begin(&registers, job, input);
    prelude_find(&prelude, job);
    int code = compile_once(job, input, object, named);
    if (code == AGAIN)
        code = compile_once(job, input, object, named);
    registers_end(&registers, object, code == EXIT_OK);
    return code;
}

/* -c: one object for each source, each put in place when it is whole. */
static int compile_only(struct job *job, const char *input)
{
    const struct options *o = job->options;
    const char *target = o->output ? o->output : object_name(input);
    const char *object = start_output(target);
    if (object == NULL)
        return EXIT_FILES;
    int code = compile_to(job, input, object, target);
    bool placed = finish_output(object, target, code == EXIT_OK);
    return code ? code : placed ? EXIT_OK : EXIT_FILES;
}

static int show(struct job *job, const char *input)
{
    struct buffer text = { 0 };
    job->prelude = &(struct prelude){ 0 };
    int code = translate(job, input, object_name(input), &text);
    if (code == EXIT_OK)
        code = print_text(job, &text);
    free(text.bytes);
    return code;
}

/* An object that only this link needs. */
static int compile_part(struct job *job, const char *input)
{
    char *name = NULL;
    if (asprintf(&name, "%s/softcc", temporary_directory()) < 0)
        return EXIT_FILES;
    const char *object = start_output(name);
    free(name);
    if (object == NULL)
        return EXIT_FILES;
    list_add(&job->objects, object);
    return compile_to(job, input, object, object_name(input));
}

static int link_program(struct job *job)
{
    const struct options *o = job->options;
    const char *target = o->output ? o->output : "a.out";
    const char *program = start_output(target);
    if (program == NULL)
        return EXIT_FILES;
    struct list argv = { 0 };
    list_add(&argv, job->places.compiler);
    if (o->shared)
        list_add(&argv, "-shared");
    list_add(&argv, "-o");
    list_add(&argv, program);
    for (int i = 0; i < o->compile.count; i++) /* nvcc does so: -fopenmp */
        if (strcmp(o->compile.at[i], "-ffast-math") != 0)
            list_add(&argv, o->compile.at[i]);
    list_join(&argv, &o->link);
    list_join(&argv, &job->objects);
    list_add(&argv, "-L");
    list_add(&argv, job->places.library);
    add_watch_libraries(&argv, job);
    list_add(&argv, "-lsoftgpu");
    if (!add_stand_ins(&argv, job)) {
        finish_output(program, target, false);
        return EXIT_FILES;
    }
    add_watch_needs(&argv, job);
    list_add(&argv, "-lpthread");
    list_add(&argv, "-lm");
    int code = run_compiler(&argv, NULL, target, &(struct prelude){ 0 });
    bool placed = finish_output(program, target, code == EXIT_OK);
    return code ? code : placed ? EXIT_OK : EXIT_FILES;
}

static int one_input(struct job *job, const char *input)
{
    enum mode mode = job->options->mode;
    if (is_object(input)) {
        list_add(&job->objects, input);
        return input[0] == '-' || readable(input) ? EXIT_OK : EXIT_FILES;
    }
    if (!readable(input))
        return EXIT_FILES;
    if (mode == LINK)
        return compile_part(job, input);
    return mode == COMPILE ? compile_only(job, input) : show(job, input);
}

static bool has_headers(const struct places *p)
{
    struct stat s;
    if (stat(p->include, &s) == 0)
        return true;
    fprintf(stderr, "softcc: no headers in %s; set SOFTGPU_HOME\n", p->include);
    return false;
}

int drive(const struct options *o)
{
    struct job job = { .options = o };
    int sources = 0, code = EXIT_OK;
    find_places(&job.places);
    if (!has_headers(&job.places))
        return EXIT_FILES;
    for (int i = 0; i < o->inputs.count; i++)
        sources += !is_object(o->inputs.at[i]);
    if (o->output && o->mode != LINK && sources > 1) {
        fputs("softcc: -o names one file, but there are several inputs\n",
              stderr);
        return EXIT_USAGE;
    }
    for (int i = 0; i < o->inputs.count; i++) {
        int one = one_input(&job, o->inputs.at[i]);
        code = code ? code : one;
    }
    if (code == EXIT_OK && o->mode == LINK)
        code = link_program(&job);
    remove_temporaries();
    free(job.objects.at);
    return code;
}
