/* SPDX-License-Identifier: MIT */
/* Applying a unified diff, and making a handout with one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "common/base/handout_extract.h"
#include "common/base/patch.h"
#include "common/base/tests/run_tests.h"

static const char diff[] = "# a comment\n"
                           "--- a/a.cu\n+++ b/a.cu\n"
                           "@@ -2,3 +2,2 @@\n two\n-three\n four\n"
                           "@@ -6 +5,2 @@\n-six\n+6\n+6.5\n"
                           "--- a/h.h\n+++ b/h.h\n"
                           "@@ -0,0 +1 @@\n+first\n";

/* The patch changes the text to this. */
static void check_patched(const char *patch, const char *name,
                          const char *text, const char *expected)
{
    char error[PATCH_ERROR_SIZE] = "";
    char *patched = patch_apply(patch, name, text, error);

    CU_ASSERT_STRING_EQUAL(error, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(patched);
    CU_ASSERT_STRING_EQUAL(patched, expected);
    free(patched);
}

/* Several hunks, also at the first line; other files stay. */
static void applies_hunks(void)
{
    check_patched(diff, "a.cu", "one\ntwo\nthree\nfour\nfive\nsix\n",
                  "one\ntwo\nfour\nfive\n6\n6.5\n");
    check_patched(diff, "h.h", "a\n", "first\na\n");
    check_patched(diff, "other.h", "two\nthree\n", "two\nthree\n");
}

/* Lines that came or went before a hunk move it. */
static void finds_moved_hunks(void)
{
    check_patched(diff, "a.cu", "0\n0\none\ntwo\nthree\nfour\nfive\nsix\n",
                  "0\n0\none\ntwo\nfour\nfive\n6\n6.5\n");
    check_patched(diff, "a.cu", "two\nthree\nfour\nsix\n",
                  "two\nfour\n6\n6.5\n");
}

/* The message has this. */
static void check_refused(const char *patch, const char *text,
                          const char *expected)
{
    char error[PATCH_ERROR_SIZE] = "";

    CU_ASSERT_PTR_NULL(patch_apply(patch, "a.cu", text, error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error, expected));
}

/* The message names the line of the diff. */
static void refuses_other_text(void)
{
    check_refused(diff, "one\ntwo\nThree\nfour\nfive\nsix\n", "line 4: no");
    check_refused(diff, "one\ntwo\nthree\nfour\nfive\n", "line 8: no");
    check_refused("+++ b/a.cu\n@@ -1,2 +1 @@\n-a\n", "a\nb\n",
                  "line 2: the hunk has");
    check_refused("+++ b/a.cu\n@@ -1 +1 @@\n-a\n*b\n", "a\n", "line 4: a line");
    check_refused("+++ b/a.cu\n@@ one @@\n", "a\n", "line 2: this is no");
}

/* The files that a patch changes, in its order. */
static void lists_files(void)
{
    char name[PATCH_NAME_SIZE];
    const char *rest = patch_next_file(diff, name);

    CU_ASSERT_STRING_EQUAL(name, "a.cu");
    rest = patch_next_file(rest, name);
    CU_ASSERT_STRING_EQUAL(name, "h.h");
    CU_ASSERT_PTR_NULL(patch_next_file(rest, name));
}

/* --- handouts ------------------------------------------------------------ */

static char folder[PATH_MAX], patch_path[PATH_MAX + 16];

/* A file in the folder of the test. */
static void write_text(const char *name, const char *text)
{
    char path[PATH_MAX + 16];

    text_format(path, sizeof path, "%s/%s", folder, name);
    CU_ASSERT_TRUE(write_file(path, text, strlen(text)));
}

/* A reference that includes a header beside it, and others. */
static void make_folder(void)
{
    CU_ASSERT_FATAL(temp_dir_create(folder));
    text_format(patch_path, sizeof patch_path, "%s/handout.diff", folder);
    write_text("1.cu", "a\n#include \"h.h\"\n#include \"i.h\"\n"
               "#include <h.h>\nsolution\n");
    write_text("h.h", "/* SPDX-License-Identifier: MIT */\n#ifndef H\nb\n");
    write_text("handout.diff", "--- a/1.cu\n+++ b/1.cu\n@@ -5 +5 @@\n"
               "-solution\n+/* TODO 1 */\n"
               "--- a/h.h\n+++ b/h.h\n@@ -2 +1,0 @@\n"
               "-#ifndef H\n");
}

/* No handout is made, and the message has this. */
static void check_error(const char *expected)
{
    char error[HANDOUT_ERROR_SIZE] = "";

    CU_ASSERT_PTR_NULL(extract_handout(folder, "1.cu", patch_path, error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error, expected));
}

/* The header beside the reference is copied, patched as well; an include of
 * another header stays. */
static void makes_handout(void)
{
    char error[HANDOUT_ERROR_SIZE] = "", *handout;

    make_folder();
    handout = extract_handout(folder, "1.cu", patch_path, error);
    CU_ASSERT_STRING_EQUAL(error, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(handout);
    CU_ASSERT_STRING_EQUAL(handout, "a\nb\n\n#include \"i.h\"\n"
                           "#include <h.h>\n/* TODO 1 */\n");
    free(handout);
}

/* Patches that do not fit, change nothing, or name no file. */
static void refuses_bad_patches(void)
{
    make_folder();
    write_text("h.h", "c\n");
    check_error("handout.diff: h.h: line 8: no place");
    write_text("handout.diff", "nothing\n");
    check_error("changes no file");
    write_text("handout.diff", "--- a/2.cu\n+++ b/2.cu\n@@ -1 +1 @@\n-a\n+b\n");
    check_error("it changes 2.cu, which the handout does not include");
    write_text("1.cu", "");
    text_format(patch_path, sizeof patch_path, "%s/none.diff", folder);
    check_error("none.diff: No such file");
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"hunks are applied, file by file", applies_hunks},
        {"hunks are found where lines moved", finds_moved_hunks},
        {"other text and malformed hunks are refused", refuses_other_text},
        {"the files of a diff are listed", lists_files},
        {"a handout is made of two files", makes_handout},
        {"patches that fit nowhere are refused", refuses_bad_patches},
        CU_TEST_INFO_NULL};

    return paths_init() ? run_tests("handouts", tests) : EXIT_FAILURE;
}
