/* SPDX-License-Identifier: MIT */
/* Statements and operands of a source. */
#include "source.h"

static int index_of(const struct source *source, const struct token *token)
{
    return (int)(token - source->token);
}

/* Does a case's label end at this colon? */
static bool ends_label(const struct source *source, int i)
{
    return token_is(&source->token[i], ":")
           && ((i > 0 && token_is(&source->token[i - 1], "default"))
               || (i > 1 && token_is(&source->token[i - 2], "case")));
}

bool source_starts_statement(const struct source *source, int i)
{
    const struct token *before = i > 0 ? &source->token[i - 1] : NULL;
    const struct token *head;

    if (!before || source->token[i].kind != T_IDENT)
        return before && token_is_one_of(before, "; { }")
               && token_is_one_of(&source->token[i], "* ++ -- (");
    if (token_is_one_of(before, "; { } else") || ends_label(source, i - 1))
        return true;
    head = token_is(before, ")") ? before->match : NULL;
    return head && head > source->token
           && token_is_one_of(head - 1, "if for while");
}

int source_statement_end(const struct source *source, int i)
{
    for (; i < source->count; i++) {
        const struct token *token = &source->token[i];

        if (token_is(token, ";"))
            return i;
        if (token_is(token, "{") || token_is(token, "}")
            || token_is_one_of(token, "if for while switch do else case"))
            return -1;
        if (token->match > token)
            i = index_of(source, token->match);
    }
    return -1;
}

int source_operand_before(const struct source *source, int i)
{
    int first = i - 1;

    while (first > 0) {
        const struct token *token = &source->token[first];

        if (token->match && token->match < token)
            first = index_of(source, token->match);
        token = &source->token[first];
        if (first > 0 && token_is_one_of(token, "( [")
            && (source->token[first - 1].kind == T_IDENT
                || token_is_one_of(&source->token[first - 1], ") ]"))
            && !token_is_one_of(&source->token[first - 1],
                                "return if while for sizeof"))
            first--;
        else if (first > 1
                 && token_is_one_of(&source->token[first - 1], ". ->"))
            first -= 2;
        else
            break;
    }
    return first;
}

int source_operand_at(const struct source *source, int i)
{
    int last = i;

    if (source->token[last].match > &source->token[last])
        last = index_of(source, source->token[last].match);
    while (last + 1 < source->count) {
        const struct token *next = &source->token[last + 1];

        if (token_is_one_of(next, "( [") && next->match)
            last = index_of(source, next->match);
        else if (token_is_one_of(next, ". ->") && last + 2 < source->count)
            last += 2;
        else
            break;
    }
    return last;
}
