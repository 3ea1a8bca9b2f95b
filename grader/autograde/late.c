/* SPDX-License-Identifier: MIT */
/* Times, deadlines and late policies. */
#include "late.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/text.h"

enum { DAY = 86400 };

/* A number from 0 to `most` and nothing else. */
static bool parse_number(const char *text, double most, double *value)
{
    char *end;

    if (!text)
        return false;
    *value = strtod(text, &end);
    return end != text && !*end && *value >= 0 && *value <= most;
}

/* The first word: what happens. */
static bool parse_kind(char *word, struct late_policy *policy)
{
    char *unit = strstr(word, "%/day");

    policy->is_refused = !strcmp(word, "refuse");
    if (policy->is_refused || !strcmp(word, "accept"))
        return true;
    if (!unit || unit[5])
        return false;
    *unit = 0;
    return parse_number(word, 100, &policy->percent);
}

bool late_parse(const char *text, struct late_policy *policy)
{
    static const char blanks[] = " ,\t";
    char copy[128], *word, *rest;

    *policy = (struct late_policy){0};
    if (strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    word = strtok_r(copy, blanks, &rest);
    if (!word || !parse_kind(word, policy))
        return false;
    while ((word = strtok_r(NULL, blanks, &rest))) {
        const bool is_max = !strcmp(word, "max");
        double *to = is_max ? &policy->max_days : &policy->grace;

        if ((!is_max && strcmp(word, "grace")) || *to > 0
            || !parse_number(strtok_r(NULL, blanks, &rest), is_max ? 366 : 1e5,
                             to)
            || (is_max && !(*to > 0)))
            return false; /* none at all is `refuse` */
        *to *= is_max ? 1 : 60;
    }
    return true;
}

double late_factor(const struct late_policy *policy, double seconds)
{
    double days = ceil(seconds / DAY);

    if (seconds <= policy->grace || seconds <= 0)
        return 1;
    if (policy->is_refused
        || (policy->max_days > 0 && days > policy->max_days))
        return 0;
    return fmax(0, 1 - days * policy->percent / 100);
}

/* "Z", "UTC", "+01:00", "+0100", or nothing: then *is_local. */
static bool parse_zone(const char *text, int *minutes, bool *is_local)
{
    unsigned h, m;
    char sign, end;

    text += strspn(text, " ");
    *minutes = 0;
    *is_local = !*text;
    if (!*text || !strcmp(text, "Z") || !strcmp(text, "UTC"))
        return true;
    if ((sscanf(text, "%c%2u:%2u%c", &sign, &h, &m, &end) != 3
         && sscanf(text, "%c%2u%2u%c", &sign, &h, &m, &end) != 3)
        || (sign != '+' && sign != '-') || h > 14 || m > 59)
        return false;
    *minutes = (int)(h * 60 + m) * (sign == '-' ? -1 : 1);
    return true;
}

/* The time of day after the date.  @return what follows it, or NULL */
static const char *parse_clock(const char *text, struct tm *parts)
{
    int used = 0;

    if (sscanf(text, "%2d:%2d%n", &parts->tm_hour, &parts->tm_min, &used) != 2
        || !used || parts->tm_hour > 23 || parts->tm_min > 59
        || parts->tm_hour < 0 || parts->tm_min < 0)
        return NULL;
    text += used;
    if (*text != ':')
        return text;
    if (sscanf(text, ":%2d%n", &parts->tm_sec, &used) != 1
        || parts->tm_sec < 0 || parts->tm_sec > 60)
        return NULL;
    text += used;
    return *text == '.' ? text + 1 + strspn(text + 1, "0123456789") : text;
}

/* The parts of a time in its zone.  @return false when it is no time */
static bool parse_parts(const char *text, struct tm *parts, int *zone,
                        bool *is_local)
{
    int used = 0;

    *parts = (struct tm){.tm_hour = 23, .tm_min = 59, .tm_sec = 59,
                         .tm_isdst = -1};
    if (sscanf(text, "%4d-%2d-%2d%n", &parts->tm_year, &parts->tm_mon,
               &parts->tm_mday, &used) != 3 || used != 10
        || parts->tm_year < 1970)
        return false;
    text += used;
    if (*text == 'T' || (*text == ' ' && text[1])) {
        parts->tm_sec = 0;
        text = parse_clock(text + 1, parts);
    }
    parts->tm_year -= 1900;
    parts->tm_mon--;
    return text && parse_zone(text, zone, is_local);
}

/* Without a zone: local time, or UTC. */
static bool parse_time(const char *text, bool may_be_local,
                       struct deadline *time)
{
    struct tm parts, wanted;
    bool is_local;

    if (!parse_parts(text, &parts, &time->zone, &is_local))
        return false;
    wanted = parts;
    if (is_local && may_be_local) {
        time->seconds = mktime(&parts);
        time->zone = (int)(parts.tm_gmtoff / 60);
    } else {
        time->seconds = timegm(&parts) - time->zone * 60;
    }
    /* Both functions turn the 31st of April into the 1st of May. */
    return parts.tm_mday == wanted.tm_mday && parts.tm_mon == wanted.tm_mon;
}

bool time_parse(const char *text, int64_t *seconds)
{
    struct deadline time = {0};
    const bool ok = parse_time(text, false, &time);

    *seconds = ok ? time.seconds : *seconds;
    return ok;
}

bool deadline_parse(const char *text, struct deadline *deadline)
{
    return parse_time(text, true, deadline);
}

char *deadline_format(char text[TIME_TEXT], const struct deadline *deadline)
{
    const int minutes = abs(deadline->zone);

    time_format(text, deadline->seconds + deadline->zone * 60);
    if (!deadline->seconds)
        *text = 0;
    if (strchr(text, 'Z'))
        text_format(strchr(text, 'Z'), 8, "%c%02d:%02d",
                    deadline->zone < 0 ? '-' : '+', minutes / 60 % 100,
                    minutes % 60);
    return text;
}

char *time_format(char text[TIME_TEXT], int64_t seconds)
{
    time_t time = (time_t)seconds;
    struct tm parts;

    if (!gmtime_r(&time, &parts)
        || !strftime(text, TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", &parts))
        text_format(text, TIME_TEXT, "?");
    return text;
}
