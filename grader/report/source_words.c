/* SPDX-License-Identifier: MIT */
/* Words of a CUDA C source. */
#include "source_words.h"

#include <ctype.h>
#include <string.h>

const char *skip_text(const char *at)
{
    const char quote = *at;

    if (quote == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (quote == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");

        return end ? end + 2 : at + strlen(at);
    }
    if (quote != '"' && quote != '\'')
        return at;
    for (at++; *at && *at != quote && *at != '\n'; at++)
        at += *at == '\\' && at[1];
    return *at ? at + 1 : at;
}

bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool is_word(const char *begin, const char *at, const char *word)
{
    const size_t length = strlen(word);

    return !strncmp(at, word, length) && !is_name_char(at[length])
           && (at == begin || !is_name_char(at[-1]));
}

int line_of(const char *text, const char *at)
{
    int line = 1;

    for (; text < at; text++)
        line += *text == '\n';
    return line;
}
