/* SPDX-License-Identifier: MIT */
/* Compilers, linkers and other tools as child processes.  Their temporary
 * files lie in the temporary directory of this process. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/base/target.h"
#include "common/base/temp_dir.h"
#include "run.h"

const struct limits tool_limits = { .output = SIZE_MAX / 4 };

bool find_tool(const char *name, char *path)
{
    const char *directory = temp_process_dir();
    if (directory)
        setenv("TMPDIR", directory, 1);
    if (strchr(name, '/') == NULL)
        return find_program(name, path);
    snprintf(path, PATH_MAX, "%s", name);
    return true;
}

static struct buffer take_capture(const struct capture *capture)
{
    return (struct buffer){ capture->text, capture->length, capture->room };
}

struct result run_program(const struct list *argv, const struct buffer *input)
{
    struct program program = { .arguments = (char *const *)argv->at };
    struct result result = { .status = TOOL_NOT_STARTED };
    struct process process;
    char path[PATH_MAX];
    int status = 0, end = -ENOENT;
    if (find_tool(argv->at[0], path)) {
        program.path = path;
        program.input = input ? input->bytes : NULL;
        program.input_bytes = input ? input->length : 0;
        fflush(NULL);
        end = process_run(&process, &program, &tool_limits, &status);
    }
    if (end < 0) {
        fprintf(stderr, "softcc: cannot run %s: %s\n", argv->at[0],
                strerror(-end));
        return result;
    }
    bool exited = end == WAIT_ENDED && WIFEXITED(status);
    result.status = exited ? WEXITSTATUS(status) : TOOL_KILLED;
    result.out = take_capture(&process.out);
    result.err = take_capture(&process.err);
    return result;
}

bool tool_failed(const struct result *result)
{
    return result->status == TOOL_NOT_STARTED || result->status == TOOL_KILLED;
}

void free_result(struct result *result)
{
    free(result->out.bytes);
    free(result->err.bytes);
    result->out = result->err = (struct buffer){ 0 };
}
