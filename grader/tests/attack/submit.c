/* SPDX-License-Identifier: MIT */
/* Making a submission of a case, and grading it by the program itself. */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attack.h"
#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"

enum { MAX_CASE = 1 << 20 };

extern char **environ;

/* The folder of everything that this program writes; made at first use. */
static const char *scratch_folder(void)
{
    static char folder[PATH_MAX];

    return *folder || temp_dir_create(folder) ? folder : NULL;
}

static char *read_case(const char *name)
{
    char path[PATH_MAX];
    size_t length;

    return read_file(root_path(path, "grader/tests/attack/cases/%s", name),
                     MAX_CASE, &length);
}

/* Number of the line that ends with "// here", or 0. */
static int find_line(const char *text)
{
    const char *mark = strstr(text, "// here\n");
    int line = 1;

    for (const char *at = text; mark && at < mark; at++)
        line += *at == '\n';
    return mark ? line : 0;
}

/* The text with `header` in place of its #include. */
static char *put_header_in(const char *text, const char *header)
{
    static const char include[] = "#include \"hostile.h\"\n";
    const char *at = strstr(text, include);
    char *whole = NULL;
    int length;

    if (at)
        length = asprintf(&whole, "%.*s%s%s", (int)(at - text), text, header,
                          at + sizeof include - 1);
    else
        length = asprintf(&whole, "%s", text);
    return length < 0 ? NULL : whole;
}

bool attack_write_case(const char *name, char *path, int *line)
{
    char file[2 * ATTACK_WORD];
    char *text = read_case(text_format(file, sizeof file, "%s.cu", name));
    char *header = read_case("hostile.h");
    char *whole = text && header ? put_header_in(text, header) : NULL;
    bool ok = whole && scratch_folder();

    if (ok) {
        text_format(path, PATH_MAX, "%s/%s.cu", scratch_folder(), name);
        ok = write_file(path, whole, strlen(whole));
        *line = find_line(whole);
    }
    free(whole);
    free(header);
    free(text);
    return ok;
}

/* Run warpbook silently.  @return its exit status, or -1 */
static int run_warpbook(char *const *arguments)
{
    posix_spawn_file_actions_t silent;
    char program[PATH_MAX];
    int status = -1, error;
    pid_t child;

    text_format(program, sizeof program, "%s/warpbook", build_root());
    posix_spawn_file_actions_init(&silent);
    posix_spawn_file_actions_addopen(&silent, 1, "/dev/null", 1, 0);
    error = posix_spawn(&child, program, &silent, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&silent);
    if (error || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

json_t *attack_grade(const struct attack *row, const char *name, int *line,
                     char *reason)
{
    char path[PATH_MAX], result[PATH_MAX];
    char *const arguments[] = {
        "warpbook", "grade", (char *)row->lab, "--device", "soft",
        "--no-speed", "--time-limit", "3", "--memory-limit", "640", "--seed",
        "7", "--from", path, "--json", result,
        row->way == ATTACK_GRADE ? "--no-watch" : NULL, NULL};
    json_t *made = NULL;
    int status;

    if (!attack_write_case(name, path, line)) {
        text_format(reason, ATTACK_REASON, "%s.cu: %s", name, strerror(errno));
        return NULL;
    }
    text_format(result, sizeof result, "%s/result.json", scratch_folder());
    unlink(result);
    status = run_warpbook(arguments);
    if (status >= 0)
        made = json_load_file(result, 0, NULL);
    if (!made)
        text_format(reason, ATTACK_REASON, "no result: warpbook ended with %d",
                    status);
    unlink(path);
    return made;
}
