/* SPDX-License-Identifier: MIT */
/* From a .cu file to C++: the preprocessor's command line and the rewriter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "prelude.h"

void add_headers(struct list *argv, const struct job *job)
{
    list_add(argv, "-isystem");
    list_add(argv, job->places.include);
}

void add_color(struct list *argv)
{
    if (isatty(STDERR_FILENO))
        list_add(argv, "-fdiagnostics-color=always");
}

void add_code_options(struct list *argv, const struct job *job,
                             bool cuda)
{
    const struct options *o = job->options;
    if (cuda) { /* device code has neither errno, traps nor aliasing rules */
        static const char *const fixed[] = {
            "-march=native", "-fno-math-errno", "-fno-trapping-math",
            "-fno-strict-aliasing", "-fno-semantic-interposition" };
        for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
            list_add(argv, fixed[i]);
        if (job->places.clang) {
            list_add(argv, "-ffp-contract=fast");
            list_add(argv, "-Wno-pass-failed");
        }
    }
    bool watched = cuda && is_watched(o); /* has its own -O and -g */
    if (!watched)
        list_add(argv, o->optimise ? o->optimise : cuda ? "-O3" : "-O2");
    if (!o->debug && !watched)
        list_add(argv, "-g1");
    if (o->shared)
        list_add(argv, "-fPIC");
    list_join(argv, &o->compile);
    if (cuda)
        add_watch_options(argv, job);
}

static bool asks_for_dependencies(const struct options *o)
{
    for (int i = 0; i < o->preprocess.count; i++)
        if (strncmp(o->preprocess.at[i], "-M", 2) == 0)
            return true;
    return false;
}

static bool is_macro(const char *option)
{
    return strncmp(option, "-D", 2) == 0 || strncmp(option, "-U", 2) == 0;
}

/* -DN=16 must not reach headers that use N themselves.  Names that start with
 * '_', or with CUDA_ like the runtime's own switches, are meant for headers. */
static bool is_late_macro(const char *option)
{
    return is_macro(option) && option[2] != '_'
           && strncmp(option + 2, "CUDA_", 5) != 0;
}

/* The text of late macros as directives. */
static void add_directive(struct buffer *b, const char *option)
{
    const char *equals = strchr(option, '=');
    int name = (int)(equals ? equals - option - 2 : (long)strlen(option) - 2);
    if (option[1] == 'U')
        buffer_print(b, "#undef %s\n", option + 2);
    else
        buffer_print(b, "#define %.*s %s\n", name, option + 2,
                     equals ? equals + 1 : "1");
}

/* The user's preprocessor options; late macros through a file that is included
 * behind cuda_runtime.h (it would show up among the dependencies). */
static void add_user_options(struct list *argv, const struct options *o)
{
    struct buffer late = { 0 };
    bool split = !asks_for_dependencies(o);
    for (int i = 0; i < o->preprocess.count; i++) {
        const char *option = o->preprocess.at[i];
        if (split && is_late_macro(option))
            add_directive(&late, option);
    }
    if (late.length) {
        list_add(argv, "-include");
        list_add(argv, write_temporary(&late));
    }
    for (int i = 0; i < o->preprocess.count; i++)
        if (!split || !is_late_macro(o->preprocess.at[i]))
            add_include(argv, o->preprocess.at[i]);
    free(late.bytes);
}

/* The compiler, and what makes a .cu file of its input. */
static void add_beginning(struct list *argv, const struct job *job)
{
    static const char *const defines[] = {
        "-D__SOFTCC__=1", "-D__CUDACC__=1", "-D__NVCC__=1",
        "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=8",
        "-D__CUDACC_VER_BUILD__=0" };
    list_add(argv, job->places.compiler);
    list_add(argv, job->options->standard);
    for (size_t i = 0; i < sizeof defines / sizeof *defines; i++)
        list_add(argv, defines[i]);
}

void add_header_command(struct list *argv, const struct job *job)
{
    const struct list *user = &job->options->preprocess;
    add_beginning(argv, job);
    add_code_options(argv, job, true);
    for (int i = 0; i < user->count; i++)
        if (is_macro(user->at[i]) && !is_late_macro(user->at[i]))
            list_add(argv, user->at[i]);
}

static struct list preprocess_command(const struct job *job, const char *input,
                                      const char *object, bool device)
{
    struct list argv = { 0 };
    add_beginning(&argv, job);
    list_add(&argv, "-E");
    prelude_include(&argv, job->prelude, job);
    list_add(&argv, "-x");
    list_add(&argv, "c++");
    if (device)
        list_add(&argv, "-D__CUDA_ARCH__=900");
    add_code_options(&argv, job, true); /* they decide about built-in macros */
    add_color(&argv);
    add_user_options(&argv, job->options);
    if (asks_for_dependencies(job->options)) {
        list_add(&argv, "-MQ");
        list_add(&argv, object);
    }
    add_headers(&argv, job);
    list_add(&argv, input);
    return argv;
}

static struct result run_preprocessor(const struct job *job, const char *input,
                                      const char *object, bool device)
{
    struct list argv = preprocess_command(job, input, object, device);
    struct result r = run_program(&argv, NULL, true);
    free(argv.at);
    return r;
}

/* Preprocess; messages go to stderr. @return an exit code */
static int preprocess(const struct job *job, const char *input,
                      const char *object, bool device, struct buffer *out)
{
    struct result pre = run_preprocessor(job, input, object, device);
    if (prelude_failed(job->prelude, &pre)) {
        free(pre.out.bytes);
        free(pre.err.bytes);
        pre = run_preprocessor(job, input, object, device);
    }
    int code = pre.status ? EXIT_COMPILE : EXIT_OK;
    if (pre.status && explain_missing(&pre.err))
        code = EXIT_REFUSED;
    else if (pre.err.length && !device) /* the same again otherwise */
        fwrite(pre.err.bytes, 1, pre.err.length, stderr);
    free(pre.err.bytes);
    *out = pre.out;
    return code;
}

/* Print the unit, its device code as read with __CUDA_ARCH__ defined. */
static int rewrite_unit(const struct job *job, struct unit *unit,
                        struct buffer *out)
{
    if (rewrite(unit)) {
        fwrite(unit->messages.bytes, 1, unit->messages.length, stderr);
        return EXIT_REFUSED;
    }
    if (job->options->mode == SHOW)
        show_unit(unit, out);
    else
        emit_unit(unit, out);
    return EXIT_OK;
}

int translate(const struct job *job, const char *input,
                     const char *object, struct buffer *out)
{
    struct buffer host = { 0 }, device = { 0 };
    int code = preprocess(job, input, object, false, &host);
    if (code || job->options->mode == PREPROCESS) {
        *out = host;
        return code;
    }
    prelude_cut(job->prelude, job, &host);
    if (refuse_toolkit(&host, job->places.include)) {
        free(host.bytes);
        return EXIT_REFUSED;
    }
    struct dialect dialect = { job->places.clang, job->options->rdc };
    struct unit unit = { .dialect = dialect }, second = { .dialect = dialect };
    analyse(&unit, host.bytes, host.length);
    if (asks_for_architecture(&unit)) {
        code = preprocess(job, input, object, true, &device);
        analyse(&second, device.bytes, device.length);
        take_device_code(&unit, &second);
    }
    if (code == EXIT_OK)
        code = rewrite_unit(job, &unit, out);
    free_unit(&unit);
    free_unit(&second);
    free(host.bytes);
    free(device.bytes);
    return code;
}
