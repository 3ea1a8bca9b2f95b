/* SPDX-License-Identifier: MIT */
/** @file
 *  Taking lab files out of archives of unknown origin by libarchive: .zip,
 *  .tar, .tar.gz, .tar.bz2, .tar.xz and .tar.zst.
 *
 *  Nothing is ever extracted to a disk.  A program in a box (without boxes a
 *  forked child without privileges), with little time and memory, reads the
 *  whole archive, holds every entry against the rules, and sends back the files
 *  that are wanted.  An archive that breaks a rule is refused as a whole:
 *
 *  - a name must be relative, without `..`, `\`, `$`, backquotes, control
 *    characters or parts of more than 64 characters or with `-` in front, and
 *    valid UTF-8, or in a zip of an old code page;
 *  - files and folders only: no links, devices, pipes;
 *  - at most 1000 entries, 16 MiB an entry, 64 MiB in all, uncompressed;
 *  - no two names that are equal without case, no two files for one lab;
 *  - no passwords.
 *
 *  Hidden names (`.git`, `.DS_Store`) are ignored, as is `__MACOSX`; they must
 *  keep the rules, too.
 */
#ifndef AUTOGRADE_ARCHIVE_H
#define AUTOGRADE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/lab/verdict.h"

enum {
    ARCHIVE_ENTRIES = 1000,         /**< at most */
    ARCHIVE_NAME_PART = 64,         /**< characters of a folder's or file's
                                         name */
    ARCHIVE_NAME_BYTES = 4 * ARCHIVE_NAME_PART, /**< of it, in UTF-8 */
    ARCHIVE_ENTRY_BYTES = 16 << 20, /**< of an entry, uncompressed */
    ARCHIVE_BYTES = 64 << 20,       /**< of all entries, uncompressed */
    SOURCE_BYTES = 1 << 20,         /**< of a lab's file */
    SOURCES = 32,                   /**< files that are wanted at most */
    REASON_BYTES = 256              /**< of a reason */
};

/** A lab's file, found or not. */
struct source {
    const char *name; /**< "vector_add.cu", set by the caller */
    char *text;       /**< malloced, with a NUL at the end; NULL: not found */
    size_t length;    /**< bytes of text */
};

/** Why a submission as a whole has no source. */
struct refusal {
    enum verdict verdict;      /**< PASS: none; REJECTED, MISSING, INTERNAL */
    char reason[REASON_BYTES]; /**< one line; printable */
};

/** Does this name end as an archive's does? */
bool is_archive_name(const char *name);
/** Does it end as that of an archive of a kind that archive_extract() does not
 *  read? */
bool is_other_archive_name(const char *name);
/** Take files out of an archive.
 *  @param         fd      the archive, a regular file; read by a child
 *  @param[in,out] sources `count` files; `text` of those found is set
 *  @param[out]    refusal REJECTED when a rule is broken: then nothing is
 *                         taken; INTERNAL when the child could not work */
void archive_extract(int fd, const char *name, struct source *sources,
                     size_t count, struct refusal *refusal);
/** In the process that reads an archive: send records of what it holds, and
 *  end.
 *  @param fd   the archive
 *  @param out  a pipe; archive.c knows the records */
_Noreturn void archive_send(int fd, const char *name, struct source *sources,
                            size_t count, int out);
/** Is a file that was read acceptable as a source: not empty, text without
 *  NUL?  Sets the refusal when it is not. */
bool source_is_text(const char *name, const char *text, size_t length,
                    struct refusal *refusal);
/** Does a part of a path, a folder's or a file's name, keep the rules? */
bool is_allowed_part(const char *part, size_t length);

#endif
