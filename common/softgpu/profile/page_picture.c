/* SPDX-License-Identifier: MIT */
/* One warp instruction drawn on a map of memory, 128 bytes a row: the 32 banks
 * of shared memory, or a line of four sectors of global memory.  The number in
 * a word is the lane that touched it; several lanes are counted. */
#include <stdlib.h>
#include <string.h>

#include "page_html.h"
#include "text_rows.h"

/* Pixels of the drawing. */
enum { LEFT = 76, TOP = 20, CELL = 18, ROW = 16, GAP = 7 };
enum { MOST_WORDS = 32 * 5 }; /* 16 bytes that begin anywhere touch 5 words */

/* A word of 4 bytes that some lane touched. */
struct word {
    int64_t at;     /* offset / 4 */
    uint32_t lanes; /* one bit each */
    unsigned bytes; /* one bit for each byte touched */
    int turn;       /* shared: words of its bank before it in its pass */
};

struct map {
    const struct access_picture *p;
    struct word word[MOST_WORDS];
    int words;
    int wavefronts; /* of shared memory */
    int ideal;      /* passes with an active lane */
};

/* Kinds of shared memory come behind those of global memory. */
static int is_shared(const struct access_picture *p)
{
    return p->kind >= PICTURE_SHARED_LOAD;
}

/* One byte by one lane. */
static void touch(struct map *map, int64_t byte, int lane)
{
    int i = 0;

    while (i < map->words && map->word[i].at != byte / 4)
        i++;
    if (i == map->words)
        map->word[map->words++] = (struct word){.at = byte / 4};
    map->word[i].lanes |= 1u << lane;
    map->word[i].bytes |= 1u << byte % 4;
}

static int by_address(const void *left, const void *right)
{
    const struct word *a = left, *b = right;

    return a->at < b->at ? -1 : a->at > b->at;
}

/* One pass: the lanes of `mask`; each word waits for those of its bank. */
static int run_pass(struct map *map, uint32_t mask)
{
    int in_bank[32] = {0}, most = 0;

    for (int i = 0; i < map->words; i++) {
        struct word *w = &map->word[i];
        int *n = &in_bank[w->at % 32];

        if (!(w->lanes & mask))
            continue;
        if (*n > w->turn)
            w->turn = *n;
        if (++*n > most)
            most = *n;
    }
    return most;
}

/* All bytes of all lanes; then the passes, of as many lanes as 128 bytes
 * hold. */
static void fill(struct map *map, const struct access_picture *p)
{
    int lanes = p->bytes <= 4 ? 32 : p->bytes <= 8 ? 16 : 8;

    map->p = p;
    for (int lane = 0; lane < 32; lane++)
        for (uint32_t b = 0; p->lanes[lane] >= 0 && b < p->bytes; b++)
            touch(map, p->lanes[lane] + b, lane);
    qsort(map->word, (size_t)map->words, sizeof *map->word, by_address);
    for (int first = 0; first < 32; first += lanes) {
        uint32_t mask = lanes == 32 ? ~0u : ((1u << lanes) - 1) << first;
        int most = run_pass(map, mask);

        map->wavefronts += most;
        map->ideal += most > 0;
    }
}

/* Words are sorted: a sector is new when the word before is of another. */
static int count_sectors(const struct map *map, int *bytes)
{
    int sectors = 0;

    *bytes = 0;
    for (int i = 0; i < map->words; i++) {
        sectors += i == 0 || map->word[i].at / 8 != map->word[i - 1].at / 8;
        *bytes += __builtin_popcount(map->word[i].bytes);
    }
    return sectors;
}

/* A box with its lane, or with how many. */
static void put_word(FILE *out, const struct map *map, const struct word *w,
                     int y)
{
    int x = LEFT + CELL * (int)(w->at % 32);
    int lanes = __builtin_popcount(w->lanes);

    fprintf(out, "<rect class=%s x=%d y=%d width=%d height=%d />",
            is_shared(map->p) && w->turn ? "clash" : "want", x + 1, y + 1,
            CELL - 2, ROW - 2);
    fprintf(out, "<text class=lane x=%d y=%d>%s%d</text>", x + CELL / 2, y + 11,
            lanes > 1 ? "&times;" : "",
            lanes > 1 ? lanes : __builtin_ctz(w->lanes));
}

/* The sector around a word: fetched whole, whatever is used of it. */
static void put_sector(FILE *out, const struct word *w, int y)
{
    int x = LEFT + CELL * (int)(w->at % 32 / 8 * 8);

    fprintf(out, "<rect class=waste x=%d y=%d width=%d height=%d />"
            "<rect class=frame x=%d y=%d width=%d height=%d />", x, y + 1,
            8 * CELL, ROW - 2, x, y + 1, 8 * CELL, ROW - 2);
}

/* Returns where the next row goes. */
static int put_rows(FILE *out, const struct map *map, int y)
{
    int64_t row = -1;

    for (int i = 0; i < map->words; i++) {
        const struct word *w = &map->word[i];

        if (w->at / 32 != row) {
            y += row < 0 ? 0 : w->at / 32 == row + 1 ? ROW : ROW + GAP;
            row = w->at / 32;
            fprintf(out, "\n<text x=%d y=%d text-anchor=end>+%lld</text>"
                    "<rect class=row x=%d y=%d width=%d height=%d />",
                    LEFT - 8, y + 12, (long long)row * 128, LEFT, y + 1,
                    32 * CELL, ROW - 2);
        }
        if (!is_shared(map->p) && (i == 0 || w->at / 8 != w[-1].at / 8))
            put_sector(out, w, y);
        put_word(out, map, w, y);
    }
    return y + ROW;
}

/* As put_rows() will need. */
static int count_height(const struct map *map)
{
    int y = TOP + ROW;

    for (int i = 1; i < map->words; i++) {
        int64_t rows = map->word[i].at / 32 - map->word[i - 1].at / 32;

        y += rows == 0 ? 0 : rows == 1 ? ROW : ROW + GAP;
    }
    return y + 6;
}

/* The banks, or where the sectors of a line begin. */
static void put_scale(FILE *out, const struct map *map)
{
    int step = is_shared(map->p) ? 1 : 8;

    for (int i = 0; i < 32; i += step)
        fprintf(out, "<text x=%d y=13%s>%s%d</text>",
                LEFT + CELL * i + (step == 1 ? CELL / 2 : 2),
                step == 1 ? " text-anchor=middle" : "",
                step == 1 ? "" : "sector +", step == 1 ? i : i * 4);
    fprintf(out, "<text x=%d y=13 text-anchor=end>%s</text>", LEFT - 8,
            is_shared(map->p) ? "bank" : "offset");
}

/* What the drawing shows, in numbers that follow from it. */
static void put_caption(const struct page *page, const struct map *map)
{
    const struct access_picture *p = map->p;
    static const char *const names[] = {
#define X(kind, words, unit) words,
        SOFTGPU_ACCESS_KINDS(X)
#undef X
    };
    int bytes, sectors = count_sectors(map, &bytes), active = 0;

    for (int i = 0; i < 32; i++)
        active += p->lanes[i] >= 0;
    fprintf(page->out, "<figcaption>The %s at ", names[p->kind]);
    page_place(page, p->file, p->line);
    fprintf(page->out, ", warp %u of block (%u,%u,%u): %d lanes of %u byte%s. ",
            p->warp, p->block.x, p->block.y, p->block.z, active, p->bytes,
            p->bytes == 1 ? "" : "s");
    if (is_shared(p))
        fprintf(page->out, "%d wavefront%s; %d would be without conflicts. A "
                "word that must wait for another of its bank is red.",
                map->wavefronts, map->wavefronts == 1 ? "" : "s", map->ideal);
    else
        fprintf(page->out, "%d sector%s of 32 bytes for %d bytes; packed they "
                "would be %d. Pale words are moved for nothing.", sectors,
                sectors == 1 ? "" : "s", bytes, (bytes + 31) / 32);
    fprintf(page->out, "</figcaption>");
}

/* Nothing is drawn of an access without lanes. */
void page_picture(const struct page *page, const struct access_picture *p)
{
    struct map map = {0};
    FILE *out = page->out;

    fill(&map, p);
    if (map.words == 0)
        return;
    fprintf(out, "<figure>");
    put_caption(page, &map);
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" width=%d role=img "
            "aria-label=\"which lane touched what\">", LEFT + 32 * CELL + 4,
            count_height(&map), LEFT + 32 * CELL + 4);
    put_scale(out, &map);
    put_rows(out, &map, TOP);
    fprintf(out, "</svg></figure>\n");
}
