/* SPDX-License-Identifier: MIT */
/* Functions are found by their braces: those of the outermost level whose `{`
 * follows a list of parameters. */
#include "source_calls.h"

#include <stddef.h>
#include <stdbool.h>
#include <string.h>

#include "source_words.h"

enum { MOST_NAME = 64, MOST_CALLERS = 4 };

/* A function: its name, and the lines from its name to its last brace. */
struct function {
    char name[MOST_NAME];
    long first, last;
};

/* The name before the parameters that begin at `at`; empty if there is none. */
static void read_name(const char *text, const char *at, char *name)
{
    const char *end = at;

    *name = '\0';
    while (end > text && (end[-1] == ' ' || end[-1] == '\n'))
        end--;
    for (at = end; at > text && is_name_char(at[-1]);)
        at--;
    if (at < end && end - at < MOST_NAME) {
        memcpy(name, at, (size_t)(end - at));
        name[end - at] = '\0';
    }
}

/* The function whose text has the line. @return is there one? */
static bool function_at(const char *text, long line, struct function *f)
{
    const char *behind;
    int braces = 0, parentheses = 0;

    *f = (struct function){"", 0, 0};
    for (const char *at = text; *at; at = behind == at ? at + 1 : behind) {
        behind = skip_text(at);
        if (behind != at)
            continue;
        if (*at == '(' && braces == 0 && parentheses++ == 0) {
            read_name(text, at, f->name);
            f->first = line_of(text, at);
        } else if (*at == ')' && braces == 0) {
            parentheses--;
        } else if (*at == ';' && braces == 0) {
            *f->name = '\0';
        } else if (*at == '{') {
            braces++;
        } else if (*at == '}' && --braces == 0) {
            f->last = line_of(text, at);
            if (*f->name && f->first <= line && line <= f->last)
                return true;
            *f->name = '\0';
        }
    }
    return false;
}

/* Behind the arguments of a template that begin at `at`, or `at`. */
static const char *skip_template(const char *at)
{
    const char *end = at;

    if (*at != '<' || at[1] == '<')
        return at;
    while (*end && *end != '>' && *end != ';')
        end++;
    return *end == '>' ? end + 1 : at;
}

/* The call that is the nearest to a line, of those that are all before it, or
 * all behind it, in one function; 0: they are not. */
static long nearest_call(const char *text, long first, long last, long line)
{
    struct function f;

    if (!function_at(text, line, &f) || first < f.first || last > f.last)
        return 0;
    return last < line ? last : first > line ? first : 0;
}

/* The line of the only call of a function, or of one that stands for all; 0:
 * there is none.
 * @param other  line of the other place */
static long line_of_call(const char *text, const struct function *f, long other)
{
    const char *behind;
    long first = 0, last = 0;

    for (const char *at = text; *at; at = behind == at ? at + 1 : behind) {
        behind = skip_text(at);
        if (behind != at || !is_word(text, at, f->name)
            || *skip_template(at + strlen(f->name)) != '(')
            continue;
        const long line = line_of(text, at);

        if (line >= f->first && line <= f->last)
            continue; /* the function itself */
        first = first ? first : line;
        last = line;
    }
    return first == last ? first : nearest_call(text, first, last, other);
}

void lines_of_calls(const char *text, long lines[2])
{
    long line[2][MOST_CALLERS];
    struct function in[2][MOST_CALLERS];
    int count[2];

    for (int k = 0; k < 2; k++) {
        long at = lines[k];

        for (count[k] = 0; count[k] < MOST_CALLERS && at; count[k]++) {
            line[k][count[k]] = at;
            if (!function_at(text, at, &in[k][count[k]]))
                break;
            at = line_of_call(text, &in[k][count[k]], lines[1 - k]);
        }
    }
    for (int a = 0; a < count[0]; a++)
        for (int b = 0; b < count[1]; b++)
            if (in[0][a].first == in[1][b].first) {
                lines[0] = line[0][a];
                lines[1] = line[1][b];
                return;
            }
}
