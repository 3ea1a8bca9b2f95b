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
    else if (r.err.length && !pass->device)
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

/* Rewrite the preprocessed host pass.  Where the program asks for
 * __CUDA_ARCH__, device code comes from a second pass that defines it. */
static int rewrite_host_text(const struct pass *pass, const struct buffer *host,
                             struct buffer *out)
{
    const struct job *job = pass->job;
    struct dialect dialect = { job->toolchain.clang, job->options->rdc };
    struct unit unit = { .dialect = dialect }, second = { .dialect = dialect };
    unit.graded = job->options->graded;
    unit.lockstep = second.lockstep = job->options->lockstep;
    unit.notes_lockstep = !unit.graded && !unit.lockstep
                          && !is_instrumented(job->options);
    unit.given = given_headers(job);
    struct buffer device = { 0 };
    int code = EXIT_OK;
    if (unit.graded)
        check_graded_source(&unit, pass->input, host->bytes, host->length);
    analyze_unit(&unit, host->bytes, host->length);
    if (uses_cuda_arch(&unit)) {
        struct pass device_pass = *pass;
        device_pass.device = true;
        code = preprocess(&device_pass, &device);
        analyze_unit(&second, device.bytes, device.length);
        merge_device_code(&unit, &second);
    }
    if (code == EXIT_OK)
        code = rewrite_to_text(job, &unit, out);
    free_unit(&unit);
    free_unit(&second);
    free(device.bytes);
    return code;
}

int translate(const struct job *job, struct pch *pch, const char *input,
              const char *object, struct buffer *out)
{
    const struct pass pass = { job, pch, input, object, false };
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
