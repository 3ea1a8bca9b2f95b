/* SPDX-License-Identifier: MIT */
/** @file
 *  A fixture: a small program with one defect, and a correct twin of it.
 *
 *  `fixtures/FAMILY_NAME.cu` begins with `// finds: KIND`.  `DEFECT` is 1 for
 *  the defect and 0 for the twin, which must have no finding.  The line that a
 *  finding must name ends in `// HERE`, its other line in `// OTHER`.  Its
 *  message contains what follows `// says: `.  `// also: KIND` is a second kind
 *  that must be found, at any line.  The
 *  fixtures of a family are built as one program, each twice, in namespaces.
 */
#ifndef FIXTURE_H
#define FIXTURE_H

enum { MAX_FIXTURES = 400, MESSAGE = 700 };

/** A fixture, and what its comments expect. */
struct fixture {
    char name[64];
    char family[32];
    char path[300];
    char kind[48];
    char also[48]; /**< a second kind, or "" */
    char says[80]; /**< part of the message */
    int here;  /**< line */
    int other; /**< line, or 0: any */
    int wanted;            /**< by the command line */
    char false_negative[MESSAGE]; /**< the defect: "" if found in each mode */
    char false_positive[MESSAGE]; /**< the twin: "" if silent in each mode */
};

/** Read all fixtures of a folder, in order of name.
 *  @param[out] all  MAX_FIXTURES of them
 *  @return how many */
int load_fixtures(const char *folder, struct fixture *all);

/** Write the program of fixtures [first, end), which are one family's.
 *  @return 0, or -1 when it cannot be written */
int write_family(const char *path, const struct fixture *first,
                 const struct fixture *end);

/** Compare a report (the file that SOFTGPU_JSON named) with a fixture.
 *  @param[out] message  why not, at most `room` characters; "" if it holds
 *  @return 0 when each finding has the kind and the lines, and one is there */
int compare_report(const struct fixture *f, const char *json, char *message,
                   unsigned room);

/** Write the table of detection and false alarms, a row a family.
 *  @return 0, or -1 when it cannot be written */
int write_table(const char *path, const struct fixture *all, int n);

#endif
