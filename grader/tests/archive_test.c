/* SPDX-License-Identifier: MIT */
/* Archives of submissions: what is taken out of them, and which are refused. */
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/autograde/archive.h"
#include "grader/autograde/archive_record.h"
#include "scratch.h"

/* An entry of an archive that a test writes. */
struct entry {
    const char *name, *text, *link;
    unsigned type;
};

/* An archive of these entries; the name's ending says which format. */
static const char *write_archive(const char *name, const struct entry *entry,
                                 size_t count)
{
    const char *path = scratch(name, "", 0);
    struct archive *archive = archive_write_new();

    archive_write_set_format_filter_by_ext(archive, path);
    CU_ASSERT_EQUAL_FATAL(archive_write_open_filename(archive, path),
                          ARCHIVE_OK);
    for (size_t i = 0; i < count; i++) {
        struct archive_entry *made = archive_entry_new();

        archive_entry_set_pathname(made, entry[i].name);
        archive_entry_set_filetype(made, entry[i].type ? entry[i].type
                                                       : AE_IFREG);
        archive_entry_set_perm(made, 0644);
        if (entry[i].link && entry[i].type)
            archive_entry_set_symlink(made, entry[i].link);
        else if (entry[i].link)
            archive_entry_set_hardlink(made, entry[i].link);
        if (entry[i].text)
            archive_entry_set_size(made, (la_int64_t)strlen(entry[i].text));
        archive_write_header(archive, made);
        if (entry[i].text)
            archive_write_data(archive, entry[i].text, strlen(entry[i].text));
        archive_entry_free(made);
    }
    archive_write_free(archive);
    return path;
}

/* Take a.cu out of an archive.  @return its text, "" without a.cu */
static const char *extract(const char *path, struct refusal *refusal)
{
    static char text[256];
    struct source wanted[] = {{.name = "a.cu"}};
    int fd = open(path, O_RDONLY);

    archive_extract(fd, path, wanted, 1, refusal);
    close(fd);
    text_format(text, sizeof text, "%s", wanted[0].text ? wanted[0].text : "");
    free(wanted[0].text);
    return text;
}

/* Each format; hidden files and those of macOS are no second a.cu. */
static void archives_taken(void)
{
    static const char *const names[] = {"a.zip", "a.tar", "a.tar.gz", "a.tgz",
                                        "a.tar.xz", "a.tar.bz2"};
    static const struct entry entries[] = {
        {"lab 1 (final)/", NULL, NULL, AE_IFDIR},
        {"lab 1 (final)/a.cu", "int x;", NULL, 0},
        {"__MACOSX/lab 1 (final)/._a.cu", "mac", NULL, 0},
        {".git/a.cu", "old", NULL, 0},
        {"./lab 1 (final)/.vscode/a.cu", "old", NULL, 0},
        {"\xc3\x9c" "bung/Makefile", "all:", NULL, 0}};
    struct refusal refusal;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CU_ASSERT(is_archive_name(names[i]));
        CU_ASSERT_STRING_EQUAL(extract(write_archive(names[i], entries, 6),
                                       &refusal), "int x;");
        CU_ASSERT_EQUAL(refusal.verdict, PASS);
    }
    CU_ASSERT_FALSE(is_archive_name("a.cu"));
    CU_ASSERT_FALSE(is_archive_name(".zip"));
}

/* Characters of names that students give their files are no reason to refuse
 * them; 64 characters may be 192 bytes. */
static void usual_names(void)
{
    static const char word[] = "\xe7\x8e\x8b\xe4\xbc\x9f"; /* two of them */
    char name[256] = "";
    struct entry entries[] = {
        {"R&D; lab 1: what? \"new\" <2> a|b*.txt", "x", NULL, 0},
        {name, "x", NULL, 0},
        {"a.cu", "int x;", NULL, 0}};
    struct refusal refusal;

    for (int i = 0; i < 32; i++)
        strcat(name, word);
    CU_ASSERT_STRING_EQUAL(extract(write_archive("usual.zip", entries, 3),
                                   &refusal), "int x;");
    CU_ASSERT_STRING_EQUAL(extract(write_archive("usual.tar", entries, 3),
                                   &refusal), "int x;");
    strcat(name, "x");
    CU_ASSERT_STRING_EQUAL(extract(write_archive("long.zip", entries, 3),
                                   &refusal), "");
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal.reason, "at most 64 characters"));
}

/* Windows writes names into a zip in the code page of its country; a tar is
 * UTF-8. */
static void old_names(void)
{
    static const struct entry entries[] = {
        {"\x9a" "bung 1/L\x94sung.txt", "x", NULL, 0},
        {"\x9a" "bung 1/a.cu", "int x;", NULL, 0}};
    static const struct entry control[] = {
        {"\x9a" "bung\x1b[2J", "x", NULL, 0}, {"a.cu", "int x;", NULL, 0}};
    struct refusal refusal;

    CU_ASSERT_STRING_EQUAL(extract(write_archive("old.zip", entries, 2),
                                   &refusal), "int x;");
    CU_ASSERT_EQUAL(refusal.verdict, PASS);
    CU_ASSERT_STRING_EQUAL(extract(write_archive("old.tar", entries, 2),
                                   &refusal), "");
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal.reason, "is not UTF-8"));
    CU_ASSERT_STRING_EQUAL(extract(write_archive("old.zip", control, 2),
                                   &refusal), "");
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal.reason, "no control characters"));
}

/* As made by most programs: the name says that it is UTF-8. */
static void names_are_utf8(void)
{
    static const unsigned char zip[] = {
        'P', 'K', 3, 4, 20, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0x31, 0x7f, 0x5b, 0x11,
        5, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0, 0xc3, 0x9c, '/', 'a', '.', 'c',
        'u', 'i', 'n', 't', ' ', 'x',
        'P', 'K', 1, 2, 20, 3, 20, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0x31, 0x7f, 0x5b,
        0x11, 5, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xa4,
        0x81, 0, 0, 0, 0, 0xc3, 0x9c, '/', 'a', '.', 'c', 'u',
        'P', 'K', 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, 53, 0, 0, 0, 42, 0, 0, 0, 0, 0};
    struct refusal refusal;

    CU_ASSERT_STRING_EQUAL(
        extract(scratch("utf8.zip", (const char *)zip, sizeof zip), &refusal),
        "int x");
    CU_ASSERT_EQUAL(refusal.verdict, PASS);
}

/* The archive is refused with this in the reason, and nothing is taken. */
static void expect_refusal(const struct entry *entries, size_t count,
                           const char *fragment)
{
    struct refusal refusal;

    CU_ASSERT_STRING_EQUAL(extract(write_archive("bad.tar", entries, count),
                                   &refusal), "");
    CU_ASSERT_EQUAL(refusal.verdict, REJECTED);
    if (!strstr(refusal.reason, fragment))
        printf("\n%s: %s\n", fragment, refusal.reason);
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal.reason, fragment));
}

/* Paths, types and names that no archive of a student needs. */
static void archives_refused(void)
{
    static const struct {
        struct entry entry[2];
        const char *fragment;
    } cases[] = {
        {{{"../a.cu", "x", 0, 0}}, "leaves its folder"},
        {{{"b/../../a.cu", "x", 0, 0}}, "leaves its folder"},
        {{{"/a.cu", "x", 0, 0}}, "absolute"},
        {{{"C:/a.cu", "x", 0, 0}}, "absolute"},
        {{{"b\\a.cu", "x", 0, 0}}, "absolute"},
        {{{"-rf", "x", 0, 0}, {"a.cu", "x", 0, 0}}, "not allowed"},
        {{{"$(id)", "x", 0, 0}, {"a.cu", "x", 0, 0}}, "not allowed"},
        {{{"b\nc", "x", 0, 0}, {"a.cu", "x", 0, 0}}, "control"},
        {{{"b\xc2\x9b", "x", 0, 0}, {"a.cu", "x", 0, 0}}, "control"},
        {{{"b\xe2\x80\xae", "x", 0, 0}, {"a.cu", "x", 0, 0}}, "control"},
        {{{"a.cu", NULL, "/etc/passwd", AE_IFLNK}}, "is a link"},
        {{{"b", "x", 0, 0}, {"a.cu", NULL, "b", 0}}, "is a link"},
        {{{"a.cu", NULL, NULL, AE_IFIFO}}, "neither a file"},
        {{{"a.cu", "x", 0, 0}, {"A.CU", "y", 0, 0}}, "but for case"},
        {{{"a.cu", "x", 0, 0}, {"b/a.cu", "y", 0, 0}}, "two files a.cu"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refusal(cases[i].entry, cases[i].entry[1].name ? 2 : 1,
                       cases[i].fragment);
}

/* Too many entries, too large a file, too many bytes in all. */
static void archives_too_large(void)
{
    static struct entry entries[ARCHIVE_ENTRIES + 1];
    static char name[ARCHIVE_ENTRIES + 1][16], text[SOURCE_BYTES + 2];

    for (int i = 0; i <= ARCHIVE_ENTRIES; i++) {
        text_format(name[i], sizeof name[i], "f%d", i);
        entries[i] = (struct entry){name[i], "", NULL, 0};
    }
    expect_refusal(entries, ARCHIVE_ENTRIES + 1, "more than 1000 entries");
    memset(text, ' ', SOURCE_BYTES + 1);
    entries[0] = (struct entry){"a.cu", text, NULL, 0};
    expect_refusal(entries, 1, "more than 1 MiB");
}

/* A small file that asks for memory: the byte of the first block's header says
 * how large a dictionary is, from 4 KiB to 4 GiB. */
static void large_dictionaries(void)
{
    enum { AT = 16, MIB_64 = 28, MIB_96 = 29, GIB_1_5 = 37, GIB_4 = 40 };
    static const char codes[] = {MIB_96, GIB_1_5, GIB_4, MIB_64};
    static const struct entry entry = {"a.cu", "int x;", NULL, 0};
    struct refusal refusal;
    size_t length = 0;
    char *bytes = read_file(write_archive("d.tar.xz", &entry, 1), 1 << 20,
                            &length);

    CU_ASSERT_FATAL(length > AT && bytes[AT - 2] == 0x21);
    for (size_t i = 0; i < sizeof codes; i++) {
        bytes[AT] = codes[i];
        extract(scratch("large.tar.xz", bytes, length), &refusal);
        CU_ASSERT_EQUAL(refusal.verdict, REJECTED); /* its checksum is wrong */
        CU_ASSERT_EQUAL(strstr(refusal.reason, "more than 64 MiB") != NULL,
                        codes[i] != MIB_64);
    }
    free(bytes);
}

/* Cut off anywhere, or with changed bytes: a reason, never a crash. */
static void archives_damaged(void)
{
    static const struct entry entry = {"a.cu", "int x;", NULL, 0};
    struct refusal refusal;
    size_t length = 0;
    char *bytes = read_file(write_archive("whole.zip", &entry, 1), 1 << 20,
                            &length);

    extract(scratch("cut.zip", bytes, length / 2), &refusal);
    CU_ASSERT_EQUAL(refusal.verdict, REJECTED);
    extract(scratch("text.zip", "int x;", 6), &refusal);
    CU_ASSERT_EQUAL(refusal.verdict, REJECTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal.reason, "not a zip file"));
    extract(scratch("empty.tar", "", 0), &refusal);
    CU_ASSERT_EQUAL(refusal.verdict, REJECTED);
    extract(scratch("zip.tar", bytes, length), &refusal);
    CU_ASSERT_EQUAL(refusal.verdict, REJECTED);
    free(bytes);
}

/* A source with a NUL byte is no text. */
static void sources(void)
{
    struct refusal refusal = {PASS, ""};

    CU_ASSERT(source_is_text("a.cu", "int x;", 6, &refusal));
    CU_ASSERT(source_is_text("a.cu", "", 0, &refusal));
    CU_ASSERT_FALSE(source_is_text("a.cu", "i\0x", 3, &refusal));
    CU_ASSERT_EQUAL(refusal.verdict, REJECTED);
    CU_ASSERT_FALSE(source_is_text("a.cu", "\xff\xfei\0", 4, &refusal));
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal.reason, "UTF-16"));
}

#ifndef __SANITIZE_ADDRESS__ /* which maps terabytes */
/* Bytes of address space that this process has. */
static size_t address_space(void)
{
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");

    if (file && fscanf(file, "%zu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Read an archive in a process that gets so many bytes more.
 *  @return the kind of its last record, 0 for none */
static uint32_t read_within(const char *path, size_t bytes)
{
    struct source wanted[] = {{.name = "a.cu"}};
    rlim_t most;
    struct record record = {0, 0, 0};
    char text[256];
    uint32_t last = 0;
    int ends[2], status, fd = open(path, O_RDONLY);
    pid_t child;

    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    fflush(NULL);
    child = fork();
    if (child == 0) {
        malloc_trim(0); /* what earlier tests have freed */
        most = address_space() + bytes;
        setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
        archive_send(fd, path, wanted, 1, ends[1]);
    }
    close(ends[1]);
    while (read(ends[0], &record, sizeof record) == sizeof record
           && record.length < sizeof text
           && read(ends[0], text, record.length) == (ssize_t)record.length)
        last = record.kind;
    close(ends[0]);
    close(fd);
    CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
    CU_ASSERT_TRUE(WIFEXITED(status));
    return last;
}

/* However little memory there is: an archive that is all right is never called
 * damaged or forbidden. */
static void archives_without_memory(void)
{
    static const char *const names[] = {"m.zip", "m.tar.gz", "m.tar.xz",
                                        "m.tar.bz2"};
    static const struct entry entry = {"a.cu", "int x;", NULL, 0};
    enum { STEPS = 40, STEP = 96 << 10 };
    int failed = 0, done = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = write_archive(names[i], &entry, 1);

        for (size_t k = 0; k < STEPS; k++) {
            uint32_t last = read_within(path, k * STEP);

            CU_ASSERT_TRUE(last == 0 || last == FAILED || last == DONE);
            failed += last == 0 || last == FAILED;
            done += last == DONE;
        }
    }
    CU_ASSERT_TRUE(failed > 20);
    CU_ASSERT_TRUE(done > 20);
}
#else
static void archives_without_memory(void)
{
    puts("archives without memory: tested in the plain build");
}
#endif

int main(void)
{
    CU_TestInfo tests[] = {{"archives that are taken", archives_taken},
                           {"names in UTF-8", names_are_utf8},
                           {"usual names", usual_names},
                           {"names of an old code page", old_names},
                           {"archives that are refused", archives_refused},
                           {"archives that are too large",
                            archives_too_large},
                           {"dictionaries that are too large",
                            large_dictionaries},
                           {"archives that are damaged", archives_damaged},
                           {"archives without memory",
                            archives_without_memory},
                           {"sources", sources},
                           CU_TEST_INFO_NULL};

    return run_tests("archives of submissions", tests);
}
