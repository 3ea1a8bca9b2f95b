/* SPDX-License-Identifier: MIT */
/* Targets of the fuzzer: archives, rosters, settings, Gradescope's metadata,
 * frames of the channel, reports of instrumented runs, entries and results; the
 * device process is in fuzz_device.c. */
#include "fuzz_targets.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "grader/autograde/archive.h"
#include "grader/autograde/course.h"
#include "grader/autograde/download.h"
#include "grader/autograde/gradebook.h"
#include "grader/autograde/roster_match.h"
#include "grader/channel/frame.h"
#include "grader/grade/watch.h"

static char path[PATH_MAX], folder[PATH_MAX];

/* A file in memory, under a name. */
static void begin_file(void)
{
    text_format(path, sizeof path, "/proc/self/fd/%d",
                memfd_create("fuzzed", MFD_CLOEXEC));
}

/* In place: fsync() would take most of the time. */
static void write_input(const char *name, const void *data, size_t length)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0 || write(fd, data, length) != (ssize_t)length)
        abort();
    close(fd);
}

/* A message fits into a line of a terminal and changes nothing there. */
static bool is_one_line(const char *text)
{
    return *text && !strchr(text, '\n') && !strchr(text, '\x1b');
}

/* --- archives ------------------------------------------------------------- */

/* @return false: an error of the grader, or a text that breaks the rules */
static bool read_archive_as(const char *name, const unsigned char *data,
                            size_t length)
{
    struct source wanted = {.name = "vector_add.cu"};
    struct refusal refusal = {0};
    int fd = memfd_create("archive", MFD_CLOEXEC);
    bool ok;

    if (fd < 0 || write(fd, data, length) != (ssize_t)length
        || lseek(fd, 0, SEEK_SET))
        abort();
    archive_extract(fd, name, &wanted, 1, &refusal);
    close(fd);
    ok = refusal.verdict == PASS
         ? !wanted.text || wanted.length <= SOURCE_BYTES
         : refusal.verdict == REJECTED && is_one_line(refusal.reason)
           && !wanted.text;
    if (!ok)
        printf("%s: %s %s\n", name, verdict_name(refusal.verdict),
               refusal.reason);
    free(wanted.text);
    return ok;
}

/* By its first bytes as the one or the other format. */
static bool read_archive(const unsigned char *data, size_t length)
{
    const bool is_zip = length > 1 && data[0] == 'P' && data[1] == 'K';

    return read_archive_as(is_zip ? "a.zip" : "a.tar.gz", data, length);
}

static const char *const archive_words[] = {
    "PK\1\2", "PK\3\4", "PK\5\6", "PK\6\6", "vector_add.cu", "ustar",
    "\x1f\x8b", "../vector_add.cu", "/", "\xfd" "7zXZ", "path=", "size=", NULL};

/* --- texts ---------------------------------------------------------------- */

/* A roster that is read must be searchable. */
static bool read_roster(const unsigned char *data, size_t length)
{
    static const struct student someone = {.email = "ann@x.org", .id = "7"};
    struct failure failure = {""};
    struct roster roster = {0};
    bool ok;

    write_input(path, data, length);
    ok = roster_read(path, &roster, &failure)
         ? roster_find(&roster, &someone) != &someone
         : is_one_line(failure.text);
    roster_free(&roster);
    return ok;
}

static const char *const roster_words[] = {
    "email", "name", "login", "SIS Login ID", "ID", "\"\"", "\t", "\",\"",
    "Points Possible", "Participant 7", "section", NULL};

/* Settings that are refused have a message of one line. */
static bool read_settings(const unsigned char *data, size_t length)
{
    static struct course course;
    struct failure failure = {""};

    course_default(&course);
    write_input(path, data, length);
    if (!course_read(path, &course, &failure))
        return is_one_line(failure.text);
    for (int i = 0; i < course.labs; i++)
        if (!(course.lab[i].points >= 0 && course.lab[i].weight >= 0
              && isfinite(course.lab[i].points)
              && isfinite(course.lab[i].weight)))
            return false;
    return course.labs <= COURSE_LABS;
}

static const char *const settings_words[] = {
    "[course]", "[lab 01]", "[lab 99]", "points = ", "weight = ", "late = ",
    "10%/day, max 3, grace 15", "attempts = best", "deadline = ", "time = ",
    "memory = ", "visibility = hidden", "feedback = first", "infinity", NULL};

/* Ends endless lists. */
static bool take_entry(void *user, const struct gradescope_entry *entry)
{
    size_t *count = user;

    return ++*count < 10000 && strlen(entry->folder) < sizeof entry->folder;
}

/* Either entries or a message. */
static bool read_metadata(const unsigned char *data, size_t length)
{
    struct failure failure = {""};
    size_t count = 0;

    return read_gradescope("m.yml", (const char *)data, length, take_entry,
                           &count, &failure)
           || is_one_line(failure.text);
}

static const char *const metadata_words[] = {
    ":submitters:", ":name: ", ":sid: ", ":email: ", ":created_at: ", "- ",
    "submission_1:", "&a", "*a", "<<: ", "|-", "? ", "---", "!!str", NULL};

/* --- the channel ---------------------------------------------------------- */

/* The parsed parts lie within the message, and come out the same. */
static bool read_frame(const unsigned char *data, size_t length)
{
    struct reader in = {.at = data, .left = length}, again;
    struct frame frame, second;
    struct bytes out = {0};
    bool ok = true;

    if (frame_parse(&frame, &in))
        return true;
    for (uint32_t i = 0; i < frame.count; i++)
        if (arg_is_input(&frame.arg[i]) && frame.arg[i].bytes)
            ok &= (const unsigned char *)frame.arg[i].data >= data
                  && (const unsigned char *)frame.arg[i].data
                         + frame.arg[i].bytes <= data + length;
    if (!ok || frame.count > FRAME_MAX_ARGS
        || frame_output_bytes(&frame) > FRAME_MAX_BYTES)
        return false;
    frame_describe(&frame, &out);
    for (uint32_t i = 0; i < frame.count; i++)
        if (arg_is_input(&frame.arg[i]))
            buffer_append(&out, frame.arg[i].data, frame.arg[i].bytes);
    again = (struct reader){.at = out.data, .left = out.length};
    ok = !out.failed && !frame_parse(&second, &again)
         && second.count == frame.count && second.function == frame.function;
    buffer_free(&out);
    return ok;
}

/* --- JSON ----------------------------------------------------------------- */

/* The child that reads it must not crash: it says so by a reason. */
static bool read_report_file(const unsigned char *data, size_t length)
{
    char reason[512] = "";
    bool is_ours;
    json_t *report;

    write_input(path, data, length);
    report = read_report(path, reason, &is_ours);
    json_decref(report);
    return report || (is_one_line(reason) && !strstr(reason, "ended the"));
}

static const char *const report_words[] = {
    "\"kernels\":", "\"findings\":", "\"block\":", "\"line\":", "\"count\":",
    "\"launches\":", "\"gain_us\":", "\"lines\":", "[[[[", "1e18", NULL};

/* A results folder with one entry and one result. */
static void begin_results(void)
{
    static const char *const subfolders[] = {"", "/entries", "/results",
                                             "/files"};
    char name[PATH_MAX];

    temp_dir_create(folder);
    for (int i = 0; i < 4; i++) {
        text_format(name, sizeof name, "%.4000s/r%s", folder, subfolders[i]);
        mkdir(name, 0700);
    }
    strcat(folder, "/r");
    text_format(name, sizeof name, "%.4000s/warpbook-results", folder);
    write_input(name, "", 0);
}

/* A file of a results folder. */
static void write_in_results(const char *name, const void *data, size_t length)
{
    char full[PATH_MAX];

    text_format(full, sizeof full, "%.4000s/%s", folder, name);
    write_input(full, data, length);
}

/* Every format prints, or says why not. */
static bool print_all(const struct gradebook *book)
{
    static const char *const formats[] = {
        "csv", "html", "canvas", "moodle", "gradescope", "autolab", "junit",
        "cunit", NULL};
    bool ok = true;

    for (int i = 0; formats[i]; i++) {
        struct failure failure = {""};
        char *text = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&text, &length);

        ok &= gradebook_print(out, book, formats[i], &failure)
              || is_one_line(failure.text);
        fclose(out);
        ok &= !text || !memchr(text, '\x1b', length);
        free(text);
    }
    return ok;
}

/* All formats are made of the folder. */
static bool make_gradebook(void)
{
    static struct gradebook book;
    struct failure failure = {""};
    struct store store;
    bool ok;

    if (!store_open(folder, STORE_READ, &store, &failure))
        return false;
    if (gradebook_make(&store, &(struct given){0}, NULL, &book, &failure)) {
        ok = print_all(&book);
        for (size_t i = 0; i < book.rows; i++)
            ok &= isfinite(book.row[i].total);
        gradebook_free(&book);
    } else {
        ok = is_one_line(failure.text);
    }
    store_close(&store);
    return ok;
}

static const char entry_text_of[] =
    "{\"schema\": \"warpbook-entry/1\", \"lab\": \"01_vector_add\","
    " \"content\": \"c\", \"key\": \"k\", \"verdict\": \"\", \"message\": \"\","
    " \"round\": 0, \"seen\": 1, \"student\":"
    " {\"id\": \"ann\", \"name\": \"Ann\"}}";

/* The input as a stored result. */
static bool read_result(const unsigned char *data, size_t length)
{
    write_in_results("entries/a.json", entry_text_of, sizeof entry_text_of - 1);
    write_in_results("results/k.json", data, length);
    return make_gradebook();
}

/* The input as a stored entry. */
static bool read_entry(const unsigned char *data, size_t length)
{
    write_in_results("entries/a.json", data, length);
    return make_gradebook();
}

static const char *const result_words[] = {
    "\"result\":", "\"tests\":", "\"score\":", "\"max_score\":", "\"verdict\":",
    "\"message\":", "\"review\":", "\"warpbook-entry/1\"", "\"student\":",
    "\"late\":", "\"submitted\":", "\\u001b", "\\ud800", "]]>", NULL};

static const struct fuzz_target
    archive = {"archive", NULL, read_archive, archive_words, false},
    roster = {"roster", begin_file, read_roster, roster_words, false},
    settings = {"settings", begin_file, read_settings, settings_words, false},
    metadata = {"metadata", NULL, read_metadata, metadata_words, false},
    frame = {"frame", NULL, read_frame, NULL, false},
    report = {"report", begin_file, read_report_file, report_words, false},
    result = {"result", begin_results, read_result, result_words, false},
    entry = {"entry", begin_results, read_entry, result_words, false};

const struct fuzz_target *const fuzz_targets[] = {
    &archive, &roster, &settings, &metadata, &frame, &report, &result, &entry,
    &fuzz_device, NULL};
