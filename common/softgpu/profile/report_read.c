/* SPDX-License-Identifier: MIT */
/* Reads a report back from JSON.  The file may be malicious: types are
 * checked, counts are limited, negative numbers are 0. */
#include <stdlib.h>
#include <string.h>

#include "common/base/json_member.h"
#include "report.h"

enum { MAX_KERNELS = 256, MAX_LINES = 4096, MAX_PATTERNS = 64 };
enum { MAX_INT_MEMBER = 1 << 30 };

/* A missing text is "?", so that writers need not check for NULL. */
static const char *text_of(const json_t *object, const char *key)
{
    return member_text(object, key, "?");
}

/* A number that fits an int, such as a line number. */
static int int_of(const json_t *object, const char *key)
{
    return member_int(object, key, MAX_INT_MEMBER);
}

/* Dimensions are at least 1. */
static dim3 member_dim3(const json_t *object, const char *key)
{
    unsigned s[3];

    member_index(object, key, s);
    return (dim3){s[0] ? s[0] : 1, s[1] ? s[1] : 1, s[2] ? s[2] : 1};
}

/* Each counter by its name. */
static void read_counters(const json_t *object, struct counters *c)
{
#define X(name, metric, words) c->name = member_count(object, #name);
    SOFTGPU_COUNTERS(X)
#undef X
}

/* An array of at most `most` zeroed elements, or NULL; sets their number. */
static void *allocate_elements(const json_t *list, size_t max_count,
                               size_t bytes, size_t *n)
{
    size_t count = json_array_size(list);
    void *room = calloc(count < max_count ? count + 1 : max_count, bytes);

    *n = room ? (count < max_count ? count : max_count) : 0;
    return room;
}

/* In the order of the file: by source and line. */
static void read_lines(const json_t *kernel, struct kernel_profile *k)
{
    const json_t *list = json_object_get(kernel, "lines");

    k->lines =
        allocate_elements(list, MAX_LINES, sizeof *k->lines, &k->line_count);
    for (size_t i = 0; i < k->line_count; i++) {
        const json_t *line = json_array_get(list, i);

        k->lines[i].file = text_of(line, "file");
        k->lines[i].line = int_of(line, "line");
        read_counters(line, &k->lines[i].counters);
        k->lines[i].split_load =
            json_is_true(json_object_get(line, "split_load"));
        k->lines[i].split_store =
            json_is_true(json_object_get(line, "split_store"));
    }
}

/* PATTERN_KINDS for an unknown word. */
static enum pattern_kind pattern_kind_of(const char *word)
{
    static const char *const words[] = {
#define X(name, text) text,
        SOFTGPU_PATTERN_KINDS(X)
#undef X
    };
    int kind = 0;

    while (kind < PATTERN_KINDS && strcmp(words[kind], word) != 0)
        kind++;
    return (enum pattern_kind)kind;
}

/* A lane with an impossible offset is inactive. */
static void read_pattern(const json_t *json, struct access_pattern *p)
{
    const json_t *lanes = json_object_get(json, "lanes");
    unsigned block[3];

    p->kind = pattern_kind_of(text_of(json, "kind"));
    p->file = text_of(json, "file");
    p->line = int_of(json, "line");
    p->bytes = (uint32_t)int_of(json, "bytes");
    p->warp = (uint32_t)int_of(json, "warp");
    member_index(json, "block", block);
    p->block = (uint3){block[0], block[1], block[2]};
    for (size_t i = 0; i < 32; i++) {
        const json_t *lane = json_array_get(lanes, i);
        json_int_t at = json_is_integer(lane) ? json_integer_value(lane) : -1;

        p->lanes[i] = at >= 0 && at < (json_int_t)1 << 48 ? at : -1;
    }
}

/* Patterns of an unknown kind or width are dropped. */
static void read_patterns(const json_t *kernel, struct kernel_profile *k)
{
    const json_t *list = json_object_get(kernel, "pictures");
    size_t count, kept = 0;

    k->patterns =
        allocate_elements(list, MAX_PATTERNS, sizeof *k->patterns, &count);
    for (size_t i = 0; i < count; i++) {
        struct access_pattern *p = &k->patterns[kept];

        read_pattern(json_array_get(list, i), p);
        kept += p->kind != PATTERN_KINDS && p->bytes >= 1 && p->bytes <= 16;
    }
    k->pattern_count = kept;
}

/* threads, blocks, registers, shared: the first letters differ. */
static enum occupancy_limit occupancy_limit_of(const char *word)
{
    return word[0] == 'b'   ? BY_BLOCKS
           : word[0] == 'r' ? BY_REGISTERS
           : word[0] == 's' ? BY_SHARED
                            : BY_THREADS;
}

/* Ceilings by name: their order is that of the model. */
static void read_model(const json_t *json, struct model_time *model)
{
    const json_t *ceilings = json_object_get(json, "ceilings");

    model->us = member_number(json, "modeled_us");
    model->limiter = text_of(json, "limiter");
    for (size_t i = 0; model_ceilings[i]; i++)
        model->ceiling[i] = member_number(ceilings, model_ceilings[i]);
}

/* Launches that were modeled alike. */
static void read_groups(const json_t *kernel, struct kernel_profile *k)
{
    const json_t *list = json_object_get(kernel, "launch_groups");

    k->groups = allocate_elements(list, MAX_LAUNCH_GROUPS, sizeof *k->groups,
                                  &k->group_count);
    for (size_t i = 0; i < k->group_count; i++) {
        const json_t *json = json_array_get(list, i);
        struct launch_group *g = &k->groups[i];

        g->grid = member_dim3(json, "grid");
        g->block = member_dim3(json, "block");
        g->dynamic_shared = (uint32_t)int_of(json, "dynamic_shared");
        g->launches = member_count(json, "launches");
        g->blocks = member_count(json, "blocks");
        g->blocks_watched = member_count(json, "blocks_watched");
        g->us = member_number(json, "modeled_us");
        read_counters(json, &g->total);
    }
}

/* In the order of struct kernel_profile. */
static void read_kernel(const json_t *json, struct kernel_profile *k)
{
    k->name = text_of(json, "name");
    k->file = text_of(json, "file");
    k->line = int_of(json, "line");
    k->library = json_is_true(json_object_get(json, "library"));
    k->launches = member_count(json, "launches");
    k->grid = member_dim3(json, "grid");
    k->block = member_dim3(json, "block");
    k->blocks = member_count(json, "blocks");
    k->blocks_watched = member_count(json, "blocks_watched");
    k->threads = member_count(json, "threads");
    k->static_shared = (uint32_t)int_of(json, "static_shared");
    k->dynamic_shared = (uint32_t)int_of(json, "dynamic_shared");
    k->registers = (uint32_t)int_of(json, "registers");
    k->registers_measured = json_is_true(json_object_get(json,
                                                         "registers_measured"))
                            || int_of(json, "registers_measured");
    read_counters(json, &k->total);
    k->occupancy = member_number(json, "occupancy");
    k->occupancy_limit = occupancy_limit_of(text_of(json, "occupancy_limiter"));
    k->instructions_known = k->total.warp_instructions > 0;
    k->records_split = member_count(json, "records_split");
    read_model(json, &k->model);
    read_groups(json, k);
    read_lines(json, k);
    read_patterns(json, k);
}

int profile_report_read(const struct json_t *json,
                        struct profile_report *report)
{
    const json_t *list = json_object_get(json, "kernels");

    memset(report, 0, sizeof *report);
    if (!json_is_array(list))
        return -1;
    report->card = softgpu_find_card(text_of(json, "card"));
    if (!report->card)
        report->card = softgpu_find_card("h200");
    report->timeline = json_object_get(json, "timeline");
    report->kernels = allocate_elements(
        list, MAX_KERNELS, sizeof *report->kernels, &report->count);
    for (size_t i = 0; i < report->count; i++)
        read_kernel(json_array_get(list, i), &report->kernels[i]);
    return 0;
}

void profile_report_free(struct profile_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        free(report->kernels[i].lines);
        free(report->kernels[i].patterns);
        free(report->kernels[i].groups);
    }
    free(report->kernels);
    memset(report, 0, sizeof *report);
}
