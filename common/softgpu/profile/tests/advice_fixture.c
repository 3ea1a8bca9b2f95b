/* SPDX-License-Identifier: MIT */
/* Profiles made up for tests. */
#include "advice_fixture.h"

#include <string.h>

#include "common/softgpu/profile/occupancy.h"

void made_begin(struct made *m)
{
    memset(m, 0, sizeof *m);
    m->k.name = "k";
    m->k.file = "k.cu";
    m->k.line = 5;
    m->k.launches = 1;
    m->k.grid = (dim3){1024, 1, 1};
    m->k.block = (dim3){256, 1, 1};
    m->k.blocks = m->k.blocks_watched = 1024;
    m->k.threads = 1024 * 256;
    m->k.registers = 32;
    m->k.instructions_known = 1;
    m->k.lines = m->line;
    m->k.line_count = MADE_LINES;
    m->k.pictures = m->picture;
    for (int i = 0; i < MADE_LINES; i++) {
        m->line[i].file = "k.cu";
        m->line[i].line = 10 + i;
    }
}

struct counters *made_line(struct made *m, int line)
{
    return &m->line[line].counters;
}

void made_loads(struct made *m, int line, double sectors)
{
    struct counters *c = made_line(m, line);

    c->global_load_requests = MADE_WARPS;
    c->global_load_sectors = (uint64_t)(sectors * MADE_WARPS);
    c->global_load_ideal = 4 * MADE_WARPS;
    c->global_load_bytes = 128 * MADE_WARPS;
}

void made_stores(struct made *m, int line, double sectors)
{
    struct counters *c = made_line(m, line);

    c->global_store_requests = MADE_WARPS;
    c->global_store_sectors = (uint64_t)(sectors * MADE_WARPS);
    c->global_store_ideal = 4 * MADE_WARPS;
    c->global_store_bytes = 128 * MADE_WARPS;
}

struct access_picture *made_picture(struct made *m, enum picture_kind kind,
                                    int line, uint32_t bytes, int64_t stride)
{
    struct access_picture *p = &m->picture[m->k.picture_count++];

    *p = (struct access_picture){.kind = kind, .file = "k.cu",
                                 .line = 10 + line, .bytes = bytes};
    for (int i = 0; i < 32; i++)
        p->lanes[i] = stride * i;
    return p;
}

void made_finish(struct made *m)
{
    const struct softgpu_card *card = softgpu_find_card("h200");
    struct counters *c = &m->k.total;

    for (int i = 0; i < MADE_LINES; i++)
        counters_add(c, &m->line[i].counters);
    if (!c->l2_read_sectors)
        c->l2_read_sectors = c->global_load_sectors;
    if (!c->l2_write_sectors)
        c->l2_write_sectors = c->global_store_sectors;
    if (!c->dram_read_bytes)
        c->dram_read_bytes = 32 * c->l2_read_sectors;
    if (!c->dram_write_bytes)
        c->dram_write_bytes = 32 * c->l2_write_sectors;
    profile_occupancy(card, &m->k);
    model_kernel(card, &m->k);
}

void made_advise(struct made *m)
{
    made_finish(m);
    m->sentences = advise(&m->k, softgpu_find_card("h200"), m->advice);
}

int made_says(const struct made *m, const char *words)
{
    for (size_t i = 0; i < m->sentences; i++)
        if (strstr(m->advice[i].text, words))
            return (int)i + 1;
    return 0;
}
