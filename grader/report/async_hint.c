/* SPDX-License-Identifier: MIT */
/* The hint of data that cp.async had not copied yet: each wait leaves the
 * newest groups pending, so an iteration that commits no group waits for one
 * group less. */
#include "async_hint.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "source_words.h"

enum { MOST_BLOCKS = 64, MOST_SHOWN = 40 };

/* What was found so far. */
struct groups {
    const char *commit;    /* in a branch; NULL: each is in every iteration */
    const char *wait;      /* that leaves groups pending */
    const char *count;     /* how many, as it is written */
    int count_length;
    bool waits_for_all;
    bool branch[MOST_BLOCKS]; /* is the block that of an if? */
    int depth;
};

/* The word that ends before `at`.  @return does it equal `word`? */
static bool ends_with(const char *text, const char *at, const char *word)
{
    const size_t length = strlen(word);

    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    return (size_t)(at - text) >= length
           && is_word(text, at - length, word);
}

/* Is what begins here executed only if a condition holds at run time? */
static bool is_branch(const char *text, const char *at)
{
    int depth = 0;

    if (ends_with(text, at, "else"))
        return true;
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    if (at == text || at[-1] != ')')
        return false;
    do {
        at--;
        depth += (*at == ')') - (*at == '(');
    } while (at > text && depth);
    return ends_with(text, at, "if");
}

/* The first of these names that stands here; NULL: none. */
static const char *name_at(const char *text, const char *at,
                           const char *const *names)
{
    for (; *names; names++)
        if (is_word(text, at, *names))
            return *names;
    return NULL;
}

/* A wait, with the number of groups that it leaves in < > or ( ). */
static void note_wait(struct groups *g, const char *at, const char *name)
{
    const char *count = at + strlen(name) + 1;
    int length;

    if (count[-1] != '<' && count[-1] != '(')
        return;
    length = (int)strcspn(count, count[-1] == '<' ? ">\n" : ")\n");
    if (length == 1 && *count == '0')
        g->waits_for_all = true;
    else if (!g->wait && length > 0 && length <= MOST_SHOWN) {
        g->wait = at;
        g->count = count;
        g->count_length = length;
    }
}

static void note(struct groups *g, const char *text, const char *at)
{
    static const char *const commits[] = {
        "ptx_cp_async_commit", "__pipeline_commit", "cp_async_commit_group",
        NULL};
    static const char *const waits[] = {
        "ptx_cp_async_wait", "__pipeline_wait_prior", "cp_async_wait_group",
        NULL};
    const char *wait = name_at(text, at, waits);

    if (*at == '{' && g->depth++ < MOST_BLOCKS)
        g->branch[g->depth - 1] = is_branch(text, at);
    if (*at == '}' && g->depth > 0)
        g->depth--;
    if (wait)
        note_wait(g, at, wait);
    if (!g->commit && name_at(text, at, commits)
        && (is_branch(text, at)
            || (g->depth > 0 && g->depth <= MOST_BLOCKS
                && g->branch[g->depth - 1])))
        g->commit = at;
}

bool async_hint(const char *text, char *hint, size_t bytes)
{
    struct groups g = {0};

    for (const char *at = text; *at; at++) {
        const char *next = skip_text(at);

        if (next > at)
            at = next - 1;
        else
            note(&g, text, at);
    }
    if (!g.wait || g.waits_for_all)
        return false;
    if (g.commit)
        snprintf(hint, bytes, "Line %d commits a group of copies in a branch, "
                 "and line %d waits until at most %.*s are pending: where no "
                 "group is committed, the one that is read next may be "
                 "pending. Commit in each iteration, or wait for all in the "
                 "last one.", line_of(text, g.commit), line_of(text, g.wait),
                 g.count_length, g.count);
    else
        snprintf(hint, bytes, "Line %d waits until at most %.*s groups of "
                 "copies are pending: does each of these belong to a later "
                 "tile?", line_of(text, g.wait), g.count_length, g.count);
    return true;
}
