/* SPDX-License-Identifier: MIT */
/* Making a submission of a case, and grading it by the program itself. */
#include <errno.h>
#include <fcntl.h>
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
#include "planted.h"

enum { MAX_CASE = 1 << 20 };

extern char **environ;

const char *attack_scratch(void)
{
    static char folder[PATH_MAX];
    static pid_t owner; /* a forked process has its own */

    if (owner == getpid())
        return folder;
    owner = getpid();
    return temp_dir_create(folder) && planted_create(folder) ? folder : NULL;
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

/* The text after the names of what was planted, with `header` in place of its
 * #include. */
static char *write_header_in(const char *text, const char *header)
{
    static const char include[] = "#include \"hostile.h\"\n";
    const char *at = strstr(text, include);
    char *whole = NULL, names[4 * PATH_MAX];
    int length;

    planted_names(names, sizeof names);
    if (at)
        length = asprintf(&whole, "%s%.*s%s%s", names, (int)(at - text), text,
                          header, at + sizeof include - 1);
    else
        length = asprintf(&whole, "%s%s", names, text);
    return length < 0 ? NULL : whole;
}

bool attack_write_case(const char *name, char *path, int *line)
{
    char file[2 * ATTACK_WORD];
    char *text = read_case(text_format(file, sizeof file, "%s.cu", name));
    char *header = read_case("hostile.h");
    char *whole = text && header && attack_scratch()
                  ? write_header_in(text, header) : NULL;
    bool ok = whole;

    if (ok) {
        text_format(path, PATH_MAX, "%s/%s.cu", attack_scratch(), name);
        ok = write_file(path, whole, strlen(whole));
        *line = find_line(whole);
    }
    free(whole);
    free(header);
    free(text);
    return ok;
}

int attack_run(char *const *arguments, const char *printed_name)
{
    posix_spawn_file_actions_t silent;
    char program[PATH_MAX], printed[PATH_MAX];
    int status = -1, error;
    pid_t child;

    text_format(program, sizeof program, "%s/warpbook", build_root());
    posix_spawn_file_actions_init(&silent);
    posix_spawn_file_actions_addopen(
        &silent, 1, text_format(printed, sizeof printed, "%s/%s",
                                attack_scratch(), printed_name),
        O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&silent, 1, 2);
    error = posix_spawn(&child, program, &silent, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&silent);
    if (error || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

char *attack_read_printed(const char *printed_name, char *reason)
{
    char path[PATH_MAX];
    size_t length = 0;
    char *text = read_file(text_format(path, sizeof path, "%s/%s",
                                       attack_scratch(), printed_name),
                           MAX_CASE, &length);

    if (!text || strlen(text) < length || attack_shows_control(text))
        text_format(reason, ATTACK_REASON,
                    "warpbook printed control characters");
    return text;
}

/* --- the tier ------------------------------------------------------------- */

static char tier[2]; /* "" until it is known */

bool attack_set_tier(const char *name)
{
    if (!*name || name[1] || !strchr("ABCD", *name))
        return false;
    tier[0] = *name;
    return true;
}

char *attack_tier(void)
{
    char *const best[] = {"warpbook", "verify-box", "--best", NULL};
    char ignored[ATTACK_REASON], *text = NULL;

    if (!*tier && attack_run(best, "asked") == 0)
        text = attack_read_printed("asked", ignored);
    if (!*tier)
        tier[0] = text && strchr("ABCD", *text) ? *text : 'D';
    free(text);
    return tier;
}

/* --- grading -------------------------------------------------------------- */

/* With the end of what it printed: that says why. */
static void explain_no_result(int status, char *reason)
{
    enum { SHOWN = 300 };
    char ignored[ATTACK_REASON];
    char *text = attack_read_printed("printed", ignored);
    const size_t length = text ? strlen(text) : 0;

    text_format(reason, ATTACK_REASON, "no result: warpbook ended with %d: %s",
                status, length > SHOWN ? text + length - SHOWN
                        : text         ? text : "");
    free(text);
}

static json_t *grade(const struct attack *row, const char *name, int repeats,
                     int *line, char *reason)
{
    char path[PATH_MAX], result[PATH_MAX], times[16];
    /* the lab's limit, not a short one */
    const bool is_twin = name == row->twin;
    char *const arguments[] = {
        "warpbook", "grade", (char *)row->lab, "--device", "soft",
        "--no-speed", "--tier", attack_tier(), "--time-limit",
        is_twin ? "10" : "3", "--memory-limit", "640", "--seed", "7",
        "--from", path, "--json", result, "--repeat", times,
        row->method == ATTACK_GRADE ? "--no-watch" : NULL, NULL};
    json_t *made = NULL;
    int status;

    if (!attack_write_case(name, path, line)) {
        text_format(reason, ATTACK_REASON, "%s.cu: %s", name, strerror(errno));
        return NULL;
    }
    text_format(times, sizeof times, "%d", repeats);
    text_format(result, sizeof result, "%s/result.json", attack_scratch());
    unlink(result);
    status = attack_run(arguments, "printed");
    if (status >= 0)
        made = json_load_file(result, 0, NULL);
    if (!made)
        explain_no_result(status, reason);
    unlink(path);
    if (made)
        free(attack_read_printed("printed", reason));
    return made;
}

json_t *attack_grade(const struct attack *row, const char *name, int repeats,
                     int *line, char *reason)
{
    json_t *made;

    *reason = 0;
    *line = 0;
    made = row->method == ATTACK_AUTOGRADE
         ? attack_grade_class(name, reason)
         : grade(row, name, repeats, line, reason);
    if (made && !*reason)
        planted_is_unchanged(reason, ATTACK_REASON);
    return made;
}
