/* SPDX-License-Identifier: MIT */
/* warpbook reset LAB: put the handout back, and keep a copy. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "common.h"
#include "grader/workbench/journal.h"

enum { MAX_BACKUPS = 9999, MAX_BYTES = 64 << 20 };

/* Ask on the terminal.  @return true for y or yes */
static bool is_confirmed(const struct lab *lab)
{
    char answer[16];

    printf("Replace labs/%s/%s.cu by the handout? Yours is kept. [y/N] ",
           lab->stem, lab->name);
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin)
           && (answer[0] == 'y' || answer[0] == 'Y');
}

/* Write the text to the first free name NAME.cu.~1~, .~2~, ...
 *  @param[out] copy  that path, PATH_MAX bytes
 *  @return false with errno set */
static bool write_backup(const char *path, const char *text, size_t length,
                         char *copy)
{
    for (int i = 1; i <= MAX_BACKUPS; i++) {
        int fd;
        bool done;

        text_format(copy, PATH_MAX, "%.4000s.~%d~", path, i);
        fd = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (fd < 0 && errno == EEXIST)
            continue;
        if (fd < 0)
            return false;
        done = write(fd, text, length) == (ssize_t)length && fsync(fd) == 0;
        return close(fd) == 0 && done;
    }
    return false;
}

static int restore_handout(const struct lab *lab, const char *path,
                           const char *handout)
{
    const struct journal_entry entry = {.lab = lab->number,
                                        .kind = JOURNAL_RESET};
    char copy[PATH_MAX] = "";
    size_t length = 0;
    char *old = read_file(path, MAX_BYTES, &length);
    const bool is_same = old && !strcmp(old, handout);
    const bool is_kept =
        old ? is_same || write_backup(path, old, length, copy)
            : errno == ENOENT;

    free(old);
    if (is_same) {
        text_wrap(stdout, 0,
                  text_format(copy, sizeof copy, "labs/%s/%s.cu is the handout "
                              "already", lab->stem, lab->name));
        return EXIT_FULL;
    }
    if (!is_kept)
        return report_error(EXIT_GRADER_ERROR, "cannot keep a copy of %s: %s",
                            path, strerror(errno));
    if (!write_file(path, handout, strlen(handout)))
        return report_error(EXIT_GRADER_ERROR, "cannot write %s: %s", path,
                            strerror(errno));
    journal_add(&entry);
    if (*copy)
        printf("Your file is now %s\n", copy);
    return EXIT_FULL;
}

static int run(const struct options *options)
{
    static struct lab lab;
    char path[PATH_MAX], error[LAB_ERROR_SIZE], *handout;
    int code;

    if (!load_lab(options->words[0], options, &lab))
        return EXIT_USAGE;
    if (!options->yes && !isatty(STDIN_FILENO))
        return report_error(EXIT_USAGE, "reset asks first: run it in a "
                            "terminal, or with --yes");
    handout = lab_extract_handout(&lab, error);
    if (!handout)
        return report_error(EXIT_GRADER_ERROR, "%s", error);
    labs_path(path, "labs/%s/%s.cu", lab.stem, lab.name);
    if (options->yes || is_confirmed(&lab))
        code = restore_handout(&lab, path, handout);
    else
        code = report_error(EXIT_PARTIAL, "nothing was changed");
    free(handout);
    return code;
}

const struct verb verb_reset = {
    "reset", "LAB", "put the handout back; your file is kept",
    "Your file is copied to NAME.cu.~1~, or the next free number.", "y", 1, 1,
    run};
