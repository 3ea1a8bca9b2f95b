/* SPDX-License-Identifier: MIT */
/* Making a watched runner: one run of softcc, started beside other work. */
#include <string.h>

#include "build.h"
#include "house.h"
#include "text.h"

extern char **environ;

void build_watching(const struct target *target, struct command *command)
{
    if (target->watch & WATCH_FINDINGS)
        command_add(command, "--check");
    if (target->watch == (WATCH_FINDINGS | WATCH_COUNTS))
        /* a grade: the same with nvcc on the machine and without */
        command_add(command, "--no-ptxas");
    if (target->watch & WATCH_COUNTS)
        command_add(command, "--profile");
}

void build_begin(const struct target *target, const struct lab *lab,
                 const char *source, const char *folder,
                 struct building *building)
{
    static char parts[BUILD_OBJECTS][PATH_MAX];
    struct built *built = &building->built;
    struct compiler compiler;
    struct program program = {target->compiler, compiler.command.argument,
                              environ, house_root(), false};
    size_t count = 0;

    *building = (struct building){.built = {.verdict = PASS}, .lab = lab,
                                    .source = source};
    if (!build_is_there(source, built))
        return;
    built->verdict = INTERNAL;
    if (!build_parts(target, lab, parts, &count, built->message))
        return;
    text_put(built->runner, PATH_MAX, "%s/runner", folder);
    build_options(target, lab, &compiler);
    build_watching(target, &compiler.command);
    command_add(&compiler.command, "-o");
    command_add(&compiler.command, built->runner);
    command_add(&compiler.command, source);
    for (size_t i = 0; i < count; i++)
        command_add(&compiler.command, parts[i]);
    build_libraries(lab, &compiler.command);
    building->running =
        process_start(&building->process, &program, &compiler_limits) == 0;
    if (!building->running)
        text_put(built->message, MESSAGE_TEXT, "cannot start %.300s",
                 target->compiler);
}

void build_end(struct building *building, struct built *built)
{
    struct process *process = &building->process;
    enum waited waited;
    int status;

    if (building->running) {
        waited = process_wait(process, 0,
                              clock_seconds() + compiler_limits.seconds);
        status = process_stop(process, waited == WAIT_ENDED ? 1 : 0);
        building->running = false;
        building->built.verdict =
            waited == WAIT_ENDED && status == 0 ? PASS : BUILD;
        if (building->built.verdict == BUILD)
            build_explain(building->lab, building->source,
                          process->err.text ? process->err.text : "",
                          &building->built);
        process_free(process);
    }
    *built = building->built;
}

void build_now(const struct target *target, const struct lab *lab,
               const char *source, const char *folder, struct built *built)
{
    struct building building;

    build_begin(target, lab, source, folder, &building);
    build_end(&building, built);
}

void build_drop(struct building *building)
{
    if (!building->running)
        return;
    process_stop(&building->process, 0);
    process_free(&building->process);
    building->running = false;
}
