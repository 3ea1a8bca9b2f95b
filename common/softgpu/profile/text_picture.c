/* SPDX-License-Identifier: MIT */
/* Access patterns and the roofline as text, at most 80 columns wide. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "access_map.h"
#include "access_rows.h"
#include "report.h"
#include "roofline.h"
#include "text_format.h"
#include "text_wrap.h"

/* --- access patterns ------------------------------------------------------ */

/* Lines of 128 bytes that are drawn of a pattern. */
enum { MOST_ROWS = 6, ROW_WORDS = 32, SECTOR_WORDS = 8 };

/* A word's character: its lane as 0-9 and a-v; '*' for several lanes. */
static char lane_mark(uint32_t lanes)
{
    if (__builtin_popcount(lanes) > 1)
        return '*';
    return "0123456789abcdefghijklmnopqrstuv"[__builtin_ctz(lanes)];
}

/* The text without spaces at its end. */
static const char *trim(char *text)
{
    size_t length = strlen(text);

    while (length && text[length - 1] == ' ')
        text[--length] = 0;
    return text;
}

/* How lines of 128 bytes are drawn: the columns of their first byte and of the
 * space behind it; sectors in brackets, or words only. */
struct map_style {
    int place, gap;
    bool brackets;
};

static struct map_style map_style(int columns)
{
    return columns < PROFILE_NARROW ? (struct map_style){8, 1, false}
                                    : (struct map_style){14, 2, true};
}

/* Four sectors of words that were moved: "[01234567]" or "01234567 ". */
static void join_sectors(char *line, size_t bytes, const char *words,
                         bool brackets)
{
    size_t used = 0;

    for (int s = 0; s < ROW_WORDS; s += SECTOR_WORDS)
        used += (size_t)snprintf(line + used, bytes - used,
                                 !brackets ? "%.*s "
                                 : words[s] == ' ' ? " %.*s "
                                                   : "[%.*s]",
                                 SECTOR_WORDS, words + s);
}

/* One line of 128 bytes from word `i` on.  @return the word after it */
static int print_map_row(FILE *out, const struct access_map *map, int i,
                         const struct map_style *style)
{
    const int64_t row = map->word[i].at / ROW_WORDS;
    const int is_shared = access_map_is_shared(map);
    char words[ROW_WORDS + 1] = "                                ";
    char line[2 * ROW_WORDS] = "";

    for (; i < map->words && map->word[i].at / ROW_WORDS == row; i++) {
        const int at = (int)(map->word[i].at % ROW_WORDS);
        char *sector = words + at / SECTOR_WORDS * SECTOR_WORDS;

        for (int k = 0; !is_shared && k < SECTOR_WORDS; k++)
            if (sector[k] == ' ')
                sector[k] = '.';
        words[at] = lane_mark(map->word[i].lanes);
    }
    join_sectors(line, sizeof line, words, style->brackets);
    fprintf(out, "%*s%*s%s\n", style->place,
            format_fitted(BUFFER, (uint64_t)row * 128, "B", style->place),
            style->gap, "", trim(is_shared ? words : line));
    return i;
}

static void print_map_title(FILE *out, const struct access_map *map,
                            const struct map_style *style)
{
    static const char *const names[] = {
#define X(kind, label, unit) label,
        SOFTGPU_ACCESS_KINDS(X)
#undef X
    };
    const struct access_pattern *p = map->p;

    fprintf(out, "\n  A warp's %s in line %d: ", names[p->kind], p->line);
    if (access_map_is_shared(map))
        fprintf(out, "%d wavefront%s, ideal %d\n", map->wavefronts,
                map->wavefronts == 1 ? "" : "s", map->ideal);
    else
        fprintf(out, "%d sector%s for %d bytes, ideal %d\n", map->sectors,
                map->sectors == 1 ? "" : "s", map->used_bytes,
                (map->used_bytes + 31) / 32);
    fprintf(out, "%*s%*s%s\n", style->place, "byte", style->gap, "",
            access_map_is_shared(map) ? "bank    8       16      24"
                                      : "sectors of 32 bytes");
}

static void print_map(FILE *out, const struct access_map *map,
                      const struct map_style *style)
{
    int rows = 0, left = 0;

    print_map_title(out, map, style);
    for (int i = 0; i < map->words;) {
        const int64_t row = map->word[i].at / ROW_WORDS;

        if (rows++ < MOST_ROWS) {
            i = print_map_row(out, map, i, style);
            continue;
        }
        left++;
        while (i < map->words && map->word[i].at / ROW_WORDS == row)
            i++;
    }
    if (left)
        fprintf(out, "%*s%*s%d more line%s of 128 bytes\n", style->place,
                "...", style->gap, "", left, left == 1 ? "" : "s");
}

/* Sectors or wavefronts beyond the ideal. */
static int excess(const struct access_map *map)
{
    return access_map_is_shared(map)
               ? map->wavefronts - map->ideal
               : map->sectors - (map->used_bytes + 31) / 32;
}

void profile_print_patterns(FILE *out, const struct kernel_profile *k,
                            int columns)
{
    const struct map_style style = map_style(columns);
    struct access_map worst[2] = {{.words = 0}, {.words = 0}};

    for (size_t i = 0; i < k->pattern_count; i++) {
        struct access_map map;
        struct access_map *of_space;

        access_map_fill(&map, &k->patterns[i]);
        of_space = &worst[access_map_is_shared(&map)];
        if (map.words && (!of_space->words || excess(&map) > excess(of_space)))
            *of_space = map;
    }
    for (int space = 0; space < 2; space++)
        if (worst[space].words
            && (excess(&worst[space]) > 0 || !worst[!space].words
                || excess(&worst[!space]) <= 0))
            print_map(out, &worst[space], &style);
    if (worst[0].words || worst[1].words)
        fprintf(out, "  0-9, a-v: the lane that accesses this word; *: several;"
                " .: moved, not used\n");
}

/* --- the roofline --------------------------------------------------------- */

enum { WIDE = 80, WIDTH = 60, HEIGHT = 11, LABEL = 12, DIGITS = 9 };

/* A plot of characters; the exponents of ten at its edges. */
struct text_plot {
    int width; /* WIDTH, in a narrow terminal less */
    char cell[HEIGHT][WIDTH + 1];
    double x0, x1, y0, y1;
};

/* Sets a character, if that place is in the plot. */
static void set_cell(struct text_plot *plot, double intensity, double rate,
                     char mark)
{
    double x = (log10(intensity) - plot->x0) / (plot->x1 - plot->x0);
    double y = (log10(rate) - plot->y0) / (plot->y1 - plot->y0);
    int column = (int)lround(x * (plot->width - 1));
    int row = (int)lround((1 - y) * (HEIGHT - 1));

    if (row >= 0 && row < HEIGHT && column >= 0 && column < plot->width)
        plot->cell[row][column] = mark;
}

/* The roof: DRAM's slope, then the peak of float. */
static void draw_roof(struct text_plot *plot, double bandwidth, double peak)
{
    for (int i = 0; i < plot->width; i++) {
        double intensity = pow(10, plot->x0 + (plot->x1 - plot->x0) * i
                                                  / (plot->width - 1));

        set_cell(plot, intensity, fmin(bandwidth * intensity, peak),
                 bandwidth * intensity < peak ? '/' : '-');
    }
}

/* Room for the roof's bend and all kernels.  @return number of kernels */
static size_t set_edges(struct text_plot *plot,
                        const struct profile_report *report)
{
    const double peak = roofline_float_peak(report->card);
    const double bandwidth = report->card->dram_gbs * 1e9;
    double x0 = 0.1, x1 = 3 * peak / bandwidth, y0 = peak / 1e3;
    size_t count = 0;

    for (size_t i = 0; i < report->count; i++) {
        const struct roofline_point k = roofline_point(&report->kernels[i]);

        if (k.rate <= 0 || k.dram <= 0)
            continue;
        count++;
        x0 = fmin(x0, k.dram);
        x1 = fmax(x1, k.dram);
        y0 = fmin(y0, k.rate);
    }
    plot->x0 = floor(log10(x0));
    plot->x1 = ceil(log10(x1));
    plot->y0 = floor(log10(y0));
    plot->y1 = log10(peak);
    plot->width = WIDTH + profile_columns(report) - WIDE;
    memset(plot->cell, ' ', sizeof plot->cell);
    for (int row = 0; row < HEIGHT; row++)
        plot->cell[row][plot->width] = 0;
    return count;
}

static void print_plot(FILE *out, struct text_plot *plot)
{
    static const char unit[] = "  FLOP per byte"; /* behind the last label */
    char axis[WIDTH + 1];
    int used = 0;

    for (int row = 0; row < HEIGHT; row++) {
        const double rate = pow(10, plot->y1 - (plot->y1 - plot->y0) * row
                                                   / (HEIGHT - 1));

        fprintf(out, "%*s |%s\n", LABEL,
                row % 5 ? "" : format_si(BUFFER, rate, "FLOP/s"),
                trim(plot->cell[row]));
    }
    fprintf(out, "%*s +", LABEL, "");
    for (int i = 0; i < plot->width; i++)
        fputc('-', out);
    for (double e = plot->x0; e < plot->x1; e++) {
        const int at = (int)lround((e - plot->x0) / (plot->x1 - plot->x0)
                                   * (plot->width - 1));
        char label[16];
        const int length = snprintf(label, sizeof label, "%g", pow(10, e));

        if ((!used || at > used) && at + length + (int)strlen(unit) <= plot->width)
            used += snprintf(axis + used, sizeof axis - (size_t)used, "%*s%s",
                             at - used, "", label);
    }
    fprintf(out, "\n%*s%s%s\n", LABEL + 2, "", axis, unit);
}

/* "1 add: 65.5 GFLOP/s, 8 % of the roof there", or its DRAM traffic. */
static void print_kernel(FILE *out, const struct profile_report *report,
                         size_t number, const struct kernel_profile *k)
{
    const struct roofline_point point = roofline_point(k);
    const double bandwidth = report->card->dram_gbs * 1e9;
    const double roof = fmin(point.dram * bandwidth,
                             roofline_float_peak(report->card));

    if (point.rate > 0 && point.dram > 0)
        fprintf(out, "  %zu %s: %s, %.0f %% of the roof above it\n", number,
                format_printable(BUFFER, k->name, 32),
                format_si(BUFFER, point.rate, "FLOP/s"),
                100 * ratio(point.rate, roof));
    else if (roofline_dram_rate(k) > 0)
        fprintf(out, "  %zu %s: no operations; %s, %.0f %% of DRAM's\n",
                number, format_printable(BUFFER, k->name, 32),
                format_si(BUFFER, roofline_dram_rate(k), "B/s"),
                100 * roofline_dram_rate(k) / bandwidth);
}

/* Is there a kernel with operations or DRAM traffic? */
static int has_rates(const struct profile_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        if (roofline_point(&report->kernels[i]).rate > 0
            || roofline_dram_rate(&report->kernels[i]) > 0)
            return 1;
    return 0;
}

void profile_print_roofline(FILE *out, const struct profile_report *report)
{
    struct text_plot plot;
    size_t number = 0;

    if (!has_rates(report))
        return;
    fprintf(out, "\nRoofline of %s, by DRAM traffic; rates are modeled\n",
            report->card->name);
    if (set_edges(&plot, report)) {
        draw_roof(&plot, report->card->dram_gbs * 1e9,
                  roofline_float_peak(report->card));
        for (size_t i = 0; i < report->count && i < DIGITS; i++) {
            const struct roofline_point k =
                roofline_point(&report->kernels[i]);

            if (k.rate > 0 && k.dram > 0)
                set_cell(&plot, k.dram, k.rate, (char)('1' + i));
        }
        print_plot(out, &plot);
    }
    for (size_t i = 0; i < report->count; i++)
        print_kernel(out, report, ++number, &report->kernels[i]);
}
