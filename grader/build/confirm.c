/* SPDX-License-Identifier: MIT */
/* Is a failed build the submission's fault?  A compiler that gets no process,
 * memory or room ends with the same status as one that finds an error.
 *
 * An error at a line of the submission, or a refusal of softcc's, needs no
 * confirmation.  After any other failure the compiler gets a file that is
 * right, the lab's handout, and then the submission once more: it is at fault
 * if it fails before and after the handout was built. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "build.h"
#include "common/base/files.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "common/softgpu/softcc/compiler/options.h"

static const char *skip_number(const char *at)
{
    while (isdigit((unsigned char)*at))
        at++;
    return at;
}

/* The place behind "FILE": ":12:7: error: " of gcc and clang, "(12): error" of
 * nvcc.  A "fatal error" is also one of a compiler without memory or room. */
static bool is_error_place(const char *at)
{
    const char open = *at, *end = skip_number(at + (open != 0));

    if ((open != ':' && open != '(') || end == at + 1)
        return false;
    if (open == '(')
        return !strncmp(end, "): error", 8);
    if (*end == ':' && isdigit((unsigned char)end[1]))
        end = skip_number(end + 1);
    return !strncmp(end, ": error: ", 9);
}

bool names_an_error(const char *source, const char *log)
{
    const char *name = base_name(source);
    const size_t length = strlen(name);

    for (const char *at = log; (at = strstr(at, name)); at += length)
        if ((at == log || at[-1] == '/' || at[-1] == '\n')
            && is_error_place(at + length))
            return true;
    return false;
}

static bool is_certain(const struct build_request *request,
                       const struct execution_end *end)
{
    const bool refused =
        WIFEXITED(end->status) && WEXITSTATUS(end->status) == EXIT_UNSUPPORTED
        && !strcmp(base_name(request->target->compiler), "softcc");

    return !end->is_limit
           && (refused
               || names_an_error(request->source, end->log ? end->log : ""));
}

/* Build the handout as the submission was.
 *  @return false with one line in `message` (MESSAGE_SIZE bytes) */
static bool handout_builds(const struct build_request *request, char *message)
{
    /* two folders: a box hides what lies beside its output */
    char folder[PATH_MAX], made[PATH_MAX], source[PATH_MAX], output[PATH_MAX];
    char error[LAB_ERROR_SIZE] = "no temporary folder";
    const struct build_request right = {
        .target = request->target, .lab = request->lab, .source = source,
        .output = output, .effort = EFFORT_LESS,
        .is_control = true};
    struct build_result result = {.verdict = INTERNAL};
    char *text = lab_extract_handout(request->lab, error);

    if (text && temp_dir_create(folder) && temp_dir_create(made)) {
        text_format(source, sizeof source, "%s/%s.cu", folder,
                    request->lab->name);
        text_format(output, sizeof output, "%s/runner", made);
        if (write_file(source, text, strlen(text)))
            build_runner(&right, &result);
    }
    free(text);
    if (result.verdict == PASS)
        return true;
    text_format(message, MESSAGE_SIZE, "the lab's handout cannot be built, "
                "either: %.500s",
                *result.message ? result.message : error);
    return false;
}

bool confirm_failure(const struct build_request *request,
                     struct execution *execution, struct execution_end *end,
                     struct build_result *result)
{
    bool ok;

    if (request->is_ours || request->is_control || is_certain(request, end))
        return false;
    if (!handout_builds(request, result->message)) {
        result->verdict = INTERNAL;
        make_printable(result->message);
        return false;
    }
    if (end->is_limit || interrupted()
        || execution_start(execution->action, execution))
        return false;
    free(end->log);
    ok = execution_wait(execution, end);
    *result->message = 0;
    if (ok)
        result->verdict = PASS;
    else
        diagnose_build(request->lab, request->source, end, result);
    return ok;
}
