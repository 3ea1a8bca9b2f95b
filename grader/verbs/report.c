/* SPDX-License-Identifier: MIT */
/* warpbook report RESULTS -o FOLDER: pages for the class and each
 * submission. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "common/base/files.h"
#include "common/base/process.h"
#include "common/base/text.h"
#include "grader/autograde/pages.h"

static const char index_name[] = "index.html";

/* The text to print, and its destination. */
struct report_job {
    const struct store *store;
    const struct gradebook *book;
    const char *folder;
    size_t pages;
};

/* Print a page into memory, then replace its file.
 * @param row  NULL: the page of the class */
static bool write_page(struct report_job *job, const struct row *row, int lab)
{
    char path[PATH_MAX + PAGE_NAME], name[PAGE_NAME], *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool ok;

    if (!out)
        return false;
    if (row)
        print_submission_page(out, job->store, job->book, row, lab);
    else
        print_index_page(out, job->book, true);
    ok = !ferror(out);
    ok = fclose(out) == 0 && ok;
    text_format(path, sizeof path, "%s/%s", job->folder,
                row ? page_name(name, job->book->stem[lab], row->student.id)
                    : index_name);
    ok = ok && write_file(path, text, length);
    job->pages += ok;
    free(text);
    return ok;
}

/* A page for each graded cell, and one for the class. */
static bool write_pages(struct report_job *job)
{
    for (size_t i = 0; i < job->book->rows; i++)
        for (int k = 0; k < job->book->labs; k++) {
            const struct row *row = &job->book->row[i];

            if (interrupted())
                return false;
            if (has_page(&row->cell[k]) && !write_page(job, row, k))
                return false;
        }
    return write_page(job, NULL, 0) && !job->book->reader.has_failed;
}

/* For scandir(). */
static int skip_dots(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* A folder that is closed to other users; an existing one must be empty, or
 * hold an earlier report. */
static bool prepare_folder(const char *path)
{
    char index[PATH_MAX];
    struct dirent **list;
    int count;

    if (mkdir(path, 0700) == 0)
        return true;
    if (errno != EEXIST)
        return report_error(0, "%s: %s", path, strerror(errno)), false;
    count = scandir(path, &list, skip_dots, NULL);
    for (int i = 0; i < count; i++)
        free(list[i]);
    if (count >= 0)
        free(list);
    text_format(index, sizeof index, "%s/%s", path, index_name);
    if (count == 0 || (count > 0 && access(index, F_OK) == 0))
        return true;
    report_error(0, "%s: %s", path, count < 0 ? strerror(errno)
                 : "holds other files; name a new folder");
    return false;
}

/* Pages are written into an empty folder or one that this verb wrote. */
static int run(const struct options *options)
{
    static struct gradebook book;
    struct given given = {.course = options->course,
                          .roster = options->roster};
    struct report_job job = {.book = &book, .folder = options->output};
    struct store store;
    struct failure failure;
    int code = EXIT_FULL;

    if (!options->output)
        return report_error(EXIT_USAGE, "report needs -o FOLDER");
    if (!output_is_folder(options->output))
        return EXIT_USAGE;
    if (options->lab && !(given.stem = lab_stem(options->lab)))
        return report_error(EXIT_USAGE, "no lab is called \"%.40s\"",
                            options->lab);
    if (!store_open(options->words[0], STORE_READ, &store, &failure))
        return report_error(EXIT_USAGE, "%s", failure.text);
    job.store = &store;
    if (!gradebook_make(&store, &given, options->student, &book, &failure)) {
        store_close(&store);
        return report_error(EXIT_USAGE, "%s", failure.text);
    }
    if (!prepare_folder(options->output))
        code = EXIT_GRADER_ERROR;
    else if (!write_pages(&job))
        code = report_error(EXIT_GRADER_ERROR, "%s: cannot be written: %s",
                            options->output, strerror(errno));
    else
        printf("%zu pages: %s/%s\n", job.pages, options->output, index_name);
    gradebook_free(&book);
    store_close(&store);
    return code;
}

const struct verb verb_report = {
    "report", "RESULTS", "write a page for the class and one a submission",
    "RESULTS is the results folder of autograde; -o FOLDER is made if needed. "
    "Open FOLDER/index.html. The pages are for the instructor: they show all "
    "messages and the seeds.",
    "oLruC", 1, 1, run};
