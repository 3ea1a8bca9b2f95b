/* SPDX-License-Identifier: MIT */
/* Places in the submission, and the lines there. */
#include "source_view.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "barrier_hint.h"
#include "common/base/files.h"
#include "common/base/terminal.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/softgpu/profile/source_file.h"

enum { COLUMNS = 80, MARGIN = 8, MOST_TODOS = 64, MOST_WORDS = 240 };
enum { CUT = 3 }; /* columns of "..." */

const char *path_from_here(const char *path)
{
    static char here[PATH_MAX];
    size_t length;

    if (!getcwd(here, sizeof here))
        return path;
    length = strlen(here);
    return !strncmp(path, here, length) && path[length] == '/'
               ? path + length + 1
               : path;
}

/* The first byte of a line that is shown, behind CUT where that is not 0: as
 * much of it as there is room for, with the column. */
static long first_shown(const char *words, long column, int room)
{
    const long length = (long)strlen(words), most = length + CUT - room + 1;
    long first = column + CUT - room / 2;

    if (column <= room - 2)
        return 0;
    if (first > most)
        first = most;
    while (((unsigned char)words[first] & 0xc0) == 0x80)
        first++; /* not within a character of UTF-8 */
    return first;
}

/* A line from its byte `first` on, with a mark where more than indentation is
 * cut, but none over the caret.
 *  @param[out] shown   `room` bytes
 *  @param[in,out] before  columns before the caret */
static void cut_line(const char *words, long first, int room, char *shown,
                     int *before)
{
    const bool is_cut = (long)strspn(words, " \t") < first;
    int at = room - 1 - CUT;

    *before += is_cut ? CUT : 0;
    text_format(shown, (size_t)room, "%s%s", is_cut ? "..." : "",
                words + first);
    if (strlen(words + first) < (size_t)(is_cut ? room - CUT : room)
        || *before >= at)
        return;
    while (((unsigned char)shown[at] & 0xc0) == 0x80)
        at--;
    text_format(shown + at, CUT + 1, "...");
}

/* Print a line of the file, cut around the column, which gets a caret.  Columns
 * are bytes: gcc, too, counts them so with --graded.  Where it moves an
 * instruction, the column may be that of another line: then there is no
 * caret. */
static void show_line(const char *source, long line, long column)
{
    const int room = text_columns(stdout) - MARGIN;
    struct source_text *text = source_read(source, NULL);
    const char *words = source_line_at(text, (int)line);
    long first = 0;
    int before; /* the caret, in columns of the terminal */
    char shown[COLUMNS];

    if (words && (long)strlen(words) < column - 1)
        column = 0;
    if (words) {
        first = first_shown(words, column, room);
        before = column > first + 1
                     ? utf8_columns(words + first, (size_t)(column - first - 1))
                     : 0;
        cut_line(words, first, room, shown, &before);
        for (char *at = shown; *at; at++)
            if (*at == '\t')
                *at = ' ';
        make_printable(shown);
        printf("%s%5ld |%s %s\n", style(stdout, STYLE_DIM), line,
               style(stdout, STYLE_NONE), shown);
        if (column > 0)
            printf("%s      |%s %*s%s^%s\n", style(stdout, STYLE_DIM),
                   style(stdout, STYLE_NONE), before, "",
                   style(stdout, STYLE_RED), style(stdout, STYLE_NONE));
    }
    source_free(text);
}

/* The place at the beginning of a text.
 *  @param[out] column  0 when there is none
 *  @return what follows the file's name, or NULL: not a place there */
static const char *parse_place(const char *source, const char *text, long *line,
                               long *column)
{
    const char *name = base_name(source);
    const size_t length = strlen(name);
    char *end;

    *column = 0;
    if (strncmp(text, name, length) || text[length] != ':')
        return NULL;
    *line = strtol(text + length + 1, &end, 10);
    if (*end == ':' && isdigit((unsigned char)end[1]))
        *column = strtol(end + 1, NULL, 10);
    return *line > 0 ? text + length : NULL;
}

/* Print the file's name and the words behind it: in one line, which editors jump
 * to, but in a narrow terminal. */
static void show_words(const char *source, const char *rest, int bytes)
{
    char text[PATH_MAX + MOST_WORDS + 8];

    text_format(text, sizeof text, "%s%.*s%s", path_from_here(source),
                bytes > MOST_WORDS ? MOST_WORDS : bytes, rest,
                bytes > MOST_WORDS ? " ..." : "");
    if (terminal_columns(stdout) < COLUMNS)
        text_wrap_after(stdout, 6, text);
    else
        printf("%s\n", text);
}

void show_placed(const char *source, const char *message)
{
    long line, column;
    const char *rest = parse_place(source, message, &line, &column);
    const int first = (int)strcspn(message, "\n");

    if (!rest) {
        text_wrap(stdout, 2, message);
        return;
    }
    /* a compiler quotes names of any length */
    show_words(source, rest, first - (int)(rest - message));
    show_line(source, line, column);
    if (message[first])
        text_wrap(stdout, 2, message + first + 1);
}

/* The kernel of a finding, and an example's indices as CUDA writes them. */
static void show_kernel(const struct finding *finding)
{
    const unsigned *b = finding->block, *t = finding->thread;
    char times[64] = "", text[256];

    if (finding->count > 1)
        text_format(times, sizeof times, "; seen %.0f times", finding->count);
    text_wrap(stdout, 6,
              text_format(text, sizeof text, "in %s, block (%u,%u,%u), thread "
                          "(%u,%u,%u)%s", finding->kernel, b[0], b[1], b[2],
                          t[0], t[1], t[2], times));
}

/* The words for a finding's second place: the other access of a race; else, for
 * example, where the memory was allocated. */
static const char *other_place_of(const char *kind)
{
    const bool is_race =
        !strncmp(kind, "race", strlen("race")) || !strcmp(kind, "lockstep");

    return is_race ? "other access" : "see also";
}

/* A race between whose lines a barrier stands, which is that of a loop. */
static void show_barrier_between(const char *source,
                                 const struct finding *finding)
{
    enum { MOST_BYTES = 1 << 20 };
    const bool is_warp = !strcmp(finding->kind, "lockstep");
    const bool is_race = is_warp || !strcmp(finding->kind, "race_shared")
                         || !strcmp(finding->kind, "race_global");
    long first, second, column;
    char hint[MESSAGE_SIZE], *text;
    size_t bytes;

    if (!is_race || !parse_place(source, finding->location, &first, &column)
        || !parse_place(source, finding->other_location, &second, &column))
        return;
    text = read_file(source, MOST_BYTES, &bytes);
    if (text && barrier_hint(text, is_warp, first, second, hint, sizeof hint))
        text_wrap(stdout, 6, hint);
    free(text);
}

void show_finding(const char *source, const struct finding *finding)
{
    char text[MESSAGE_SIZE];

    if (*finding->location) {
        text_format(text, sizeof text, "%s: error: %s", finding->location,
                    finding->title);
        show_placed(source, text);
    } else {
        printf("  %s\n", finding->title);
    }
    text_wrap(stdout, 6, finding->message);
    show_barrier_between(source, finding);
    if (*finding->kernel)
        show_kernel(finding);
    if (*finding->other_location)
        printf("      %s: %s\n", other_place_of(finding->kind),
               finding->other_location);
}

/** A TODO comment of a handout. */
struct todo {
    int number; /* 0 when it has none */
    int line;
};

/* "TODO 1: ..." at the beginning of a comment or of its line, or NULL: "the
 * array of TODO 1" only names one. */
static const char *todo_in(const char *line)
{
    const char *at = strstr(line, "TODO"), *before;

    for (; at; at = strstr(at + 1, "TODO")) {
        for (before = at; before > line && before[-1] == ' '; before--)
            ;
        if (before > line && (before[-1] == '*' || before[-1] == '/'))
            return at;
    }
    return NULL;
}

/* Collect the TODO comments in the order of their numbers, which is that of the
 * sheet's steps.  @return how many, at most MOST_TODOS */
static int find_todos(const struct source_text *text, struct todo *todos)
{
    int count = 0;

    for (int line = 1; line <= source_line_count(text); line++) {
        const char *words = todo_in(source_line_at(text, line));
        const struct todo todo = {words ? atoi(words + 4) : 0, line};
        int at = count;

        if (!words || count == MOST_TODOS)
            continue;
        for (; at > 0 && todos[at - 1].number > todo.number; at--)
            todos[at] = todos[at - 1];
        todos[at] = todo;
        count++;
    }
    return count;
}

/* The words of a TODO comment behind its number, up to the comment's end, which
 * is that of its line if it begins with two slashes.
 *  @param[out] words  `bytes` of them; empty when it says nothing */
static void read_todo(const struct source_text *text, const struct todo *todo,
                      char *words, size_t bytes)
{
    const char *begin = source_line_at(text, todo->line);
    const char *at = todo_in(begin) + 4, *slashes = strstr(begin, "//");
    int line = todo->line;
    const int last = slashes && slashes < at ? line : source_line_count(text);

    *words = 0;
    at += strspn(at, " 0123456789:");
    while (at) {
        const char *end = strstr(at, "*/");
        const size_t used = strlen(words);

        text_format(words + used, bytes - used, "%.*s ",
                    (int)(end ? (size_t)(end - at) : strlen(at)), at);
        if (end || ++line > last)
            break;
        at = source_line_at(text, line);
        at += strspn(at, " *");
    }
    text_join_lines(words);
    make_printable(words);
}

static void show_todo_head(const char *source)
{
    char text[PATH_MAX + 32];

    printf("\n");
    text_wrap(stdout, 0, text_format(text, sizeof text, "Still to do in %s",
                                     path_from_here(source)));
}

/* Where the handout's last line still says that there is nothing yet.  A return
 * behind a condition is an answer, such as for a GPU that is too old. */
static void show_unsupported(const char *source, const struct source_text *text)
{
    static const char unsupported[] = "return cudaErrorNotSupported;";

    for (int line = 1; line <= source_line_count(text); line++) {
        const char *begin = source_line_at(text, line);

        begin += strspn(begin, " \t");
        if (strncmp(begin, unsupported, sizeof unsupported - 1) != 0)
            continue;
        show_todo_head(source);
        printf("  line %d returns cudaErrorNotSupported, as the handout does\n",
               line);
        return;
    }
}

/* Append the TODO at `i` with its lines: all that have its number.
 *  @return the index behind these */
static int list_todo(const struct todo *todos, int count, int i, char *list,
                     size_t bytes)
{
    const int number = todos[i].number;
    int end = i + 1;
    size_t used = strlen(list);

    while (number > 0 && i > 0 && end < count && todos[end].number == number)
        end++;
    text_format(list + used, bytes - used,
                number > 0 ? "%sTODO %d (line%s" : "%sTODO%.0d (line%s",
                i > 1 ? ", " : i ? "\n" : "", number, end > i + 1 ? "s" : "");
    for (int at = i; at < end; at++) {
        used = strlen(list);
        text_format(list + used, bytes - used, "%s %d", at > i ? "," : "",
                    todos[at].line);
    }
    used = strlen(list);
    text_format(list + used, bytes - used, ")");
    return end;
}

/* The first one is what to do next, so it is shown with its words. */
void show_todo(const char *source)
{
    struct source_text *text = source_read(source, NULL);
    struct todo todos[MOST_TODOS];
    const int count = find_todos(text, todos);
    char list[2048] = "", words[512];

    if (count) {
        list_todo(todos, count, 0, list, sizeof list);
        read_todo(text, &todos[0], words, sizeof words);
        text_format(list + strlen(list), sizeof list - strlen(list), "%s%s",
                    *words ? ": " : "", words);
    }
    for (int i = 1; i < count;)
        i = list_todo(todos, count, i, list, sizeof list);
    if (!count)
        show_unsupported(source, text);
    source_free(text);
    if (!count)
        return;
    show_todo_head(source);
    text_wrap(stdout, 2, list);
}
