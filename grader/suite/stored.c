/* SPDX-License-Identifier: MIT */
/* The runner knows who stored an element; the grader, which are wrong. */
#include "stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "state.h"

enum {
    SAMPLES = 64, /* wrong elements that are asked about, and correct ones */
    LEAST = 3,    /* of either kind, for a comparison of threads */
    LINES = 8
};

/* Seconds in which a runner answers about all elements: it is not trusted. */
static const double most_seconds = 3;

/* Answers about elements of one kind. */
struct sample {
    struct store_answer answer[SAMPLES];
    size_t count;
};

/* Where the elements are. */
struct source {
    const struct comparison *comparison;
    unsigned argument;
    size_t offset, bytes; /* of the first element; of each */
    double deadline;      /* of clock_seconds() */
};

/* Ask about SAMPLES of the `all` elements that are wrong, or correct.
 * @return false: of one of them it is not known who stored it, in time */
static bool ask(const struct source *source, bool is_wrong, size_t all,
                struct sample *sample)
{
    size_t seen = 0;

    sample->count = 0;
    for (size_t i = 0; i < source->comparison->count; i++) {
        struct store_answer *answer = &sample->answer[sample->count];

        if ((source->comparison->wrong_mask[i] != 0) != is_wrong)
            continue;
        if (seen++ * SAMPLES < sample->count * all && all > SAMPLES)
            continue;
        if (clock_seconds() > source->deadline
            || !session_ask(suite_state.session,
                         &(struct store_question){
                             .argument = source->argument,
                             .offset = source->offset + i * source->bytes},
                         answer)
            || !*answer->text)
            return false;
        if (++sample->count == SAMPLES)
            break;
    }
    return true;
}

/* --- the line of the store ------------------------------------------------ */

static bool is_stored_at(const struct sample *sample, const char *place)
{
    for (size_t i = 0; i < sample->count; i++)
        if (!strcmp(sample->answer[i].text, place))
            return true;
    return false;
}

/* "add.cu:17:9" without its column. */
static const char *without_column(const char *place, char text[FACT_SIZE])
{
    const char *colon = strrchr(place, ':');

    return text_format(text, FACT_SIZE, "%.*s",
                       (int)(colon ? colon - place : (long)strlen(place)),
                       place);
}

/* One line stored all wrong elements, and others stored correct ones. */
static bool compare_lines(const struct sample *wrong,
                          const struct sample *right, char *text)
{
    const char *place = wrong->answer[0].text, *seen[LINES];
    char others[3 * FACT_SIZE] = "", line[FACT_SIZE];
    size_t count = 0;

    for (size_t i = 1; i < wrong->count; i++)
        if (strcmp(wrong->answer[i].text, place) != 0)
            return false;
    for (size_t i = 0; i < right->count && count < 2; i++) {
        const char *other = right->answer[i].text;

        if (!strcmp(other, place) || (count && !strcmp(other, seen[0])))
            continue;
        seen[count] = other;
        snprintf(others + strlen(others), sizeof others - strlen(others),
                 "%s%s", count++ ? " and " : "", without_column(other, line));
    }
    if (count)
        text_format(text, STORED_SIZE,
                    "%s: note: the wrong elements were stored here%s; those "
                    "that %s stored are correct", place,
                    is_stored_at(right, place) ? ", correct ones too" : "",
                    others);
    return count > 0;
}

/* --- what the threads, or blocks, executed -------------------------------- */

/* How a basic block tells wrong elements from correct ones. */
enum difference { NO_DIFFERENCE, OTHER_COUNT, NEVER_OF_WRONG, ONLY_OF_WRONG };

/* Least and most executions of a basic block. */
struct range {
    unsigned least, most;
};

static struct range range_of_threads(const struct sample *sample, unsigned site)
{
    struct range range = {UINT16_MAX, 0};

    for (size_t i = 0; i < sample->count; i++) {
        const unsigned times = sample->answer[i].thread_executions[site];

        range.least = times < range.least ? times : range.least;
        range.most = times > range.most ? times : range.most;
    }
    return range;
}

static enum difference difference_of(struct range wrong, struct range right)
{
    if (wrong.least > 0 && right.most == 0)
        return ONLY_OF_WRONG;
    if (wrong.most == 0 && right.least > 0)
        return NEVER_OF_WRONG;
    return wrong.least == wrong.most && right.least == right.most
                   && wrong.most != right.most && wrong.most < UINT16_MAX
                   && right.most < UINT16_MAX
               ? OTHER_COUNT : NO_DIFFERENCE;
}

static bool knows_executions(const struct sample *sample)
{
    for (size_t i = 0; i < sample->count; i++)
        if (!sample->answer[i].has_executions)
            return false;
    return sample->count >= LEAST;
}

/* The place of a basic block; empty when not known. */
static void place_of(unsigned site, char text[FACT_SIZE])
{
    struct store_answer answer;

    session_ask(suite_state.session,
                &(struct store_question){.argument = ASK_LINE, .offset = site},
                &answer);
    memcpy(text, answer.text, FACT_SIZE);
}

static int line_number(const char *place)
{
    const char *colon = strchr(place, ':');

    return colon ? atoi(colon + 1) : 0;
}

/* A basic block that tells most, the first one in the source. */
struct found {
    enum difference difference;
    struct range wrong, right;
    char place[FACT_SIZE];
};

static void consider(unsigned site, struct range wrong, struct range right,
                     struct found *found)
{
    const enum difference difference = difference_of(wrong, right);
    char place[FACT_SIZE];

    if (difference == NO_DIFFERENCE || difference < found->difference)
        return;
    place_of(site, place);
    if (!line_number(place)
        || (difference == found->difference
            && line_number(place) >= line_number(found->place)))
        return;
    *found = (struct found){difference, wrong, right, ""};
    memcpy(found->place, place, sizeof place);
}

/* Write what was found.  @param who  "threads" */
static void tell(const struct found *found, const char *who, char *text)
{
    if (found->difference == OTHER_COUNT)
        text_format(text, STORED_SIZE,
                    "%s: note: the %s of the wrong elements execute this %u "
                    "time%s, those of correct ones %u time%s", found->place,
                    who, found->wrong.most, found->wrong.most == 1 ? "" : "s",
                    found->right.most, found->right.most == 1 ? "" : "s");
    else if (found->difference != NO_DIFFERENCE)
        text_format(text, STORED_SIZE,
                    "%s: note: the %s of the wrong elements %s this, those of "
                    "correct ones %s", found->place, who,
                    found->difference == ONLY_OF_WRONG ? "execute"
                                                       : "never execute",
                    found->difference == ONLY_OF_WRONG ? "never" : "do");
}

static bool compare_threads(const struct sample *wrong,
                            const struct sample *right, char *text)
{
    struct found found = {0};

    for (unsigned site = 0; site < STORE_SITES; site++)
        consider(site, range_of_threads(wrong, site),
                 range_of_threads(right, site), &found);
    tell(&found, "threads", text);
    return found.difference != NO_DIFFERENCE;
}

/* Is it the block of one of these elements? */
static bool has_block(const struct sample *sample, uint32_t block)
{
    for (size_t i = 0; i < sample->count; i++)
        if (sample->answer[i].block == block)
            return true;
    return false;
}

/* In how many of the blocks some thread executes it: none, all, or some.
 * @param without  elements whose blocks are left out, or NULL */
static struct range range_of_blocks(const struct sample *sample, unsigned site,
                                    const struct sample *without)
{
    struct range range = {1, 0};
    size_t blocks = 0;

    for (size_t i = 0; i < sample->count; i++) {
        const struct store_answer *answer = &sample->answer[i];
        const unsigned executes = answer->block_executes[site] != 0;

        if (without && has_block(without, answer->block))
            continue;
        range.least = executes < range.least ? executes : range.least;
        range.most = executes > range.most ? executes : range.most;
        blocks++;
    }
    return blocks >= LEAST ? range : (struct range){0, 1};
}

/* A tile is loaded by all threads of a block. */
static void compare_blocks(const struct sample *wrong,
                           const struct sample *right, char *text)
{
    struct found found = {0};

    for (unsigned site = 0; site < STORE_SITES; site++)
        consider(site, range_of_blocks(wrong, site, NULL),
                 range_of_blocks(right, site, wrong), &found);
    tell(&found, "blocks", text);
}

void suite_compare_stores(const struct evidence *evidence,
                          char text[STORED_SIZE])
{
    static struct sample wrong, right;
    const struct comparison *comparison = evidence->comparison;
    struct source source = {.comparison = comparison,
                            .bytes = element_bytes(evidence->expected->type)};
    const struct arg *arg =
        suite_output_argument(evidence->expected, &source.argument);

    *text = 0;
    if (!suite_state.session->compares_threads || !arg || !evidence->on_device
        || comparison->wrong == comparison->count)
        return;
    source.deadline = clock_seconds() + most_seconds;
    source.offset = (size_t)((const char *)evidence->expected->got
                             - (const char *)arg->data);
    if (!ask(&source, true, comparison->wrong, &wrong)
        || !ask(&source, false, comparison->count - comparison->wrong, &right)
        || compare_lines(&wrong, &right, text) || !knows_executions(&wrong)
        || !knows_executions(&right) || compare_threads(&wrong, &right, text))
        return;
    compare_blocks(&wrong, &right, text);
}
