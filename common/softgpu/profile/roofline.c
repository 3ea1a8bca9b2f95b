/* SPDX-License-Identifier: MIT */
/* Where a kernel is in a roofline plot, and the roofs. */
#include "roofline.h"

#include "access_rows.h"

/* Rates are of all blocks, even if only some were sampled. */
struct roofline_point roofline_point(const struct kernel_profile *k)
{
    const struct counters *c = &k->total;
    double scale = ratio((double)k->blocks, (double)k->blocks_watched);
    double flop = total_flop(c);

    return (struct roofline_point){
        .rate = ratio(flop * scale, k->model.us * 1e-6),
        .dram = ratio(flop, (double)(c->dram_read_bytes + c->dram_write_bytes)),
        .l2 = ratio(flop, 32.0 * (double)(c->l2_read_sectors
                                          + c->l2_write_sectors)),
    };
}

/* Peak float operations per second; an FMA is two. */
double roofline_float_peak(const struct softgpu_card *card)
{
    return 2e3 * card->sms * card->fp32_lanes * card->clock_khz;
}

/* Peak operations per second of the tensor cores, on half. */
double roofline_tensor_peak(const struct softgpu_card *card)
{
    return 2e3 * card->sms * card->tensor_fma * card->clock_khz;
}

/* Modeled DRAM traffic in bytes per second. */
double roofline_dram_rate(const struct kernel_profile *k)
{
    const struct counters *c = &k->total;
    double scale = ratio((double)k->blocks, (double)k->blocks_watched);
    double bytes = (double)(c->dram_read_bytes + c->dram_write_bytes);

    return ratio(bytes * scale, k->model.us * 1e-6);
}
