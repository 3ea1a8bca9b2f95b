/* SPDX-License-Identifier: MIT */
/** @file
 *  Which student of a roster a submission is of.
 *
 *  The first of these that holds: a number of the platform, the institution's
 *  number or an address is equal; a plain name is an id, a login or an address;
 *  the full names are equal but for case; they have the same words
 *  (person_name.h).  A name that several students have is no match.
 */
#ifndef AUTOGRADE_ROSTER_MATCH_H
#define AUTOGRADE_ROSTER_MATCH_H

#include "roster.h"

/** The student found in the roster, or why none is. */
struct roster_match {
    const struct student *student; /**< NULL: none */
    char doubt[300]; /**< why none, though names are alike; or that only the
                      *   middle names differ; else empty */
};

/** The student of a submission.
 *  @return NULL when there is none, or more than one */
const struct student *roster_find(const struct roster *roster,
                                  const struct student *found);
/** Announce a submission of the folder, before the first roster_match(). */
void roster_expect(struct roster *roster, const struct student *found);
/** Like roster_find(), but for names that are not written the same way: they
 *  match when no other submission of the folder could be the student's.  Then a
 *  plain name may also differ in middle names. */
void roster_match(const struct roster *roster, const struct student *found,
                  struct roster_match *match);
/** The students of a group whose name a download of Moodle or Canvas has in the
 *  place of a student's.
 *  @param[in,out] at  0 at first; where the next call goes on
 *  @return NULL: no more, or the submission is not of a group */
const struct student *roster_member(const struct roster *roster,
                                    const struct student *found, size_t *at);

#endif
