/* SPDX-License-Identifier: MIT */
/* Entries of a results folder. */
#include "entry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/json_member.h"
#include "common/base/text.h"
#include "text_clean.h"

static const char schema[] = "warpbook-entry/1";

/* What identifies an entry: the lab, the student as the download says, and the
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

static json_t *student_to_json(const struct student *student)
{
    return json_pack("{ss ss ss ss ss ss ss ss}", "id", student->id, "name",
                     student->name, "email", student->email, "login",
                     student->login, "section", student->section, "sid",
                     student->sid, "canvas", student->canvas, "participant",
                     student->participant);
}

static void set_text(json_t *entry, const char *key, const char *text)
{
    json_object_set_new(entry, key, json_string(text));
}

static void set_number(json_t *entry, const char *key, int64_t number)
{
    json_object_set_new(entry, key, json_integer(number));
}

static void fill_new(json_t *entry, const struct submission *submission,
                     const char *content)
{
    const struct refusal *refusal = &submission->refusal;

    set_text(entry, "schema", schema);
    set_text(entry, "lab", submission->stem);
    set_text(entry, "content", content);
    set_number(entry, "seen", (int64_t)time(NULL));
    set_text(entry, "verdict",
             refusal->verdict == PASS ? "" : verdict_name(refusal->verdict));
    set_text(entry, "message", refusal->reason);
    set_text(entry, "key", "");
    set_number(entry, "round", 0);
    json_object_set_new(entry, "previous", json_array());
}

static void renew(json_t *entry, const struct submission *submission,
                  const struct roster *roster)
{
    const struct student *known = roster
                                  ? roster_find(roster, &submission->student)
                                  : NULL;

    json_object_set_new(entry, "student",
                        student_to_json(known ? known
                                              : &submission->student));
    json_object_set_new(entry, "in_roster", json_boolean(known));
    set_text(entry, "from", submission->from);
    json_object_set_new(entry, "late", json_boolean(submission->is_late));
    set_number(entry, "submitted", submission->submitted);
    set_number(entry, "attempt", submission->attempt);
}

bool entry_put(const struct store *store, const struct submission *submission,
               const struct roster *roster)
{
    char content[DIGEST_TEXT] = "", name[STORE_NAME], file[STORE_NAME];
    json_t *entry;
    bool ok = true;

    if (submission->text) {
        digest(content, submission->text, submission->length);
        text_format(file, sizeof file, "files/%s.cu", content);
        ok = store_publish(store, file, submission->text, submission->length);
    }
    name_entry(submission, content, name);
    entry = store_json(store, name);
    if (!entry) {
        entry = json_object();
        fill_new(entry, submission, content);
    }
    renew(entry, submission, roster);
    ok = ok && store_put_json(store, name, entry);
    json_decref(entry);
    return ok;
}

/* A reading of all entries. */
struct reading {
    const struct store *store;
    struct entries *entries;
};

static void take_entry(void *user, const char *name)
{
    struct reading *reading = user;
    struct entries *entries = reading->entries;
    json_t *entry = store_json(reading->store, name);
    size_t count = entries->count;

    if (!entry || strcmp(member_text(entry, "schema", ""), schema)) {
        json_decref(entry);
        return;
    }
    entries->entry = realloc(entries->entry, (count + 1) * sizeof(json_t *));
    entries->name = realloc(entries->name, (count + 1) * sizeof(char *));
    if (!entries->entry || !entries->name)
        abort();
    entries->entry[count] = entry;
    entries->name[count] = strdup(name);
    entries->count++;
}

void entries_read(const struct store *store, struct entries *entries)
{
    struct reading reading = {store, entries};

    *entries = (struct entries){0};
    store_list(store, "entries", take_entry, &reading);
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

json_t *entry_result(const struct store *store, const json_t *entry)
{
    char name[STORE_NAME];

    return *entry_text(entry, "key")
           ? store_json(store, entry_result_name(entry, name)) : NULL;
}
