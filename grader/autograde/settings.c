/* SPDX-License-Identifier: MIT */
/* The course's settings in a results folder. */
#include "settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/json_member.h"
#include "common/base/text.h"
#include "grader/lab/lab.h"

static const char all_labs[] = "*";
enum { MAX_BYTES = 16 << 20 };

/* Everything is checked before anything is stored. */
static bool check_given(const struct given *given, struct failure *failure)
{
    static struct course course;
    struct roster roster = {0};
    struct late_policy late;
    struct deadline deadline;

    course_default(&course);
    if (given->deadline && !deadline_parse(given->deadline, &deadline))
        return fail(failure, "--deadline \"%.60s\": not a time like "
                    "2026-11-01T23:59 or 2026-11-01T23:59+01:00",
                    given->deadline);
    if (given->late && !late_parse(given->late, &late))
        return fail(failure, "--late \"%.60s\": neither accept, refuse nor "
                    "10%%/day, then max DAYS, grace MINUTES", given->late);
    if (given->course && !course_read(given->course, &course, failure))
        return false;
    if (given->roster && !roster_read(given->roster, &roster, failure))
        return false;
    roster_free(&roster);
    return true;
}

/* Settings are copied into the results, so that a later run needs no option
 * again. No file is no change. */
static bool copy_file(const struct store *store, const char *from,
                      const char *name, struct failure *failure)
{
    size_t length = 0;
    char *text = from ? read_file(from, MAX_BYTES, &length) : NULL;
    bool ok = !from || (text && store_replace(store, name, text, length));

    free(text);
    return ok || fail(failure, "%s/%s: %s", store->path, name,
                      strerror(errno));
}

/* Settings with deadlines that mean the same in every zone. */
static bool copy_course(const struct store *store, const char *from,
                        struct failure *failure)
{
    static struct course course;
    size_t length = 0;
    char *text;
    bool ok;

    if (!from)
        return true;
    course_default(&course);
    if (!course_read(from, &course, failure))
        return false;
    text = read_file(from, MAX_BYTES, &length);
    text = text ? course_fix_deadlines(text, &course) : NULL;
    ok = text && store_replace(store, "course.ini", text, strlen(text));
    free(text);
    return ok || fail(failure, "%s/course.ini: %s", store->path,
                      strerror(errno));
}

/* Deadlines and policies by lab, or for all labs; a deadline with its zone, so
 * that it is the same instant on every machine. */
static bool store_policies(const struct store *store, const struct given *given,
                           struct failure *failure)
{
    json_t *all, *lab;
    const char *stem = given->stem ? given->stem : all_labs;
    struct deadline deadline;
    char text[TIME_TEXT];
    bool ok;

    if (!store_get(store, "settings.json", &all, failure))
        return false;
    if (!all)
        all = json_object();
    lab = json_object_get(all, stem);
    if (!lab) {
        lab = json_object();
        json_object_set_new(all, stem, lab);
    }
    if (given->deadline && deadline_parse(given->deadline, &deadline))
        json_object_set_new(lab, "deadline", json_string(
            deadline_format(text, &deadline)));
    if (given->late)
        json_object_set_new(lab, "late", json_string(given->late));
    ok = store_write_json(store, "settings.json", all)
         || fail(failure, "%s/settings.json: %s", store->path,
                 strerror(errno));
    json_decref(all);
    return ok;
}

/* Copy the hidden tests of all labs; other files of the folder stay there. */
static bool copy_hidden(const struct store *store, const char *folder,
                        struct failure *failure)
{
    static const char *const ends[] = {"c", "ini"};
    const char *stems[COURSE_LABS];
    char from[PATH_MAX], name[STORE_NAME];
    size_t labs = lab_stems(stems, COURSE_LABS), copied = 0;

    if (!folder)
        return true;
    if (mkdirat(store->folder, "hidden", 0700) && errno != EEXIST)
        return fail(failure, "%s/hidden: %s", store->path, strerror(errno));
    for (size_t i = 0; i < 2 * labs; i++) {
        text_format(from, sizeof from, "%s/%s.%s", folder, stems[i / 2],
                    ends[i % 2]);
        text_format(name, sizeof name, "hidden/%s.%s", stems[i / 2],
                    ends[i % 2]);
        if (access(from, F_OK) && errno == ENOENT)
            continue;
        if (!copy_file(store, from, name, failure))
            return false;
        copied++;
    }
    return copied || fail(failure, "%s: no hidden tests, such as %s/%s.c",
                          folder, folder, stems[0]);
}

bool settings_store(const struct store *store, const struct given *given,
                    struct failure *failure)
{
    return check_given(given, failure)
           && copy_hidden(store, given->hidden, failure)
           && copy_course(store, given->course, failure)
           && copy_file(store, given->roster, "roster.csv", failure)
           && ((!given->deadline && !given->late)
               || store_policies(store, given, failure));
}

/* The words of the command line go before the file's settings. */
static void apply_words(const json_t *all, struct course *course)
{
    const char *stem;
    json_t *words;

    json_object_foreach((json_t *)all, stem, words) {
        const char *deadline = member_text(words, "deadline", NULL);
        const char *late = member_text(words, "late", NULL);
        struct course_lab *lab = strcmp(stem, all_labs)
                                 ? course_add_lab(course, stem) : NULL;

        if (deadline)
            deadline_parse(deadline, lab ? &lab->deadline : &course->deadline);
        if (late) {
            late_parse(late, lab ? &lab->late : &course->late);
            if (lab)
                lab->has_late = true;
        }
    }
}

bool settings_load(const struct store *store, const struct given *given,
                   struct course *course, struct roster *roster,
                   struct failure *failure)
{
    char path[PATH_MAX + 16];
    bool has_course, has_roster, has_hidden;
    json_t *words;

    course_default(course);
    *roster = (struct roster){0};
    if (!store_find(store, "course.ini", &has_course, failure)
        || !store_find(store, "roster.csv", &has_roster, failure)
        || !store_find(store, "hidden", &has_hidden, failure)
        || !store_get(store, "settings.json", &words, failure))
        return false;
    if (has_hidden)
        text_format(course->hidden, sizeof course->hidden, "%s/hidden",
                    store->path);
    text_format(path, sizeof path, "%s/course.ini", store->path);
    if ((given->course || has_course)
        && !course_read(given->course ? given->course : path, course,
                        failure)) {
        json_decref(words);
        return false;
    }
    apply_words(words, course);
    json_decref(words);
    text_format(path, sizeof path, "%s/roster.csv", store->path);
    if (!given->roster && !has_roster)
        return true;
    return roster_read(given->roster ? given->roster : path, roster, failure);
}
