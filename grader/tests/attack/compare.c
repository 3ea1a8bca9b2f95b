/* SPDX-License-Identifier: MIT */
/* Comparing a result with a row of the table. */
#include <stdio.h>
#include <string.h>

#include "attack.h"
#include "common/base/text.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static bool is_wanted(const struct attack *row, const char *verdict)
{
    for (size_t i = 0; i < row->verdicts; i++)
        if (!strcmp(verdict, verdict_name(row->verdict[i])))
            return true;
    return row->verdicts == 0;
}

static bool complain(char *reason, const json_t *test)
{
    text_format(reason, ATTACK_REASON, "%s is %s %.300s", text_of(test, "name"),
                text_of(test, "verdict"), text_of(test, "message"));
    return false;
}

/* The attacked test has the row's verdict and the others pass; after the first
 * timeout they are not run. */
static bool verdicts_are_right(const struct attack *row, const json_t *result,
                               char *reason)
{
    const bool all = !strcmp(row->test, "all"), any = !strcmp(row->test, "any");
    const json_t *tests = json_object_get(result, "tests"), *test;
    bool found = false, is_over = false;
    size_t i;

    json_array_foreach(tests, i, test) {
        const char *verdict = text_of(test, "verdict");
        const bool wanted = is_wanted(row, verdict);

        if (all ? !wanted : false)
            return complain(reason, test);
        if (all || any || !strcmp(text_of(test, "name"), row->test)) {
            if (!any && !wanted)
                return complain(reason, test);
            found |= wanted;
            is_over |= !any && !strcmp(verdict, "TIMEOUT");
        } else if (strcmp(verdict, is_over ? "UNMEASURED" : "PASS"))
            return complain(reason, test);
    }
    if (i == 0)
        found = is_wanted(row, text_of(result, "verdict"));
    if (!found)
        text_format(reason, ATTACK_REASON, "no test has the verdict: %s",
                    text_of(result, "verdict"));
    return found;
}

/* Calls `visit` with each test, check, cost and the result itself.
 *  @return whether one call did */
static bool any_part(const json_t *result, const char *text,
                     bool (*visit)(const json_t *part, const char *text))
{
    static const char *const arrays[] = {"tests", "checks", "costs"};
    const json_t *part;
    size_t i;

    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        json_array_foreach(json_object_get(result, arrays[k]), i, part)
            if (visit(part, text))
                return true;
    return visit(result, text);
}

static bool is_reviewed(const json_t *part, const char *text)
{
    (void)text;
    return *text_of(part, "review") != 0;
}

static bool contains(const json_t *part, const char *text)
{
    return strstr(text_of(part, "message"), text)
           || strstr(text_of(part, "review"), text);
}

/* Of a character that changes how the text around it is shown: C1, or one that
 * turns the direction (U+202A to U+202E, U+2066 to U+2069). */
static bool is_control_character(const unsigned char *at)
{
    return (at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0)
           || (at[0] == 0xe2 && at[1] == 0x80 && at[2] >= 0xaa
               && at[2] <= 0xae)
           || (at[0] == 0xe2 && at[1] == 0x81 && at[2] >= 0xa6
               && at[2] <= 0xa9);
}

bool attack_shows_control(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    for (; *at; at++)
        if ((*at < 0x20 && *at != '\n') || *at == 0x7f
            || is_control_character(at))
            return true;
    return false;
}

static bool has_control(const json_t *part, const char *text)
{
    (void)text;
    return attack_shows_control(text_of(part, "message"))
           || attack_shows_control(text_of(part, "review"));
}

bool attack_is_held(const struct attack *row, const json_t *result, int line,
                    char *reason)
{
    const double score = number_of(result, "score");
    char says[sizeof row->says + 16];

    *reason = 0;
    if (row->says[0] == '@')
        text_format(says, sizeof says, "%s.cu:%d", row->file, line);
    else
        text_format(says, sizeof says, "%s", row->says);
    if (!*row->test && !row->review && row->points < 0)
        text_format(reason, ATTACK_REASON, "the row asks for nothing");
    else if (any_part(result, "", has_control))
        text_format(reason, ATTACK_REASON, "a message has control characters");
    else if (row->points >= 0 && score > row->points)
        text_format(reason, ATTACK_REASON, "it gets %g points", score);
    else if (row->review && !any_part(result, "", is_reviewed))
        text_format(reason, ATTACK_REASON, "no review is asked for (%s, %g)",
                    text_of(result, "verdict"), score);
    else if (*row->test && !verdicts_are_right(row, result, reason))
        return false;
    else if (*says && !any_part(result, says, contains))
        text_format(reason, ATTACK_REASON, "no message has \"%s\"", says);
    return !*reason;
}

static bool is_timeout(const json_t *part, const char *text)
{
    (void)text;
    return !strcmp(text_of(part, "verdict"), "TIMEOUT");
}

bool attack_was_cut_short(const struct attack *row, const json_t *result)
{
    return row->verdicts > 0 && !is_wanted(row, "TIMEOUT")
           && any_part(result, "", is_timeout);
}

bool attack_twin_passes(const struct attack *row, const json_t *result,
                        char *reason)
{
    static const struct attack honest = {
        .test = "all", .verdict = {PASS}, .verdicts = 1, .points = -1};

    if (!attack_is_held(&honest, result, 0, reason))
        return false;
    if (any_part(result, "", is_reviewed))
        text_format(reason, ATTACK_REASON, "a review is asked for");
    else if (row->method != ATTACK_GRADE
             && number_of(result, "score") < number_of(result, "max_score"))
        text_format(reason, ATTACK_REASON, "it gets %g of %g points",
                    number_of(result, "score"),
                    number_of(result, "max_score"));
    return !*reason;
}
