/* SPDX-License-Identifier: MIT */
/* A class of one student, whose submission is an archive or a folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attack.h"
#include "common/base/remove_tree.h"
#include "common/base/text.h"
#include "grader/autograde/csv.h"
#include "pack.h"

/* Fields of the row of the only student. */
static json_t *read_marks(char *text, char *reason)
{
    static const char *const points[] = {"01_vector_add points", NULL};
    static const char *const most[] = {"01_vector_add max", NULL};
    static const char *const verdict[] = {"01_vector_add verdict", NULL};
    static const char *const notes[] = {"notes", NULL};
    struct csv csv;
    struct failure failure = {""};
    json_t *marks = NULL;

    csv_open(&csv, "marks", text);
    if (csv_next(&csv, &failure)) {
        const int p = csv_column(&csv, points), m = csv_column(&csv, most);
        const int v = csv_column(&csv, verdict), n = csv_column(&csv, notes);

        if (p >= 0 && m >= 0 && v >= 0 && n >= 0 && csv_next(&csv, &failure))
            marks = json_pack("{s:f,s:f,s:s,s:s}", "score",
                              strtod(csv.field[p], NULL), "max_score",
                              strtod(csv.field[m], NULL), "verdict",
                              csv.field[v], "message", csv.field[n]);
    }
    if (!marks)
        text_format(reason, ATTACK_REASON, "no row in the gradebook: %.200s",
                    failure.text);
    return marks;
}

/* No format of the gradebook has markup of the submission in it, where somebody
 * may show it: a spreadsheet's cell may hold a name with markup. */
static void check_formats(char *results, char *reason)
{
    enum { MARKUP = 3 }; /* the first of them are */
    static char *const formats[] = {"html", "junit", "cunit", "moodle",
                                    "gradescope", "canvas"};

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char *const arguments[] = {"warpbook", "gradebook", results,
                                   "--format", formats[i], NULL};
        char *text;

        attack_run(arguments, "book");
        text = attack_read_printed("book", reason);
        if (text && ((i < MARKUP && strstr(text, "<img src"))
                     || (i <= MARKUP && strstr(text, "<script>alert"))))
            text_format(reason, ATTACK_REASON, "markup reaches %s", formats[i]);
        free(text);
    }
}

json_t *attack_grade_class(const char *name, char *reason)
{
    char class[PATH_MAX], results[PATH_MAX], marks_file[PATH_MAX];
    char *const grade[] = {"warpbook", "autograde", class, "-o", results,
                           "--lab", "01", "--device", "soft", "--jobs", "1",
                           "--tier", attack_tier(), NULL};
    /* a file of its own: in tier D a line on stderr says "a self-test" */
    char *const book[] = {"warpbook", "gradebook", results, "-o", marks_file,
                          NULL};
    json_t *marks = NULL;
    int status;

    text_format(class, sizeof class, "%s/class", attack_scratch());
    text_format(results, sizeof results, "%s/results", attack_scratch());
    text_format(marks_file, sizeof marks_file, "%s/marks", attack_scratch());
    if (mkdir(class, 0755) || !pack_make(name, class)) {
        text_format(reason, ATTACK_REASON, "cannot make it");
    } else if ((status = attack_run(grade, "printed")) != 0) {
        text_format(reason, ATTACK_REASON, "autograde ended with %d", status);
    } else {
        char *text;

        free(attack_read_printed("printed", reason));
        attack_run(book, "told");
        free(attack_read_printed("told", reason));
        text = attack_read_printed("marks", reason);
        if (text)
            marks = read_marks(text, reason);
        check_formats(results, reason);
        free(text);
    }
    remove_tree(class);
    remove_tree(results);
    unlink(marks_file);
    return marks;
}
