/* SPDX-License-Identifier: MIT */
/* Finding students in a roster. */
#include "roster_match.h"

#include <string.h>

#include "common/base/text.h"
#include "person_name.h"
#include "text_clean.h"

/* Students whose names are alike: how many, and the first two. */
struct alike {
    size_t count, index[2];
};

/* Empty strings identify nobody. */
static bool is_same(const char *a, const char *b)
{
    return *a && equals_folded(a, b);
}

/* Moodle counts groups apart from participants: a group's number may be that of
 * a student, and only the name tells.  Without names in the folders ("blind
 * marking") there is the word alone. */
static bool has_participant(const struct student *known,
                            const struct student *found)
{
    return is_same(found->participant, known->participant)
           && (!*found->name || !*known->name
               || equals_folded(found->name, "participant")
               || names_compare(found->name, known->name) != NAME_DIFFERS);
}

/* Numbers identify; a plain folder's name may be any of them. */
static bool is_number_of(const struct student *known,
                         const struct student *found)
{
    if (has_participant(known, found) || is_same(found->canvas, known->canvas)
        || is_same(found->sid, known->sid)
        || is_same(found->email, known->email))
        return true;
    if (*found->participant || *found->canvas || *found->sid)
        return false;
    return is_same(found->id, known->id) || is_same(found->id, known->sid)
           || is_same(found->id, known->login)
           || is_same(found->id, known->email);
}

static void add(struct alike *alike, size_t index)
{
    if (alike->count < 2)
        alike->index[alike->count] = index;
    alike->count++;
}

/* A plain folder's name stands for that of the student. */
static const char *name_of(const struct student *found)
{
    return *found->name ? found->name : found->id;
}

/* Two numbers of one kind that differ: of two people with one name.  Moodle's
 * differ from one assignment to the next. */
static bool contradicts(const struct student *known,
                        const struct student *found)
{
    return (*known->canvas && *found->canvas
            && !equals_folded(known->canvas, found->canvas))
           || (*known->sid && *found->sid
               && !equals_folded(known->sid, found->sid));
}

/* The students that a submission may be of, by the first rule that finds
 * any. */
struct search {
    enum { BY_NUMBER, BY_NAME, BY_WORDS, BY_MIDDLE } rule;
    struct alike alike;
};

/* Students whose name is written the same way, else has the same words, else
 * the same but for middle names. */
static struct search find_names(const struct roster *roster,
                                const struct student *found)
{
    struct alike same = {0}, equal = {0}, middle = {0};
    const char *name = name_of(found);

    for (size_t i = 0; i < roster->count; i++)
        if (is_same(name, roster->student[i].name)
            && !contradicts(&roster->student[i], found))
            add(&same, i);
    for (size_t i = 0; i < roster->count && !same.count; i++) {
        const struct student *known = &roster->student[i];
        const enum name_match match =
            contradicts(known, found) ? NAME_DIFFERS
                                      : names_compare(name, known->name);

        if (match == NAME_EQUAL)
            add(&equal, i);
        else if (match == NAME_MIDDLE)
            add(&middle, i);
    }
    return same.count ? (struct search){BY_NAME, same}
           : equal.count ? (struct search){BY_WORDS, equal}
                         : (struct search){BY_MIDDLE, middle};
}

static struct search find_all(const struct roster *roster,
                              const struct student *found)
{
    struct search search = {BY_NUMBER, {0}};

    for (size_t i = 0; i < roster->count; i++)
        if (is_number_of(&roster->student[i], found))
            add(&search.alike, i);
    return search.alike.count ? search : find_names(roster, found);
}

const struct student *roster_find(const struct roster *roster,
                                  const struct student *found)
{
    struct search search = find_all(roster, found);

    return search.alike.count == 1 && search.rule != BY_MIDDLE
           ? &roster->student[search.alike.index[0]] : NULL;
}

void roster_expect(struct roster *roster, const struct student *found)
{
    struct search search = find_all(roster, found);
    struct roster_claim *claim = &roster->claim[search.alike.index[0]];

    if (search.alike.count != 1)
        return;
    if (search.rule <= BY_NAME)
        claim->exact++;
    else
        claim->alike++;
}

/* May a name that is not written the same way decide?  Not when another
 * submission could be the student's; and middle names not where the platform
 * has numbers. */
static bool is_only_claim(const struct roster *roster,
                          const struct search *search,
                          const struct student *found)
{
    const struct roster_claim *claim =
        &roster->claim[search->alike.index[0]];

    if (search->rule == BY_MIDDLE && (*found->name || !claim->alike))
        return false;
    return !claim->exact && claim->alike <= 1;
}

/* Is there another submission of this name, and are they of two people?  The
 * roster lacks the platform's numbers, by which they differ. */
static bool is_of_namesakes(const struct roster *roster,
                            const struct search *search,
                            const struct student *found)
{
    return search->rule == BY_NAME
           && roster->claim[search->alike.index[0]].exact > 1
           && (*found->participant || *found->canvas || *found->sid
               || *found->email);
}

/* "Garcia, Jose (s017)" */
static const char *show(char text[280], const struct student *student)
{
    return text_format(text, 280, "%.60s (%.40s)", student->name, student->id);
}

/* One student's name is like that of the submission. */
static void match_alike(const struct roster *roster,
                        const struct search *search,
                        const struct student *found,
                        struct roster_match *match)
{
    const struct student *one = &roster->student[search->alike.index[0]];
    char shown[280];

    if (!is_only_claim(roster, search, found)) {
        text_format(match->doubt, sizeof match->doubt,
                    "not taken as %s: the name is only like it, and %s",
                    show(shown, one),
                    search->rule == BY_MIDDLE && *found->name
                        ? "the number is another's"
                        : "so is another submission");
        return;
    }
    match->student = one;
    if (search->rule == BY_MIDDLE)
        text_format(match->doubt, sizeof match->doubt,
                    "taken as %s: only middle names differ",
                    show(shown, one));
}

void roster_match(const struct roster *roster, const struct student *found,
                  struct roster_match *match)
{
    const struct search search = find_all(roster, found);
    const struct alike *alike = &search.alike;
    char one[280], two[280];

    *match = (struct roster_match){0};
    if (alike->count > 1)
        text_format(match->doubt, sizeof match->doubt,
                    "%s of %s and of %s",
                    search.rule == BY_NUMBER ? "a number, login or address"
                                             : "the name",
                    show(one, &roster->student[alike->index[0]]),
                    show(two, &roster->student[alike->index[1]]));
    else if (alike->count && is_of_namesakes(roster, &search, found))
        text_format(match->doubt, sizeof match->doubt,
                    "not taken as %s: another submission has that name, too, "
                    "and another number",
                    show(one, &roster->student[alike->index[0]]));
    else if (alike->count && search.rule <= BY_NAME)
        match->student = &roster->student[alike->index[0]];
    else if (alike->count)
        match_alike(roster, &search, found, match);
}

/* --- groups --------------------------------------------------------------- */

/* Moodle's column "Groups" has several, separated by commas. */
static bool is_in_group(const struct student *known, const char *group)
{
    char list[sizeof known->section], *rest;

    if (names_compare(known->section, group) == NAME_EQUAL)
        return true;
    strcpy(list, known->section);
    for (char *one = strtok_r(list, ",", &rest); one;
         one = strtok_r(NULL, ",", &rest))
        if (names_compare(one, group) == NAME_EQUAL)
            return true;
    return false;
}

const struct student *roster_member(const struct roster *roster,
                                    const struct student *found, size_t *at)
{
    struct search search;

    if (!*found->name || (!*found->participant && !*found->canvas))
        return NULL;
    if (*at == 0) {
        search = find_names(roster, found);
        if (search.alike.count && search.rule != BY_MIDDLE)
            return NULL;
    }
    while (*at < roster->count)
        if (is_in_group(&roster->student[(*at)++], found->name))
            return &roster->student[*at - 1];
    return NULL;
}
