/* SPDX-License-Identifier: MIT */
/* Finding the submissions in a folder; the layout is recognized by names. */
#include "intake.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/text.h"
#include "intake_reading.h"
#include "text_clean.h"

/* For scandirat(): an order that depends on no locale. */
int reading_by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* macOS puts its own folder into archives. */
int reading_not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "__MACOSX");
}

/* The type of a file, links not followed; 0: not there. */
mode_t reading_file_type(int root, const char *path)
{
    struct stat about;

    return fstatat(root, path, &about, AT_SYMLINK_NOFOLLOW)
           ? 0 : about.st_mode & S_IFMT;
}

/* Add all files below a folder.  @return false when the item is refused */
bool item_add_folder(struct item *item, int root, const char *path,
                       int depth)
{
    struct dirent **list;
    int count = scandirat(root, path, &list, reading_not_hidden,
                          reading_by_name);
    bool ok = true;

    if (count < 0) {
        item->refusal.verdict = INTERNAL;
        text_format(item->refusal.reason, REASON_BYTES,
                    "a folder cannot be read: %s", strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        char inner[PATH_MAX];

        text_format(inner, sizeof inner, "%s/%s", path, list[i]->d_name);
        if (!ok)
            ;
        else if (reading_file_type(root, inner) != S_IFDIR)
            ok = item_add(item, inner, list[i]->d_name, 0);
        else if (depth == INTAKE_DEPTH)
            ok = false;
        else
            ok = item_add_folder(item, root, inner, depth + 1);
        free(list[i]);
    }
    free(list);
    if (!ok && item->refusal.verdict == PASS) {
        item->refusal.verdict = REJECTED;
        text_format(item->refusal.reason, REASON_BYTES,
                    "more than %d folders within each other", INTAKE_DEPTH);
    }
    return ok;
}

/* Hand over the student whose files are complete. */
void reading_flush(struct reading *reading)
{
    if (reading->has_item && !reading->stopped)
        reading->stopped = !item_read(reading->intake, reading->root,
                                      &reading->item);
    item_free(&reading->item);
    reading->has_item = false;
}

/* Begin a student, unless the present one has the same files' owner. */
void reading_begin(struct reading *reading, const struct student *student,
                       const char *from, bool is_single)
{
    if (reading->has_item && is_single && reading->item.is_single
        && !strcmp(reading->item.student.id, student->id))
        return;
    reading_flush(reading);
    reading->item = (struct item){.student = *student,
                                  .is_single = is_single};
    text_format(reading->item.from, sizeof reading->item.from, "%s", from);
    reading->has_item = true;
}

/* Ignored names are counted, the first one is reported. */
static void ignore(struct reading *reading, const char *name)
{
    if (!reading->intake->ignored++)
        clean_copy(reading->intake->first_ignored,
                   sizeof reading->intake->first_ignored, name);
}

/* The student of a folder.  @return the layout */
static const char *parse_folder(const char *name, struct download_name *parsed)
{
    if (parse_moodle_name(name, parsed))
        return "Moodle";
    *parsed = (struct download_name){0};
    name_copy(parsed->student.id, sizeof parsed->student.id, name);
    return NULL;
}

/* A folder of a plain layout or of Moodle's. */
static void read_folder(struct reading *reading, const char *name)
{
    struct download_name parsed;
    const char *layout = parse_folder(name, &parsed);

    if (layout)
        reading->intake->layout = layout;
    reading->intake->lacks_metadata |= is_export_name(name);
    reading_begin(reading, &parsed.student, name, false);
    item_add_folder(&reading->item, reading->root, name, 1);
}

/* Other files, such as a report in PDF, are ignored. */
static bool is_source_or_archive(const char *name)
{
    size_t length = strlen(name);

    return is_archive_name(name) || is_other_archive_name(name)
           || (length > 3 && equals_folded(name + length - 3, ".cu"));
}

/* A file's name without its ending, as the name of a student. */
static void name_student(struct student *student, const char *name)
{
    char *dot;

    name_copy(student->id, sizeof student->id, name);
    dot = strrchr(student->id, '.');
    if (dot)
        *dot = 0;
    dot = strrchr(student->id, '.');
    if (dot && equals_folded(dot, ".tar"))
        *dot = 0;
}

/* The student of a file: Canvas's, Moodle's flat ones, or a plain one.
 *  @return the layout; NULL: it is no submission */
static const char *parse_file(const char *name, struct download_name *parsed)
{
    if (parse_canvas_name(name, parsed))
        return "Canvas";
    if (parse_moodle_name(name, parsed))
        return "Moodle";
    *parsed = (struct download_name){0};
    if (!is_source_or_archive(name))
        return NULL;
    name_student(&parsed->student, name);
    text_format(parsed->file, sizeof parsed->file, "%s", name);
    return "plain";
}

static void read_file_entry(struct reading *reading, const char *name)
{
    struct download_name parsed;
    const char *layout = parse_file(name, &parsed);

    if (!layout) {
        ignore(reading, name);
        return;
    }
    if (strcmp(layout, "plain"))
        reading->intake->layout = layout;
    reading_begin(reading, &parsed.student, name, true);
    reading->item.is_late |= parsed.is_late;
    if (parsed.attempt > reading->item.attempt)
        reading->item.attempt = parsed.attempt;
    item_add(&reading->item, name, parsed.file, parsed.attempt);
}

/* Tell the caller whose submissions the folder has; several files of one
 * student lie side by side. */
static void announce(struct reading *reading, struct dirent **list, int count)
{
    char last[sizeof reading->item.student.id] = "";
    struct download_name parsed;
    bool is_single, was_single = false;

    for (int i = 0; i < count && reading->intake->expect; i++) {
        const char *name = list[i]->d_name;

        if (is_moodle_text(name))
            continue;
        is_single = reading_file_type(reading->root, name) != S_IFDIR;
        if (!is_single)
            parse_folder(name, &parsed);
        else if (!parse_file(name, &parsed))
            continue;
        if (!is_single || !was_single || strcmp(last, parsed.student.id))
            reading->intake->expect(reading->intake->user, &parsed.student);
        strcpy(last, parsed.student.id);
        was_single = is_single;
    }
}

/* A folder a student, or files named for students. */
static bool read_plain(struct reading *reading, struct failure *failure)
{
    struct dirent **list;
    int count = scandirat(reading->root, ".", &list, reading_not_hidden,
                          reading_by_name);
    bool any;

    if (count < 0)
        return fail(failure, "%s: %s", reading->intake->folder,
                    strerror(errno));
    reading->intake->layout = "plain";
    announce(reading, list, count);
    for (int i = 0; i < count; i++) {
        mode_t type = reading_file_type(reading->root, list[i]->d_name);

        if (reading->stopped)
            ;
        else if (is_moodle_text(list[i]->d_name))
            ignore(reading, list[i]->d_name);
        else if (type == S_IFDIR)
            read_folder(reading, list[i]->d_name);
        else
            read_file_entry(reading, list[i]->d_name);
        free(list[i]);
    }
    any = count > reading->intake->ignored;
    free(list);
    reading_flush(reading);
    return any
           || fail(failure, "%s: there is no submission in this folder: no "
                   "folder, archive or .cu file", reading->intake->folder);
}

bool intake_read(struct intake *intake, struct failure *failure)
{
    struct reading reading = {.intake = intake};
    char metadata[PATH_MAX];
    bool ok;

    failure->text[0] = 0;
    intake->ignored = 0;
    if (!intake->began)
        intake->began = (int64_t)time(NULL);
    reading.root = open(intake->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (reading.root < 0)
        return errno == ENOTDIR
               ? fail(failure, "%s: a file, not a folder of submissions; "
                      "unpack the archive of a class first: unzip -d FOLDER "
                      "FILE", intake->folder)
               : fail(failure, "%s: %s", intake->folder, strerror(errno));
    ok = export_find(&reading, metadata)
         ? export_read(&reading, metadata, failure)
         : read_plain(&reading, failure);
    close(reading.root);
    if (reading.stopped)
        failure->text[0] = 0;
    return ok && !reading.stopped;
}
