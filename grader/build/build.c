/* SPDX-License-Identifier: MIT */
/* A build, from the check of the submission to the diagnosis of the log. */
#include "build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"

/* All stages before the executable.
 *  @return the action that failed, and how in `end`; NULL: none */
static const struct action *execute_stages(const struct recipe *recipe,
                                           struct execution_end *end)
{
    const struct action *failed = NULL;
    size_t first = 0;

    *end = (struct execution_end){0};
    for (int i = 0; i < STAGES && !failed; first = recipe->stage[i++]) {
        free(end->log);
        failed = execute_actions(recipe->action + first,
                                 recipe->stage[i] - first, end);
    }
    return failed;
}

static void explain_failure(const struct action *failed, const char *log,
                            char *error)
{
    text_format(error, MESSAGE_SIZE, "cannot build %.300s: %.500s",
                failed->source, log ? log : strerror(errno));
}

bool build_shared(const struct target *target, const struct lab *lab,
                  char *error)
{
    const struct build_request request = {.target = target, .lab = lab};
    struct recipe *recipe = malloc(sizeof *recipe);
    const struct action *failed = NULL;
    struct execution_end end = {0};
    bool ok = recipe && recipe_create(&request, recipe, error);

    if (!recipe)
        text_format(error, MESSAGE_SIZE, "out of memory");
    if (ok && (failed = execute_stages(recipe, &end)))
        explain_failure(failed, end.log, error);
    free(end.log);
    free(recipe);
    return ok && !failed && !interrupted();
}

/* The submission's own object failed, or what all submissions share. */
static void set_failure(const struct build_request *request,
                        const struct action *failed,
                        const struct execution_end *end,
                        struct build_result *result)
{
    if (request->object && !strcmp(failed->output, request->object))
        diagnose_build(request->lab, request->source, end, result);
    else
        explain_failure(failed, end->log, result->message);
}

static void start_executable(struct build *build)
{
    const struct action *executable =
        &build->recipe.action[build->recipe.count - 1];
    int error = action_is_up_to_date(executable)
                    ? 0 : execution_start(executable, &build->execution);

    build->result.verdict = error ? INTERNAL : PASS;
    if (error)
        text_format(build->result.message, MESSAGE_SIZE,
                    "cannot start %.300s: %.400s",
                    build->request.target->compiler,
                    *build->execution.problem ? build->execution.problem
                                              : strerror(error));
}

void build_start(const struct build_request *request, struct build *build)
{
    struct build_result *result = &build->result;
    const struct action *failed;
    struct execution_end end;

    build->request = *request;
    build->is_pending = true;
    build->execution.is_running = false;
    *result = (struct build_result){.verdict = INTERNAL};
    text_format(result->runner, PATH_MAX, "%s", request->output);
    if (!check_source(request->source, result))
        return;
    result->verdict = INTERNAL;
    if (!recipe_create(request, &build->recipe, result->message))
        return;
    failed = execute_stages(&build->recipe, &end);
    if (failed)
        set_failure(request, failed, &end, result);
    else if (!interrupted())
        start_executable(build);
    free(end.log);
}

/* The files that the submission's compiler has read. */
static const char *submission_depfile(const struct build *build)
{
    const struct recipe *recipe = &build->recipe;
    const struct action *executable = &recipe->action[recipe->count - 1];

    return build->request.object ? recipe->action[recipe->stage[1]].depfile
                                 : executable->depfile;
}

void build_wait(struct build *build, struct build_result *result)
{
    const struct build_request *request = &build->request;
    struct execution_end end = {0};

    if (build->execution.is_running
        && !execution_wait(&build->execution, &end)) {
        diagnose_build(request->lab, request->source, &end, &build->result);
        if (build->result.verdict == BUILD)
            confirm_failure(request, &build->execution, &end, &build->result);
    }
    if (build->result.verdict == PASS || build->result.verdict == BUILD)
        check_includes(request->source, submission_depfile(build),
                       &build->result);
    build->is_pending = false;
    *result = build->result;
    text_format(result->log, sizeof result->log, "%s", end.log ? end.log : "");
    make_printable(result->log);
    collect_warnings(build->request.source, end.log ? end.log : "",
                     result->warnings, sizeof result->warnings);
    free(end.log);
}

void build_cancel(struct build *build)
{
    execution_cancel(&build->execution);
    build->is_pending = false;
}

void build_runner(const struct build_request *request,
                  struct build_result *result)
{
    struct build *build = malloc(sizeof *build);

    if (!build) {
        *result = (struct build_result){.verdict = INTERNAL,
                                        .message = "out of memory"};
        return;
    }
    build_start(request, build);
    build_wait(build, result);
    free(build);
}

bool ladder_step_path(const struct target *target, const struct lab *lab,
                      const char *step, char *path)
{
    char folder[PATH_MAX];

    text_format(folder, sizeof folder, "%s/runner/%s%s/%s", build_root(),
                device_name(target->kind), watch_suffix(target), lab->stem);
    text_format(path, PATH_MAX, "%s/%s.run", folder, step);
    return make_directories(folder);
}

void build_ladder_step(const struct target *target, const struct lab *lab,
                       const char *step, struct build_result *result)
{
    char source[PATH_MAX], output[PATH_MAX];
    const struct build_request request = {.target = target, .lab = lab,
                                          .source = source,
                                          .output = output,
                                          .is_ours = true};

    root_path(source, "solutions/%s/%s", lab->stem, step);
    if (ladder_step_path(target, lab, step, output)) {
        build_runner(&request, result);
        return;
    }
    *result = (struct build_result){.verdict = INTERNAL};
    text_format(result->message, MESSAGE_SIZE, "%.500s: %s", output,
                strerror(errno));
}
