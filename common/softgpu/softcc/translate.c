/* SPDX-License-Identifier: MIT */
/* From a .cu file to C++: the preprocessor, then the rewriter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cccl.h"
#include "compiler/command.h"
#include "compiler/toolkit_headers.h"
#include "rewriter/rewriter.h"
#include "translate.h"

/* One run of the preprocessor. */
struct pass {
    const struct job *job;
    struct pch *pch;
    const char *input, *object;
    bool device; /* with __CUDA_ARCH__ defined */
    struct list headers; /* -include and a header, for each that the device
                            pass alone would read */
};

static struct list preprocess_command(const struct pass *pass)
{
    const struct job *job = pass->job;
    struct list argv = { 0 };
    add_base_command(&argv, job);
    list_append(&argv, "-E");
    pch_add_include(&argv, pass->pch, job);
    list_append(&argv, "-x");
    list_append(&argv, "c++");
    if (pass->device)
        list_append(&argv, "-D__CUDA_ARCH__=900");
    add_code_options(&argv, job, true); /* some define built-in macros */
    add_color_option(&argv);
    add_cuda_preprocess_options(&argv, job);
    add_dependency_options(&argv, job, pass->object);
    add_cuda_headers(&argv, job);
    for (int i = 0; i < pass->headers.count; i++)
        list_append(&argv, pass->headers.at[i]);
    list_append(&argv, pass->input);
    return argv;
}

static struct result run_preprocessor(const struct pass *pass)
{
    struct list argv = preprocess_command(pass);
    struct result r = run_program(&argv, NULL);
    free(argv.at);
    return r;
}

/* Preprocess; messages go to stderr, of the host pass only, since the device
 * pass repeats them. @return an exit code */
static int preprocess(const struct pass *pass, struct buffer *out)
{
    struct result r = run_preprocessor(pass);
    if (pch_set_aside(pass->pch, &r) || (r.status && find_cccl(&r.err))) {
        free_result(&r);
        r = run_preprocessor(pass);
    }
    int code = tool_failed(&r) ? EXIT_TOOLS
               : r.status ? EXIT_COMPILE : EXIT_OK;
    if (code == EXIT_COMPILE && explain_missing_header(&r.err))
        code = EXIT_UNSUPPORTED;
    else if (r.err.length && !pass->device && !pass->job->calls_copies)
        fwrite(r.err.bytes, 1, r.err.length, stderr);
    free(r.err.bytes);
    if (code == EXIT_OK)
        pch_strip_dependency(pass->pch, pass->job, pass->object);
    *out = r.out;
    return code;
}

/* Rewrite the unit and print it. @return an exit code */
static int rewrite_to_text(const struct job *job, struct unit *unit,
                           struct buffer *out)
{
    if (rewrite_unit(unit)) {
        fwrite(unit->messages.bytes, 1, unit->messages.length, stderr);
        return EXIT_UNSUPPORTED;
    }
    if (job->options->mode == SHOW)
        show_unit(unit, out);
    else
        emit_unit(unit, out);
    return EXIT_OK;
}

/* The folder of the headers that the labs give: common/include, where CUDA's
 * are in common/softgpu/include. */
static const char *given_headers(const struct job *job)
{
    static const char tail[] = "softgpu/include";
    char *folder = concatenate(job->toolchain.include, "", "");
    const size_t length = strlen(folder), n = sizeof tail - 1;
    if (length < n || strcmp(folder + length - n, tail))
        return NULL;
    folder[length - n] = 0;
    return concatenate(folder, "include/", "");
}

static struct unit new_unit(const struct job *job)
{
    const bool graded = job->options->graded;
    const bool lockstep = job->options->lockstep;
    return (struct unit){
        .dialect = { job->toolchain.clang, job->options->rdc },
        .graded = graded,
        .sees_results = is_instrumented(job->options)
                        && !job->toolchain.clang,
        .calls_copies = job->calls_copies,
        .notes_polls = job->options->check,
        .lockstep = lockstep,
        .notes_lockstep = !graded && !lockstep
                          && !is_instrumented(job->options),
    };
}

static int rewrite_host_text(const struct pass *pass, const struct buffer *host,
                             struct buffer *out);

/* Preprocess the host's pass again, with the headers of CUDA that so far the
 * device's pass alone has read. @return an exit code */
static int rewrite_with_headers(const struct pass *pass, struct buffer *out)
{
    struct buffer host = { 0 };
    int code = preprocess(pass, &host);
    if (code == EXIT_OK) {
        pch_strip_headers(pass->pch, pass->job, &host);
        code = rewrite_host_text(pass, &host, out);
    }
    free(host.bytes);
    return code;
}

/* Device code comes from a second pass that defines __CUDA_ARCH__.
 * @param device  gets its text, which must outlive the unit
 * @return an exit code */
static int rewrite_both_passes(const struct pass *pass,
                               const struct buffer *host, struct unit *unit,
                               struct buffer *device, struct buffer *out)
{
    const struct job *job = pass->job;
    struct unit second = { .dialect = unit->dialect,
                           .lockstep = unit->lockstep };
    struct pass next = *pass;
    next.device = true;
    int code = preprocess(&next, device);
    if (code)
        return code;
    pch_strip_headers(next.pch, job, device);
    next.device = false;
    if (!pass->headers.count
        && add_unread_headers(&next.headers, host, device,
                              job->toolchain.include)) {
        code = rewrite_with_headers(&next, out);
        free(next.headers.at);
        return code;
    }
    analyze_unit(&second, device->bytes, device->length);
    merge_device_code(unit, &second);
    code = rewrite_to_text(job, unit, out);
    free_unit(&second);
    return code;
}

/* Rewrite the preprocessed host pass. */
static int rewrite_host_text(const struct pass *pass, const struct buffer *host,
                             struct buffer *out)
{
    struct unit unit = new_unit(pass->job);
    struct buffer device = { 0 };
    unit.given = given_headers(pass->job);
    if (unit.graded)
        check_graded_source(&unit, pass->input, host->bytes, host->length);
    analyze_unit(&unit, host->bytes, host->length);
    int code = uses_cuda_arch(&unit)
                   ? rewrite_both_passes(pass, host, &unit, &device, out)
                   : rewrite_to_text(pass->job, &unit, out);
    free_unit(&unit);
    free(device.bytes);
    return code;
}

int translate(const struct job *job, struct pch *pch, const char *input,
              const char *object, struct buffer *out)
{
    const struct pass pass = { job, pch, input, object, false, { 0 } };
    struct buffer host = { 0 };
    int code = preprocess(&pass, &host);
    if (code || job->options->mode == PREPROCESS) {
        *out = host;
        return code;
    }
    pch_strip_headers(pch, job, &host);
    if (reject_toolkit_headers(&host, job->toolchain.include))
        code = EXIT_UNSUPPORTED;
    else
        code = rewrite_host_text(&pass, &host, out);
    free(host.bytes);
    return code;
}
