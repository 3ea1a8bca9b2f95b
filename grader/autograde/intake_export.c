/* SPDX-License-Identifier: MIT */
/* Gradescope's export: folders and a file that says whose they are. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/text.h"
#include "intake_reading.h"
#include "late.h"
#include "text_clean.h"

enum { MAX_METADATA = 256 << 20 };

bool is_export_name(const char *name)
{
    int used = 0;

    return sscanf(name, "submission_%*[0-9]%n", &used) == 0 && used
           && !name[used];
}

/* For scandirat(): Gradescope's folders. */
static int is_submission(const struct dirent *entry)
{
    return is_export_name(entry->d_name);
}

/* One submitter of a folder of Gradescope's. */
static bool add_gradescope(void *user, const struct gradescope_entry *entry)
{
    struct reading *reading = user;
    char path[400];

    text_format(path, sizeof path, "%s%s", reading->prefix, entry->folder);
    if (!is_allowed_part(entry->folder, strlen(entry->folder))
        || strchr(entry->folder, '/'))
        return false;
    reading_begin(reading, &entry->student, path, false);
    if (!time_parse(entry->created, &reading->item.submitted)
        && *entry->created) {
        text_format(reading->problem, sizeof reading->problem,
                    "%s: \"%s\" is no time", entry->folder, entry->created);
        return false; /* it decides what is late */
    }
    if (reading_file_type(reading->root, path) == S_IFDIR)
        item_add_folder(&reading->item, reading->root, path, 1);
    reading_flush(reading);
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

/* The folder in Gradescope's archive, "assignment_123_export".  In a folder of
 * another name the file may be a student's, who is somebody else then. */
static bool is_whole_export(const char *name)
{
    int used = 0;

    return sscanf(name, "assignment_%*[0-9]_export%n", &used) == 0 && used
           && !name[used];
}

bool export_find(struct reading *reading, char *path)
{
    static const char name[] = "submission_metadata.yml";
    const char *folder = reading->intake->folder;
    struct dirent **list;
    int count;

    text_format(path, PATH_MAX, "%s/%s", folder, name);
    *reading->prefix = 0;
    if (access(path, F_OK) == 0)
        return true;
    count = scandirat(reading->root, ".", &list, reading_not_hidden,
                      reading_by_name);
    if (count == 1 && is_whole_export(list[0]->d_name)) {
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

/* Is this folder named in the metadata? */
struct search {
    const char *folder;
    bool is_there;
};

static bool compare_folder(void *user, const struct gradescope_entry *entry)
{
    struct search *search = user;

    search->is_there |= !strcmp(entry->folder, search->folder);
    return !search->is_there;
}

/* Folders that the metadata does not name are submissions, too: of whom is not
 * known. */
static void read_unnamed(struct reading *reading, const char *path,
                         const char *text, size_t length)
{
    const char *folder = *reading->prefix ? reading->prefix : ".";
    struct dirent **list;
    int count = scandirat(reading->root, folder, &list, is_submission,
                          reading_by_name);

    for (int i = 0; i < count; i++) {
        struct search search = {list[i]->d_name, false};
        struct gradescope_entry entry = {0};
        struct failure failure;

        read_gradescope(path, text, length, compare_folder, &search, &failure);
        text_format(entry.folder, sizeof entry.folder, "%s", list[i]->d_name);
        text_format(entry.student.id, sizeof entry.student.id, "%s",
                    list[i]->d_name);
        if (!search.is_there && !reading->stopped)
            add_gradescope(reading, &entry);
        free(list[i]);
    }
    if (count >= 0)
        free(list);
}

/* Gradescope's export, with a metadata file in YAML. */
bool export_read(struct reading *reading, const char *path,
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
    if (ok && !reading->stopped)
        read_unnamed(reading, path, text, length);
    free(text);
    return ok || (*reading->problem
                  && fail(failure, "%s: %s", path, reading->problem));
}

