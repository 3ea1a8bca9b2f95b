/* SPDX-License-Identifier: MIT */
/* Reading Gradescope's submission_metadata.yml by libyaml's events.  Only
 * submitters and times are kept: the file also holds everything that an earlier
 * autograder printed. */
#include <string.h>
#include <yaml.h>

#include "common/base/text.h"
#include "download.h"
#include "text_clean.h"

enum { MAX_DEPTH = 64, SUBMITTERS = 64 };

/* Where the reader is.  Level 1: folders; level 2: members of one of them;
 * level 3, 4 within :submitters: its list, one submitter. */
struct reader {
    int depth;
    bool wants_value;         /* the next scalar of this mapping is a value */
    bool in_submitters;       /* below the key :submitters */
    bool stack[MAX_DEPTH];    /* wants_value of the levels above */
    bool is_map[MAX_DEPTH + 1];
    char key[64];             /* of the value that comes next */
    struct gradescope_entry entry;
    struct student submitter[SUBMITTERS];
};

/* ":name" and "name" are the same: the file has Ruby's symbols as keys. */
static bool has_key(const struct reader *reader, const char *name)
{
    return !strcmp(reader->key + (*reader->key == ':'), name);
}

/* Fields of one of the submitters of an entry. */
static void parse_member(struct reader *reader, const char *value)
{
    struct student *student = &reader->submitter[reader->entry.submitters - 1];

    if (has_key(reader, "name"))
        clean_copy(student->name, sizeof student->name, value);
    else if (has_key(reader, "sid"))
        clean_copy(student->sid, sizeof student->sid, value);
    else if (has_key(reader, "email"))
        clean_copy(student->email, sizeof student->email, value);
}

/* In a mapping, scalars alternate between key and value; the depth says what a
 * key means. */
static void parse_scalar(struct reader *reader, const char *value)
{
    bool is_value = reader->is_map[reader->depth] && reader->wants_value;

    if (reader->is_map[reader->depth] && !is_value)
        clean_copy(reader->key, sizeof reader->key, value);
    else if (is_value && reader->depth == 2 && has_key(reader, "created_at"))
        clean_copy(reader->entry.created, sizeof reader->entry.created, value);
    else if (is_value && reader->depth == 4 && reader->in_submitters
             && reader->entry.submitters)
        parse_member(reader, value);
    if (reader->depth == 1 && !is_value) {
        reader->entry = (struct gradescope_entry){0};
        clean_copy(reader->entry.folder, sizeof reader->entry.folder, value);
    }
    reader->wants_value = reader->is_map[reader->depth] && !is_value;
}

/* Nesting is limited, because the file comes from outside. */
static bool open_level(struct reader *reader, bool is_map)
{
    if (reader->depth == MAX_DEPTH - 1)
        return false;
    if (reader->depth == 2)
        reader->in_submitters = has_key(reader, "submitters");
    reader->stack[reader->depth++] = false; /* a value ends where it began */
    reader->is_map[reader->depth] = is_map;
    reader->wants_value = false;
    if (!is_map || reader->depth != 4 || !reader->in_submitters)
        return true;
    if (reader->entry.submitters == SUBMITTERS)
        return false;
    reader->submitter[reader->entry.submitters++] = (struct student){0};
    return true;
}

/* Identifier of a submitter: the number, else the address, else the name. */
static void name_submitter(struct student *student)
{
    text_format(student->id, sizeof student->id, "%.95s",
                *student->sid ? student->sid
                : *student->email ? student->email : student->name);
}

/* @return false when `add` stops */
static bool close_level(struct reader *reader,
                        bool (*add)(void *, const struct gradescope_entry *),
                        void *user)
{
    reader->wants_value = reader->stack[--reader->depth];
    if (reader->depth != 1)
        return true;
    if (!reader->entry.submitters) {
        text_format(reader->entry.student.id, sizeof reader->entry.student.id,
                    "%s", reader->entry.folder);
        return add(user, &reader->entry);
    }
    for (int i = 0; i < reader->entry.submitters; i++) {
        name_submitter(&reader->submitter[i]);
        reader->entry.student = reader->submitter[i];
        if (!add(user, &reader->entry))
            return false;
    }
    return true;
}

/* libyaml's events; anchors are not followed. */
static bool parse_event(struct reader *reader, const yaml_event_t *event,
                        bool (*add)(void *, const struct gradescope_entry *),
                        void *user)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        parse_scalar(reader, (const char *)event->data.scalar.value);
        return true;
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        return open_level(reader, event->type == YAML_MAPPING_START_EVENT);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        return close_level(reader, add, user);
    case YAML_ALIAS_EVENT: /* not followed: it could repeat without end */
        parse_scalar(reader, "");
        return true;
    default:
        return true;
    }
}

bool read_gradescope(const char *path, const char *text, size_t length,
                     bool (*add)(void *user,
                                 const struct gradescope_entry *entry),
                     void *user, struct failure *failure)
{
    struct reader reader = {0};
    yaml_parser_t parser;
    yaml_event_t event;
    bool ok = true, more = true;

    if (!yaml_parser_initialize(&parser))
        return fail(failure, "%s: out of memory", path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    while (ok && more) {
        if (!yaml_parser_parse(&parser, &event)) {
            ok = fail(failure, "%s:%zu: %s", path,
                      parser.problem_mark.line + 1, parser.problem);
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        ok = parse_event(&reader, &event, add, user)
             || fail(failure, "%s:%zu: not Gradescope's list of submissions",
                     path, event.start_mark.line + 1);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return ok;
}
