/* SPDX-License-Identifier: MIT */
/* When the program ends: the profile as text, as JSON, and as an HTML page. */
#include <jansson.h>
#include <stdlib.h>

#include "common/softgpu/host/device.h"
#include "advice.h"
#include "kernel_profile.h"
#include "profiler.h"
#include "timeline_record.h"
#include "report.h"

static struct kernel_profile *kernels;
static size_t kernel_count;

static json_t *json_extent(dim3 d)
{
    return json_pack("[i,i,i]", (int)d.x, (int)d.y, (int)d.z);
}

/* Lines have only the counters that are not 0: most have few of them. */
static void set_counters(json_t *object, const struct counters *c, int all)
{
#define X(name, metric, words)                           \
    if (all || c->name)                                  \
        json_object_set_new(object, #name,               \
                            json_integer((json_int_t)c->name));
    SOFTGPU_COUNTERS(X)
#undef X
}

static json_t *json_line(const struct line_profile *line)
{
    json_t *object = json_pack("{s:s, s:i}", "file", line->file,
                               "line", line->line);

    set_counters(object, &line->counters, 0);
    if (line->split_load)
        json_object_set_new(object, "split_load", json_true());
    if (line->split_store)
        json_object_set_new(object, "split_store", json_true());
    return object;
}

/* Offsets of the lanes; null for an inactive lane. */
static json_t *json_lanes(const int64_t *lanes)
{
    json_t *list = json_array();

    for (int i = 0; i < 32; i++)
        json_array_append_new(list, lanes[i] < 0 ? json_null()
                                                 : json_integer(lanes[i]));
    return list;
}

static json_t *json_picture(const struct access_pattern *p)
{
    static const char *const kinds[] = {
#define X(name, word) word,
        SOFTGPU_PATTERN_KINDS(X)
#undef X
    };

    return json_pack("{s:s, s:s, s:i, s:i, s:o, s:i, s:o}",
                     "kind", kinds[p->kind], "file", p->file, "line", p->line,
                     "bytes", (int)p->bytes, "block",
                     json_pack("[i,i,i]", (int)p->block.x, (int)p->block.y,
                               (int)p->block.z),
                     "warp", (int)p->warp, "lanes", json_lanes(p->lanes));
}

static json_t *json_ceilings(const struct model_time *time)
{
    json_t *object = json_object();

    for (int i = 0; model_ceilings[i]; i++)
        json_object_set_new(object, model_ceilings[i],
                            json_real(time->ceiling[i]));
    return object;
}

static void set_shape(json_t *object, const struct kernel_profile *k)
{
    json_t *part = json_pack(
        "{s:I, s:o, s:o, s:I, s:I, s:I, s:i, s:i}",
        "launches", (json_int_t)k->launches, "grid", json_extent(k->grid),
        "block", json_extent(k->block), "blocks", (json_int_t)k->blocks,
        "blocks_watched", (json_int_t)k->blocks_watched,
        "threads", (json_int_t)k->threads,
        "static_shared", (int)k->static_shared,
        "dynamic_shared", (int)k->dynamic_shared);

    json_object_update(object, part);
    json_decref(part);
}

/* Launches that are modeled alike, with the counters that are not 0. */
static json_t *json_group(const struct launch_group *g)
{
    json_t *object = json_pack(
        "{s:I, s:o, s:o, s:I, s:I, s:i, s:f}",
        "launches", (json_int_t)g->launches, "grid", json_extent(g->grid),
        "block", json_extent(g->block), "blocks", (json_int_t)g->blocks,
        "blocks_watched", (json_int_t)g->blocks_watched,
        "dynamic_shared", (int)g->dynamic_shared, "modeled_us", g->us);

    set_counters(object, &g->total, 0);
    return object;
}

static void set_model(json_t *object, const struct kernel_profile *k)
{
    static const char *const limits[] = {
        [BY_THREADS] = "threads", [BY_BLOCKS] = "blocks",
        [BY_REGISTERS] = "registers", [BY_SHARED] = "shared",
    };
    json_t *part = json_pack(
        "{s:i, s:b, s:f, s:s, s:I, s:I, s:b, s:I, s:f, s:s?, s:o}",
        "registers", (int)k->registers,
        "registers_measured", k->registers_measured,
        "occupancy", k->occupancy,
        "occupancy_limiter", limits[k->occupancy_limit],
        "shared_wavefronts",
        (json_int_t)(k->total.shared_load_wavefronts
                     + k->total.shared_store_wavefronts),
        "shared_conflicts",
        (json_int_t)(k->total.shared_load_conflicts
                     + k->total.shared_store_conflicts),
        "instructions_known", k->instructions_known,
        "records_split", (json_int_t)k->records_split,
        "modeled_us", k->model.us, "limiter", k->model.limiter,
        "ceilings", json_ceilings(&k->model));

    json_object_update(object, part);
    json_decref(part);
}

/* Advice with its place; gain_us is -1 when it is not known. */
static json_t *json_advice(const struct kernel_profile *k)
{
    struct advice advice[MAX_ADVICE];
    size_t n = advise(k, softgpu_card(), advice);
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{s:s?, s:i, s:f, s:s}",
                                              "file", advice[i].file,
                                              "line", advice[i].line,
                                              "gain_us", advice[i].gain,
                                              "text", advice[i].text));
    return list;
}

static json_t *json_kernel(const struct kernel_profile *k)
{
    json_t *object = json_pack("{s:s, s:s, s:i, s:b}", "name", k->name,
                               "file", k->file, "line", k->line,
                               "library", k->library);
    json_t *lines = json_array(), *patterns = json_array(),
           *groups = json_array();

    set_shape(object, k);
    set_model(object, k);
    set_counters(object, &k->total, 1);
    for (size_t i = 0; i < k->line_count; i++)
        json_array_append_new(lines, json_line(&k->lines[i]));
    for (size_t i = 0; i < k->pattern_count; i++)
        json_array_append_new(patterns, json_picture(&k->patterns[i]));
    for (size_t i = 0; i < k->group_count; i++)
        json_array_append_new(groups, json_group(&k->groups[i]));
    json_object_set_new(object, "launch_groups", groups);
    json_object_set_new(object, "advice", json_advice(k));
    json_object_set_new(object, "lines", lines);
    json_object_set_new(object, "pictures", patterns);
    return object;
}

void profile_print_report(void)
{
    kernels = profile_all_kernels(&kernel_count);
    if (kernels)
        profile_print_kernels(stderr, kernels, kernel_count, softgpu_card());
    timeline_print(stderr);
}

struct json_t *profile_timeline_json(void)
{
    return timeline_json();
}

struct json_t *profile_json(void)
{
    json_t *list = json_array();

    for (size_t i = 0; i < kernel_count; i++)
        json_array_append_new(list, json_kernel(&kernels[i]));
    return list;
}

void profile_write_page(const struct json_t *report)
{
    const char *path = getenv("SOFTGPU_HTML");

    if (path && *path && profile_page_write(path, report) != 0)
        fprintf(stderr, "softgpu: %s: cannot write the page\n", path);
}
