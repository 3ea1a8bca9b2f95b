/* SPDX-License-Identifier: MIT */
/* The roofline plot: operations per second over arithmetic intensity, both
 * logarithmic.  A dot is a kernel by its DRAM traffic, a ring by its L2
 * traffic.  After Williams, Waterman, Patterson: Roofline (CACM 2009). */
#include <math.h>

#include "access_rows.h"
#include "common/base/svg.h"
#include "page.h"
#include "roofline.h"
#include "text_format.h"

enum { LEFT = 78, RIGHT = 740, TOP = 16, BOTTOM = 380 }; /* pixels */
enum { PLOT_WIDTH = 760, PLOT_HEIGHT = 424 };

/* The plot: the exponents of ten at its edges. */
struct plot {
    struct html *html;
    double x0, x1, y0, y1;
};

/* Pixels of an arithmetic intensity, and of a rate. */
static double x_at(const struct plot *p, double intensity)
{
    return LEFT + (RIGHT - LEFT) * (log10(intensity) - p->x0) / (p->x1 - p->x0);
}

static double y_at(const struct plot *p, double rate)
{
    return BOTTOM - (BOTTOM - TOP) * (log10(rate) - p->y0) / (p->y1 - p->y0);
}

/* The roof of a bandwidth in bytes per second, up to where it meets the
 * peak. */
static void write_bandwidth_roof(const struct plot *p, double bandwidth,
                                 double peak, const char *name)
{
    double x0 = pow(10, p->x0), ridge = peak / bandwidth;
    double low = pow(10, p->y0);

    if (bandwidth * x0 < low)
        x0 = low / bandwidth;
    html_empty(p->html, "path", "class=roof d='M%.1f %.1fL%.1f %.1f'",
               x_at(p, x0), y_at(p, bandwidth * x0), x_at(p, ridge),
               y_at(p, peak));
    html_open_with(p->html, "text",
                   "transform='translate(%.1f %.1f) rotate(%.1f)'",
                   x_at(p, x0 * 1.4), y_at(p, bandwidth * x0 * 1.4) - 5,
                   -atan2((BOTTOM - TOP) / (p->y1 - p->y0),
                          (RIGHT - LEFT) / (p->x1 - p->x0)) * 180 / M_PI);
    html_textf(p->html, "%s %s", name, format_si(BUFFER, bandwidth, "B/s"));
    html_close(p->html);
    html_newline(p->html);
}

/* The roof of a peak rate, from where the steepest bandwidth roof meets it. */
static void write_compute_roof(const struct plot *p, double rate, double from,
                               const char *name)
{
    html_empty(p->html, "path", "class=%s d='M%.1f %.1fH%d'",
               *name == 'f' ? "roof" : "roof2", x_at(p, from), y_at(p, rate),
               RIGHT);
    svg_textf(p->html, RIGHT - 4, y_at(p, rate) - 5, "text-anchor=end",
              "%s %s", name, format_si(BUFFER, rate, "FLOP/s"));
}

/* A line at each power of ten, and the titles. */
static void write_axes(const struct plot *p)
{
    for (double e = p->x0; e <= p->x1; e++) {
        double x = x_at(p, pow(10, e));

        html_empty(p->html, "path", "class=grid d='M%.1f %dV%d'", x, TOP,
                   BOTTOM);
        svg_textf(p->html, x, BOTTOM + 16, "text-anchor=middle", "%g",
                  pow(10, e));
    }
    for (double e = p->y0; e <= p->y1; e++) {
        double y = y_at(p, pow(10, e));

        html_empty(p->html, "path", "class=grid d='M%d %.1fH%d'", LEFT, y,
                   RIGHT);
        svg_textf(p->html, LEFT - 6, y + 4, "text-anchor=end", "%s",
                  format_si(BUFFER, pow(10, e), ""));
    }
    svg_textf(p->html, (LEFT + RIGHT) / 2, BOTTOM + 34, "text-anchor=middle",
              "arithmetic intensity: operations per byte");
    html_open_with(p->html, "text", "transform='translate(14 %d) rotate(-90)' "
                   "text-anchor=middle", (TOP + BOTTOM) / 2);
    html_text(p->html, "operations per second, modeled");
    html_close(p->html);
}

/* Ring and dot of a kernel, with its number. */
static void write_kernel_point(const struct plot *p,
                               const struct roofline_point *s, size_t number)
{
    double y = y_at(p, s->rate), right = s->dram > 0 ? s->dram : s->l2;

    if (s->dram > 0 && s->l2 > 0)
        html_empty(p->html, "path", "class=ring d='M%.1f %.1fH%.1f'",
                   x_at(p, s->l2), y, x_at(p, s->dram));
    if (s->l2 > 0)
        html_empty(p->html, "circle", "class=ring cx=%.1f cy=%.1f r=4",
                   x_at(p, s->l2), y);
    if (s->dram > 0)
        html_empty(p->html, "circle", "class=dot cx=%.1f cy=%.1f r=5",
                   x_at(p, s->dram), y);
    svg_textf(p->html, x_at(p, right) + 8, y + 4, "class=name", "%zu", number);
}

/* A plot with room for all roofs and all kernels; its edges are powers of
 * ten. */
static struct plot plot_for(const struct page *page, int *point_count)
{
    const struct softgpu_card *card = page->report->card;
    double ridge = roofline_float_peak(card) / (card->dram_gbs * 1e9);
    double x0 = 0.1, x1 = ridge * 3, y0 = roofline_float_peak(card) / 1e3;
    double y1 = roofline_float_peak(card) * 1.2;

    *point_count = 0;
    for (size_t i = 0; i < page->report->count; i++) {
        const struct kernel_profile *k = &page->report->kernels[i];
        struct roofline_point s = roofline_point(k);
        double low = s.l2 > 0 ? s.l2 : s.dram;
        double high = s.dram > 0 ? s.dram : s.l2;

        if (s.rate <= 0 || high <= 0)
            continue;
        ++*point_count;
        x0 = fmin(x0, low / 1.5);
        x1 = fmax(x1, high * 1.5);
        y0 = fmin(y0, s.rate / 1.5);
        if (k->total.flop_tensor)
            y1 = fmax(y1, roofline_tensor_peak(card) * 1.2);
    }
    return (struct plot){page->html, floor(log10(x0)), ceil(log10(x1)),
                         floor(log10(y0)), ceil(log10(y1))};
}

/* Roofs of double and of tensor cores are drawn only if a kernel uses them. */
static void write_roofs(const struct page *page, const struct plot *p)
{
    const struct softgpu_card *card = page->report->card;
    double peak = roofline_float_peak(card), dram = card->dram_gbs * 1e9;
    const double tensor = roofline_tensor_peak(card);
    double l2 = card->l2_gbs * 1e9, fastest = l2 > dram ? l2 : dram;
    int doubles = 0, tensors = 0;

    for (size_t i = 0; i < page->report->count; i++) {
        doubles |= page->report->kernels[i].total.flop_double > 0;
        tensors |= page->report->kernels[i].total.flop_tensor > 0;
    }
    write_bandwidth_roof(p, dram, tensors ? tensor : peak, "DRAM");
    if (l2 > 0)
        write_bandwidth_roof(p, l2, tensors ? tensor : peak, "L2");
    write_compute_roof(p, peak, peak / fastest, "float");
    if (doubles)
        write_compute_roof(p, peak / card->fp64_ratio,
                           peak / card->fp64_ratio / fastest, "double");
    if (tensors)
        write_compute_roof(p, tensor, tensor / fastest, "tensor cores");
}

/* Kernels without operations are not in the plot: their only roof is the DRAM
 * bandwidth. */
static void write_bandwidth_bars(const struct page *page)
{
    const double peak = page->report->card->dram_gbs * 1e9;
    struct html *html = page->html;
    int bars = 0;

    for (size_t i = 0; i < page->report->count; i++) {
        const struct kernel_profile *k = &page->report->kernels[i];
        double rate = roofline_dram_rate(k);

        if (total_flop(&k->total) > 0 || rate <= 0)
            continue;
        if (bars++ == 0) {
            html_open(html, "h2");
            html_textf(html, "Kernels without operations: share of the DRAM "
                             "bandwidth of %s", format_si(BUFFER, peak, "B/s"));
            html_close(html);
        }
        html_open_with(html, "div", "class=bar");
        html_open(html, "span");
        html_textf(html, "%zu ", i + 1);
        html_element(html, "code", format_printable(BUFFER, k->name, 24));
        html_close(html);
        page_bar(page, rate / peak, format_si(BUFFER, rate, "B/s"));
        html_close(html);
        html_newline(html);
    }
}

static void write_plot(const struct page *page, const struct plot *p)
{
    struct html *html = page->html;

    html_open(html, "figure");
    svg_open(html, PLOT_WIDTH, PLOT_HEIGHT, "roofline plot");
    write_axes(p);
    write_roofs(page, p);
    for (size_t i = 0; i < page->report->count; i++) {
        struct roofline_point s = roofline_point(&page->report->kernels[i]);

        if (s.rate > 0 && (s.dram > 0 || s.l2 > 0))
            write_kernel_point(p, &s, i + 1);
    }
    html_close(html);
    html_open(html, "figcaption");
    html_textf(html, "Roofline of %s: a dot is a kernel by its DRAM traffic, a "
                     "ring by its L2 traffic. Below a slope it is limited by "
                     "that bandwidth, below the flat roof by arithmetic. The "
                     "rates are modeled.", page->report->card->name);
    html_close(html);
    html_close(html);
    html_newline(html);
}

/* How far each kernel is from what the GPU could do. */
void page_roofline(const struct page *page)
{
    int point_count;
    struct plot p = plot_for(page, &point_count);

    if (point_count)
        write_plot(page, &p);
    write_bandwidth_bars(page);
}
