/* SPDX-License-Identifier: MIT */
/* From the Markdown of a sheet to the lines of a terminal, line by line: a
 * paragraph or an item of a list is collected until something else begins. */
#include "sheet.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/terminal.h"
#include "common/base/text.h"
#include "markdown.h"

enum { MAX_BYTES = 1 << 20, COLLECTED = 4096, CELLS = 8, CELL = 256,
       FIRST_CELL = 24, CODE_INDENT = 4 };

/* What is printed next. */
struct printer {
    FILE *out;
    char text[COLLECTED]; /* of the paragraph or item */
    char mark[8];         /* of the item: "- ", "12. "; empty: a paragraph */
    int indent;           /* of the item's mark */
    char head[CELLS][CELL]; /* of the table */
    int rows;             /* of the table, so far */
    bool is_apart;        /* an empty line comes before what is printed next */
    int lab;
    bool all;             /* show what is folded */
    bool has_hints;       /* the command for them was named */
    bool has_folded;      /* something else was folded */
};

bool sheet_read(const char *stem, struct sheet *sheet)
{
    static const char mark[] = "\n## ";
    char path[PATH_MAX], *at, *end;
    size_t length;

    *sheet = (struct sheet){0};
    root_path(path, "labs/%s/README.md", stem);
    sheet->text = sheet->intro = read_file(path, MAX_BYTES, &length);
    if (!sheet->text)
        return false;
    for (at = strstr(sheet->text, mark); at && sheet->count < SHEET_SECTIONS;
         at = strstr(end + 1, mark)) {
        *at = 0;
        sheet->heading[sheet->count] = at + strlen(mark);
        end = strchr(at + strlen(mark), '\n');
        if (!end)
            break;
        *end = 0;
        sheet->section[sheet->count++] = end + 1;
    }
    return true;
}

int sheet_find(const struct sheet *sheet, const char *name)
{
    char *end;
    const long number = strtol(name, &end, 10);

    if (*name && !*end)
        return number >= 1 && number <= sheet->count ? (int)number - 1 : -1;
    for (int i = 0; *name && i < sheet->count; i++)
        if (!strncasecmp(sheet->heading[i], name, strlen(name)))
            return i;
    return -1;
}

void sheet_free(struct sheet *sheet)
{
    free(sheet->text);
    *sheet = (struct sheet){0};
}

/* Begin to print something: empty lines are one, and none is the last. */
static FILE *begin(struct printer *printer)
{
    if (printer->is_apart)
        fprintf(printer->out, "\n");
    printer->is_apart = false;
    return printer->out;
}

/* Print what was collected. */
static void flush(struct printer *printer)
{
    const int indent = printer->indent + (int)strlen(printer->mark);

    markdown_make_plain(printer->text);
    text_join_lines(printer->text);
    if (*printer->mark) {
        fprintf(begin(printer), "%*s%s", printer->indent, "", printer->mark);
        text_wrap_after(printer->out, indent, printer->text);
    } else if (*printer->text) {
        text_wrap(begin(printer), 0, printer->text);
    }
    *printer->text = *printer->mark = 0;
    printer->indent = 0;
}

static void collect(struct printer *printer, const char *line)
{
    const size_t used = strlen(printer->text);

    text_format(printer->text + used, sizeof printer->text - used, "%s%s",
                used ? "\n" : "", line);
}

/* Cut "| a | b |" into its cells, without markup.
 *  @return how many */
static int cut_row(char *line, char cell[CELLS][CELL])
{
    char *rest, *part = strtok_r(line, "|", &rest);
    int count = 0;

    for (; part && count < CELLS; part = strtok_r(NULL, "|", &rest)) {
        text_format(cell[count], CELL, "%s", part);
        text_join_lines(cell[count]);
        markdown_make_plain(cell[count]);
        count += *cell[count] != 0;
    }
    return count;
}

/* A row of a table: the first cell, and the others behind it, from the third on
 * with the words above them. */
static void show_row(struct printer *printer, char *line)
{
    char cell[CELLS][CELL], text[CELLS * CELL] = "";
    const int count = cut_row(line, cell);
    const bool fits = strlen(cell[0]) < FIRST_CELL;

    if (printer->rows++ == 0) {
        memcpy(printer->head, cell, sizeof cell);
        return;
    }
    if (count == 0 || !strncmp(cell[0], "---", 3))
        return;
    for (int i = 1; i < count; i++) {
        const size_t used = strlen(text);

        text_format(text + used, sizeof text - used, "%s%s%s%s",
                    i > 1 ? "; " : "", i > 1 ? printer->head[i] : "",
                    i > 1 ? ": " : "", cell[i]);
    }
    fprintf(begin(printer), "  %-*s", fits ? FIRST_CELL - 2 : 0, cell[0]);
    if (!fits)
        fprintf(printer->out, "\n%*s", FIRST_CELL, "");
    text_wrap_after(printer->out, FIRST_CELL, text);
}

/* The columns of a list's mark at the beginning of a line, 0: there is none. */
static size_t mark_length(const char *line)
{
    const size_t digits = strspn(line, "0123456789");

    if (!strncmp(line, "- ", 2))
        return 2;
    return digits && digits < 3 && !strncmp(line + digits, ". ", 2)
               ? digits + 2 : 0;
}

/* Something that a page folds: its name, or for hints the verb that gives one.
 *  @return where its end is: the line that begins behind it */
static char *show_folded(struct printer *printer, char *line, char *rest)
{
    char *from = strstr(line, "<summary>"), *to = strstr(line, "</summary>");
    char *end = strstr(rest, "</details>");
    char *next = end ? strchr(end, '\n') : NULL;

    flush(printer);
    if (!from || !to)
        return rest;
    *to = 0;
    from += strlen("<summary>");
    if (printer->all) {
        fprintf(begin(printer), "%s:\n", from);
        return rest;
    }
    if (strncmp(from, "Hint ", 5))
        fprintf(begin(printer), "%s  [%s]%s\n",
                style(printer->out, STYLE_DIM), from,
                style(printer->out, STYLE_NONE));
    else if (!printer->has_hints)
        fprintf(begin(printer), "    build/warpbook hint %02d\n", printer->lab);
    printer->has_hints |= !strncmp(from, "Hint ", 5);
    printer->has_folded |= strncmp(from, "Hint ", 5) != 0;
    return next ? next + 1 : rest + strlen(rest);
}

/* "![words](file)": the words. */
static void show_figure(struct printer *printer, char *line)
{
    char *end = strstr(line, "](");
    char text[512];

    if (end)
        *end = 0;
    text_format(text, sizeof text, "[Figure: %s]", line + 2);
    text_wrap(begin(printer), 0, text);
}

/* Print or collect one line.
 *  @param rest  the text behind it
 *  @return the text that is left */
static char *show_line(struct printer *printer, char *line, char *rest)
{
    char *words = line + strspn(line, " ");
    const size_t mark = mark_length(words);
    const bool is_code = words - line >= CODE_INDENT && !*printer->text;

    if (!strncmp(words, "<details>", 9))
        return show_folded(printer, words, rest);
    if (!strncmp(words, "</details>", 10)) {
        flush(printer);
    } else if (!*words) {
        flush(printer);
        printer->rows = 0;
        printer->is_apart = true;
    } else if (is_code) {
        fprintf(begin(printer), "%s\n", line);
    } else if (*words == '|') {
        show_row(printer, words);
    } else if (!strncmp(words, "![", 2)) {
        show_figure(printer, words);
    } else if (!strncmp(words, "# ", 2)) {
        fprintf(begin(printer), "%s%s%s\n", style(printer->out, STYLE_BOLD),
                words + 2, style(printer->out, STYLE_NONE));
    } else {
        if (mark) {
            flush(printer);
            text_format(printer->mark, sizeof printer->mark, "%.*s", (int)mark,
                        words);
            printer->indent = (int)(words - line);
        }
        collect(printer, words + mark);
    }
    return rest;
}

void sheet_show(FILE *out, char *text, int number, bool all)
{
    struct printer printer = {.out = out, .lab = number, .all = all};

    while (*text) {
        char *end = text + strcspn(text, "\n");
        char *rest = end + (*end != 0);

        *end = 0;
        text = show_line(&printer, text, rest);
    }
    flush(&printer);
    if (printer.has_folded)
        fprintf(out, "\nTo unfold: build/warpbook sheet "
                "%02d --verbose\n", number);
}
