/* SPDX-License-Identifier: MIT */
/** @file
 *  Entries of a results folder: one JSON object for each file that a student
 *  submitted for a lab, and for each submission that was refused.
 *
 *  | member | meaning |
 *  | --- | --- |
 *  | `schema` | `warpbook-entry/1` |
 *  | `student` | `id`, `name`, `email`, ... as of struct student |
 *  | `in_roster` | the roster has the student |
 *  | `doubt` | why it was matched with nobody, though names are alike; or by which name; or empty |
 *  | `lab` | stem, or empty: no lab's file was found |
 *  | `from` | file or folder in the folder of submissions |
 *  | `late`, `submitted`, `attempt` | as the platform says; 0: not known |
 *  | `seen` | when the reading began that found it first, seconds since 1970 |
 *  | `returned` | when the reading began that found it again, after a whole one without it |
 *  | `read` | when the reading began that found it last |
 *  | `content` | SHA-256 of the file, or empty |
 *  | `verdict`, `message` | REJECTED or MISSING and why, or empty; or a note on where the file was |
 *  | `key` | the result that counts: results/KEY.json |
 *  | `round` | number of regradings |
 *  | `previous` | keys of results that counted before |
 */
#ifndef AUTOGRADE_ENTRY_H
#define AUTOGRADE_ENTRY_H

#include "intake.h"
#include "roster_match.h"
#include "store.h"

/** All entries of a results folder, in the order of their files. */
struct entries {
    json_t **entry; /**< malloced */
    char **name;    /**< "entries/ID.json", malloced */
    size_t count;   /**< of them */
};

/** Make or renew the entry of a submission, and keep its file.
 *  @param match  replaces what the download says of the student
 *  @return false with one line */
bool entry_write(const struct store *store, const struct submission *submission,
                 const struct roster_match *match, struct failure *failure);
/** Make or renew the entry of one student of a group.  A new one begins as that
 *  of the group, if the group has one: it was read before the roster.
 *  @param match  the student
 *  @return false with one line */
bool entry_write_member(const struct store *store,
                        const struct submission *group,
                        const struct roster_match *match,
                        struct failure *failure);
/** Remove the entry of a submission, if there is one.
 *  @return false with one line */
bool entry_remove(const struct store *store,
                  const struct submission *submission,
                  struct failure *failure);
/** Read the entries one after the other, in the order of their files.
 *  @param handle  is called with each one, which is freed after that; false:
 *                 no more
 *  @return false with one line, of `handle` or because one cannot be read */
bool entries_each(const struct store *store,
                  bool (*handle)(void *user, const char *name, json_t *entry),
                  void *user, struct failure *failure);
/** Read all entries; free with entries_free().
 *  @return false with one line: one of them cannot be read, and none is given,
 *  for without it a student would seem to have submitted nothing */
bool entries_read(const struct store *store, struct entries *entries,
                  struct failure *failure);
/** Free them. */
void entries_free(struct entries *entries);
/** Text of a member, "" when there is none. */
const char *entry_text(const json_t *entry, const char *key);
/** Text of a member of the student. */
const char *entry_student(const json_t *entry, const char *key);
/** Does the word name the entry's student: by id, number, address, login or
 *  full name? */
bool entry_is_of(const json_t *entry, const char *word);
/** Name of the result that counts, "results/KEY.json".  @return `name` */
char *entry_result_name(const json_t *entry, char name[STORE_NAME]);
/** The result that counts; NULL: not graded. */
json_t *entry_result(const struct store *store, const json_t *entry);

#endif
