/* SPDX-License-Identifier: MIT */
/* The sums that the suite of lab 11 compares with, against oneDNN, on random
 * shapes: an independent word on what a convolution layer is.  Built and run
 * by conv_dnnl.sh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dnnl_run.h"
#include "common/base/random.h"
#include "grader/suites/shared/conv_reference.h"

enum { SHAPES = 60 };

/* A layer and its three arrays, as both sides see them. */
struct layer {
    struct conv_shape shape;
    float *array[CONV_ARRAYS];
    dnnl_memory_desc_t desc[CONV_ARRAYS];
};

static void describe(struct layer *layer)
{
    const struct conv_shape *s = &layer->shape;

    layer->desc[CONV_X] = run_layout(s->n, s->c, s->h, s->w);
    layer->desc[CONV_W] = run_layout(s->k, s->c, s->r, s->s);
    layer->desc[CONV_Y] = run_layout(s->n, s->k, conv_output_rows(s),
                                     conv_output_columns(s));
    for (int i = 0; i < CONV_ARRAYS; i++) {
        size_t size = conv_array_size(s, (enum conv_array)i);

        layer->array[i] = malloc((size + 1) * sizeof(float));
        random_floats(layer->array[i], size, -1, 1);
    }
}

/* The operation's descriptor of oneDNN; the hint is the forward one. */
static dnnl_primitive_desc_t plan(const struct layer *layer,
                                  enum conv_array result,
                                  const_dnnl_primitive_desc_t hint)
{
    const struct conv_shape *s = &layer->shape;
    const dnnl_dims_t strides = {s->stride, s->stride}, pad = {s->pad, s->pad};
    const dnnl_memory_desc_t *x = &layer->desc[CONV_X];
    const dnnl_memory_desc_t *w = &layer->desc[CONV_W];
    const dnnl_memory_desc_t *y = &layer->desc[CONV_Y];
    const dnnl_alg_kind_t how = dnnl_convolution_direct;
    dnnl_convolution_desc_t desc;

    if (result == CONV_Y)
        run_need(dnnl_convolution_forward_desc_init(
                 &desc, dnnl_forward_training, how, x, w, NULL, y, strides,
                 pad, pad), "forward");
    else if (result == CONV_X)
        run_need(dnnl_convolution_backward_data_desc_init(
                 &desc, how, x, w, y, strides, pad, pad), "data");
    else
        run_need(dnnl_convolution_backward_weights_desc_init(
                 &desc, how, x, w, NULL, y, strides, pad, pad), "filter");
    return run_plan(&desc, hint);
}

/* Let oneDNN sum up one of the arrays, into `out`. */
static void run(const struct layer *layer, enum conv_array result,
                const_dnnl_primitive_desc_t plan, float *out)
{
    static const int names[2][CONV_ARRAYS] = {
        {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
        {DNNL_ARG_DIFF_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST}};
    struct part parts[CONV_ARRAYS];

    for (int i = 0; i < CONV_ARRAYS; i++) {
        const int is_gradient = result != CONV_Y
                                && (i == (int)result || i == CONV_Y);

        parts[i] = (struct part){names[is_gradient][i], &layer->desc[i],
                                 i == (int)result ? out : layer->array[i]};
    }
    run_parts(plan, parts, CONV_ARRAYS, NULL);
}

/* Elements where the two differ: sums of up to some hundred products below 1
 * in float are off by 1e-5 or so. */
static size_t differing(const struct layer *layer, enum conv_array result,
                        const float *got)
{
    const size_t size = conv_array_size(&layer->shape, result);
    double *want = malloc((size + 1) * sizeof *want);
    size_t count = 0;

    conv_reference(&layer->shape, result, (const float *const *)layer->array,
                   want);
    for (size_t i = 0; i < size; i++)
        count += !(fabs(got[i] - want[i]) < 1e-4);
    free(want);
    return count;
}

/* All three ways.  @return how many of them agree */
static int agreeing(struct layer *layer)
{
    dnnl_primitive_desc_t forward = plan(layer, CONV_Y, NULL);
    int agree = 0;

    for (int i = 0; i < CONV_ARRAYS; i++) {
        const enum conv_array result = (enum conv_array)i;
        size_t size = conv_array_size(&layer->shape, result), wrong;
        float *out = calloc(size + 1, sizeof *out);
        dnnl_primitive_desc_t its =
            result == CONV_Y ? forward : plan(layer, result, forward);

        run(layer, result, its, out);
        wrong = differing(layer, result, out);
        if (wrong)
            printf("not ok: array %d, %zu of %zu differ\n", i, wrong, size);
        agree += !wrong;
        free(out);
        if (result != CONV_Y)
            dnnl_primitive_desc_destroy(its);
    }
    dnnl_primitive_desc_destroy(forward);
    return agree;
}

static int pick(int lo, int hi)
{
    return (int)random_int(lo, hi);
}

int main(void)
{
    int agree = 0;

    random_seed(1, "conv_dnnl");
    run_open();
    for (int i = 0; i < SHAPES; i++) {
        const int r = pick(1, 5), s = pick(1, 5);
        struct layer layer = {.shape = {
            pick(1, 3), pick(1, 6), pick(r, 12), pick(s, 12), pick(1, 6), r,
            s, pick(1, 3), pick(0, r < s ? r : s)}};

        describe(&layer);
        agree += agreeing(&layer);
        for (int k = 0; k < CONV_ARRAYS; k++)
            free(layer.array[k]);
    }
    run_close();
    printf("%d passed, %d failed\n", agree, SHAPES * CONV_ARRAYS - agree);
    return agree != SHAPES * CONV_ARRAYS;
}
