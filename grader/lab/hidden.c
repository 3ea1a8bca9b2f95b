/* SPDX-License-Identifier: MIT */
/* Compiling, loading and adding hidden tests. */
#include "hidden.h"

#include <dlfcn.h>
#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <sha256.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/command.h"
#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "ini.h"

enum { MAX_LOADED = 64, MAX_SOURCE = 4 << 20 };

/* Hidden tests that were loaded, and the suite that has them. */
struct loaded {
    char path[PATH_MAX];      /* of the C file */
    char digest[LAB_DIGEST];  /* of both files */
    struct suite suite;       /* the lab's, with more tests */
    struct suite_test tests[LAB_MAX_TESTS + 1];
    size_t count;             /* hidden ones */
};

static struct loaded loaded[MAX_LOADED];
static size_t loads;

/* --- building ------------------------------------------------------------- */

/* @param[out] object  PATH_MAX bytes */
static bool compile(const char *path, char *object, struct failure *failure)
{
    struct command command = {0};
    static const char *const flags[] = {"cc", "-std=c11", "-O2", "-g",
                                        "-D_GNU_SOURCE=", "-Wall", "-fPIC",
                                        "-shared", "-I.", "-Icommon/include",
                                        "-o"};
    char full[PATH_MAX], *log = NULL;
    bool ok;

    if (!realpath(path, full) || !temp_file_path(object, "hidden.so"))
        return fail(failure, "%s: %s", path, strerror(errno));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        command_add(&command, flags[i]);
    command_add(&command, object);
    command_add(&command, full);
    ok = command_run(&command, source_root(), &log);
    if (!ok)
        fail(failure, "%s does not compile: %.300s", path, log ? log : "");
    free(log);
    return ok;
}

/* The digest of tests and settings is part of a result's key: other hidden
 * tests make other results. */
static bool digest_files(const char *path, const char *ini, char *hex,
                         struct failure *failure)
{
    size_t length = 0, ini_length = 0;
    char *text = read_file(path, MAX_SOURCE, &length);
    char *settings = read_file(ini, MAX_SOURCE, &ini_length), *both = NULL;
    bool ok = text && settings && (both = malloc(length + ini_length + 1));

    if (ok) {
        memcpy(both, text, length + 1); /* with the NUL between them */
        memcpy(both + length + 1, settings, ini_length);
        SHA256Data((const uint8_t *)both, length + 1 + ini_length, hex);
    } else {
        fail(failure, "%s: %s", text ? ini : path, strerror(errno));
    }
    free(text);
    free(settings);
    free(both);
    return ok;
}

/* --- adding --------------------------------------------------------------- */

/* The suite's tests, then the hidden ones. */
static bool join_tests(struct loaded *new, const struct lab *lab,
                       const struct suite_test *hidden,
                       struct failure *failure)
{
    size_t n = 0;

    for (const struct suite_test *own = lab->suite->tests; own->name; own++)
        new->tests[n++] = *own;
    for (; hidden->name; hidden++) {
        if (!hidden->title || !hidden->run)
            return fail(failure, "%s: test \"%.40s\" has no title or no "
                        "function", new->path, hidden->name);
        if (ini_find_test(new->tests, hidden->name) >= 0)
            return fail(failure, "%s: there is a test \"%.40s\" already",
                        new->path, hidden->name);
        if (n == LAB_MAX_TESTS)
            return fail(failure, "%s: more than %d tests", new->path,
                        LAB_MAX_TESTS);
        new->tests[n++] = *hidden;
        new->count++;
    }
    if (!new->count)
        return fail(failure, "%s: hidden_tests is empty", new->path);
    new->suite = *lab->suite;
    new->suite.tests = new->tests;
    new->suite.watched = suite_watched(lab->suite);
    return true;
}

/* Compile and load once a file; the object can be removed as soon as it is
 * mapped. */
static struct loaded *load(const char *path, const char *hex,
                           const struct lab *lab, struct failure *failure)
{
    struct loaded *new = &loaded[loads];
    const struct suite_test *hidden;
    char object[PATH_MAX];
    void *handle;

    for (size_t i = 0; i < loads; i++)
        if (!strcmp(loaded[i].path, path) && !strcmp(loaded[i].digest, hex))
            return &loaded[i];
    if (loads == MAX_LOADED) {
        fail(failure, "%s: too many files of hidden tests", path);
        return NULL;
    }
    *new = (struct loaded){0};
    text_format(new->path, sizeof new->path, "%s", path);
    text_format(new->digest, sizeof new->digest, "%s", hex);
    if (!compile(path, object, failure))
        return NULL;
    handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    unlink(object);
    hidden = handle ? dlsym(handle, "hidden_tests") : NULL;
    if (!hidden) {
        fail(failure, "%s: %.300s", path, dlerror());
        return NULL;
    }
    if (!join_tests(new, lab, hidden, failure))
        return NULL;
    loads++;
    return new;
}

/* A key of [points] or [hints]. */
static int on_entry(void *user, const char *section, const char *name,
                    const char *value)
{
    struct parser *parser = user;
    int index = ini_find_test(parser->lab->suite->tests, name);
    struct lab_test *test;

    if (strcmp(section, "points") && strcmp(section, "hints"))
        return ini_error(parser, "unknown section [%.40s]", section);
    if (index < 0 || !is_hidden_test(parser->lab, (size_t)index))
        return ini_error(parser, "there is no hidden test \"%.40s\"", name);
    test = &parser->lab->test[index];
    if (!strcmp(section, "hints"))
        return ini_store_text(parser, value, test->hint, sizeof test->hint);
    parser->has_points[index] = true;
    return ini_store_number(parser, value, &test->points);
}

/* A hidden test without points is an error: it would count nothing. */
static bool read_points(const char *path, struct lab *lab,
                        struct failure *failure)
{
    struct parser parser = {.lab = lab};
    int line = ini_parse(path, on_entry, &parser);

    if (line < 0)
        return fail(failure, "%s: %s", path, strerror(errno));
    if (line > 0)
        return fail(failure, "%s:%d: %s", path, line,
                    *parser.error ? parser.error : "not `key = value`");
    for (size_t i = lab->tests - lab->hidden; i < lab->tests; i++)
        if (!parser.has_points[i])
            return fail(failure, "%s: [points] does not name test \"%s\"",
                        path, lab->test[i].name);
    return true;
}

bool is_hidden_test(const struct lab *lab, size_t index)
{
    return index + lab->hidden >= lab->tests;
}

bool hidden_add(const char *folder, struct lab *lab, struct failure *failure)
{
    char path[PATH_MAX], ini[PATH_MAX], hex[LAB_DIGEST];
    struct loaded *found;

    if (!folder || !*folder)
        return true;
    text_format(path, sizeof path, "%s/%s.c", folder, lab->stem);
    text_format(ini, sizeof ini, "%s/%s.ini", folder, lab->stem);
    if (access(path, F_OK) && errno == ENOENT)
        return true;
    if (!digest_files(path, ini, hex, failure)
        || !(found = load(path, hex, lab, failure)))
        return false;
    lab->suite = &found->suite;
    for (size_t i = 0; i < found->count; i++) {
        struct lab_test *test = &lab->test[lab->tests];

        *test = (struct lab_test){0};
        text_format(test->name, sizeof test->name, "%s",
                    found->tests[lab->tests].name);
        lab->tests++;
        lab->hidden++;
    }
    strcpy(lab->hidden_digest, hex);
    return read_points(ini, lab, failure);
}
