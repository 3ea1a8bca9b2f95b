/* SPDX-License-Identifier: MIT */
/* Finding the folders of a source tree or of an installation. */
#include "paths.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char root[PATH_MAX], build[PATH_MAX], library[PATH_MAX];
static char program[PATH_MAX];
static const char *generated;
static char workspace[PATH_MAX]; /* holds labs/ that are edited */

/* The root of a source or installed tree is known by a header that graded files
 * are built with, so both have it. */
static bool is_root(const char *path)
{
    char marker[PATH_MAX + 32];

    snprintf(marker, sizeof marker, "%s/grader/runner/thunk.h", path);
    return access(marker, R_OK) == 0;
}

/* A learner's folder has the first lab, wherever it lies. */
static bool has_labs(const char *path)
{
    char marker[PATH_MAX + 32];

    snprintf(marker, sizeof marker, "%s/labs/01_vector_add", path);
    return access(marker, R_OK) == 0;
}

/* The nearest folder at or above `path` that `accept` accepts. */
static bool find_above(const char *path, char *found,
                       bool (*accept)(const char *))
{
    snprintf(found, PATH_MAX, "%s", path);
    for (;;) {
        char *slash = strrchr(found, '/');

        if (accept(found))
            return true;
        if (!slash || slash == found)
            return false;
        *slash = 0;
    }
}

/* The folder of the running program; of a test program BUILD/tests/...:
 * BUILD. */
static void find_program(void)
{
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash, *tests;

    program[length > 0 ? length : 0] = 0;
    tests = strstr(program, "/tests/");
    slash = strrchr(program, '/');
    if (tests)
        *tests = 0;
    else if (slash)
        *slash = 0;
}

/* PREFIX/bin beside PREFIX/share/warpbook: all follows from PREFIX. */
static bool find_installation(void)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const size_t length = strlen(program);
    char here[PATH_MAX];
    int prefix;

    if (length < 4 || strcmp(program + length - 4, "/bin"))
        return false;
    prefix = (int)length - 4;
    snprintf(root, sizeof root, "%.*s/share/warpbook", prefix, program);
    if (!is_root(root))
        return false;
    generated = root;
    snprintf(library, sizeof library, "%.*s/lib/warpbook", prefix, program);
    if (cache && *cache == '/')
        snprintf(build, sizeof build, "%s/warpbook", cache);
    else
        snprintf(build, sizeof build, "%s/.cache/warpbook",
                 home && *home == '/' ? home : "/tmp");
    if (!getcwd(here, sizeof here) || !find_above(here, workspace, has_labs))
        strcpy(workspace, root);
    return true;
}

/* Find the tree around the program in a build folder: WARPBOOK_HOME first, then
 * folders above the program, then folders above the current one. */
static bool find_tree(void)
{
    const char *home = getenv("WARPBOOK_HOME");
    char here[PATH_MAX];

    strcpy(build, program);
    generated = program;
    snprintf(library, sizeof library, "%.*s/lib", PATH_MAX - 8, program);
    if ((home && realpath(home, root) && is_root(root))
        || find_above(program, root, is_root)
        || (getcwd(here, sizeof here) && find_above(here, root, is_root))) {
        strcpy(workspace, root);
        return true;
    }
    return false;
}

bool paths_init(void)
{
    find_program();
    if (find_installation() || find_tree())
        return true;
    fprintf(stderr, "warpbook: cannot find the folder with labs/ and grader/; "
                    "run it there, or set WARPBOOK_HOME\n");
    return false;
}

const char *source_root(void)
{
    return root;
}

bool labs_are_installed(void)
{
    return generated == root && !strcmp(workspace, root);
}

const char *build_root(void)
{
    const char *cache = getenv("WARPBOOK_CACHE");

    if (cache && *cache == '/')
        return cache;
    if (!*build) {
        find_program();
        if (!find_installation())
            strcpy(build, program);
    }
    return build;
}

const char *library_root(void)
{
    return library;
}

const char *generated_root(void)
{
    return generated;
}

const char *program_root(void)
{
    return program;
}

/* PATH_MAX bounds the result; a longer path is cut, and open() then fails. */
static char *join(char *path, const char *folder, const char *format,
                  va_list arguments)
{
    int used = snprintf(path, PATH_MAX, "%s/", folder);

    vsnprintf(path + used, (size_t)(PATH_MAX - used), format, arguments);
    return path;
}

char *root_path(char *path, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    join(path, root, format, arguments);
    va_end(arguments);
    return path;
}

char *labs_path(char *path, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    join(path, workspace, format, arguments);
    va_end(arguments);
    return path;
}
