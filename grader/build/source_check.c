/* SPDX-License-Identifier: MIT */
/* Checking a submission before it is compiled: it must be a text file, and
 * must not name what only a dishonest one uses. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "build.h"
#include "common/base/failure.h"
#include "common/base/files.h"
#include "common/base/text.h"

enum { MAX_SOURCE_BYTES = 4 << 20 }; /* the message says 4 MiB */

static void reject(struct build_result *result, const char *format,
                   const char *what)
{
    result->verdict = REJECTED;
    text_format(result->message, MESSAGE_SIZE, format, what);
}

/* Join lines at a backslash, as a preprocessor does. */
static void join_lines(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        size_t end = 1 + strspn(from + 1, " \t\r");

        if (*from == '\\' && from[end] == '\n')
            from += end;
        else
            *to++ = *from;
    }
    *to = 0;
}

/* Names by which a program could find out that it runs on the soft device, or
 * that it is instrumented; programs for a card do not use them. */
static bool mentions_softgpu(const char *text, struct build_result *result)
{
    static const char *const names[] = {"SOFTGPU_",  "softgpu_",
                                        "softgpu::", "softgpu/",
                                        "__SANITIZE", "__tsan"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strstr(text, names[i]))
            continue;
        reject(result, "the file contains \"%s\", which no program for a card "
               "uses: a submission must behave alike on every device",
               names[i]);
        return true;
    }
    return false;
}

/* Does this line have a preprocessor directive that names the folder? */
static bool is_directive_with(const char *line, const char *folder)
{
    const char *end = line + strcspn(line, "\n");
    const char *name = strstr(line, folder);
    const char *hash = strchr(line, '#'), *other = strstr(line, "%:");

    return name && name < end
           && ((hash && hash < name) || (other && other < name));
}

/* An #include of the reference or of the grader's files. */
static bool includes_forbidden(const char *text, struct build_result *result)
{
    static const char *const folders[] = {"solutions/", "grader/"};

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
            if (!is_directive_with(line, folders[i]))
                continue;
            reject(result, "the file includes a file from %s: submit your own "
                   "work", folders[i]);
            return true;
        }
    }
    return false;
}

static bool is_cuda_file(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && dot != name && !strcasecmp(dot, ".cu");
}

/* Finds a submission that was saved under another name: the only .cu file of
 * the folder. */
static bool find_other_cuda_file(const char *source, char *name, size_t bytes)
{
    char folder[PATH_MAX];
    struct dirent *entry;
    int found = 0;
    DIR *all;

    text_format(folder, sizeof folder, "%.*s",
                (int)(base_name(source) - source), source);
    all = opendir(*folder ? folder : ".");
    while (all && (entry = readdir(all)))
        if (is_cuda_file(entry->d_name) && ++found == 1)
            text_format(name, bytes, "%.100s", entry->d_name);
    if (found)
        make_printable(name); /* it may hold control characters */
    if (all)
        closedir(all);
    return found == 1;
}

/* Why the file cannot be read, and how to repair that. */
static void explain_missing(const char *source, struct build_result *result)
{
    const int reason = errno;
    char name[128];

    if (error_is_ours(reason))
        result->verdict = INTERNAL;
    if (reason == ENOENT && find_other_cuda_file(source, name, sizeof name))
        text_format(result->message, MESSAGE_SIZE, "%s: %s; \"%s\" is there: "
                    "rename it", source, strerror(reason), name);
    else
        text_format(result->message, MESSAGE_SIZE, "%s: %s", source,
                    reason == EINVAL ? "not a file" : strerror(reason));
}

bool check_source(const char *source, struct build_result *result)
{
    size_t length = 0;
    char *text = read_file(source, MAX_SOURCE_BYTES, &length);

    result->verdict = MISSING;
    if (!text && errno == EFBIG)
        reject(result, "%s is larger than 4 MiB", base_name(source));
    else if (!text)
        explain_missing(source, result);
    else if (strspn(text, " \t\r\n") == length)
        text_format(result->message, MESSAGE_SIZE, "%s is empty",
                    base_name(source));
    else if (strlen(text) != length) {
        result->verdict = REJECTED;
        text_format(result->message, MESSAGE_SIZE, "%s is not text",
                    base_name(source));
    } else {
        join_lines(text);
        if (!mentions_softgpu(text, result)
            && !includes_forbidden(text, result))
            result->verdict = PASS;
        review_source(text, result->review);
    }
    free(text);
    return result->verdict == PASS;
}
