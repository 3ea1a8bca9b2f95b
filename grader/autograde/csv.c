/* SPDX-License-Identifier: MIT */
/* Reading and writing comma-separated values. */
#include "csv.h"

#include <string.h>

#include "text_clean.h"

/* Of candidates for the separator, the most frequent in the first line wins. */
static size_t count_in_line(const char *text, char wanted)
{
    size_t count = 0;

    for (; *text && *text != '\n'; text++)
        count += *text == wanted;
    return count;
}

void csv_open(struct csv *csv, const char *path, char *text)
{
    static const char candidates[] = ",;\t";

    if (!strncmp(text, "\xef\xbb\xbf", 3))
        text += 3; /* the byte order mark of spreadsheets */
    *csv = (struct csv){.path = path, .at = text, .separator = ',',
                        .next_line = 1};
    for (const char *c = candidates; *c; c++)
        if (count_in_line(text, *c) > count_in_line(text, csv->separator))
            csv->separator = *c;
}

/* Remove the quotes of a field in place; csv->at moves behind it. */
static bool read_quoted(struct csv *csv)
{
    char *to = csv->at;
    char *from = csv->at + 1;

    while (*from && (*from != '"' || from[1] == '"')) {
        csv->next_line += *from == '\n';
        from += *from == '"';
        *to++ = *from++;
    }
    if (!*from)
        return false;
    csv->at = from + 1;
    *to = 0;
    return true;
}

/* Rows end with LF, CR LF or the end of the file. */
static bool is_row_end(char c)
{
    return !c || c == '\n' || c == '\r';
}

/* Read one field; its end becomes a NUL.
 * @return the character that ended it, or -1 after a failure */
static int read_field(struct csv *csv, struct failure *failure)
{
    char *start = csv->at, *end;
    int separator;

    if (csv->fields == CSV_COLUMNS) {
        fail(failure, "%s:%d: more than %d columns", csv->path, csv->line,
             CSV_COLUMNS);
        return -1;
    }
    if (*start == '"' && !read_quoted(csv)) {
        fail(failure, "%s:%d: a quote (\") is never closed", csv->path,
             csv->line);
        return -1;
    }
    if (*start == '"' || csv->at != start) {
        if (!is_row_end(*csv->at) && *csv->at != csv->separator) {
            fail(failure, "%s:%d: text after a closing quote (\")", csv->path,
                 csv->line);
            return -1;
        }
    }
    for (end = csv->at; !is_row_end(*end) && *end != csv->separator; end++)
        ;
    separator = *end == '\r' ? '\n' : *end;
    csv->at = *end == '\r' && end[1] == '\n' ? end + 2 : end + (*end != 0);
    *end = 0;
    csv->field[csv->fields++] = start;
    return separator;
}

/* Spreadsheets write rows of separators alone below the last student. */
static bool is_blank_row(const struct csv *csv)
{
    for (int i = 0; i < csv->fields; i++)
        if (csv->field[i][strspn(csv->field[i], " \t\r")])
            return false;
    return true;
}

bool csv_next(struct csv *csv, struct failure *failure)
{
    int end;

    failure->text[0] = 0;
    do {
        if (!*csv->at)
            return false;
        csv->line = csv->next_line;
        csv->fields = 0;
        do
            end = read_field(csv, failure);
        while (end == csv->separator && end != '\n');
        if (end < 0)
            return false;
        csv->next_line++;
    } while (is_blank_row(csv));
    return true;
}

int csv_column(const struct csv *csv, const char *const *names)
{
    for (; *names; names++)
        for (int i = 0; i < csv->fields; i++)
            if (equals_folded(csv->field[i], *names))
                return i;
    return -1;
}

/* A terminal that shows the file must not obey it. */
static bool is_control(char c)
{
    const unsigned char byte = (unsigned char)c;

    return (byte < 0x20 && !strchr("\t\r\n", c)) || byte == 0x7f;
}

void csv_write(FILE *out, const char *text)
{
    const char first = text[strspn(text, " ")]; /* some programs trim */
    const bool is_formula = first && strchr("=+-@\t\r\n", first);
    const bool is_quoted = is_formula || *text == ' '
                           || text[strcspn(text, ",;\"\t\r\n")];

    if (is_quoted)
        fputs(is_formula ? "\"'" : "\"", out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(is_control(*text) ? '?' : *text, out);
    }
    if (is_quoted)
        fputc('"', out);
}
