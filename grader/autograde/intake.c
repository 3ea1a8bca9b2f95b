/* SPDX-License-Identifier: MIT */
/* Finding the submissions in a folder; the layout is recognized by names. */
#include "intake.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/text.h"
#include "intake_item.h"
#include "late.h"
#include "text_clean.h"

enum { MAX_METADATA = 256 << 20 };

/* The state of one reading. */
struct reading {
    struct intake *intake;
    int root;          /* descriptor of the folder of submissions */
    char prefix[300];  /* folder within it, with its slash: Gradescope's */
    struct item item;  /* the student whose files are being collected */
    bool has_item;
    bool stopped;      /* `take` returned false */
};

/* For scandirat(): an order that depends on no locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* macOS puts its own folder into archives. */
static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "__MACOSX");
}

/* The type of a file, links not followed; 0: not there. */
static mode_t file_type(int root, const char *path)
{
    struct stat about;

    return fstatat(root, path, &about, AT_SYMLINK_NOFOLLOW)
           ? 0 : about.st_mode & S_IFMT;
}

/* Add all files below a folder.  @return false when the item is refused */
static bool add_folder(struct item *item, int root, const char *path,
                       int depth)
{
    struct dirent **list;
    int count = scandirat(root, path, &list, not_hidden, by_name);
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
        else if (file_type(root, inner) != S_IFDIR)
            ok = item_add(item, inner, list[i]->d_name, 0);
        else if (depth == INTAKE_DEPTH)
            ok = false;
        else
            ok = add_folder(item, root, inner, depth + 1);
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
static void flush_item(struct reading *reading)
{
    if (reading->has_item && !reading->stopped)
        reading->stopped = !item_take(reading->intake, reading->root,
                                      &reading->item);
    item_free(&reading->item);
    reading->has_item = false;
}

/* Begin a student, unless the present one has the same files' owner. */
static void begin_item(struct reading *reading, const struct student *student,
                       const char *from, bool is_single)
{
    if (reading->has_item && is_single && reading->item.is_single
        && !strcmp(reading->item.student.id, student->id))
        return;
    flush_item(reading);
    reading->item = (struct item){.student = *student,
                                  .is_single = is_single};
    text_format(reading->item.from, sizeof reading->item.from, "%s", from);
    reading->has_item = true;
}

/* Ignored names are counted, the first one is told. */
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
    clean_copy(parsed->student.id, sizeof parsed->student.id, name);
    return NULL;
}

/* A folder of a plain layout or of Moodle's. */
static void read_folder(struct reading *reading, const char *name)
{
    struct download_name parsed;
    const char *layout = parse_folder(name, &parsed);

    if (layout)
        reading->intake->layout = layout;
    begin_item(reading, &parsed.student, name, false);
    add_folder(&reading->item, reading->root, name, 1);
}

/* Other files, such as a report in PDF, are ignored. */
static bool is_source_or_archive(const char *name)
{
    size_t length = strlen(name);

    return is_archive_name(name)
           || (length > 3 && equals_folded(name + length - 3, ".cu"));
}

/* A file's name without its ending, as the name of a student. */
static void name_student(struct student *student, const char *name)
{
    char *dot;

    clean_copy(student->id, sizeof student->id, name);
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
    begin_item(reading, &parsed.student, name, true);
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

    for (int i = 0; i < count && reading->intake->expect; i++) {
        const char *name = list[i]->d_name;

        if (is_moodle_text(name))
            continue;
        if (file_type(reading->root, name) == S_IFDIR)
            parse_folder(name, &parsed);
        else if (!parse_file(name, &parsed))
            continue;
        if (strcmp(last, parsed.student.id))
            reading->intake->expect(reading->intake->user, &parsed.student);
        strcpy(last, parsed.student.id);
    }
}

/* A folder a student, or files named for students. */
static bool read_plain(struct reading *reading, struct failure *failure)
{
    struct dirent **list;
    int count = scandirat(reading->root, ".", &list, not_hidden, by_name);
    bool any;

    if (count < 0)
        return fail(failure, "%s: %s", reading->intake->folder,
                    strerror(errno));
    reading->intake->layout = "plain";
    announce(reading, list, count);
    for (int i = 0; i < count; i++) {
        mode_t type = file_type(reading->root, list[i]->d_name);

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
    flush_item(reading);
    return any
           || fail(failure, "%s: there is no submission in this folder: no "
                   "folder, archive or .cu file", reading->intake->folder);
}

/* --- Gradescope ----------------------------------------------------------- */

/* One submitter of a folder of Gradescope's. */
static bool add_gradescope(void *user, const struct gradescope_entry *entry)
{
    struct reading *reading = user;
    char path[400];

    text_format(path, sizeof path, "%s%s", reading->prefix, entry->folder);
    if (!is_allowed_part(entry->folder, strlen(entry->folder))
        || strchr(entry->folder, '/'))
        return false;
    begin_item(reading, &entry->student, path, false);
    time_parse(entry->created, &reading->item.submitted);
    if (file_type(reading->root, path) == S_IFDIR)
        add_folder(&reading->item, reading->root, path, 1);
    flush_item(reading);
    return !reading->stopped;
}

/* Tell the caller whose submissions the export has. */
static bool announce_gradescope(void *user,
                                const struct gradescope_entry *entry)
{
    struct reading *reading = user;

    reading->intake->expect(reading->intake->user, &entry->student);
    return true;
}

/* Some file systems do not tell the type: then openat() decides. */
static bool is_directory(const struct dirent *entry)
{
    return entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
}

/* The metadata lies in the folder, or in the only folder in it. */
static bool find_metadata(struct reading *reading, char *path)
{
    static const char name[] = "submission_metadata.yml";
    const char *folder = reading->intake->folder;
    struct dirent **list;
    int count;

    text_format(path, PATH_MAX, "%s/%s", folder, name);
    *reading->prefix = 0;
    if (access(path, F_OK) == 0)
        return true;
    count = scandirat(reading->root, ".", &list, not_hidden, by_name);
    if (count == 1 && is_directory(list[0])) {
        text_format(path, PATH_MAX, "%s/%s/%s", folder, list[0]->d_name, name);
        text_format(reading->prefix, sizeof reading->prefix, "%s/",
                    list[0]->d_name);
    }
    for (int i = 0; i < count; i++)
        free(list[i]);
    if (count >= 0)
        free(list);
    return *reading->prefix && access(path, F_OK) == 0;
}

/* Gradescope's export, with a metadata file in YAML. */
static bool read_export(struct reading *reading, const char *path,
                        struct failure *failure)
{
    size_t length = 0;
    char *text = read_file(path, MAX_METADATA, &length);
    bool ok;

    if (!text)
        return fail(failure, "%s: %s", path, strerror(errno));
    reading->intake->layout = "Gradescope";
    ok = (!reading->intake->expect
          || read_gradescope(path, text, length, announce_gradescope, reading,
                             failure))
         && read_gradescope(path, text, length, add_gradescope, reading,
                            failure);
    free(text);
    return ok;
}

bool intake_read(struct intake *intake, struct failure *failure)
{
    struct reading reading = {.intake = intake};
    char metadata[PATH_MAX];
    bool ok;

    failure->text[0] = 0;
    intake->ignored = 0;
    reading.root = open(intake->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (reading.root < 0)
        return errno == ENOTDIR
               ? fail(failure, "%s: a file, not a folder of submissions; "
                      "unpack the archive of a class first: unzip -d FOLDER "
                      "FILE", intake->folder)
               : fail(failure, "%s: %s", intake->folder, strerror(errno));
    ok = find_metadata(&reading, metadata)
         ? read_export(&reading, metadata, failure)
         : read_plain(&reading, failure);
    close(reading.root);
    if (reading.stopped)
        failure->text[0] = 0;
    return ok && !reading.stopped;
}
