/* SPDX-License-Identifier: MIT */
/* Compiling one input. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/temp_dir.h"
#include "compile.h"
#include "compiler/cccl.h"
#include "compiler/command.h"
#include "compiler/excerpt.h"
#include "compiler/join_parts.h"
#include "compiler/ptxas_registers.h"
#include "compiler/refusal.h"
#include "compiler/reword.h"
#include "compiler/split_object.h"
#include "compiler/toolkit_headers.h"
#include "compiler/unseen_accesses.h"
#include "translate.h"

enum { MAX_DUMP_BYTES = 256 << 20, MAX_OBJECT_BYTES = 1 << 30 };

/* What tells the lookup of source lines (core/source_line.c) that copies of
 * structs are inlined calls. */
#define CALLS_COPIES                                                          \
    "extern \"C\" { extern __attribute__((weak)) const char "                 \
    "softgpu_calls_copies = 1; }"

const char *input_language(const struct options *o, const char *input)
{
    const char *slash = strrchr(input, '/');
    const char *dot = strrchr(slash ? slash : input, '.');
    if (o->language)
        return o->language;
    if (dot && strcmp(dot, ".c") == 0)
        return "c";
    return dot && strcmp(dot, ".cu") == 0 ? "cu" : "c++";
}

/* Print the compiler's messages, or what they mean. @return an exit code */
static int finish_compiler(const struct job *job, struct result *r,
                           const char *target)
{
    if (job->calls_copies) { /* told by the first run */
        free_result(r);
        return r->status ? EXIT_COMPILE : EXIT_OK;
    }
    reword_initializers(&r->err);
    /* in C an undeclared function is a warning */
    if ((r->err.length
         && refuse_missing_names(&r->err, job->toolchain.include))
        || (r->status && explain_missing_header(&r->err))) {
        free_result(r);
        return EXIT_UNSUPPORTED;
    }
    bool full = r->status && r->err.bytes
                && strstr(r->err.bytes, strerror(ENOSPC)) != NULL;
    if (full)
        fprintf(stderr, "softcc: cannot write %s, or temporary files in %s: "
                        "%s\n",
                target, temp_process_dir(), strerror(ENOSPC));
    else if (r->err.length && job->toolchain.clang)
        write_messages(stderr, &r->err);
    else if (r->err.length)
        fwrite(r->err.bytes, 1, r->err.length, stderr);
    if (r->out.length)
        fwrite(r->out.bytes, 1, r->out.length, stdout);
    free_result(r);
    return full ? EXIT_FILES : tool_failed(r) ? EXIT_TOOLS
           : r->status ? EXIT_COMPILE : EXIT_OK;
}

int run_compiler(const struct job *job, struct list *argv,
                 const struct buffer *text, const char *target, struct pch *pch)
{
    struct result r = run_program(argv, text);
    free(argv->at);
    if (pch && pch_set_aside(pch, &r)) {
        free_result(&r);
        return RETRY_WITHOUT_PCH;
    }
    return finish_compiler(job, &r, target);
}

static void add_object(struct list *argv, const char *input, const char *object)
{
    list_append(argv, "-c");
    list_append(argv, input);
    list_append(argv, "-o");
    list_append(argv, object);
}

/* The command for a C or C++ file, without its output. */
static struct list host_command(const struct job *job, const char *input)
{
    const bool c = strcmp(input_language(job->options, input), "c") == 0;
    struct list argv = { 0 };
    list_append(&argv, job->toolchain.compiler);
    if (!c)
        list_append(&argv, job->options->standard);
    add_code_options(&argv, job, false);
    add_color_option(&argv);
    list_append(&argv, "-x");
    list_append(&argv, c ? "c" : "c++");
    add_preprocess_options(&argv, job);
    add_cuda_headers(&argv, job);
    return argv;
}

/* Does a C or C++ file include headers of a Toolkit? */
static bool host_file_is_rejected(const struct job *job, const char *input)
{
    struct list argv = host_command(job, input);
    list_append(&argv, "-E");
    list_append(&argv, input);
    struct result r = run_program(&argv, NULL);
    free(argv.at);
    const bool rejected = r.status == 0
        && reject_toolkit_headers(&r.out, job->toolchain.include);
    free_result(&r);
    return rejected;
}

/* Compile a C or C++ file.  The preprocessor runs once more only if the file
 * names headers of a Toolkit; or if the compiler fails, since the file's own
 * headers can include them. */
static int compile_host_file(const struct job *job, const char *input,
                             const char *object, const char *display_name)
{
    const bool mentions = mentions_toolkit_header(input);
    if (mentions && host_file_is_rejected(job, input))
        return EXIT_UNSUPPORTED;
    struct list argv = host_command(job, input);
    add_dependency_options(&argv, job, display_name);
    add_object(&argv, input, object);
    struct result r = run_program(&argv, NULL);
    free(argv.at);
    if (r.status && !mentions && host_file_is_rejected(job, input)) {
        free_result(&r);
        return EXIT_UNSUPPORTED;
    }
    return finish_compiler(job, &r, display_name);
}

/* Compile rewritten source. */
static int compile_text(const struct job *job, struct pch *pch,
                        const struct buffer *text, const char *object,
                        const char *dump, const char *display_name)
{
    struct list argv = { 0 };
    list_append(&argv, job->toolchain.compiler);
    list_append(&argv, job->options->standard);
    add_code_options(&argv, job, true);
    add_graded_options(&argv, job);
    add_engine_option(&argv, job);
    add_color_option(&argv);
    if (!job->toolchain.clang && uses_cub(text)) { /* members named as types */
        list_append(&argv, "-fpermissive");
        list_append(&argv, "-Wno-attributes");
    }
    pch_add_compile_options(&argv, pch, job);
    if (*dump)
        list_append(&argv, concatenate(UNSEEN_ACCESSES_OPTION, dump, ""));
    list_append(&argv, "-x");
    list_append(&argv, "c++-cpp-output");
    ask_for_parts(&argv, job, object);
    add_object(&argv, "-", object);
    int code = run_compiler(job, &argv, text, display_name, pch);
    int joined = join_parts(object, code == EXIT_OK);
    return code ? code : joined;
}

/* --graded: host code and device code go to sections of their own. */
static int split_graded(const struct job *job, const char *object,
                        const char *dump, const char *display_name)
{
    struct buffer messages = { 0 };
    if (!job->options->graded)
        return EXIT_OK;
    int code = split_object(object, display_name, dump, &messages);
    if (messages.length)
        fwrite(messages.bytes, 1, messages.length, stderr);
    free(messages.bytes);
    return code;
}

/* Translate and compile a .cu file.
 * @param[out] dump  gcc's dump of the functions that it has instrumented, to be
 *                   freed; NULL if nothing is
 * @return an exit code, or RETRY_WITHOUT_PCH */
static int compile_cuda_once(const struct job *job, struct pch *pch,
                             const char *input, const char *object,
                             const char *display_name, char **dump)
{
    const bool dumps = is_instrumented(job->options) && !job->toolchain.clang;
    struct buffer text = { 0 };
    char name[PATH_MAX] = "";
    size_t length;
    if (dumps && !temp_file_path(name, "instrumented"))
        return EXIT_FILES;
    int code = translate(job, pch, input, display_name, &text);
    if (job->calls_copies)
        buffer_printf(&text, "\n%s\n", CALLS_COPIES);
    if (code == EXIT_OK)
        code = compile_text(job, pch, &text, object, name, display_name);
    if (code == EXIT_OK && dumps) {
        *dump = read_file(name, MAX_DUMP_BYTES, &length);
        if (!*dump) {
            fprintf(stderr, "softcc: cannot read %s: %s\n", name,
                    strerror(errno));
            code = EXIT_FILES;
        }
    }
    if (dumps)
        unlink(name);
    free(text.bytes);
    return code;
}

static int compile_cuda(const struct job *job, const char *input,
                        const char *object, const char *display_name,
                        char **dump)
{
    struct pch pch = { 0 };
    pch_find_or_build(&pch, job);
    int code = compile_cuda_once(job, &pch, input, object, display_name, dump);
    if (code == RETRY_WITHOUT_PCH)
        code = compile_cuda_once(job, &pch, input, object, display_name, dump);
    if (code == EXIT_OK)
        pch_remove_broken(&pch);
    return code;
}

/* Replace a file's content by another one's. */
static bool replace_file(const char *to, const char *from)
{
    size_t length;
    char *bytes = read_file(from, MAX_OBJECT_BYTES, &length);
    const bool ok = bytes && write_file(to, bytes, length);
    free(bytes);
    return ok;
}

/* Compile once more, with copies of structs as calls, which gcc instruments.
 * Where a program would not be the same with those, the first object stays.
 * @param dump  of that; becomes this one's */
static void call_copies(const struct job *job, const char *input,
                        const char *object, const char *display_name,
                        char **dump)
{
    struct job again = *job;
    char path[PATH_MAX], *next = NULL;
    again.calls_copies = true;
    if (!temp_file_path(path, "copies"))
        return;
    if (compile_cuda(&again, input, path, display_name, &next) == EXIT_OK
        && replace_file(object, path)) {
        free(*dump);
        *dump = next;
    } else {
        free(next);
    }
    unlink(path);
}

int compile_input(const struct job *job, const char *input, const char *object,
                  const char *display_name)
{
    struct registers registers;
    char *dump = NULL;
    if (strcmp(input_language(job->options, input), "cu") != 0)
        return compile_host_file(job, input, object, display_name);
    registers_start(&registers, job, input);
    int code = compile_cuda(job, input, object, display_name, &dump);
    if (code == EXIT_OK && dump && has_unseen_accesses(dump))
        call_copies(job, input, object, display_name, &dump);
    if (code == EXIT_OK)
        code = split_graded(job, object, dump, display_name);
    free(dump);
    registers_finish(&registers, object, code == EXIT_OK);
    return code;
}
