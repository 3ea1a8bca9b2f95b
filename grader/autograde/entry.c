/* SPDX-License-Identifier: MIT */
/* Entries of a results folder. */
#include "entry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/json_member.h"
#include "common/base/text.h"
#include "text_clean.h"

static const char schema[] = "warpbook-entry/1";

/* An entry is identified by the lab, the student as the download says, and the
 * content, or why there is none.  A roster that comes later changes nothing. */
static void name_entry(const struct submission *submission,
                       const char *content, char name[STORE_NAME])
{
    char text[1024], hex[DIGEST_TEXT];

    text_format(text, sizeof text, "%s\n%s\n%s\n%s\n%s", schema,
                submission->stem, submission->student.id, content,
                *content ? "" : submission->refusal.reason);
    text_format(name, STORE_NAME, "entries/%.24s.json",
                digest(hex, text, strlen(text)));
}

/* The entry that says that a submission could not be read, by an error of ours.
 * The next run may read it: then this entry goes. */
static void name_internal(const struct submission *submission,
                          const char *stem, char name[STORE_NAME])
{
    struct submission other = *submission;

    other.stem = stem;
    text_format(other.refusal.reason, REASON_BYTES, "INTERNAL");
    name_entry(&other, "", name);
}

/* An entry that recorded an error of the grader is replaced by the real one. */
static bool remove_internal(const struct store *store,
                            const struct submission *submission)
{
    char name[STORE_NAME];
    bool ok;

    name_internal(submission, submission->stem, name);
    ok = store_remove(store, name);
    name_internal(submission, "", name); /* before its lab was known */
    return store_remove(store, name) && ok;
}

/* All names by which a student may be known to a platform. */
static json_t *student_to_json(const struct student *student)
{
    return json_pack("{ss ss ss ss ss ss ss ss}", "id", student->id, "name",
                     student->name, "email", student->email, "login",
                     student->login, "section", student->section, "sid",
                     student->sid, "canvas", student->canvas, "participant",
                     student->participant);
}

/* Replaces a member; an invalid string would leave it out. */
static void set_text(json_t *entry, const char *key, const char *text)
{
    json_object_set_new(entry, key, json_string(text));
}

/* Replaces a member. */
static void set_number(json_t *entry, const char *key, int64_t number)
{
    json_object_set_new(entry, key, json_integer(number));
}

/* Set the members that belong to the file; renew() sets those that may change
 * without a new one. */
static void fill_new(json_t *entry, const struct submission *submission,
                     const char *content)
{
    const struct refusal *refusal = &submission->refusal;

    set_text(entry, "schema", schema);
    set_text(entry, "lab", submission->stem);
    set_text(entry, "content", content);
    set_number(entry, "seen", submission->first);
    set_text(entry, "verdict",
             refusal->verdict == PASS ? "" : verdict_name(refusal->verdict));
    set_text(entry, "message", refusal->reason);
    set_text(entry, "key", "");
    set_number(entry, "round", 0);
    json_object_set_new(entry, "previous", json_array());
}

/* A whole reading did not find it: it was submitted again. */
static void note_return(json_t *entry, const struct submission *submission)
{
    if ((int64_t)member_count(entry, "read") < submission->whole)
        set_number(entry, "returned", submission->read);
}

/* Name, lateness and attempt may change when the same download is read again
 * with another roster. */
static void renew(json_t *entry, const struct submission *submission,
                  const struct roster_match *match)
{
    const struct student *known = match->student;

    json_object_set_new(entry, "student",
                        student_to_json(known ? known
                                              : &submission->student));
    json_object_set_new(entry, "in_roster", json_boolean(known));
    set_text(entry, "doubt", match->doubt);
    set_text(entry, "from", submission->from);
    json_object_set_new(entry, "late", json_boolean(submission->is_late));
    set_number(entry, "submitted", submission->submitted);
    set_number(entry, "read", submission->read);
    set_number(entry, "attempt", submission->attempt);
}

/* A new entry begins as a copy of `before`, or empty. */
static json_t *begin_entry(const struct submission *submission,
                           const char *content, const json_t *before)
{
    json_t *entry = before ? json_deep_copy(before) : json_object();

    if (!before)
        fill_new(entry, submission, content);
    return entry;
}

static bool write_one(const struct store *store,
                      const struct submission *submission,
                      const struct roster_match *match, const json_t *before,
                      struct failure *failure)
{
    const bool is_internal = submission->refusal.verdict == INTERNAL;
    char content[DIGEST_TEXT] = "", name[STORE_NAME], file[STORE_NAME];
    json_t *entry;
    bool ok;

    if (submission->text) {
        digest(content, submission->text, submission->length);
        text_format(file, sizeof file, "files/%s.cu", content);
        if (!store_publish(store, file, submission->text, submission->length))
            return fail(failure, "%s/%s: %s", store->path, file,
                        strerror(errno));
    }
    if (is_internal)
        name_internal(submission, submission->stem, name);
    else
        name_entry(submission, content, name);
    /* what cannot be read now must not be replaced: it says which attempt
     * came first and which result counts */
    if (!store_get(store, name, &entry, failure))
        return false;
    if (entry)
        note_return(entry, submission);
    else
        entry = begin_entry(submission, content, before);
    renew(entry, submission, match);
    if (submission->refusal.verdict == PASS)
        set_text(entry, "message", submission->refusal.reason);
    ok = store_write_json(store, name, entry)
         && (is_internal || remove_internal(store, submission));
    json_decref(entry);
    return ok || fail(failure, "%s/%s: %s", store->path, name,
                      strerror(errno));
}

bool entry_write(const struct store *store, const struct submission *submission,
                 const struct roster_match *match, struct failure *failure)
{
    return write_one(store, submission, match, NULL, failure);
}

/* The name of the entry that a submission has, whoever's it is. */
static char *find_name(const struct submission *submission,
                       char name[STORE_NAME])
{
    char content[DIGEST_TEXT] = "";

    if (submission->text)
        digest(content, submission->text, submission->length);
    name_entry(submission, content, name);
    return name;
}

bool entry_write_member(const struct store *store,
                        const struct submission *group,
                        const struct roster_match *match,
                        struct failure *failure)
{
    struct submission own = *group;
    char name[STORE_NAME];
    json_t *before;
    bool ok;

    if (!store_get(store, find_name(group, name), &before, failure))
        return false;
    own.student = *match->student;
    ok = write_one(store, &own, match, before, failure);
    json_decref(before);
    return ok;
}

bool entry_remove(const struct store *store,
                  const struct submission *submission,
                  struct failure *failure)
{
    char name[STORE_NAME];

    return (store_remove(store, find_name(submission, name))
            && remove_internal(store, submission))
           || fail(failure, "%s/%s: %s", store->path, name, strerror(errno));
}

/* A reading of all entries. */
struct reading {
    const struct store *store;
    bool (*handle)(void *user, const char *name, json_t *entry);
    void *user;
    struct failure *failure;
};

/* An entry that is left out would be a student without a submission. */
static bool read_entry(void *user, const char *name)
{
    struct reading *reading = user;
    json_t *entry;
    bool ok;

    if (!store_get(reading->store, name, &entry, reading->failure))
        return false;
    if (!entry)
        return true; /* removed since the folder was listed */
    if (strcmp(member_text(entry, "schema", ""), schema))
        ok = fail(reading->failure, "%s/%s: not an entry of this version",
                  reading->store->path, name);
    else
        ok = reading->handle(reading->user, name, entry);
    json_decref(entry);
    return ok;
}

bool entries_each(const struct store *store,
                  bool (*handle)(void *user, const char *name, json_t *entry),
                  void *user, struct failure *failure)
{
    struct reading reading = {store, handle, user, failure};

    failure->text[0] = 0;
    if (store_list(store, "entries", read_entry, &reading))
        return true;
    return !*failure->text
           && fail(failure, "%s/entries: %s", store->path, strerror(errno));
}

/* Memory for one more.  @return false when there is none */
static bool grow(struct entries *entries)
{
    size_t room = entries->count + 1;
    json_t **entry = realloc(entries->entry, room * sizeof *entry);
    char **name;

    if (!entry)
        return false;
    entries->entry = entry;
    name = realloc(entries->name, room * sizeof *name);
    if (!name)
        return false;
    entries->name = name;
    return true;
}

static bool keep_entry(void *user, const char *name, json_t *entry)
{
    struct entries *entries = user;

    if (!grow(entries) || !(entries->name[entries->count] = strdup(name)))
        return false;
    entries->entry[entries->count++] = json_incref(entry);
    return true;
}

bool entries_read(const struct store *store, struct entries *entries,
                  struct failure *failure)
{
    *entries = (struct entries){0};
    if (entries_each(store, keep_entry, entries, failure))
        return true;
    entries_free(entries);
    return false;
}

void entries_free(struct entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        json_decref(entries->entry[i]);
        free(entries->name[i]);
    }
    free(entries->entry);
    free(entries->name);
    *entries = (struct entries){0};
}

const char *entry_text(const json_t *entry, const char *key)
{
    return member_text(entry, key, "");
}

const char *entry_student(const json_t *entry, const char *key)
{
    return member_text(json_object_get(entry, "student"), key, "");
}

bool entry_is_of(const json_t *entry, const char *word)
{
    static const char *const keys[] = {"id", "name", "email", "login", "sid",
                                       "canvas", "participant"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (*word && equals_folded(entry_student(entry, keys[i]), word))
            return true;
    return equals_folded(entry_text(entry, "from"), word);
}

char *entry_result_name(const json_t *entry, char name[STORE_NAME])
{
    return text_format(name, STORE_NAME, "results/%.64s.json",
                       entry_text(entry, "key"));
}

/* A damaged file may have any numbers. */
static bool has_sound_points(const json_t *graded)
{
    const json_t *result = json_object_get(graded, "result");

    return member_number(result, "score")
           <= member_number(result, "max_score") + 1e-6;
}

json_t *entry_result(const struct store *store, const json_t *entry)
{
    char name[STORE_NAME];
    json_t *graded = *entry_text(entry, "key")
                     ? store_json(store, entry_result_name(entry, name))
                     : NULL;

    if (!graded || has_sound_points(graded))
        return graded;
    json_decref(graded);
    return NULL;
}
