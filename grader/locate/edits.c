/* SPDX-License-Identifier: MIT */
/* Listing edits, and applying one. */
#include "edits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"

void edit_add(struct edits *edits, int first, int last, int rank,
              const char *words, const char *format, ...)
{
    const struct token *token = edits->source->token;
    struct edit *edit;
    va_list arguments;
    int length;

    if (edits->count == edits->most)
        return;
    edit = &edits->edit[edits->count];
    *edit = (struct edit){
        .at = (size_t)(token[first].text - edits->source->text),
        .length = (size_t)(token[last].text + token[last].length
                           - token[first].text),
        .line = token[first].line, .column = token[first].col + 1,
        .rank = rank};
    text_format(edit->words, EDIT_WORDS, "%s", words);
    va_start(arguments, format);
    length = vsnprintf(edit->text, EDIT_TEXT, format, arguments);
    va_end(arguments);
    if (length >= 0 && length < EDIT_TEXT
        && ((size_t)length != edit->length
            || memcmp(edit->text, token[first].text, edit->length) != 0))
        edits->count++;
}

/* Earlier ranks first; within one, the order of the source. */
static int compare_edits(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank - y->rank;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at)
                          : strcmp(x->text, y->text);
}

/* Two ways to list the same text are one edit. */
static void remove_duplicates(struct edits *edits)
{
    size_t kept = 0;

    for (size_t i = 0; i < edits->count; i++) {
        const struct edit *edit = &edits->edit[i];
        size_t j = 0;

        while (j < kept && (edits->edit[j].at != edit->at
                            || edits->edit[j].length != edit->length
                            || strcmp(edits->edit[j].text, edit->text)))
            j++;
        if (j == kept)
            edits->edit[kept++] = *edit;
    }
    edits->count = kept;
}

size_t edits_list(struct edits *edits)
{
    edits->count = 0;
    edit_operators(edits);
    edit_names(edits);
    edit_statements(edits);
    qsort(edits->edit, edits->count, sizeof *edits->edit, compare_edits);
    remove_duplicates(edits);
    return edits->count;
}

char *edit_apply(const struct source *source, const struct edit *edit)
{
    const size_t length = strlen(source->text);
    const size_t inserted = strlen(edit->text);
    char *text = malloc(length - edit->length + inserted + 1);

    if (!text)
        return NULL;
    memcpy(text, source->text, edit->at);
    memcpy(text + edit->at, edit->text, inserted);
    strcpy(text + edit->at + inserted,
           source->text + edit->at + edit->length);
    return text;
}
