/* SPDX-License-Identifier: MIT */
/* From the JSON object back to the structs.  Whoever wrote the file may have
 * meant harm: types are asked for, counts are capped, negatives are 0. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

enum { MOST_KERNELS = 256, MOST_LINES = 4096, MOST_PICTURES = 64 };

/* A text that is not there is "?": writers need not ask. */
static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "?";
}

/* Counters are never negative. */
static uint64_t count_of(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));

    return value > 0 ? (uint64_t)value : 0;
}

/* A number that fits an int; lines and the like. */
static int small_of(const json_t *object, const char *key)
{
    uint64_t value = count_of(object, key);

    return value < 1 << 30 ? (int)value : 0;
}

/* Times and shares; not a number, and what no card could mean, are 0. */
static double real_of(const json_t *object, const char *key)
{
    double value = json_number_value(json_object_get(object, key));

    return value > 0 && value < 1e18 ? value : 0;
}

/* Three numbers that CUDA could allow. */
static void shape_of(const json_t *object, const char *key, unsigned shape[3])
{
    const json_t *list = json_object_get(object, key);

    for (size_t i = 0; i < 3; i++) {
        json_int_t v = json_integer_value(json_array_get(list, i));

        shape[i] = v > 0 && v <= 0x7fffffff ? (unsigned)v : 0;
    }
}

/* Sides are at least 1. */
static dim3 dim_of(const json_t *object, const char *key)
{
    unsigned s[3];

    shape_of(object, key, s);
    return (dim3){s[0] ? s[0] : 1, s[1] ? s[1] : 1, s[2] ? s[2] : 1};
}

/* Each by its own name, as the writer wrote them. */
static void read_counters(const json_t *object, struct counters *c)
{
#define X(name, metric, words) c->name = count_of(object, #name);
    SOFTGPU_COUNTERS(X)
#undef X
}

/* An array of at most `most` zeroed elements, or NULL; the count is written. */
static void *room_for(const json_t *list, size_t most, size_t bytes, size_t *n)
{
    size_t there = json_array_size(list);
    void *room = calloc(there < most ? there + 1 : most, bytes);

    *n = room ? (there < most ? there : most) : 0;
    return room;
}

/* In the order of the file: by source and line. */
static void read_lines(const json_t *kernel, struct kernel_profile *k)
{
    const json_t *list = json_object_get(kernel, "lines");

    k->lines = room_for(list, MOST_LINES, sizeof *k->lines, &k->line_count);
    for (size_t i = 0; i < k->line_count; i++) {
        const json_t *line = json_array_get(list, i);

        k->lines[i].file = text_of(line, "file");
        k->lines[i].line = small_of(line, "line");
        read_counters(line, &k->lines[i].counters);
    }
}

/* PICTURE_KINDS for a word that is none. */
static enum picture_kind kind_of(const char *word)
{
    static const char *const words[] = {
#define X(name, text) text,
        SOFTGPU_PICTURE_KINDS(X)
#undef X
    };
    int kind = 0;

    while (kind < PICTURE_KINDS && strcmp(words[kind], word) != 0)
        kind++;
    return (enum picture_kind)kind;
}

/* Offsets that no allocation could have are lanes that took no part. */
static void read_picture(const json_t *json, struct access_picture *p)
{
    const json_t *lanes = json_object_get(json, "lanes");
    unsigned block[3];

    p->kind = kind_of(text_of(json, "kind"));
    p->file = text_of(json, "file");
    p->line = small_of(json, "line");
    p->bytes = (uint32_t)small_of(json, "bytes");
    p->warp = (uint32_t)small_of(json, "warp");
    shape_of(json, "block", block);
    p->block = (uint3){block[0], block[1], block[2]};
    for (size_t i = 0; i < 32; i++) {
        const json_t *lane = json_array_get(lanes, i);
        json_int_t at = json_is_integer(lane) ? json_integer_value(lane) : -1;

        p->lanes[i] = at >= 0 && at < (json_int_t)1 << 48 ? at : -1;
    }
}

/* Pictures of an unknown kind, or of no width a lane can have, are dropped. */
static void read_pictures(const json_t *kernel, struct kernel_profile *k)
{
    const json_t *list = json_object_get(kernel, "pictures");
    size_t there, kept = 0;

    k->pictures = room_for(list, MOST_PICTURES, sizeof *k->pictures, &there);
    for (size_t i = 0; i < there; i++) {
        struct access_picture *p = &k->pictures[kept];

        read_picture(json_array_get(list, i), p);
        kept += p->kind != PICTURE_KINDS && p->bytes >= 1 && p->bytes <= 16;
    }
    k->picture_count = kept;
}

/* threads, blocks, registers, shared: the first letter tells. */
static enum occupancy_limit limit_of(const char *word)
{
    return word[0] == 'b'   ? BY_BLOCKS
           : word[0] == 'r' ? BY_REGISTERS
           : word[0] == 's' ? BY_SHARED
                            : BY_THREADS;
}

/* Ceilings by their names: their order is the model's own affair. */
static void read_model(const json_t *json, struct model_time *model)
{
    const json_t *ceilings = json_object_get(json, "ceilings");

    model->us = real_of(json, "modelled_us");
    model->limiter = text_of(json, "limiter");
    for (size_t i = 0; model_ceilings[i]; i++)
        model->ceiling[i] = real_of(ceilings, model_ceilings[i]);
}

/* Field by field, in the order of struct kernel_profile. */
static void read_kernel(const json_t *json, struct kernel_profile *k)
{
    k->name = text_of(json, "name");
    k->file = text_of(json, "file");
    k->line = small_of(json, "line");
    k->library = json_is_true(json_object_get(json, "library"));
    k->launches = count_of(json, "launches");
    k->grid = dim_of(json, "grid");
    k->block = dim_of(json, "block");
    k->blocks = count_of(json, "blocks");
    k->blocks_watched = count_of(json, "blocks_watched");
    k->threads = count_of(json, "threads");
    k->static_shared = (uint32_t)small_of(json, "static_shared");
    k->dynamic_shared = (uint32_t)small_of(json, "dynamic_shared");
    k->registers = (uint32_t)small_of(json, "registers");
    k->registers_measured = json_is_true(json_object_get(json,
                                                         "registers_measured"))
                            || small_of(json, "registers_measured");
    read_counters(json, &k->total);
    k->occupancy = real_of(json, "occupancy");
    k->occupancy_limit = limit_of(text_of(json, "occupancy_limiter"));
    k->instructions_known = k->total.warp_instructions > 0;
    k->records_split = count_of(json, "records_split");
    read_model(json, &k->model);
    read_lines(json, k);
    read_pictures(json, k);
}

int profile_read(const struct json_t *json, struct profile_report *report)
{
    const json_t *list = json_object_get(json, "kernels");

    memset(report, 0, sizeof *report);
    if (!json_is_array(list))
        return -1;
    report->card = softgpu_find_card(text_of(json, "card"));
    if (!report->card)
        report->card = softgpu_find_card("h200");
    report->timeline = json_object_get(json, "timeline");
    report->kernels = room_for(list, MOST_KERNELS, sizeof *report->kernels,
                               &report->count);
    for (size_t i = 0; i < report->count; i++)
        read_kernel(json_array_get(list, i), &report->kernels[i]);
    return 0;
}

void profile_forget(struct profile_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        free(report->kernels[i].lines);
        free(report->kernels[i].pictures);
    }
    free(report->kernels);
    memset(report, 0, sizeof *report);
}
