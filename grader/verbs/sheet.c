/* SPDX-License-Identifier: MIT */
/* warpbook sheet [LAB [SECTION]]: the lab's README.md in the terminal. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/terminal.h"
#include "common/base/text.h"
#include "common.h"
#include "grader/report/screens.h"
#include "grader/workbench/sheet.h"
#include "watch_bench.h"

static void show_section(FILE *out, const struct options *options,
                         struct sheet *sheet, int at, int number)
{
    fprintf(out, "%s%s%s\n", style(out, STYLE_BOLD), sheet->heading[at],
            style(out, STYLE_NONE));
    sheet_show(out, sheet->section[at], number, options->verbose);
}

/* The lines of a section that a window shows.
 *  @param screen  from 1; the last one if there are fewer
 *  @return how many screens there are */
static size_t show_screen(const struct options *options, struct sheet *sheet,
                          int at, const struct lab *lab, size_t *screen)
{
    size_t bytes, count;
    char *text = NULL;
    FILE *all = open_memstream(&text, &bytes);

    terminal_imitate(all, stdout, 0);
    show_section(all ? all : stdout, options, sheet, at, lab->number);
    terminal_imitate(NULL, NULL, 0);
    if (!all || fclose(all) != 0)
        return *screen = 1;
    count = show_screen_of(text, screen);
    free(text);
    return count;
}

/* What was shown, and what comes then. */
static void show_place(const struct sheet *sheet, int at, size_t screen,
                       size_t screens)
{
    printf("\nSection %d", at + 1);
    if (at + 1 < sheet->count || screens > 1)
        printf(" of %d", sheet->count);
    if (screens > 1)
        printf(", screen %zu of %zu", screen, screens);
    if (screen < screens && getenv(WATCH_TEXT))
        printf("; more: s");
    if (screen == screens && at + 1 < sheet->count)
        printf("; the next is: %s", sheet->heading[at + 1]);
    else if (screen == screens)
        printf(", the last");
    printf("\n");
}

/* One section, or one screen of it, and the name of the next. */
static int show_one(const struct options *options, struct sheet *sheet,
                    const struct lab *lab)
{
    size_t screen = 1, screens = 1;
    const char *name = options->words[1];
    const int at = sheet_find(sheet, name);
    char names[256] = "";

    for (int i = 0; i < sheet->count; i++) {
        const size_t used = strlen(names);

        text_format(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                    sheet->heading[i]);
    }
    if (at < 0)
        return report_error(EXIT_USAGE, "the sheet of lab %02d has no section "
                            "\"%.40s\"; there are: %s", lab->number, name,
                            names);
    printf("Lab %02d: %s\n\n", lab->number, lab->title);
    if (options->count > 2) {
        screen = strtoul(options->words[2], NULL, 10);
        screens = show_screen(options, sheet, at, lab, &screen);
    } else {
        show_section(stdout, options, sheet, at, lab->number);
    }
    show_place(sheet, at, screen, screens);
    return screen < screens ? EXIT_PARTIAL : EXIT_FULL;
}

static int run(const struct options *options)
{
    static struct lab lab;
    struct sheet sheet;
    int code = EXIT_FULL;

    if (!load_lab(options->words[0], options, &lab))
        return EXIT_USAGE;
    if (!sheet_read(lab.stem, &sheet))
        return report_error(EXIT_GRADER_ERROR, "cannot read "
                            "labs/%s/README.md: %s", lab.stem,
                            strerror(errno));
    if (options->count > 1) {
        code = show_one(options, &sheet, &lab);
    } else {
        sheet_show(stdout, sheet.intro, lab.number, options->verbose);
        for (int i = 0; i < sheet.count; i++) {
            printf("\n");
            show_section(stdout, options, &sheet, i, lab.number);
        }
    }
    sheet_free(&sheet);
    return code;
}

const struct verb verb_sheet = {
    "sheet", "[LAB [SECTION]]", "show the lab's README.md here",
    "Without LAB, of the lab that comes next. SECTION is the beginning of a "
    "heading (idea, contract, steps, check, go) or its number. After a "
    "third word, 1, 2 and so on, only as much of it is shown as the terminal "
    "has rows for; the exit status is 1 while there is more. Hints, answers "
    "and the counts of the ladder are folded, as on the site; --verbose shows "
    "them.",
    "v", 0, 3, run};
