/* SPDX-License-Identifier: MIT */
/* The files for course platforms, run as the platforms document it: the very
 * scripts, in the places that they are uploaded to; what they print is
 * parsed. */
#include <CUnit/CUnit.h>
#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yaml.h>

#include "common/base/files.h"
#include "common/base/remove_tree.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"

static char folder[] = "/tmp/platforms_test.XXXXXX";
static char home[PATH_MAX];

/* Run a command of the shell in the test's folder; $HERE is the source tree.
 * @return its exit status */
static int run(const char *command)
{
    char text[4096];
    int status;

    text_format(text, sizeof text, "cd %s && { %s\n} >>log 2>&1", folder,
                command);
    status = system(text);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A file that the platform would read. */
static json_t *read_json(const char *name)
{
    char path[PATH_MAX];

    text_format(path, sizeof path, "%s/%s", folder, name);
    return json_load_file(path, 0, NULL);
}

/* A member that must be a number, or -1. */
static double number(const json_t *json, const char *key)
{
    const json_t *member = json_object_get(json, key);

    return json_is_number(member) ? json_number_value(member) : -1;
}

/* A right file for lab 01, one that does not compile, and none. */
static bool make_submissions(void)
{
    return run("mkdir -p good bad none\n"
               "sed -e '/#include \"host.h\"/{r '$HERE'/solutions/"
               "01_vector_add/host.h' -e 'd}' "
               "$HERE/solutions/01_vector_add/1_*.cu >good/vector_add.cu\n"
               "echo 'int x = ;' >bad/vector_add.cu; echo hi >none/readme")
           == 0;
}

/* --- Gradescope ----------------------------------------------------------- */

/* Run a command in a root folder of its own, as Gradescope's container has
 * it.  @return its exit status */
static int run_in_root(const char *words)
{
    char command[512];

    text_format(command, sizeof command,
                "unshare --mount sh -c 'for d in usr etc dev proc; do "
                "mount --rbind /$d root/$d || exit; done\n"
                "exec chroot root sh -c \"cd /autograder && exec %s\"'",
                words);
    return run(command);
}

/* Start run_autograder there.  @return results.json, or NULL */
static json_t *gradescope(const char *submission)
{
    char command[256];

    text_format(command, sizeof command,
                "rm -rf root/autograder/submission root/autograder/results\n"
                "mkdir -p root/autograder/results\n"
                "cp -r %s root/autograder/submission", submission);
    if (run(command) || run_in_root("./run_autograder"))
        return NULL;
    return read_json("root/autograder/results/results.json");
}

/* In the folders that Gradescope documents, with its metadata. */
static void test_gradescope(void)
{
    json_t *result, *tests, *test;
    double sum = 0;
    size_t i;

    CU_ASSERT_EQUAL_FATAL(run("$HERE/grader/platforms/pack gradescope 01 "
                              "$PWD/up.zip --built"), 0);
    /* Both files must lie at the root of the archive. */
    CU_ASSERT_EQUAL(run("unzip -l up.zip | grep -q ' setup.sh$' && "
                        "unzip -l up.zip | grep -q ' run_autograder$'"), 0);
    CU_ASSERT_EQUAL(run("unzip -p up.zip '*/solutions/*' | grep ."), 1);
    CU_ASSERT_EQUAL_FATAL(
        run("for d in usr etc dev proc autograder/source; do "
            "mkdir -p root/$d; done; mkdir -m 1777 root/tmp\n"
            "for l in bin sbin lib lib64; do ln -s usr/$l root/$l; done\n"
            "unzip -q up.zip -d root/autograder/source && "
            "cp root/autograder/source/run_autograder root/autograder"), 0);
    CU_ASSERT_EQUAL_FATAL(run_in_root("source/setup.sh"), 0);
    result = gradescope("good");
    CU_ASSERT_EQUAL(number(result, "score"), 100);
    tests = json_object_get(result, "tests");
    CU_ASSERT(json_array_size(tests) > 5);
    /* Compiled by setup.sh, not again.  Its boxes can be made, and marks given,
     * where boxes of tier C can. */
    CU_ASSERT_EQUAL(run("cd root/autograder && test -s source/cache/runner/soft/"
                        "main.c.o -a ! work/cache/runner/soft/main.c.o -nt "
                        "source/cache/runner/soft/main.c.o"), 0);
    CU_ASSERT_EQUAL(run("! $BUILD/warpbook verify-box --tier C || "
                        "! cat log | grep -q 'of tier D'"), 0);
    json_array_foreach(tests, i, test) {
        CU_ASSERT_PTR_NOT_NULL(json_object_get(test, "name"));
        CU_ASSERT_PTR_NOT_NULL(json_object_get(test, "status"));
        CU_ASSERT(number(test, "score") == number(test, "max_score"));
        sum += number(test, "score");
    }
    CU_ASSERT_DOUBLE_EQUAL(sum, 100, 0.01);
    json_decref(result);
    result = gradescope("bad");
    CU_ASSERT_EQUAL(number(result, "score"), 0);
    json_decref(result);
    result = gradescope("none");
    CU_ASSERT_EQUAL(number(result, "score"), 0);
    json_decref(result);
}

/* No score at all: Gradescope then shows an error of the autograder. */
static void test_gradescope_without_a_mark(void)
{
    json_t *result;

    setenv("TIER", "D", 1); /* boxes have a PATH of their own */
    CU_ASSERT_EQUAL_FATAL(run("mkdir -p root/autograder/tools && printf "
                              "'#!/bin/sh\\nkill -KILL $$\\n' "
                              ">root/autograder/tools/g++ && "
                              "chmod +x root/autograder/tools/g++"), 0);
    setenv("PATH", "/autograder/tools:/usr/bin:/bin:/usr/sbin:/sbin", 1);
    result = gradescope("bad");
    setenv("PATH", "/usr/bin:/bin:/usr/sbin:/sbin", 1);
    CU_ASSERT_PTR_NOT_NULL(result);
    CU_ASSERT_PTR_NULL(json_object_get(result, "score"));
    json_decref(result);
}

/* --- Autolab -------------------------------------------------------------- */

/* The last line of a file. */
static json_t *last_line(const char *name)
{
    char path[PATH_MAX];
    size_t length = 0;
    char *text, *line;
    json_t *json;

    text_format(path, sizeof path, "%s/%s", folder, name);
    text = read_file(path, 1 << 20, &length);
    if (!text)
        return NULL;
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = 0;
    line = strrchr(text, '\n');
    json = json_loads(line ? line + 1 : text, 0, NULL);
    free(text);
    return json;
}

/* With the Makefile that Autolab calls; the last line is JSON. */
static void test_autolab(void)
{
    json_t *json;

    CU_ASSERT_EQUAL_FATAL(run("$HERE/grader/platforms/pack autolab 01 "
                              "$PWD/up --built"), 0);
    CU_ASSERT_EQUAL_FATAL(run("mkdir vm && cp up/autograde-Makefile vm/Makefile"
                              " && cp up/autograde.tar bad/vector_add.cu vm"
                              " && make -s -C vm >autolab.out"), 0);
    json = last_line("autolab.out");
    CU_ASSERT_EQUAL(number(json_object_get(json, "scores"), "vector_add"), 0);
    json_decref(json);
}

/* Of a lab that students may not see yet they get points, and no feedback. */
static void test_hidden_lab(void)
{
    static const char book[] =
        "$BUILD/warpbook gradebook vm/work/results --lab 01 --format";
    char command[512];

    CU_ASSERT_EQUAL(run("grep -q 'BUILD, 0 of' autolab.out"), 0);
    CU_ASSERT_EQUAL(run("printf '[lab 01]\nvisibility = hidden\n' >hide.ini"),
                    0);
    text_format(command, sizeof command,
                "%s autoresult --course hide.ini >hidden && grep -q scores "
                "hidden && ! grep -q BUILD hidden", book);
    CU_ASSERT_EQUAL(run(command), 0);
    text_format(command, sizeof command,
                "%s classroom --course hide.ini >hidden && grep -q max_score "
                "hidden && ! grep -q BUILD hidden", book);
    CU_ASSERT_EQUAL(run(command), 0);
}

/* --- GitHub --------------------------------------------------------------- */

/* The value of a key of a mapping, or NULL. */
static yaml_node_t *member(yaml_document_t *yaml, yaml_node_t *mapping,
                           const char *key)
{
    if (!mapping || mapping->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *at = mapping->data.mapping.pairs.start;
         at < mapping->data.mapping.pairs.top; at++) {
        yaml_node_t *name = yaml_document_get_node(yaml, at->key);

        if (!strcmp((char *)name->data.scalar.value, key))
            return yaml_document_get_node(yaml, at->value);
    }
    return NULL;
}

/* The text of a scalar of YAML. */
static const char *text_of(yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE
           ? (const char *)node->data.scalar.value : "";
}

/* Run the steps that are commands, each by bash as a runner does. */
static int run_steps(yaml_document_t *yaml, yaml_node_t *steps)
{
    int ran = 0;

    for (yaml_node_item_t *at = steps->data.sequence.items.start;
         at < steps->data.sequence.items.top; at++) {
        yaml_node_t *step = yaml_document_get_node(yaml, *at);
        const char *command = text_of(member(yaml, step, "run"));
        char path[PATH_MAX];

        if (!*command)
            continue;
        text_format(path, sizeof path, "%s/step", folder);
        CU_ASSERT_FATAL(write_file(path, command, strlen(command)));
        CU_ASSERT_EQUAL_FATAL(run("env -u BUILD -u SOFTGPU_HOME bash -e -o pipefail step"), 0);
        ran++;
    }
    return ran;
}

/* Where the actions put them: the submission and a copy of the tree, with what
 * was built here.  It is a build folder of its own: `make` there may not
 * replace the programs that other tests run at this moment. */
static bool check_out(void)
{
    return run("cp -r bad submission && mkdir warpbook && "
               "(cd $HERE && tar -cf - --exclude=./build --exclude=./.git .) | "
               "tar -xf - -C warpbook && mkdir warpbook/build && "
               "to=$PWD/warpbook/build && cd $BUILD_FOLDER && "
               "cp -a softcc warpbook train lib obj calls lab-calls "
               "setup.stamp \"$to\"")
           == 0;
}

/* The workflow is YAML, and its jobs have what GitHub needs. */
static void test_classroom(void)
{
    FILE *file = fopen("grader/platforms/classroom.yml", "r");
    yaml_parser_t parser;
    yaml_document_t yaml;
    yaml_node_t *root, *job;
    json_t *json;

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_file(&parser, file);
    CU_ASSERT_FATAL(yaml_parser_load(&parser, &yaml));
    root = yaml_document_get_root_node(&yaml);
    CU_ASSERT_STRING_EQUAL(text_of(member(&yaml, root, "name")),
                           "Autograding Tests");
    job = member(&yaml, member(&yaml, root, "jobs"), "run-autograding-tests");
    CU_ASSERT_PTR_NOT_NULL_FATAL(member(&yaml, job, "steps"));
    setenv("LAB", text_of(member(&yaml, member(&yaml, job, "env"), "LAB")), 1);
    setenv("GITHUB_OUTPUT", "output", 1);
    CU_ASSERT_FATAL(check_out());
    CU_ASSERT_EQUAL(run_steps(&yaml, member(&yaml, job, "steps")), 2);
    unsetenv("LAB");
    CU_ASSERT_EQUAL_FATAL(
        run("sed -n s/^result=//p output | base64 -d >decoded"), 0);
    json = read_json("decoded");
    CU_ASSERT_EQUAL(number(json, "version"), 1);
    CU_ASSERT_EQUAL(number(json, "max_score"), 100);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(json, "status")),
                           "fail");
    CU_ASSERT(json_array_size(json_object_get(json, "tests")) > 0);
    json_decref(json);
    yaml_document_delete(&yaml);
    yaml_parser_delete(&parser);
    fclose(file);
}

/* --- bad use -------------------------------------------------------------- */

/* Nothing is made then. */
static void test_bad_arguments(void)
{
    CU_ASSERT_EQUAL(run("$HERE/grader/platforms/pack moodle 01 x.zip"), 2);
    CU_ASSERT_EQUAL(run("$HERE/grader/platforms/pack autolab 99 x"), 2);
    CU_ASSERT_EQUAL(run("$HERE/grader/platforms/pack autolab 01 x none.ini"),
                    2);
    CU_ASSERT_EQUAL(run("test -e x -o -e x.zip"), 1);
}

/* Root, mounts and the platforms' tools are needed. */
static bool can_chroot(void)
{
    return geteuid() == 0 && run("unshare --mount true") == 0
           && run("command -v zip && command -v unzip") == 0;
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"bad arguments", test_bad_arguments},
        {"Autolab", test_autolab},
        {"a lab that is hidden", test_hidden_lab},
        {"GitHub Classroom", test_classroom},
        {"Gradescope", test_gradescope},
        {"Gradescope, without a mark", test_gradescope_without_a_mark},
        CU_TEST_INFO_NULL};
    const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
    char path[PATH_MAX];
    size_t length = strlen(build);
    int failures;

    if (length > 4 && !strcmp(build + length - 4, "/san")) {
        puts("skipped: the plain build is packed");
        return 77;
    }
    if (!mkdtemp(folder) || !getcwd(home, sizeof home)
        || !realpath(build, path))
        return 2;
    setenv("HERE", home, 1);
    setenv("BUILD_FOLDER", path, 1);
    setenv("BUILD", path, 1);
    setenv("ZIPOPT", "-1", 1); /* quicker */
    if (!can_chroot()) {
        puts("Gradescope's folders are not tried: that needs root, zip and "
             "unzip");
        tests[4] = (CU_TestInfo)CU_TEST_INFO_NULL;
    }
    failures = make_submissions() ? run_tests("platforms", tests) : 2;
    if (failures) {
        text_format(path, sizeof path, "cat %s/log", folder);
        failures = system(path) ? 2 : failures;
    }
    remove_tree(folder);
    return failures;
}
