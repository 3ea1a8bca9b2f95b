/* SPDX-License-Identifier: MIT */
/* A lab's file that a student submitted more than once, in files, folders and
 * archives: which one counts, and what the marker is told. */
#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/autograde/intake.h"

/* The files that were taken of the only submission. */
static struct {
    int count;
    char text[64], note[REASON_BYTES];
    enum verdict verdict;
} taken;

static char folder[PATH_MAX];

static bool store_submission(void *user, const struct submission *submission)
{
    (void)user;
    taken.count++;
    taken.verdict = submission->refusal.verdict;
    text_format(taken.note, sizeof taken.note, "%s",
                submission->refusal.reason);
    text_format(taken.text, sizeof taken.text, "%.*s",
                (int)submission->length,
                submission->text ? submission->text : "");
    return true;
}

static void begin(void)
{
    memset(&taken, 0, sizeof taken);
    CU_ASSERT_TRUE_FATAL(paths_init() && temp_dir_create(folder));
}

/* A file of the submissions, in a folder of its own if the name has one. */
static void write_submitted(const char *name, const char *text)
{
    char path[2 * PATH_MAX];

    text_format(path, sizeof path, "%s/%s", folder, name);
    for (char *at = strchr(path + strlen(folder) + 1, '/'); at;
         at = strchr(at + 1, '/')) {
        *at = 0;
        mkdir(path, 0700);
        *at = '/';
    }
    CU_ASSERT_TRUE(write_file(path, text, strlen(text)));
}

/* An archive that holds vector_add.cu alone. */
static void write_archive(const char *name, const char *text)
{
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    char path[2 * PATH_MAX];

    write_submitted(name, "");
    text_format(path, sizeof path, "%s/%s", folder, name);
    archive_write_set_format_filter_by_ext(archive, path);
    archive_write_open_filename(archive, path);
    archive_entry_set_pathname(entry, "homework/vector_add.cu");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)strlen(text));
    CU_ASSERT_EQUAL(archive_write_header(archive, entry), ARCHIVE_OK);
    archive_write_data(archive, text, strlen(text));
    archive_entry_free(entry);
    CU_ASSERT_EQUAL(archive_write_free(archive), ARCHIVE_OK);
}

static void read_all(void)
{
    struct intake intake = {.folder = folder, .stem = "01_vector_add",
                            .handle = store_submission};
    struct failure failure;

    CU_ASSERT_TRUE(intake_read(&intake, &failure));
    CU_ASSERT_EQUAL(taken.count, 1);
}

static void equal_archives_are_one(void)
{
    begin();
    write_archive("ann/homework.zip", "int a;\n");
    write_archive("ann/again.tar", "int a;\n");
    read_all();
    CU_ASSERT_EQUAL(taken.verdict, PASS);
    CU_ASSERT_STRING_EQUAL(taken.text, "int a;\n");
    CU_ASSERT_STRING_EQUAL(taken.note,
                           "again.tar and homework.zip hold the same text");
}

static void equal_files_are_one(void)
{
    begin();
    write_submitted("ann/vector_add.cu", "int a;\n");
    write_archive("ann/homework.zip", "int a;\n");
    read_all();
    CU_ASSERT_EQUAL(taken.verdict, PASS);
    CU_ASSERT_STRING_EQUAL(taken.text, "int a;\n");
    CU_ASSERT_PTR_NOT_NULL(strstr(taken.note, "hold the same text"));
}

/* Nothing says which of them the student meant. */
static void other_texts_are_refused(void)
{
    begin();
    write_archive("ann/homework.zip", "int a;\n");
    write_archive("ann/again.zip", "int b;\n");
    read_all();
    CU_ASSERT_EQUAL(taken.verdict, REJECTED);
    CU_ASSERT_STRING_EQUAL(taken.note, "it holds two files vector_add.cu");
    CU_ASSERT_STRING_EQUAL(taken.text, "");
}

/* Canvas numbers the attempts; a later one may have another name. */
static void the_newest_attempt_counts(void)
{
    begin();
    write_archive("ann_1_100_homework.zip", "int a;\n");
    write_archive("ann_1_222_another-2.zip", "int b;\n");
    read_all();
    CU_ASSERT_EQUAL(taken.verdict, PASS);
    CU_ASSERT_STRING_EQUAL(taken.text, "int b;\n");
    CU_ASSERT_STRING_EQUAL(
        taken.note, "another.zip counts, not the earlier homework.zip");
    begin();
    write_archive("ann_1_100_a.zip", "int a;\n");
    write_archive("ann_1_222_a-1.zip", "int b;\n");
    write_archive("ann_1_333_a-2.zip", "int c;\n");
    read_all();
    CU_ASSERT_STRING_EQUAL(taken.text, "int c;\n");
    begin();
    write_archive("ann_1_100_a-3.zip", "int a;\n");
    write_submitted("ann_1_222_vector_add.cu", "int b;\n");
    read_all();
    CU_ASSERT_STRING_EQUAL(taken.text, "int a;\n");
    CU_ASSERT_STRING_EQUAL(
        taken.note, "a.zip counts, not the earlier vector_add.cu");
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"archives of equal content are one", equal_archives_are_one},
        {"a file and an archive of equal content", equal_files_are_one},
        {"other contents are refused", other_texts_are_refused},
        {"the newest attempt counts", the_newest_attempt_counts},
        CU_TEST_INFO_NULL,
    };

    return run_tests("intake", tests);
}
