/* SPDX-License-Identifier: MIT */
/* Kernel profiles for tests. */
#include "advice_fixture.h"

#include <string.h>

#include "common/softgpu/profile/occupancy.h"

void fixture_begin(struct made_kernel *m)
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
    m->k.line_count = FIXTURE_LINES;
    m->k.patterns = m->pattern;
    for (int i = 0; i < FIXTURE_LINES; i++) {
        m->line[i].file = "k.cu";
        m->line[i].line = 10 + i;
    }
}

struct counters *fixture_line(struct made_kernel *m, int line)
{
    return &m->line[line].counters;
}

void fixture_loads(struct made_kernel *m, int line, double sectors)
{
    struct counters *c = fixture_line(m, line);

    c->global_load_requests = FIXTURE_WARPS;
    c->global_load_sectors = (uint64_t)(sectors * FIXTURE_WARPS);
    c->global_load_ideal = 4 * FIXTURE_WARPS;
    c->global_load_bytes = 128 * FIXTURE_WARPS;
}

void fixture_stores(struct made_kernel *m, int line, double sectors)
{
    struct counters *c = fixture_line(m, line);

    c->global_store_requests = FIXTURE_WARPS;
    c->global_store_sectors = (uint64_t)(sectors * FIXTURE_WARPS);
    c->global_store_ideal = 4 * FIXTURE_WARPS;
    c->global_store_bytes = 128 * FIXTURE_WARPS;
}

struct access_pattern *fixture_pattern(struct made_kernel *m,
                                       enum pattern_kind kind, int line,
                                       uint32_t bytes, int64_t stride)
{
    struct access_pattern *p = &m->pattern[m->k.pattern_count++];

    *p = (struct access_pattern){.kind = kind, .file = "k.cu",
                                 .line = 10 + line, .bytes = bytes};
    for (int i = 0; i < 32; i++)
        p->lanes[i] = stride * i;
    return p;
}

void fixture_finish(struct made_kernel *m)
{
    const struct softgpu_card *card = softgpu_find_card("h200");
    struct counters *c = &m->k.total;

    for (int i = 0; i < FIXTURE_LINES; i++)
        counters_add(c, &m->line[i].counters);
    if (!c->l2_read_sectors)
        c->l2_read_sectors = c->global_load_sectors;
    if (!c->l2_write_sectors)
        c->l2_write_sectors = c->global_store_sectors;
    if (!c->dram_read_bytes)
        c->dram_read_bytes = 32 * c->l2_read_sectors;
    if (!c->dram_write_bytes)
        c->dram_write_bytes = 32 * c->l2_write_sectors;
    model_occupancy(card, &m->k);
    model_kernel(card, &m->k);
}

void fixture_advise(struct made_kernel *m)
{
    fixture_finish(m);
    m->sentences = advise(&m->k, softgpu_find_card("h200"), m->advice);
}

int fixture_sentence(const struct made_kernel *m, const char *words)
{
    for (size_t i = 0; i < m->sentences; i++)
        if (strstr(m->advice[i].text, words))
            return (int)i + 1;
    return 0;
}
