/* SPDX-License-Identifier: MIT */
/* Suite of lab 11: a convolution layer, forward and backward, within the
 * contract's error bound of the sums in double. */
#include <string.h>

#include "grader/suite/suite.h"
#include "shared/conv_case.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* n, c, h, w, k, r, s, stride, pad: filters of several shapes, odd and even,
 * and several numbers of channels. */
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

/* Strides 1 to 3 with every padding; sizes that the stride does not divide. */
static void strides(void)
{
    for (int i = 0; i < 24 && !suite_failed(); i++) {
        const int r = i < 12 ? 3 : 1 + i % 5;
        const struct conv_shape shape = {
            2, 2, 8 + i % 5, 11 - i % 4, 3, r, 2, i % 3 + 1,
            i / 3 % (r + 1)};
        conv_check_directions(&shape, 1);
    }
}

/* Layers of well-known networks with few images. */
static void layers(void)
{
    static const struct conv_shape network_layers[] = {
        {2, 1, 28, 28, 6, 5, 5, 1, 2},
        {2, 6, 14, 14, 16, 5, 5, 1, 0},
        {1, 3, 33, 32, 32, 3, 3, 1, 1},
        {1, 3, 32, 32, 8, 7, 7, 2, 3}};

    conv_check_directions(network_layers, COUNT(network_layers));
}

/* Enough channels for Winograd's algorithm to be worthwhile, with partial
 * tiles. */
static void channels(void)
{
    static const struct conv_shape many[] = {{2, 64, 6, 5, 65, 3, 3, 1, 1},
                                             {1, 70, 7, 4, 64, 3, 3, 1, 0},
                                             {1, 64, 4, 3, 67, 3, 3, 1, 3},
                                             {1, 65, 5, 5, 64, 3, 3, 2, 1}};

    conv_check_directions(many, COUNT(many));
}

/* Large batches, also more images than gridDim.y and gridDim.z allow, and more
 * elements of x, y or w than 1,024 blocks of 256 threads have. */
static void batches(void)
{
    static const struct conv_shape some[] = {{65, 2, 5, 4, 3, 3, 3, 1, 1},
                                             {131, 1, 6, 6, 9, 5, 5, 1, 2},
                                             {65537, 1, 1, 5, 1, 1, 1, 1, 0},
                                             {1, 33, 16, 16, 33, 16, 16, 1, 0},
                                             {300, 1, 3, 3, 1, 2, 2, 1, 0}};

    conv_check_directions(some, COUNT(some));
}

static void empty(void)
{
    static const struct conv_shape none = {0, 3, 9, 7, 5, 3, 3, 1, 1};

    conv_check_directions(&none, 1);
}

/* The loss: the sum of y weighted by y_grad. */
static double loss(const struct conv_layer *layer, double *y)
{
    const size_t size = conv_array_size(&layer->shape, CONV_Y);
    double sum = 0;

    conv_reference(&layer->shape, CONV_Y, (const float *const *)layer->array,
                   y);
    for (size_t i = 0; i < size; i++)
        sum += y[i] * (double)layer->array[CONV_Y][i];
    return sum;
}

/* Gradient check with respect to x or w.  The loss is linear, so a difference
 * of any size is exact. */
static void check_gradient(const struct conv_layer *layer,
                           enum conv_array array)
{
    const size_t size = conv_array_size(&layer->shape, array);
    double *want = suite_doubles(size);
    double *y = suite_doubles(conv_array_size(&layer->shape, CONV_Y));
    const float *got = conv_call_lab(layer, array);

    for (size_t i = 0; i < size; i++) {
        float *element = &layer->array[array][i], old = *element;

        *element = old + 0.5f;
        want[i] = loss(layer, y);
        *element = old - 0.5f;
        want[i] -= loss(layer, y);
        want[i] /= (double)(old + 0.5f) - (double)(old - 0.5f);
        *element = old;
    }
    conv_compare(layer, array, got, want);
}

static void gradient(void)
{
    static const struct conv_shape some[] = {{2, 2, 6, 5, 3, 3, 3, 1, 1},
                                             {1, 3, 7, 8, 2, 3, 2, 2, 1},
                                             {2, 1, 5, 7, 2, 5, 3, 1, 2}};

    for (size_t i = 0; i < COUNT(some) && !suite_failed(); i++) {
        struct conv_layer layer = conv_layer_create(&some[i]);

        conv_fill_random(&layer, -1, 1);
        check_gradient(&layer, CONV_X);
        check_gradient(&layer, CONV_W);
    }
}

/* Few products of one sign for each element: the bound is 4e-6 of the sum;
 * half precision is off by 2e-4. */
static void precision(void)
{
    static const struct conv_shape some[] = {{1, 1, 19, 17, 9, 1, 1, 1, 0},
                                             {2, 3, 8, 9, 5, 1, 1, 1, 0},
                                             {1, 2, 4, 4, 4, 3, 3, 1, 0}};

    for (size_t i = 0; i < COUNT(some) && !suite_failed(); i++) {
        struct conv_layer layer = conv_layer_create(&some[i]);

        conv_fill_random(&layer, 0.5, 2);
        for (int result = CONV_ARRAYS - 1; result >= 0; result--)
            conv_check(&layer, (enum conv_array)result);
    }
}

/* Compares all three results bit by bit with `first`, or sets it. */
static void check_bits(const struct conv_layer *layer,
                       const float *first[CONV_ARRAYS])
{
    for (int i = 0; i < CONV_ARRAYS && !suite_failed(); i++) {
        const enum conv_array array = (enum conv_array)i;
        const float *got = conv_call_lab(layer, array);

        first[i] = first[i] ? first[i] : got;
        expect_that(
            !memcmp(got, first[i],
                    conv_array_size(&layer->shape, array) * sizeof *got),
            "the same inputs gave other bits before: the order of the "
            "additions is not deterministic");
    }
}

/* The same bits after calls with other inputs and in another order of blocks.
 * A schedule changes the order within 32 blocks: of the smaller batch, all that
 * add to one element. */
static void repeated(void)
{
    enum { BATCHES = 2 };
    static const struct conv_shape same[BATCHES] = {
        {70, 3, 8, 8, 5, 3, 3, 1, 1}, {6, 3, 8, 8, 5, 3, 3, 1, 1}};
    static const struct conv_shape other = {3, 2, 9, 8, 5, 3, 3, 1, 1};
    struct conv_layer layer[BATCHES];
    const float *first[BATCHES][CONV_ARRAYS] = {{NULL}};

    for (int n = 0; n < BATCHES; n++) {
        layer[n] = conv_layer_create(&same[n]);
        conv_fill_random(&layer[n], -1, 1);
    }
    for (int i = 0; i < 4 && !suite_failed(); i++) {
        if (i > 1)
            suite_use_schedule((unsigned)i - 1);
        for (int n = 0; n < BATCHES; n++)
            check_bits(&layer[n], first[n]);
        conv_check_directions(&other, 1);
    }
    suite_capture_graph(); /* as the trainer calls the lab */
    conv_check_directions(&other, 1);
}

/* Arguments outside the contract, forward and backward. */
static void rejects_invalid(void)
{
    static const struct conv_shape invalid[] = {
        {-1, 1, 5, 5, 1, 3, 3, 1, 1}, {1, 0, 5, 5, 1, 3, 3, 1, 1},
        {1, 1, 5, 5, 0, 3, 3, 1, 1},  {1, 1, 5, 5, 1, 3, 3, 0, 1},
        {1, 1, 5, 5, 1, 3, 3, 1, -1}, {1, 1, 5, 5, 1, 3, 3, 1, 4},
        {1, 1, 4, 9, 1, 5, 3, 1, 0},  {1, 1, 40, 40, 1, 17, 3, 1, 0},
        {0, 1, 5, 5, 1, 3, 3, 1, 4},  {0, 0, 5, 5, 1, 3, 3, 1, 1}};
    float *a = suite_floats(4096), *out = suite_floats(4096);
    void *work = suite_bytes(64);

    conv_check_one(&shapes[0], CONV_Y);
    for (size_t i = 0; i < COUNT(invalid) && !suite_failed(); i++) {
        const struct conv_layer layer = {.shape = invalid[i]};

        conv_name_case(&layer, CONV_Y);
        expect_error(conv_forward(&invalid[i], a, a, out, work));
        conv_name_case(&layer, CONV_X);
        expect_error(conv_backward_data(&invalid[i], a, a, out, work));
        conv_name_case(&layer, CONV_W);
        expect_error(conv_backward_filter(&invalid[i], a, a, out, work));
        expect_that(conv_workspace(&invalid[i]) == 0,
                    "conv_workspace wants bytes for what is refused");
    }
}

static enum conv_array failing_result;

static int64_t convolve_small(void)
{
    const struct conv_layer layer = conv_layer_create(&shapes[6]);

    return conv_call_status(&layer, failing_result, NULL);
}

static void no_leak(void)
{
    /* its limit is above 64 MiB */
    static const struct conv_shape large = {64, 64, 56, 56, 64, 3, 3, 1, 1};

    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++)
        conv_check_workspace(&shapes[i]);
    conv_check_workspace(&large);
    for (int i = CONV_ARRAYS - 1; i >= 0 && !suite_failed(); i--) {
        failing_result = (enum conv_array)i;
        conv_check_one(&shapes[6], failing_result);
        expect_no_leak();
        suite_check_failures(convolve_small);
    }
}

/* Checks a layer with that many images. */
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

/* Watched: padding and strides, more than one batch, and many channels. */
static void small_sizes(void)
{
    static const struct conv_shape some[] = {{1, 1, 3, 5, 1, 3, 3, 1, 1},
                                             {2, 3, 7, 6, 9, 2, 3, 2, 2},
                                             {67, 1, 4, 4, 2, 3, 3, 1, 0},
                                             {0, 2, 4, 4, 2, 3, 3, 1, 1}};
    static const struct conv_shape many = {1, 64, 3, 3, 65, 3, 3, 1, 1};

    conv_check_directions(some, COUNT(some));
    conv_check_one(&many, CONV_Y);
    conv_check_one(&many, CONV_X); /* CONV_W would be 37,440 small sums */
}

/* A layer like LeNet's second one, forward and backward. */
static void layer(void)
{
    static const struct conv_shape shape = {2, 8, 14, 14, 16, 5, 5, 1, 0};
    const double warps = 3 * conv_terms_per_element(&shape, CONV_Y)
                         * (double)conv_array_size(&shape, CONV_Y) / 32;

    conv_check_directions(&shape, 1);
    expect_metric(METRIC_SECTORS, 0, warps, "for each 32 products");
    expect_metric(METRIC_REQUESTS, 0, warps, "for each 32 products");
    expect_metric(METRIC_BARRIERS, 0, warps, "for each 32 products");
    expect_metric(METRIC_CONFLICTS, 0, warps, "for each 32 products");
    expect_metric(METRIC_LAUNCHES, 3, 3, "for each of the three");
}

static const struct suite_test tests[] = {
    {"forward", "y from x and w", forward},
    {"data", "the gradient with respect to x", backward_data},
    {"filter", "the gradient with respect to w", backward_filter},
    {"strides", "strides 1 to 3, every padding", strides},
    {"gradient", "gradient check", gradient},
    {"layers", "layers of known networks", layers},
    {"channels", "64 channels and more", channels},
    {"batches", "up to 65,537 images", batches},
    {"empty", "no image at all", empty},
    {"precise", "precision of the sums", precision},
    {"again", "the same bits each time", repeated},
    {"refuses", "shapes outside the contract", rejects_invalid},
    {"frees", "no memory is leaked, errors are returned", no_leak},
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
    {"few", "small layers, all three ways", small_sizes},
    {"layer", "8 to 16 channels, 14 x 14, 5 x 5", layer},
    {NULL, NULL, NULL},
};

const struct suite suite_11_conv_layer = {"11_conv_layer", tests, speeds,
                                          watched};
