/* SPDX-License-Identifier: MIT */
/* warpbook gradebook RESULTS: the marks of a class, in many formats. */
#include "grader/autograde/gradebook.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "common/base/files.h"
#include "grader/autograde/text_clean.h"

/* How a platform identifies students: what those without it have, and the
 * roster that helps. */
struct key {
    const char *format, *without, *roster;
};

/* Does this student have it? */
static bool has_key(const struct key *key, const struct student *s)
{
    if (!strcmp(key->format, "moodle"))
        return *s->participant;
    if (!strcmp(key->format, "autolab"))
        return *s->email;
    return *s->canvas || *s->sid || *s->login;
}

/* Rows that a platform cannot match with a student are lost when the file is
 * imported; the first one is named. */
static void note_unknown(const struct gradebook *book, const char *format)
{
    static const struct key keys[] = {
        {"canvas", "no number or login by which Canvas knows them",
         "Canvas's exported gradebook"},
        {"moodle", "no number by which Moodle knows them",
         "Moodle's grading worksheet"},
        {"autolab", "no address, by which Autolab knows them, and no row",
         "a file with addresses"}};
    char name[NAME_COLUMN];

    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const struct student *first = NULL;
        size_t unknown = 0;

        for (size_t i = book->rows; i-- > 0 && !strcmp(format, keys[k].format);)
            if (!has_key(&keys[k], &book->row[i].student)) {
                first = &book->row[i].student;
                unknown++;
            }
        if (unknown)
            fprintf(stderr, "warpbook: %zu of %zu students have %s, first %s: "
                    "give %s as the --roster\n", unknown, book->rows,
                    keys[k].without, clean_copy(name, sizeof name, first->id),
                    keys[k].roster);
    }
}

/* A lab that was named by mistake gives zero points to everybody.  A submission
 * without any lab's file is missing in each. */
static void note_nobody(const struct gradebook *book)
{
    bool any = false;

    for (size_t i = 0; i < book->rows && !any; i++) {
        const struct cell *cell = book->row[i].cell;

        any = strcmp(cell->verdict, "MISSING")
              && (cell->attempts || *cell->notes);
    }
    if (!any && book->rows)
        fprintf(stderr, "warpbook: nobody submitted %s: all have no points\n",
                book->stem[0]);
}

/* Results of a trial without boxes may have stayed. */
static void note_self_tests(const struct gradebook *book)
{
    size_t count = 0;

    for (size_t i = 0; i < book->rows; i++)
        for (int k = 0; k < book->labs; k++)
            count += book->row[i].cell[k].is_self_test;
    if (count)
        fprintf(stderr, "warpbook: %zu result%s of tier D, a self-test: not "
                "for marks\n", count, count == 1 ? " is" : "s are");
}

/* Into memory first: a file is replaced as a whole, or not at all. */
static int print_book(const struct options *options,
                      const struct gradebook *book)
{
    const char *format = options->format ? options->format : "csv";
    struct failure failure;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    int code = EXIT_FULL;

    if (!out)
        return report_error(EXIT_GRADER_ERROR, "out of memory");
    if (!gradebook_print(out, book, format, &failure))
        code = report_error(EXIT_USAGE, "%s", failure.text);
    if (ferror(out) || fclose(out)) /* part of it is worse than nothing */
        code = report_error(EXIT_GRADER_ERROR, "out of memory");
    if (code == EXIT_FULL && !options->output)
        fwrite(text, 1, length, stdout);
    else if (code == EXIT_FULL && !write_file(options->output, text, length))
        code = report_error(EXIT_GRADER_ERROR, "cannot write %s: %s",
                            options->output, strerror(errno));
    if (code == EXIT_FULL) {
        note_unknown(book, format);
        note_self_tests(book);
        if (options->lab)
            note_nobody(book);
    }
    free(text);
    return code;
}

/* The results are opened for reading, also while a run writes them. */
static int run(const struct options *options)
{
    static struct gradebook book;
    struct given given = {.course = options->course,
                          .roster = options->roster};
    struct store store;
    struct failure failure;
    int code;

    if (options->lab && !(given.stem = lab_stem(options->lab)))
        return report_error(EXIT_USAGE, "no lab is called \"%.40s\"",
                            options->lab);
    if (!store_open(options->words[0], STORE_READ, &store, &failure))
        return report_error(EXIT_USAGE, "%s", failure.text);
    if (gradebook_make(&store, &given, options->student, &book, &failure)) {
        code = print_book(options, &book);
        gradebook_free(&book);
    } else {
        code = report_error(EXIT_USAGE, "%s", failure.text);
    }
    store_close(&store);
    return code;
}

const struct verb verb_gradebook = {
    "gradebook", "RESULTS", "print the marks of a class",
    "RESULTS is the results folder of autograde. A submission that "
    "the grader could not grade has no mark: it is not graded, never zero "
    "points.",
    "FoLruC", 1, 1, run};
