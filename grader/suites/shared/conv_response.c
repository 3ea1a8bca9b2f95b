/* SPDX-License-Identifier: MIT */
/* The terms of the three sums of a convolution layer. */
#include "conv_response.h"

/** Indices of a product: of its element of x, of w and of y. */
struct product {
    size_t image, channel, filter;
    int u, v, r, s, p, q; /* row and column of x, of w, of y */
};

static size_t index_in(const struct conv_shape *g, enum conv_array array,
                       const struct product *i)
{
    if (array == CONV_X)
        return ((i->image * (size_t)g->c + i->channel) * (size_t)g->h
                + (size_t)i->u) * (size_t)g->w + (size_t)i->v;
    if (array == CONV_W)
        return ((i->filter * (size_t)g->c + i->channel) * (size_t)g->r
                + (size_t)i->r) * (size_t)g->s + (size_t)i->s;
    return ((i->image * (size_t)g->k + i->filter)
            * (size_t)conv_output_rows(g) + (size_t)i->p)
           * (size_t)conv_output_columns(g) + (size_t)i->q;
}

/* Row or column of y from that of x and of w; or -1. */
static int output_at(int x, int w, int outputs, const struct conv_shape *g)
{
    const int at = x + g->pad - w;

    return at >= 0 && at % g->stride == 0 && at / g->stride < outputs
               ? at / g->stride : -1;
}

/* Fill in what follows from the result's element and the sum's indices.
 * @return is there such a product, or is it padding? */
static bool complete(const struct conv_shape *g, enum conv_array result,
                     struct product *i)
{
    if (result == CONV_X) {
        i->p = output_at(i->u, i->r, conv_output_rows(g), g);
        i->q = output_at(i->v, i->s, conv_output_columns(g), g);
        return i->p >= 0 && i->q >= 0;
    }
    i->u = i->p * g->stride + i->r - g->pad;
    i->v = i->q * g->stride + i->s - g->pad;
    return i->u >= 0 && i->u < g->h && i->v >= 0 && i->v < g->w;
}

/* The element of the result. */
static struct product product_of(const struct conv_shape *g,
                                 enum conv_array result, size_t out)
{
    const size_t plane = conv_plane_size(g, result);
    const int widths[] = {[CONV_X] = g->w, [CONV_W] = g->s,
                          [CONV_Y] = conv_output_columns(g)};
    const int row = (int)(out % plane) / widths[result];
    const int column = (int)(out % plane) % widths[result];
    const size_t at = out / plane, c = (size_t)g->c, k = (size_t)g->k;

    if (result == CONV_X)
        return (struct product){.image = at / c, .channel = at % c, .u = row,
                                .v = column};
    if (result == CONV_W)
        return (struct product){.filter = at / c, .channel = at % c, .r = row,
                                .s = column};
    return (struct product){.image = at / k, .filter = at % k, .p = row,
                            .q = column};
}

static void lengths(const struct conv_shape *g, enum conv_array result,
                    size_t length[RESPONSE_INDICES])
{
    const int first[] = {[CONV_X] = g->k, [CONV_W] = g->n, [CONV_Y] = g->c};

    length[0] = (size_t)first[result];
    length[1] = (size_t)(result == CONV_W ? conv_output_rows(g) : g->r);
    length[2] = (size_t)(result == CONV_W ? conv_output_columns(g) : g->s);
}

static enum conv_array first_of(enum conv_array result)
{
    return result == CONV_X ? CONV_Y : CONV_X;
}

static enum conv_array second_of(enum conv_array result)
{
    return result == CONV_W ? CONV_Y : CONV_W;
}

static size_t layer_terms(const void *context, size_t out,
                          struct response_term *term)
{
    const struct conv_call *call = context;
    const struct conv_shape *g = call->shape;
    struct product i = product_of(g, call->result, out);
    size_t length[RESPONSE_INDICES], count = 0;

    lengths(g, call->result, length);
    for (size_t t = 0; t < length[0] * length[1] * length[2]; t++) {
        const size_t a = t / (length[1] * length[2]);
        const int b = (int)(t / length[2] % length[1]);
        const int c = (int)(t % length[2]);

        if (call->result == CONV_X)
            i.filter = a, i.r = b, i.s = c;
        else if (call->result == CONV_W)
            i.image = a, i.p = b, i.q = c;
        else
            i.channel = a, i.r = b, i.s = c;
        if (complete(g, call->result, &i))
            term[count++] = (struct response_term){
                .in = index_in(g, first_of(call->result), &i),
                .by = index_in(g, second_of(call->result), &i),
                .at = {a, (size_t)b, (size_t)c}};
    }
    return count;
}

static struct response_array describe(const struct conv_call *call,
                                      enum conv_array array)
{
    static const char *const inputs[] = {"x", "w", "y_grad"};
    struct response_array a = {.name = inputs[array],
                               .values = call->operands[array],
                               .argument = call->operands[array]};

    conv_array_dims(call->shape, array, a.size);
    return a;
}

struct response conv_response(const struct conv_call *call)
{
    const bool is_filter = call->result == CONV_W;
    struct response r = {
        .in = describe(call, first_of(call->result)),
        .by = describe(call, second_of(call->result)),
        .index = {is_filter ? "n" : call->result == CONV_X ? "k" : "c",
                  is_filter ? "p" : "r", is_filter ? "q" : "s"},
        .terms = layer_terms, .context = call};

    lengths(call->shape, call->result, r.length);
    return r;
}
