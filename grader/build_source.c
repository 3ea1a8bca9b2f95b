/* SPDX-License-Identifier: MIT */
/* Is a file there that can be graded?  What no honest one says is refused
 * before it is compiled. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "build.h"
#include "house.h"
#include "text.h"

enum { SOURCE_BYTES = 4 << 20 }; /* as is told below */

static void refuse(struct built *built, const char *format, const char *what)
{
    built->verdict = REJECTED;
    text_put(built->message, MESSAGE_TEXT, format, what);
}

/* Lines that go on behind a backslash become one, as a compiler has it. */
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

/* No program for a card has these names: they tell that it runs on the soft
 * device, and whether it is watched. */
static bool names_watchers(const char *text, struct built *built)
{
    static const char *const names[] = {"SOFTGPU_",  "softgpu_",
                                        "softgpu::", "softgpu/",
                                        "__SANITIZE", "__tsan"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strstr(text, names[i]))
            continue;
        refuse(built, "it says \"%s\", as no program for a card does: it must "
                      "do the same whoever looks", names[i]);
        return true;
    }
    return false;
}

/* Does a directive of the preprocessor, on this line, name the folder? */
static bool directs_to(const char *line, const char *folder)
{
    const char *end = line + strcspn(line, "\n");
    const char *name = strstr(line, folder);
    const char *hash = strchr(line, '#'), *other = strstr(line, "%:");

    return name && name < end
           && ((hash && hash < name) || (other && other < name));
}

/* The answer is not to be had by an #include. */
static bool includes_ours(const char *text, struct built *built)
{
    static const char *const folders[] = {"solutions/", "grader/"};

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
            if (!directs_to(line, folders[i]))
                continue;
            refuse(built, "it includes what lies in %s: the work is to be your "
                          "own", folders[i]);
            return true;
        }
    }
    return false;
}

static bool is_cuda(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && dot != name && !strcasecmp(dot, ".cu");
}

/* A submission under another name: the one .cu file that lies there instead,
 * put into `name`. */
static bool other_file(const char *source, char *name, size_t bytes)
{
    char folder[PATH_MAX];
    struct dirent *entry;
    int found = 0;
    DIR *all;

    text_put(folder, sizeof folder, "%.*s",
             (int)(base_name(source) - source), source);
    all = opendir(*folder ? folder : ".");
    while (all && (entry = readdir(all)))
        if (is_cuda(entry->d_name) && ++found == 1)
            text_put(name, bytes, "%.100s", entry->d_name);
    if (found)
        printable(name); /* a stranger chose it */
    if (all)
        closedir(all);
    return found == 1;
}

/* Why it cannot be read, and what may help. */
static void say_missing(const char *source, struct built *built)
{
    const int why = errno;
    char name[128];

    if (why == ENOENT && other_file(source, name, sizeof name))
        text_put(built->message, MESSAGE_TEXT, "%s: %s; \"%s\" is there: "
                 "rename it", source, strerror(why), name);
    else
        text_put(built->message, MESSAGE_TEXT, "%s: %s", source,
                 why == EINVAL ? "not a file" : strerror(why));
}

bool build_is_there(const char *source, struct built *built)
{
    size_t length = 0;
    char *text = read_whole(source, SOURCE_BYTES, &length);

    built->verdict = MISSING;
    if (!text && errno == EFBIG)
        refuse(built, "%s is larger than 4 MiB", source);
    else if (!text)
        say_missing(source, built);
    else if (strspn(text, " \t\r\n") == length)
        text_put(built->message, MESSAGE_TEXT, "%s is empty", source);
    else if (strlen(text) != length) {
        built->verdict = REJECTED;
        text_put(built->message, MESSAGE_TEXT, "%s is not text", source);
    } else {
        join_lines(text);
        if (!names_watchers(text, built) && !includes_ours(text, built))
            built->verdict = PASS;
    }
    free(text);
    return built->verdict == PASS;
}
