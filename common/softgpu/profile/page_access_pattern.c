/* SPDX-License-Identifier: MIT */
/* The access pattern of one warp instruction, drawn on a map of memory with
 * 128 bytes per row: the 32 banks of shared memory, or a cache line of four
 * sectors.  The number in a word is the lane that accessed it, or how many
 * lanes did. */
#include "access_map.h"
#include "access_rows.h"
#include "common/base/svg.h"
#include "page.h"

/* Pixels of the drawing. */
enum { LEFT = 76, TOP = 20, CELL = 18, ROW = 16, GAP = 7 };

static void write_rectangle(struct html *html, const char *class, int x, int y,
                            int width)
{
    html_empty(html, "rect", "class=%s x=%d y=%d width=%d height=%d", class, x,
               y, width, ROW - 2);
}

/* A word with its lane, or with the number of its lanes. */
static void write_word(struct html *html, const struct access_map *map,
                       const struct access_word *w, int y)
{
    int x = LEFT + CELL * (int)(w->at % 32);
    int lanes = __builtin_popcount(w->lanes);

    write_rectangle(html,
                    access_map_is_shared(map) && w->wavefront ? "conflict"
                                                              : "used",
                    x + 1, y + 1, CELL - 2);
    svg_textf(html, x + CELL / 2, y + 11,
              lanes > 9 ? "class=lanes" : "class=lane", "%s%d",
              lanes > 1 ? "\u00d7" : "",
              lanes > 1 ? lanes : __builtin_ctz(w->lanes));
}

/* The sector around a word, which is transferred as a whole. */
static void write_sector(struct html *html, const struct access_word *w, int y)
{
    int x = LEFT + CELL * (int)(w->at % 32 / 8 * 8);

    write_rectangle(html, "unused", x, y + 1, 8 * CELL);
    write_rectangle(html, "frame", x, y + 1, 8 * CELL);
}

/* A gap stands for rows without an accessed word. */
static int next_row(const struct access_map *map, int i, int y)
{
    int64_t rows = map->word[i].at / 32 - map->word[i - 1].at / 32;

    return y + (rows == 0 ? 0 : rows == 1 ? ROW : ROW + GAP);
}

static void write_map(struct html *html, const struct access_map *map)
{
    int y = TOP;

    for (int i = 0; i < map->words; i++) {
        const struct access_word *w = &map->word[i];
        int64_t row = w->at / 32;

        if (i > 0)
            y = next_row(map, i, y);
        if (i == 0 || row != w[-1].at / 32) {
            svg_textf(html, LEFT - 8, y + 12, "text-anchor=end", "+%lld",
                      (long long)row * 128);
            write_rectangle(html, "row", LEFT, y + 1, 32 * CELL);
        }
        if (!access_map_is_shared(map) && access_map_begins_sector(map, i))
            write_sector(html, w, y);
        write_word(html, map, w, y);
    }
}

/* Pixels that write_map() needs. */
static int map_height(const struct access_map *map)
{
    int y = TOP;

    for (int i = 1; i < map->words; i++)
        y = next_row(map, i, y);
    return y + ROW + 6;
}

/* The banks, or the offsets of the sectors of a line. */
static void write_axis(struct html *html, const struct access_map *map)
{
    svg_textf(html, LEFT - 8, 13, "text-anchor=end", "%s",
              access_map_is_shared(map) ? "bank" : "offset");
    for (int i = 0; i < 32 && access_map_is_shared(map); i++)
        svg_textf(html, LEFT + CELL * i + CELL / 2, 13, "text-anchor=middle",
                  "%d", i);
    for (int i = 0; i < 32 && !access_map_is_shared(map); i += 8)
        svg_textf(html, LEFT + CELL * i + 2, 13, "", "sector +%d", i * 4);
}

/* The numbers of the drawing. */
static void write_caption(const struct page *page, const struct access_map *map)
{
    const struct access_pattern *p = map->p;
    static const char *const names[] = {
#define X(kind, label, unit) label,
        SOFTGPU_ACCESS_KINDS(X)
#undef X
    };
    struct html *html = page->html;
    int active = 0;

    for (int i = 0; i < 32; i++)
        active += p->lanes[i] >= 0;
    html_open(html, "figcaption");
    html_textf(html, "The %s at ", names[p->kind]);
    page_source_link(page, p->file, p->line);
    html_textf(html, ", warp %u of block (%u,%u,%u): %d active lanes of %u "
                     "byte%s. ", p->warp, p->block.x, p->block.y, p->block.z,
               active, p->bytes, p->bytes == 1 ? "" : "s");
    if (access_map_is_shared(map))
        html_textf(html, "%d wavefront%s; ideal: %d. A word that waits for "
                         "another word of its bank is red.", map->wavefronts,
                   map->wavefronts == 1 ? "" : "s", map->ideal);
    else
        html_textf(html, "%d sector%s of 32 bytes for %d bytes; ideal: %d. "
                         "Pale words are transferred, but not used.",
                   map->sectors,
                   map->sectors == 1 ? "" : "s", map->used_bytes,
                   (map->used_bytes + 31) / 32);
    html_close(html);
}

/* A pattern without active lanes is left out. */
void page_access_pattern(const struct page *page,
                         const struct access_pattern *p)
{
    struct access_map map;
    struct html *html = page->html;

    access_map_fill(&map, p);
    if (map.words == 0)
        return;
    html_open(html, "figure");
    write_caption(page, &map);
    svg_open(html, LEFT + 32 * CELL + 4, map_height(&map),
             "the lanes that accessed each word");
    write_axis(html, &map);
    write_map(html, &map);
    html_close(html);
    html_close(html);
    html_newline(html);
}
