/* SPDX-License-Identifier: MIT */
/** @file
 *  The results folder.
 *
 *      RESULTS/warpbook-results   what makes a folder a results folder; locked
 *                                 by the process that writes
 *      RESULTS/warpbook-lock      the lock where the file system has no flock()
 *      RESULTS/seed               the secret behind all inputs
 *      RESULTS/settings.json      deadlines and policies of the command line
 *      RESULTS/course.ini, roster.csv   copies of the instructor's files
 *      RESULTS/readings.json      when folders of submissions were read
 *      RESULTS/files/CONTENT.cu   each file that was submitted, once
 *      RESULTS/entries/ID.json    who submitted it, and which result counts
 *      RESULTS/results/KEY.json   each result, once
 *
 *  A file appears whole or not at all, also when the machine loses power: it is
 *  written beside its place, flushed, and renamed, and the folder is flushed.
 *  The folder is closed to other users.
 */
#ifndef AUTOGRADE_STORE_H
#define AUTOGRADE_STORE_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/base/failure.h"

enum {
    DIGEST_TEXT = 65, /**< a SHA-256 in hexadecimal with its NUL */
    STORE_NAME = 96   /**< bytes of a file's name in a store */
};

/** A results folder that is open. */
struct store {
    char path[PATH_MAX]; /**< as the user named it */
    int folder;          /**< descriptor */
    int lock;            /**< descriptor that holds the lock, or -1 */
    int lock_owner;      /**< process that holds it as a file, or 0 */
};

/** Whether a folder is opened to be written. */
enum store_mode { STORE_READ, STORE_WRITE, STORE_CREATE };

/** Open a results folder; to write it, lock it, and remove what a killed
 *  process left unfinished.
 *  @param mode  STORE_CREATE also makes it; an existing folder must be a
 *               results folder, or empty
 *  @return false with one line */
bool store_open(const char *path, enum store_mode mode, struct store *store,
                struct failure *failure);
/** Open the folder of store->path as it is, without a lock.
 *  @return false with errno set */
bool store_open_plain(struct store *store);
/** Close it, and release the lock. */
void store_close(struct store *store);
/** In a forked process that does not write: give up the lock. */
void store_forget_lock(struct store *store);

/** Write a file that must be written once.  A file that is there already stays
 *  as it is, which is success.
 *  @param name  "results/KEY.json"
 *  @return false with errno set */
bool store_publish(const struct store *store, const char *name,
                   const char *text, size_t length);
/** Write a file, or replace it as a whole.  @return false with errno set */
bool store_replace(const struct store *store, const char *name,
                   const char *text, size_t length);
/** The same for a JSON value. */
bool store_write_json(const struct store *store, const char *name,
                      const json_t *json);
/** Is there such a file?  Also false, with errno set, when that is not known:
 *  where it matters use store_find(). */
bool store_has(const struct store *store, const char *name);
/** Find out whether there is such a file.
 *  @return false with one line: it is not known */
bool store_find(const struct store *store, const char *name, bool *found,
                struct failure *failure);
/** Remove a file, if there is one.  @return false with errno set */
bool store_remove(const struct store *store, const char *name);
/** Read a file.  @return malloced with a NUL; NULL with errno set */
char *store_read(const struct store *store, const char *name, size_t *length);
/** Read a JSON file.  @return NULL when there is none or it cannot be read:
 *  for what is only shown; a value that is going to be written again or that
 *  a mark depends on is read by store_get() */
json_t *store_json(const struct store *store, const char *name);
/** Read a JSON file.
 *  @param[out] json  NULL when there is no such file
 *  @return false with one line: it cannot be read now, or it is damaged */
bool store_get(const struct store *store, const char *name, json_t **json,
               struct failure *failure);
/** Call `take` for each file of a subfolder, in the order of names.
 *  @return false with errno set: it cannot be listed, or `take` stopped */
bool store_list(const struct store *store, const char *folder,
                bool (*handle)(void *user, const char *name), void *user);

/** Move a file between folders, or within one, without replacing what is there:
 *  then the old name is removed, which is success.
 *  @return false with errno set */
bool store_rename_once(int from, const char *old_name, int to,
                       const char *new_name);

/** SHA-256 of bytes, in hexadecimal.  @return `hex` */
char *digest(char hex[DIGEST_TEXT], const void *bytes, size_t length);

#endif
