/* SPDX-License-Identifier: MIT */
/* Suite of lab 11: a convolution layer forward and backward, within the
 * contract's bound of the sums in double. */
#include <string.h>

#include "conv_case.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* n, c, h, w, k, r, s, stride, pad: square filters and others, odd and even
 * ones, channels of all kinds. */
static const struct conv_shape shapes[] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 0},   {1, 1, 3, 3, 1, 3, 3, 1, 0},
    {1, 1, 3, 5, 1, 3, 3, 1, 1},   {2, 1, 4, 5, 3, 2, 3, 1, 1},
    {1, 3, 5, 4, 2, 1, 1, 1, 0},   {2, 3, 9, 7, 5, 3, 3, 1, 1},
    {3, 5, 8, 11, 7, 5, 5, 1, 2},  {1, 4, 13, 10, 9, 7, 7, 1, 3},
    {2, 2, 6, 9, 3, 1, 5, 1, 0},   {2, 7, 12, 5, 3, 4, 1, 1, 2},
    {1, 9, 17, 19, 17, 3, 5, 1, 1}, {2, 33, 7, 6, 31, 3, 3, 1, 0}};

static void forward(void)
{
    conv_check_all(shapes, COUNT(shapes), CONV_Y);
}

static void backward_data(void)
{
    conv_check_all(shapes, COUNT(shapes), CONV_X);
}

static void backward_filter(void)
{
    conv_check_all(shapes, COUNT(shapes), CONV_W);
}

/* Strides 1 to 3 with every pad; sizes that leave a rest. */
static void strides(void)
{
    for (int i = 0; i < 24 && !suite_failed(); i++) {
        const int r = i < 12 ? 3 : 1 + i % 5;
        const struct conv_shape shape = {
            2, 2, 8 + i % 5, 11 - i % 4, 3, r, 2, i % 3 + 1,
            i / 3 % (r + 1)};
        conv_check_ways(&shape, 1);
    }
}

/* Layers of known networks, few images of them. */
static void layers(void)
{
    static const struct conv_shape known[] = {{2, 1, 28, 28, 6, 5, 5, 1, 2},
                                              {2, 6, 14, 14, 16, 5, 5, 1, 0},
                                              {1, 3, 33, 32, 32, 3, 3, 1, 1},
                                              {1, 3, 32, 32, 8, 7, 7, 2, 3}};

    conv_check_ways(known, COUNT(known));
}

/* Channels enough for Winograd's algorithm to pay, tiles cut at both ends. */
static void channels(void)
{
    static const struct conv_shape many[] = {{2, 64, 6, 5, 65, 3, 3, 1, 1},
                                             {1, 70, 7, 4, 64, 3, 3, 1, 0},
                                             {1, 64, 4, 3, 67, 3, 3, 1, 3},
                                             {1, 65, 5, 5, 64, 3, 3, 2, 1}};

    conv_check_ways(many, COUNT(many));
}

/* More images than blocks like to share a sum, and than gridDim.y and z go
 * to. */
static void batches(void)
{
    static const struct conv_shape some[] = {{65, 2, 5, 4, 3, 3, 3, 1, 1},
                                             {131, 1, 6, 6, 9, 5, 5, 1, 2},
                                             {65537, 1, 1, 2, 1, 1, 1, 1, 0},
                                             {300, 1, 3, 3, 1, 2, 2, 1, 0}};

    conv_check_ways(some, COUNT(some));
}

static void empty(void)
{
    static const struct conv_shape none = {0, 3, 9, 7, 5, 3, 3, 1, 1};

    conv_check_ways(&none, 1);
}

/* The loss: the sum of y, each element weighted by y_grad. */
static double loss(const struct conv_layer *layer, double *y)
{
    const size_t size = conv_size(&layer->shape, CONV_Y);
    double sum = 0;

    conv_reference(&layer->shape, CONV_Y, (const float *const *)layer->array,
                   y);
    for (size_t i = 0; i < size; i++)
        sum += y[i] * (double)layer->array[CONV_Y][i];
    return sum;
}

/* The derivatives by each element of x or of w are what the loss changes by
 * when that element does; the loss being linear, any difference will do. */
static void check_gradient(const struct conv_layer *layer, enum conv_array by)
{
    const size_t size = conv_size(&layer->shape, by);
    double *want = suite_doubles(size);
    double *y = suite_doubles(conv_size(&layer->shape, CONV_Y));
    const float *got = conv_run(layer, by);

    for (size_t i = 0; i < size; i++) {
        float *element = &layer->array[by][i], old = *element;

        *element = old + 0.5f;
        want[i] = loss(layer, y);
        *element = old - 0.5f;
        want[i] -= loss(layer, y);
        want[i] /= (double)(old + 0.5f) - (double)(old - 0.5f);
        *element = old;
    }
    conv_expect(layer, by, got, want);
}

static void gradient(void)
{
    static const struct conv_shape some[] = {{2, 2, 6, 5, 3, 3, 3, 1, 1},
                                             {1, 3, 7, 8, 2, 3, 2, 2, 1},
                                             {2, 1, 5, 7, 2, 5, 3, 1, 2}};

    for (size_t i = 0; i < COUNT(some) && !suite_failed(); i++) {
        struct conv_layer layer = conv_layer_of(&some[i]);

        conv_fill(&layer, -1, 1);
        check_gradient(&layer, CONV_X);
        check_gradient(&layer, CONV_W);
    }
}

/* Few products an element, and those of one sign: the bound is 4e-6 of them,
 * half precision is off by 2e-4. */
static void precise(void)
{
    static const struct conv_shape some[] = {{1, 1, 19, 17, 9, 1, 1, 1, 0},
                                             {2, 3, 8, 9, 5, 1, 1, 1, 0},
                                             {1, 2, 4, 4, 4, 3, 3, 1, 0}};

    for (size_t i = 0; i < COUNT(some) && !suite_failed(); i++) {
        struct conv_layer layer = conv_layer_of(&some[i]);

        conv_fill(&layer, 0.5, 2);
        for (int way = CONV_ARRAYS - 1; way >= 0; way--)
            conv_check(&layer, (enum conv_array)way);
    }
}

/* All three results have the bits that first holds, or are the first. */
static void check_bits(const struct conv_layer *layer,
                       const float *first[CONV_ARRAYS])
{
    for (int i = 0; i < CONV_ARRAYS && !suite_failed(); i++) {
        const enum conv_array by = (enum conv_array)i;
        const float *got = conv_run(layer, by);

        first[i] = first[i] ? first[i] : got;
        expect_that(!memcmp(got, first[i],
                            conv_size(&layer->shape, by) * sizeof *got),
                    "other bits than before for the same numbers: the order "
                    "of the additions depends on chance");
    }
}

/* The same bits, with others in between and in another order of blocks. */
static void again(void)
{
    static const struct conv_shape same = {70, 3, 8, 8, 5, 3, 3, 1, 1};
    static const struct conv_shape other = {3, 2, 9, 8, 5, 3, 3, 1, 1};
    struct conv_layer layer = conv_layer_of(&same);
    const float *first[CONV_ARRAYS] = {NULL};

    conv_fill(&layer, -1, 1);
    for (int i = 0; i < 4 && !suite_failed(); i++) {
        if (i > 1)
            suite_reorder((unsigned)i - 1);
        check_bits(&layer, first);
        conv_check_ways(&other, 1);
    }
    suite_captured(); /* as the trainer makes the calls */
    conv_check_ways(&other, 1);
}

/* What the contract does not allow, each way. */
static void refuses(void)
{
    static const struct conv_shape bad[] = {
        {-1, 1, 5, 5, 1, 3, 3, 1, 1}, {1, 0, 5, 5, 1, 3, 3, 1, 1},
        {1, 1, 5, 5, 0, 3, 3, 1, 1},  {1, 1, 5, 5, 1, 3, 3, 0, 1},
        {1, 1, 5, 5, 1, 3, 3, 1, -1}, {1, 1, 5, 5, 1, 3, 3, 1, 4},
        {1, 1, 4, 9, 1, 5, 3, 1, 0},  {1, 1, 40, 40, 1, 17, 3, 1, 0}};
    static const enum conv_array results[] = {CONV_Y, CONV_X, CONV_W};
    static float none[4];

    conv_check_one(&shapes[0], CONV_Y);
    for (size_t i = 0; i < COUNT(bad) && !suite_failed(); i++) {
        struct conv_layer layer = {.shape = bad[i]};
        for (uint32_t f = CONV_FORWARD; f <= CONV_BACKWARD_FILTER; f++) {
            conv_say(&layer, results[f]);
            call_begin(f);
            call_in(ON_HOST, &bad[i], sizeof bad[i]);
            for (int k = 0; k < 4; k++)
                call_in(ON_DEVICE, none, sizeof none);
            expect_refusal(call_end());
        }
        expect_that(conv_workspace(&bad[i]) == 0,
                    "conv_workspace wants bytes for what is refused");
    }
}

static void frees(void)
{
    for (int i = CONV_ARRAYS - 1; i >= 0 && !suite_failed(); i--) {
        conv_check_one(&shapes[6], (enum conv_array)i);
        expect_no_leak();
    }
}

/* A layer with that many images. */
static void check_timed(struct conv_shape shape, size_t images,
                        enum conv_array result)
{
    shape.n = (int)images;
    conv_check_one(&shape, result);
}

static void timed_forward(void)
{
    check_timed((struct conv_shape){0, 6, 14, 14, 16, 5, 5, 1, 0},
                suite_size(16, 512), CONV_Y);
}

static void timed_data(void)
{
    check_timed((struct conv_shape){0, 32, 14, 14, 64, 3, 3, 1, 1},
                suite_size(4, 64), CONV_X);
}

static void timed_filter(void)
{
    check_timed((struct conv_shape){0, 32, 14, 14, 64, 3, 3, 1, 1},
                suite_size(4, 64), CONV_W);
}

/* Watched: rims and strides, more than one batch, and many channels. */
static void few(void)
{
    static const struct conv_shape some[] = {{1, 1, 3, 5, 1, 3, 3, 1, 1},
                                             {2, 3, 7, 6, 9, 2, 3, 2, 2},
                                             {67, 1, 4, 4, 2, 3, 3, 1, 0},
                                             {0, 2, 4, 4, 2, 3, 3, 1, 1}};
    static const struct conv_shape many = {1, 64, 3, 3, 65, 3, 3, 1, 1};

    conv_check_ways(some, COUNT(some));
    conv_check_one(&many, CONV_Y);
    conv_check_one(&many, CONV_X); /* W would be 37,440 small sums */
}

/* Much like the second layer of LeNet, all three ways. */
static void layer(void)
{
    static const struct conv_shape shape = {2, 8, 14, 14, 16, 5, 5, 1, 0};
    const double warps = 3 * conv_products(&shape, CONV_Y)
                         * (double)conv_size(&shape, CONV_Y) / 32;

    conv_check_ways(&shape, 1);
    expect_cost(COST_SECTORS, 0, warps, "for each 32 products");
    expect_cost(COST_REQUESTS, 0, warps, "for each 32 products");
    expect_cost(COST_BARRIERS, 0, warps, "for each 32 products");
    expect_cost(COST_CONFLICTS, 0, warps, "for each 32 products");
    expect_cost(COST_LAUNCHES, 3, 3, "for each of the three");
}

static const struct suite_test tests[] = {
    {"forward", "y from x and w", forward},
    {"data", "the gradient by x", backward_data},
    {"filter", "the gradient by w", backward_filter},
    {"strides", "strides 1 to 3, every padding", strides},
    {"gradient", "both against differences of the loss", gradient},
    {"layers", "layers of known networks", layers},
    {"channels", "64 channels and more", channels},
    {"batches", "up to 65,537 images", batches},
    {"empty", "no image at all", empty},
    {"precise", "sums in enough bits", precise},
    {"again", "the same bits each time", again},
    {"refuses", "shapes that the contract forbids", refuses},
    {"frees", "no device memory is kept", frees},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"forward", "16 images (on a card 512), 6 to 16 channels, 5 x 5",
     timed_forward},
    {"data", "4 images (on a card 64), 32 to 64 channels, 3 x 3", timed_data},
    {"filter", "the same, the filter's gradient", timed_filter},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "small layers, all three ways", few},
    {"layer", "8 to 16 channels, 14 x 14, 5 x 5", layer},
    {NULL, NULL, NULL},
};

const struct suite suite_11_conv_layer = {"11_conv_layer", tests, speeds,
                                          watched};
