/* SPDX-License-Identifier: MIT */
/* A watched runner: the checkers write their report in an atexit handler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/softgpu/instrument/tool.h"
#include "common/softgpu/watch/findings.h"
#include "common/softgpu/watch/last_store.h"
#include "grader/channel/message.h"
#include "submission.h"
#include "variant.h"

const size_t runner_guard_bytes = 0;
const bool runner_counts_launches = false;

void runner_exit(void)
{
    submission_end(); /* first: nobody else may write the report */
    exit(0);
}

_Static_assert((int)STORE_SITES == (int)EXECUTIONS_SITES,
               "all of them are sent");

static void write_place(const struct source_line *line, char *text)
{
    const char *slash = strrchr(line->file, '/');

    if (line->line)
        snprintf(text, FACT_SIZE, "%.70s:%d:%d", slash ? slash + 1 : line->file,
                 line->line, line->column);
}

void runner_stored_at(const void *address, struct store_answer *answer)
{
    struct last_store store;

    if (!softgpu_last_store(address, &store))
        return;
    write_place(&store.line, answer->text);
    answer->block = store.block;
    answer->has_executions = store.executed != NULL;
    if (!store.executed)
        return;
    memcpy(answer->thread_executions, store.executed, sizeof(executions));
    for (uint32_t t = 0; t < softgpu_executions_block_threads(); t++) {
        const uint16_t *executed =
            softgpu_executions_of(UINT32_MAX, store.block, t);

        for (int i = 0; i < EXECUTIONS_SITES; i++)
            answer->block_executes[i] |= executed[i] > 0;
    }
}

void runner_site_line(uint64_t site, struct store_answer *answer)
{
    struct source_line line;

    softgpu_executions_line(site < EXECUTIONS_SITES ? (unsigned)site
                                                    : UINT32_MAX, &line);
    write_place(&line, answer->text);
}

/* The status of an instrumented program whose host code crashed. */
enum { EXIT_CRASHED = 86 };

void runner_end(int status)
{
    exit(WIFSIGNALED(status) ? EXIT_CRASHED : WEXITSTATUS(status));
}

static void (*forward_finding)(const struct host_finding *);

static void forward(const struct softgpu_finding *finding, const char *text)
{
    struct host_finding host = {.kind = finding->kind, .pc = finding->pc,
                                .other = finding->other};

    snprintf(host.text, sizeof host.text, "%s", text);
    forward_finding(&host);
}

void runner_forward_findings(void (*function)(const struct host_finding *))
{
    forward_finding = function;
    softgpu_forward_finding = forward;
    softgpu_reports_elsewhere = 1;
}

void runner_add_finding(const struct host_finding *host)
{
    const struct softgpu_finding finding = {
        .kind = (enum softgpu_finding_kind)host->kind,
        .pc = (uintptr_t)host->pc, .other = (uintptr_t)host->other};

    if (host->kind < SOFTGPU_FINDING_KIND_COUNT)
        softgpu_report_finding(&finding, "%.*s", FINDING_TEXT - 1, host->text);
}
