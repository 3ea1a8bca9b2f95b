/* SPDX-License-Identifier: MIT */
/* Parts become one object by `ld -r'; what only they share becomes local to it
 * by objcopy, since other objects of a program have parts of their own. */
#include "join_parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

static bool begins_with_any(const char *option, const char *const *starts)
{
    for (; *starts; starts++)
        if (!strncmp(option, *starts, strlen(*starts)))
            return true;
    return false;
}

/* With other options there may be profiles, coverage, bitcode or remarks; and
 * a module is asked for variables by their names. */
static bool suits_parts(const struct job *job)
{
    static const char *const good[] = { "-march=", "-mtune=", "-ffast-math",
                                        "-fopenmp", "-W", "-fPIC",
                                        "-fno-diagnostics", "-pthread", NULL };
    const struct options *o = job->options;
    if (!job->toolchain.vectors[0] || o->graded || o->debug || o->module
        || is_instrumented(o) || getenv("SOFTCC_SHOW_ENGINE"))
        return false;
    for (int i = 0; i < o->compile.count; i++)
        if (!begins_with_any(o->compile.at[i], good))
            return false;
    return true;
}

void ask_for_parts(struct list *argv, const struct job *job, const char *object)
{
    unsetenv("SOFTCC_PARTS");
    if (!suits_parts(job))
        return;
    setenv("SOFTCC_PARTS", object, 1);
    list_append(argv, "-fno-temp-file"); /* a part finds the object's file */
    list_append(argv, "-fno-addrsig");   /* GNU's linker cannot join these */
}

/* The path of a part. @return is there one? */
static bool find_part(const char *object, int part, char *path)
{
    snprintf(path, PATH_MAX, "%s.part%d", object, part);
    return access(path, F_OK) == 0;
}

static void remove_parts(const char *object)
{
    char path[PATH_MAX];
    for (int part = 1; find_part(object, part, path); part++)
        unlink(path);
}

/* @return an exit code */
static int run_tool(struct list *argv)
{
    struct result r = run_program(argv, NULL);
    const int code = r.status ? EXIT_TOOLS : EXIT_OK;
    if (r.status && r.err.length)
        fwrite(r.err.bytes, 1, r.err.length, stderr);
    free_result(&r);
    free(argv->at);
    return code;
}

static int link_parts(const char *object, const char *joined)
{
    struct list argv = { 0 };
    char path[PATH_MAX];
    list_append(&argv, "ld");
    list_append(&argv, "-r");
    list_append(&argv, "-o");
    list_append(&argv, joined);
    list_append(&argv, object);
    for (int part = 1; find_part(object, part, path); part++)
        list_append(&argv, concatenate(path, "", ""));
    return run_tool(&argv);
}

static int make_names_local(const char *joined, const char *object)
{
    struct list argv = { 0 };
    list_append(&argv, "objcopy");
    list_append(&argv, "--wildcard");
    list_append(&argv, "--localize-symbol=*.softgpu.part");
    list_append(&argv, joined);
    list_append(&argv, object);
    return run_tool(&argv);
}

int join_parts(const char *object, bool good)
{
    char path[PATH_MAX];
    int code = EXIT_OK;
    unsetenv("SOFTCC_PARTS");
    if (good && find_part(object, 1, path)) {
        char *joined = concatenate(object, ".joined", "");
        code = link_parts(object, joined);
        if (code == EXIT_OK)
            code = make_names_local(joined, object);
        unlink(joined);
        free(joined);
    }
    remove_parts(object);
    return code;
}
