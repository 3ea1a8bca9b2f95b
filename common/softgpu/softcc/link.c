/* SPDX-License-Identifier: MIT */
/* Linking programs, and archives of objects. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/target.h"
#include "compile.h"
#include "compiler/command.h"
#include "compiler/output.h"
#include "compiler/run.h"

/* Does an object name a function, or one that begins so? */
static bool is_named(const char *name, const struct list *objects)
{
    bool found = false;
    for (int i = 0; i < objects->count && !found; i++) {
        size_t n = 0;
        char *bytes = read_file(objects->at[i], SIZE_MAX - 1, &n);
        found = bytes && memmem(bytes, n, name, strlen(name));
        free(bytes);
    }
    return found;
}

/* Let modules call the runtime and read the built-in variables, which only the
 * program has; only if it loads modules. */
static void add_exports(struct list *argv, const struct options *o,
                        const struct list *objects)
{
    static const char *const names[] = { "softgpu_*", "threadIdx", "blockIdx",
                                         "blockDim", "gridDim", "__tsan_*",
                                         "__sanitizer_cov_*",
                                         "__ubsan_handle_*" };
    if (o->graded || o->shared || !is_named("cuModuleLoad", objects))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        list_append(argv, concatenate("-Wl,--export-dynamic-symbol=",
                                      names[i], ""));
    if (is_instrumented(o)) { /* a module calls what the program may not */
        list_append(argv, "-Wl,-u,softgpu_copy_parameters");
        list_append(argv, "-Wl,-u,__tsan_init");
        list_append(argv, "-Wl,-u,__ubsan_handle_out_of_bounds");
    }
}

/* A program that compiles at run time knows where softcc is, and how it was
 * instrumented itself: source that is compiled with it, or an empty text. */
static struct buffer describe_softcc(const struct job *job,
                                     const struct list *objects)
{
    const struct options *o = job->options;
    struct buffer text = { 0 };
    char path[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n < 0 || o->graded || o->shared || strpbrk(path, "\"\\")
        || !is_named("nvrtcCompileProgram", objects))
        return text;
    path[n] = 0;
    buffer_printf(&text, "extern \"C\" { extern const char *const "
                         "softgpu_softcc[];\n"
                         "const char *const softgpu_softcc[] = { \"%s\"%s%s%s, "
                         "nullptr }; }\n",
                  path, o->check ? ", \"--check\"" : "",
                  o->profile ? ", \"--profile\"" : "",
                  o->lockstep ? ", \"--lockstep\"" : "");
    return text;
}

/* The command that links a program or a module. */
static struct list link_command(const struct job *job,
                                const struct list *objects, const char *program)
{
    const struct options *o = job->options;
    struct list argv = { 0 };
    list_append(&argv, job->toolchain.compiler);
    if (o->shared)
        list_append(&argv, "-shared");
    if (o->verbose) /* CMake links C++ with the libraries that it reads here */
        list_append(&argv, "-v");
    list_append(&argv, "-o");
    list_append(&argv, program);
    add_user_options(&argv, job, true); /* as nvcc does: -fopenmp */
    list_extend(&argv, &o->link);
    list_extend(&argv, objects);
    add_exports(&argv, o, objects);
    if (o->shared) /* the program has the runtime, once */
        return argv;
    add_instrument_libraries(&argv, job);
    list_append(&argv, runtime_library(job, "softgpu"));
    return argv;
}

/* "dir/prog.cu" gives "prog.cubin", in the current directory. */
static const char *module_name(const struct options *o)
{
    const char *path = o->inputs.at[0], *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    const size_t stem = dot ? (size_t)(dot - name) : strlen(name);
    char *module = concatenate(name, "", o->module);
    memmove(module + stem, o->module, strlen(o->module) + 1);
    return module;
}

/* Run a command that writes `temporary`, and put it in its place.
 *  @param text  its input, or NULL */
static int run_to_output(const struct job *job, struct list *argv,
                         const struct buffer *text, const char *temporary,
                         const char *target)
{
    int code = run_compiler(job, argv, text, target, NULL);
    bool placed = commit_output(temporary, target, code == EXIT_OK);
    return code ? code : placed ? EXIT_OK : EXIT_FILES;
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* binutils' gold takes half the time of the usual linker.  Not for a program
 * that names a linker, has a script for it, or exports symbols by a pattern. */
static bool may_use_gold(const struct options *o, const struct list *argv)
{
    char path[PATH_MAX];
    if (o->shared || o->verbose)
        return false;
    for (int i = 0; i < argv->count; i++)
        if (begins_with(argv->at[i], "-fuse-ld=")
            || begins_with(argv->at[i], "-T")
            || begins_with(argv->at[i], "-Wl,-T")
            || begins_with(argv->at[i], "-Wl,--export-dynamic-symbol"))
            return false;
    return find_program("ld.gold", path);
}

/* A link that gold warns of is left to the usual linker, whose messages
 * others know. */
static bool link_with_gold(struct list *argv)
{
    list_append(argv, "-fuse-ld=gold");
    struct result r = run_program(argv, NULL);
    const bool good = r.status == 0 && !r.out.length && !r.err.length;
    argv->at[--argv->count] = NULL;
    free_result(&r);
    return good;
}

int link_program(const struct job *job, const struct list *objects)
{
    const char *output = job->options->output;
    const char *target = output               ? output
                         : job->options->module ? module_name(job->options)
                                                : "a.out";
    const char *program = create_output(target);
    if (program == NULL)
        return EXIT_FILES;
    struct list argv = link_command(job, objects, program);
    if (!job->options->module) {
        if (!add_backend_libraries(&argv, job)) {
            commit_output(program, target, false);
            free(argv.at);
            return EXIT_TOOLS;
        }
        add_instrument_dependencies(&argv, job);
    }
    list_append(&argv, "-lpthread");
    list_append(&argv, "-lm");
    struct buffer text = describe_softcc(job, objects);
    if (text.length) {
        list_append(&argv, "-xc++");
        list_append(&argv, "-");
    } else if (may_use_gold(job->options, &argv) && link_with_gold(&argv)) {
        free(argv.at);
        return commit_output(program, target, true) ? EXIT_OK : EXIT_FILES;
    }
    return run_to_output(job, &argv, text.length ? &text : NULL, program,
                         target);
}

int link_device_code(const struct job *job)
{
    const char *output = job->options->output;
    const char *target = output ? output : "a_dlink.o";
    const char *object = create_output(target);
    struct list argv = { 0 };
    if (object == NULL)
        return EXIT_FILES;
    list_append(&argv, job->toolchain.compiler);
    list_append(&argv, "-x");
    list_append(&argv, "c++");
    list_append(&argv, "-c");
    list_append(&argv, "/dev/null");
    list_append(&argv, "-o");
    list_append(&argv, object);
    return run_to_output(job, &argv, NULL, object, target);
}

int archive_objects(const struct job *job, const struct list *objects)
{
    const char *output = job->options->output;
    const char *target = output ? output : "a.a";
    const char *archive = create_output(target);
    struct list argv = { 0 };
    if (archive == NULL)
        return EXIT_FILES;
    list_append(&argv, "ar");
    list_append(&argv, "qcs"); /* two objects can have one name */
    list_append(&argv, archive);
    for (int i = 0; i < objects->count; i++)
        if (objects->at[i][0] != '-')
            list_append(&argv, objects->at[i]);
    return run_to_output(job, &argv, NULL, archive, target);
}
