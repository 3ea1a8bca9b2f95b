/* SPDX-License-Identifier: MIT */
/* The roofline: operations a second over operations a byte, both logarithmic.
 * A dot is a kernel by what it moved to and from DRAM, a ring by what it moved
 * through L2.  After Williams, Waterman, Patterson: Roofline (CACM 2009). */
#include <math.h>

#include "page_html.h"
#include "text_format.h"
#include "text_rows.h"

enum { LEFT = 78, RIGHT = 740, TOP = 16, BOTTOM = 380 }; /* pixels */

/* What is drawn: exponents of ten at the edges. */
struct plot {
    FILE *out;
    double x0, x1, y0, y1;
};

/* A kernel's place in it. */
struct spot {
    double rate;     /* operations a second; 0: it makes none */
    double dram, l2; /* operations a byte; 0: it moved nothing there */
};

/* Rates are of all blocks, also where only some were watched. */
static struct spot spot_of(const struct kernel_profile *k)
{
    const struct counters *c = &k->total;
    double scale = ratio((double)k->blocks, (double)k->blocks_watched);
    double flop = all_flop(c);

    return (struct spot){
        .rate = ratio(flop * scale, k->model.us * 1e-6),
        .dram = ratio(flop, (double)(c->dram_read_bytes + c->dram_write_bytes)),
        .l2 = ratio(flop, 32.0 * (double)(c->l2_read_sectors
                                          + c->l2_write_sectors)),
    };
}

/* Pixels of an intensity, and of a rate. */
static double x_at(const struct plot *p, double intensity)
{
    return LEFT + (RIGHT - LEFT) * (log10(intensity) - p->x0) / (p->x1 - p->x0);
}

static double y_at(const struct plot *p, double rate)
{
    return BOTTOM - (BOTTOM - TOP) * (log10(rate) - p->y0) / (p->y1 - p->y0);
}

/* Operations on float a second, a fused multiply-add counted as two. */
static double float_peak(const struct softgpu_card *card)
{
    return 2e3 * card->sms * card->fp32_lanes * card->clock_khz;
}

/* The same by matrix cores, on half. */
static double tensor_peak(const struct softgpu_card *card)
{
    return 2e3 * card->sms * card->tensor_fma * card->clock_khz;
}

/* A slope of this many bytes a second, up to where it meets the peak. */
static void put_slope(const struct plot *p, double bytes, double peak,
                      const char *name)
{
    double x0 = pow(10, p->x0), ridge = peak / bytes;
    double low = pow(10, p->y0);

    if (bytes * x0 < low)
        x0 = low / bytes;
    fprintf(p->out, "<path class=roof d=\"M%.1f %.1fL%.1f %.1f\" />",
            x_at(p, x0), y_at(p, bytes * x0), x_at(p, ridge), y_at(p, peak));
    fprintf(p->out, "<text transform=\"translate(%.1f %.1f) rotate(%.1f)\">"
            "%s %s</text>\n", x_at(p, x0 * 1.4),
            y_at(p, bytes * x0 * 1.4) - 5,
            -atan2((BOTTOM - TOP) / (p->y1 - p->y0),
                   (RIGHT - LEFT) / (p->x1 - p->x0)) * 180 / M_PI,
            name, say_scaled(WORDS, bytes, "B/s"));
}

/* A flat roof from where the steepest slope meets it. */
static void put_peak(const struct plot *p, double rate, double from,
                     const char *name)
{
    fprintf(p->out, "<path class=%s d=\"M%.1f %.1fH%d\" />",
            *name == 'f' ? "roof" : "roof2", x_at(p, from), y_at(p, rate),
            RIGHT);
    fprintf(p->out, "<text x=%d y=%.1f text-anchor=end>%s %s</text>\n",
            RIGHT - 4, y_at(p, rate) - 5, name,
            say_scaled(WORDS, rate, "FLOP/s"));
}

/* A line at each power of ten. */
static void put_axes(const struct plot *p)
{
    for (double e = p->x0; e <= p->x1; e++) {
        double x = x_at(p, pow(10, e));

        fprintf(p->out, "<path class=grid d=\"M%.1f %dV%d\" /><text x=%.1f y=%d "
                "text-anchor=middle>%g</text>", x, TOP, BOTTOM, x, BOTTOM + 16,
                pow(10, e));
    }
    for (double e = p->y0; e <= p->y1; e++) {
        double y = y_at(p, pow(10, e));

        fprintf(p->out, "<path class=grid d=\"M%d %.1fH%d\" /><text x=%d "
                "y=%.1f text-anchor=end>%s</text>", LEFT, y, RIGHT, LEFT - 6,
                y + 4, say_scaled(WORDS, pow(10, e), ""));
    }
    fprintf(p->out, "<text x=%d y=%d text-anchor=middle>operations a byte"
            "</text><text transform=\"translate(14 %d) rotate(-90)\" "
            "text-anchor=middle>operations a second, modelled</text>\n",
            (LEFT + RIGHT) / 2, BOTTOM + 34, (TOP + BOTTOM) / 2);
}

/* Ring and dot of a kernel with its number. */
static void put_spot(const struct plot *p, const struct spot *s, size_t number)
{
    double y = y_at(p, s->rate), right = s->dram > 0 ? s->dram : s->l2;

    if (s->dram > 0 && s->l2 > 0)
        fprintf(p->out, "<path class=ring d=\"M%.1f %.1fH%.1f\" />",
                x_at(p, s->l2), y, x_at(p, s->dram));
    if (s->l2 > 0)
        fprintf(p->out, "<circle class=ring cx=%.1f cy=%.1f r=4 />",
                x_at(p, s->l2), y);
    if (s->dram > 0)
        fprintf(p->out, "<circle class=dot cx=%.1f cy=%.1f r=5 />",
                x_at(p, s->dram), y);
    fprintf(p->out, "<text class=name x=%.1f y=%.1f>%zu</text>\n",
            x_at(p, right) + 8, y + 4, number);
}

/* Edges that hold all roofs and all kernels, whole powers of ten. */
static struct plot plot_for(const struct page *page, int *spots)
{
    const struct softgpu_card *card = page->report->card;
    double ridge = float_peak(card) / (card->dram_gbs * 1e9);
    double x0 = 0.1, x1 = ridge * 3, y0 = float_peak(card) / 1e3;
    double y1 = float_peak(card) * 1.2;

    *spots = 0;
    for (size_t i = 0; i < page->report->count; i++) {
        const struct kernel_profile *k = &page->report->kernels[i];
        struct spot s = spot_of(k);
        double low = s.l2 > 0 ? s.l2 : s.dram;
        double high = s.dram > 0 ? s.dram : s.l2;

        if (s.rate <= 0 || high <= 0)
            continue;
        ++*spots;
        x0 = fmin(x0, low / 1.5);
        x1 = fmax(x1, high * 1.5);
        y0 = fmin(y0, s.rate / 1.5);
        if (k->total.flop_tensor)
            y1 = fmax(y1, tensor_peak(card) * 1.2);
    }
    return (struct plot){page->out, floor(log10(x0)), ceil(log10(x1)),
                         floor(log10(y0)), ceil(log10(y1))};
}

/* Double and matrix roofs only where some kernel uses them. */
static void put_roofs(const struct page *page, const struct plot *p)
{
    const struct softgpu_card *card = page->report->card;
    double peak = float_peak(card), dram = card->dram_gbs * 1e9;
    double l2 = card->l2_gbs * 1e9;
    int doubles = 0, tensors = 0;

    for (size_t i = 0; i < page->report->count; i++) {
        doubles |= page->report->kernels[i].total.flop_double > 0;
        tensors |= page->report->kernels[i].total.flop_tensor > 0;
    }
    put_slope(p, dram, tensors ? tensor_peak(card) : peak, "DRAM");
    if (l2 > 0)
        put_slope(p, l2, tensors ? tensor_peak(card) : peak, "L2");
    put_peak(p, peak, peak / (l2 > dram ? l2 : dram), "float");
    if (doubles)
        put_peak(p, peak / card->fp64_ratio,
                 peak / card->fp64_ratio / (l2 > dram ? l2 : dram), "double");
    if (tensors)
        put_peak(p, tensor_peak(card),
                 tensor_peak(card) / (l2 > dram ? l2 : dram), "matrix cores");
}

/* Bytes a second to and from DRAM, modelled. */
static double byte_rate(const struct kernel_profile *k)
{
    const struct counters *c = &k->total;
    double scale = ratio((double)k->blocks, (double)k->blocks_watched);
    double bytes = (double)(c->dram_read_bytes + c->dram_write_bytes);

    return ratio(bytes * scale, k->model.us * 1e-6);
}

/* Kernels that calculate nothing have no place under the roofs: their one
 * roof is memory. */
static void put_movers(const struct page *page)
{
    const struct softgpu_card *card = page->report->card;
    FILE *out = page->out;
    int movers = 0;

    for (size_t i = 0; i < page->report->count; i++) {
        const struct kernel_profile *k = &page->report->kernels[i];
        double rate = byte_rate(k), share = rate / (card->dram_gbs * 1e9);

        if (all_flop(&k->total) > 0 || rate <= 0)
            continue;
        if (movers++ == 0)
            fprintf(out, "<h3>Only moving bytes, against the %s of DRAM</h3>\n",
                    say_scaled(WORDS, card->dram_gbs * 1e9, "B/s"));
        fprintf(out, "<div class=bar><span>%zu <code>", i + 1);
        html_text(out, say_plain(WORDS, k->name, 24));
        fprintf(out, "</code></span><i style=\"width:%.1f%%\"></i><b>%s</b>"
                "</div>\n", share < 1 ? 100 * share : 100,
                say_scaled(WORDS, rate, "B/s"));
    }
}

/* Two pictures of one thing: how far from what the card could do. */
void page_roofline(const struct page *page)
{
    int spots;
    struct plot p = plot_for(page, &spots);

    if (spots) {
        fprintf(page->out, "<figure><svg viewBox=\"0 0 760 424\" width=760 "
                "role=img aria-label=roofline>");
        put_axes(&p);
        put_roofs(page, &p);
        for (size_t i = 0; i < page->report->count; i++) {
            struct spot s = spot_of(&page->report->kernels[i]);

            if (s.rate > 0 && (s.dram > 0 || s.l2 > 0))
                put_spot(&p, &s, i + 1);
        }
        fprintf(page->out, "</svg><figcaption>Roofline of %s: a dot is a kernel "
                "by its bytes of DRAM, a ring by those through L2. Below a slope "
                "it waits for bytes, below the flat roof for arithmetic. The "
                "rates are modelled.</figcaption></figure>\n",
                page->report->card->name);
    }
    put_movers(page);
}
