/* SPDX-License-Identifier: MIT */
/** @file
 *  Comparing names of people as rosters and downloads write them.
 */
#ifndef AUTOGRADE_PERSON_NAME_H
#define AUTOGRADE_PERSON_NAME_H

/** How alike two names are. */
enum name_match {
    NAME_DIFFERS,      /**< or one has no letters */
    NAME_MIDDLE,       /**< first and last name are equal; one has further
                        *   names or initials between them */
    NAME_EQUAL         /**< the same words in any order */
};

/** Compare "Garcia Lopez, José" with "jose garcia lopez".  Case, accents of
 *  Latin letters, points, hyphens and underscores make no difference;
 *  `garcialopezjose`, as Canvas writes a name, is equal to both.  Other letters
 *  are compared as they are. */
enum name_match names_compare(const char *a, const char *b);

#endif
