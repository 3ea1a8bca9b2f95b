/* SPDX-License-Identifier: MIT */
/* warpbook sheet [LAB [SECTION]]: the lab's README.md in the terminal. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/base/terminal.h"
#include "common/base/text.h"
#include "common.h"
#include "grader/workbench/sheet.h"

static void show_section(const struct options *options, struct sheet *sheet,
                         int at, int number)
{
    printf("%s%s%s\n", style(stdout, STYLE_BOLD), sheet->heading[at],
           style(stdout, STYLE_NONE));
    sheet_show(stdout, sheet->section[at], number, options->verbose);
}

/* One section, and the name of the next. */
static int show_one(const struct options *options, struct sheet *sheet,
                    const struct lab *lab)
{
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
    show_section(options, sheet, at, lab->number);
    if (at + 1 < sheet->count)
        printf("\nSection %d of %d; the next is: %s\n", at + 1, sheet->count,
               sheet->heading[at + 1]);
    else
        printf("\nSection %d, the last\n", at + 1);
    return EXIT_FULL;
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
            show_section(options, &sheet, i, lab.number);
        }
    }
    sheet_free(&sheet);
    return code;
}

const struct verb verb_sheet = {
    "sheet", "[LAB [SECTION]]", "show the lab's README.md here",
    "Without LAB, of the lab that comes next. SECTION is the beginning of a "
    "heading (idea, contract, steps, check, go) or its number. Hints, answers "
    "and the counts of the ladder are folded, as on the site; --verbose shows "
    "them.",
    "v", 0, 2, run};
