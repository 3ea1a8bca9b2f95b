/* SPDX-License-Identifier: MIT */
/* Lines of a profile's text, as wide as the terminal. */
#include "text_wrap.h"

#include <stdlib.h>
#include <string.h>

#include "report.h"

enum { COLUMNS = 80, LEAST_COLUMNS = 44, MAX_INDENT = 16, LINE_BYTES = 256 };

int profile_columns(const struct profile_report *report)
{
    return report->columns <= 0 || report->columns > COLUMNS ? COLUMNS
           : report->columns < LEAST_COLUMNS                 ? LEAST_COLUMNS
                                                             : report->columns;
}

/* Length of the next word; a number and "%" are not separated. */
static int word_bytes(const char *text)
{
    int n = (int)strcspn(text, " ");

    return strncmp(text + n, " %", 2) == 0
               ? n + 1 + (int)strcspn(text + n + 1, " ")
               : n;
}

void profile_print_wrapped(FILE *out, const char *mark, const char *text,
                           int columns)
{
    int column = fprintf(out, "%s", mark), indent = column;

    while (*text) {
        int word = word_bytes(text);

        if (column > indent && column + 1 + word > columns)
            column = fprintf(out, "\n%*s", indent, "") - 1;
        column
            += fprintf(out, "%s%.*s", column > indent ? " " : "", word, text);
        text += word + (text[word] == ' ');
    }
    fputc('\n', out);
}

/* Print lines, those that are too long in several. */
static void print_lines(FILE *out, const char *text, int columns)
{
    static const char spaces[MAX_INDENT + 1] = "                ";

    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        const size_t length = (size_t)(end - text), indent = strspn(text, " ");
        char line[LINE_BYTES];

        if (length <= (size_t)columns || length >= sizeof line
            || indent > MAX_INDENT) {
            fprintf(out, "%.*s\n", (int)length, text);
            continue;
        }
        snprintf(line, sizeof line, "%.*s", (int)(length - indent),
                 text + indent);
        profile_print_wrapped(out, spaces + MAX_INDENT - indent, line,
                              columns);
    }
}

void profile_print_fitted(FILE *out, const struct profile_report *report,
                          void (*print)(FILE *out,
                                        const struct profile_report *report))
{
    const int columns = profile_columns(report);
    size_t bytes = 0;
    char *text = NULL;
    FILE *all = columns < COLUMNS ? open_memstream(&text, &bytes) : NULL;

    print(all ? all : out, report);
    if (!all)
        return;
    if (fclose(all) == 0)
        print_lines(out, text, columns);
    free(text);
}
