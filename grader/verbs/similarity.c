/* SPDX-License-Identifier: MIT */
/* warpbook similarity RESULTS: pairs of submissions that a person should
 * compare. */
#include "grader/autograde/similarity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"

/* sim_c takes minutes for a file that is made for it; ten times the longest file
 * of a lab's ladder is not. */
enum { SHOWN_PAIRS = 20, MAX_STEP = 1 << 20, MAX_COMPARED = 128 << 10 };

/* The attempts that count, in the order of ids. */
static void add_submissions(const struct store *store,
                            const struct gradebook *book, int lab,
                            struct similarity *similarity)
{
    for (size_t i = 0; i < book->rows; i++) {
        const json_t *entry = book->row[i].cell[lab].entry;
        char name[STORE_NAME], *text;
        size_t length = 0;

        if (!entry || !*entry_text(entry, "content"))
            continue;
        text_format(name, sizeof name, "files/%.64s.cu",
                    entry_text(entry, "content"));
        text = store_read(store, name, &length);
        if (text && length > MAX_COMPARED) {
            printf("%s: not compared: more than 128 KiB\n",
                   book->row[i].student.id);
            free(text);
        } else if (text) {
            similarity_add(similarity, book->row[i].student.id, text, false);
        }
    }
}

static void add_steps(const struct lab *lab, struct similarity *similarity)
{
    for (size_t i = 0; i < lab->steps; i++) {
        char path[PATH_MAX], name[PATH_MAX], *text;
        size_t length = 0;

        text_format(name, sizeof name, "solutions/%s/%s", lab->stem,
                    lab->step[i]);
        text = read_file(root_path(path, "%s", name), MAX_STEP, &length);
        if (text)
            similarity_add(similarity, name, text, true);
    }
}

static void print_pair(const struct similarity *similarity,
                       const struct similar_pair *pair)
{
    printf("  %s\n  %s\n", similarity->file[pair->file[0]].name,
           similarity->file[pair->file[1]].name);
    if (pair->is_equal)
        printf("      the same file\n");
    for (size_t i = 0; !pair->is_equal && i < pair->runs; i++) {
        const struct similar_run *run = &pair->run[i];

        printf("      lines %d-%d and %d-%d\n", run->first[0], run->last[0],
               run->first[1], run->last[1]);
    }
}

/* Compare the submissions of a lab.  @return exit code */
static int show_lab(const struct options *options, const struct store *store,
                    const struct gradebook *book, int index)
{
    static struct lab lab;
    struct similarity similarity = {0};
    struct failure failure;
    char error[LAB_ERROR_SIZE];
    char *handout;
    size_t submissions;
    bool ok;

    if (!lab_open(book->stem[index], &lab, error))
        return report_error(EXIT_GRADER_ERROR, "%s", error);
    add_submissions(store, book, index, &similarity);
    submissions = similarity.files;
    add_steps(&lab, &similarity);
    handout = lab_extract_handout(&lab, error);
    ok = similarity_compare(&similarity, handout, &failure);
    if (ok)
        printf("%s: %zu submissions, %zu pairs to compare%s\n", lab.stem,
               submissions, similarity.pairs,
               handout ? "; the handout's text is left out" : "");
    for (size_t i = 0; ok && i < similarity.pairs
                       && (i < SHOWN_PAIRS || options->verbose); i++)
        print_pair(&similarity, &similarity.pair[i]);
    if (ok && similarity.pairs > SHOWN_PAIRS && !options->verbose)
        printf("  %zu more: --verbose\n", similarity.pairs - SHOWN_PAIRS);
    free(handout);
    similarity_free(&similarity);
    return ok ? EXIT_FULL
              : report_error(EXIT_GRADER_ERROR, "%s", failure.text);
}

static int run(const struct options *options)
{
    static struct gradebook book;
    struct given given = {0};
    struct store store;
    struct failure failure;
    int code = EXIT_FULL;

    if (options->lab && !(given.stem = lab_stem(options->lab)))
        return report_error(EXIT_USAGE, "no lab is called \"%.40s\"",
                            options->lab);
    if (!store_open(options->words[0], STORE_READ, &store, &failure))
        return report_error(EXIT_USAGE, "%s", failure.text);
    if (gradebook_make(&store, &given, NULL, &book, &failure)) {
        for (int k = 0; k < book.labs && code == EXIT_FULL; k++)
            code = show_lab(options, &store, &book, k);
        gradebook_free(&book);
    } else {
        code = report_error(EXIT_USAGE, "%s", failure.text);
    }
    if (code == EXIT_FULL)
        printf("A pair is a reason to read both files: it is no score, and no "
               "mark uses it.\n");
    store_close(&store);
    return code;
}

const struct verb verb_similarity = {
    "similarity", "RESULTS", "list pairs of submissions to compare",
    "Needs sim_c of the package similarity-tester. Lines that a file shares "
    "with the handout are left out; names, numbers, layout, comments and the "
    "order of functions make no difference. The steps of the ladder are "
    "compared, too.",
    "Lv", 1, 1, run};
