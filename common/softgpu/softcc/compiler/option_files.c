/* SPDX-License-Identifier: MIT */
/* --options-file FILE, --options-file=FILE, -optf FILE; @FILE as g++. */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "option_files.h"

/* Copy the next word of *text to `word`. @return false at the end */
static bool next_word(const char **text, struct buffer *word)
{
    const char *p = *text;
    char quote = 0;
    while (isspace((unsigned char)*p))
        p++;
    if (!*p)
        return false;
    buffer_write(word, "", 0); /* "" is a word, too */
    for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
        if (*p == quote)
            quote = 0;
        else if (!quote && (*p == '"' || *p == '\''))
            quote = *p;
        else if (*p == '\\' && quote != '\'' && p[1])
            buffer_write(word, ++p, 1);
        else
            buffer_write(word, p, 1);
    }
    *text = p;
    return true;
}

static bool append_file(struct list *words, const char *path)
{
    size_t n = 0;
    char *bytes = read_file(path, SIZE_MAX - 1, &n);
    if (!bytes) {
        fprintf(stderr, "softcc: cannot read the options in %s: %s\n", path,
                strerror(errno));
        return false;
    }
    const char *rest = bytes;
    for (struct buffer word = { 0 }; next_word(&rest, &word);
         word = (struct buffer){ 0 })
        list_append(words, word.bytes);
    free(bytes);
    return true;
}

bool append_words(struct list *words, int *i, char **argv)
{
    static const char *const names[] = { "--options-file", "-optf",
                                         "-options-file" };
    const char *word = argv[*i];
    if (word[0] == '@')
        return append_file(words, word + 1);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const size_t n = strlen(names[k]);
        if (strncmp(word, names[k], n) != 0)
            continue;
        if (word[n] == '=')
            return append_file(words, word + n + 1);
        if (word[n] == 0 && argv[*i + 1])
            return append_file(words, argv[++*i]);
    }
    list_append(words, word);
    return true;
}
