/* SPDX-License-Identifier: MIT */
/** @file
 *  The rules that each entry of an archive must keep; the child of
 *  archive_extract() applies them.
 */
#ifndef AUTOGRADE_ARCHIVE_RULES_H
#define AUTOGRADE_ARCHIVE_RULES_H

#include <archive_entry.h>

#include "archive.h"

/** Entries and bytes of an archive read so far; starts as {0}. */
struct entries {
    char *name[ARCHIVE_ENTRIES]; /**< of each entry, malloced */
    int count;                   /**< how many */
    bool has_old_names;          /**< set by the caller: a zip, whose names need
                                      not be UTF-8 */
    bool lacks_memory;           /**< the last one was not remembered */
    long long bytes;             /**< of all entries, as they were declared */
};

/** Hold an entry against the rules and remember it.
 *  @param[out] reason  REASON_BYTES
 *  @return false with a reason */
bool archive_entry_is_allowed(struct entries *entries,
                              struct archive_entry *entry, char *reason);
/** Is this an entry that is ignored, as a hidden folder or file of a folder is:
 *  one that macOS, git or an editor added? */
bool is_hidden_entry(const char *path);

#endif
