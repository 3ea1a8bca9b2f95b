/* SPDX-License-Identifier: MIT */
/* The terms of the labs' sums: together they are the value of the reference.
 * Bytes that wrong bins count. */
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "grader/suites/06_histogram/response.h"
#include "grader/suites/10_convolution/response.h"
#include "grader/suites/12_layers/response.h"
#include "grader/suites/shared/conv_response.h"
#include "labs/06_histogram/histogram.h"

static float next_uniform(void)
{
    static unsigned state = 12345;

    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 0x1p-24f;
}

/* The terms of an element have the value of the reference. */
static void expect_terms(const struct response *r, const double *values,
                         size_t count)
{
    struct response_term *term =
        malloc(response_most_terms(r) * sizeof *term);

    for (size_t i = 0; i < count; i++) {
        const size_t terms = r->terms(r->context, i, term);
        double sum = 0;

        CU_ASSERT_TRUE_FATAL(terms <= response_most_terms(r));
        for (size_t t = 0; t < terms; t++) {
            CU_ASSERT_TRUE(term[t].in < response_count(&r->in));
            CU_ASSERT_TRUE(term[t].by == RESPONSE_NONE
                           || term[t].by < response_count(&r->by));
            sum += response_value(r, &term[t]);
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, values[i], 1e-6);
    }
    free(term);
}

/* The nearest pixel beyond the edges. */
static void window_terms(void)
{
    enum { WIDTH = 4, HEIGHT = 3, SIDE = 3, EDGE = SIDE / 2 };
    float in[WIDTH * HEIGHT], filter[SIDE * SIDE];
    double values[WIDTH * HEIGHT] = {0};
    const struct convolution_case example = {
        .shape = {.width = WIDTH, .height = HEIGHT, .columns = SIDE,
                  .rows = SIDE}, .in = in, .filter = filter};
    const struct response r = convolution_response(&example);
    float padded[HEIGHT + 2 * EDGE][WIDTH + 2 * EDGE];

    for (int i = 0; i < SIDE * SIDE; i++)
        filter[i] = next_uniform();
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        in[i] = next_uniform();
    for (int y = 0; y < HEIGHT + 2 * EDGE; y++)
        for (int x = 0; x < WIDTH + 2 * EDGE; x++) {
            const int row = y == 0 ? 0 : y > HEIGHT ? HEIGHT - 1 : y - 1;
            const int column = x == 0 ? 0 : x > WIDTH ? WIDTH - 1 : x - 1;

            padded[y][x] = in[row * WIDTH + column];
        }
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        for (int k = 0; k < SIDE * SIDE; k++)
            values[i] += (double)filter[k] * padded[i / WIDTH + k / SIDE]
                                                   [i % WIDTH + k % SIDE];
    expect_terms(&r, values, WIDTH * HEIGHT);
}

static void layer_terms(void)
{
    static const struct conv_shape shapes[] = {
        {2, 3, 7, 5, 2, 3, 2, 1, 1}, {2, 1, 6, 9, 3, 2, 3, 2, 2},
        {1, 2, 4, 4, 2, 1, 1, 3, 0}};

    for (size_t i = 0; i < 9; i++) {
        const struct conv_shape *s = &shapes[i / 3];
        const enum conv_array result = (enum conv_array)(i % 3);
        float *array[CONV_ARRAYS];
        const struct conv_call call = {s, result,
                                       (const float *const *)array};
        struct response r;
        double *values = malloc(conv_array_size(s, result) * sizeof *values);

        for (int k = 0; k < CONV_ARRAYS; k++) {
            const size_t n = conv_array_size(s, (enum conv_array)k);

            array[k] = malloc(n * sizeof *array[k]);
            for (size_t j = 0; j < n; j++)
                array[k][j] = next_uniform();
        }
        r = conv_response(&call);
        conv_reference(s, result, (const float *const *)array, values);
        expect_terms(&r, values, conv_array_size(s, result));
        for (int k = 0; k < CONV_ARRAYS; k++)
            free(array[k]);
        free(values);
    }
}

/* A ReLU masks some elements. */
static void channel_terms(void)
{
    enum { N = 3, C = 2, H = 2, W = 4, SIZE = N * C * H * W };
    static const struct layer_shape shape = {N, C, H, W};
    float y_grad[SIZE];
    double x_grad[SIZE], values[C] = {0};
    const struct bias_grad_inputs inputs = {&shape, x_grad, y_grad};
    const struct response r = layers_bias_grad_response(&inputs);

    for (int i = 0; i < SIZE; i++) {
        y_grad[i] = 1 + next_uniform();
        x_grad[i] = next_uniform() < 0.3f ? 0 : (double)y_grad[i];
        values[i / (H * W) % C] += x_grad[i];
    }
    expect_terms(&r, values, C);
}

/* Windows of 2 x 2 with stride 1: an element may be the maximum of several. */
static void pool_terms(void)
{
    enum { PLANES = 2, SIDE = 3, ROWS = 2, WINDOWS = PLANES * ROWS * ROWS };
    static const struct pool_shape shape = {1, PLANES, SIDE, SIDE, 2, 1, 0};
    float y_grad[WINDOWS];
    double argmax[WINDOWS], values[PLANES * SIDE * SIDE] = {0};
    size_t at[WINDOWS];
    const struct pool_grad_inputs inputs = {&shape, y_grad, at, argmax, ROWS,
                                            ROWS, WINDOWS};
    const struct response r = layers_pool_grad_response(&inputs);

    for (int i = 0; i < WINDOWS; i++) {
        const int tap = (int)(4 * next_uniform());
        const int row = i % (ROWS * ROWS) / ROWS + tap / 2;

        y_grad[i] = 1 + next_uniform();
        at[i] = (size_t)(i / (ROWS * ROWS) * SIDE * SIDE + row * SIDE
                         + i % ROWS + tap % 2);
        values[at[i]] += y_grad[i];
    }
    expect_terms(&r, values, PLANES * SIDE * SIDE);
}

enum { BYTES = 1000, BINS = HISTOGRAM_BINS };

/** How often byte i is counted, and a bin that is too large. */
struct histogram_mistake {
    int (*times)(size_t i);
    size_t bin;
    double more;
    int shift; /* added to each byte */
};

static int once(size_t i) { return i < BYTES; }
static int lacks_tail(size_t i) { return i < 995; }
static int lacks_one(size_t i) { return i != 77; }
static int lacks_eighths(size_t i) { return i % 8 != 7; }
static int has_head_twice(size_t i) { return i < 16 ? 2 : 1; }
static int twice_in_words(size_t i) { return "\1\1\0\2"[i % 4]; }
static int more_and_more(size_t i) { return 1 + (int)(i % 256); }
static int by_some_blocks(size_t i) { return i < 256 ? 3 : i < 512 ? 0 : 1; }
static int lacks_some(size_t i) { return i % 7 != 3; }

/* Which ones are lost depends on the number of the call. */
static int lacks_zeros(size_t i)
{
    static size_t calls;

    return ++calls / BYTES % 3 != i % 3;
}

static bool call_histogram(void *context, const float *in, const float *by,
                           double *result)
{
    const struct histogram_mistake *mistake = context;

    (void)by;
    memset(result, 0, BINS * sizeof *result);
    for (size_t i = 0; i < BYTES; i++)
        result[((int)in[i] + mistake->shift) % BINS] += mistake->times(i);
    result[mistake->bin] += mistake->more;
    if (mistake->more > 50)
        result[mistake->bin + 1] += 1;
    return true;
}

static char text[DIAGNOSIS_SIZE];

static bool says(struct histogram_mistake mistake, const char *words)
{
    unsigned char bytes[BYTES];
    float values[BYTES];
    double counts[BINS], result[BINS];
    uint32_t bins[BINS];
    const struct histogram_input input = {bytes, BYTES, 0};
    const struct response response = histogram_response(&input);
    const struct expected e = {.name = "bins", .got = bins, .want = counts,
                               .type = UINT32, .size = {BINS},
                               .response = &response};
    struct comparison comparison;
    const struct evidence evidence = {.expected = &e,
                                      .comparison = &comparison};

    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < BYTES; i++) {
        bytes[i] = (unsigned char)(256 * next_uniform());
        values[i] = bytes[i];
        counts[bytes[i]]++;
    }
    call_histogram(&mistake, values, NULL, result);
    for (size_t b = 0; b < BINS; b++)
        bins[b] = (uint32_t)result[b];
    CU_ASSERT_TRUE_FATAL(compare(&e, &comparison));
    response.explain(&evidence, call_histogram, &mistake, text);
    free(comparison.wrong_mask);
    return *words ? strstr(text, words) != NULL : !*text;
}

static void counted_bytes(void)
{
    CU_ASSERT_TRUE(says((struct histogram_mistake){lacks_tail, 0, 0, 0},
                        "the last 5 bytes are not counted, from in[995] on"));
    CU_ASSERT_TRUE(says((struct histogram_mistake){lacks_one, 0, 0, 0},
                        "in[77] is not counted"));
    CU_ASSERT_TRUE(says((struct histogram_mistake){lacks_eighths, 0, 0, 0},
                        "every 8th byte is not counted: in[7], in[15]"));
    CU_ASSERT_TRUE(says((struct histogram_mistake){has_head_twice, 0, 0, 0},
                        "the first 16 bytes are counted twice"));
    CU_ASSERT_TRUE(says((struct histogram_mistake){once, 0, 24, 0},
                        "bin 0 counts 24 too many, also where no byte is 0: "
                        "do threads past the end count a 0?"));
    CU_ASSERT_TRUE(says((struct histogram_mistake){once, 248, 1, 0},
                        "are bytes before or past the array counted?"));
    CU_ASSERT_TRUE(says((struct histogram_mistake){lacks_some, 0, 0, 0},
                        "the bins add up to 857, whatever the bytes are"));
    CU_ASSERT_TRUE(says((struct histogram_mistake){lacks_tail, 3, 1, 0},
                        "add up to 996"));
    CU_ASSERT_TRUE(says((struct histogram_mistake){lacks_zeros, 0, 0, 0}, ""));
}

static void repeated_bytes(void)
{
    CU_ASSERT_TRUE(says((struct histogram_mistake){twice_in_words, 0, 0, 0},
                        "in[2] and each 4 bytes further on are not counted, "
                        "and in[3] and each 4 bytes further on are counted "
                        "twice"));
    CU_ASSERT_TRUE(says((struct histogram_mistake){by_some_blocks, 0, 0, 0},
                        "in[256] to in[511] are not counted, and in[0] to "
                        "in[255] are counted 3 times"));
    CU_ASSERT_TRUE(says((struct histogram_mistake){more_and_more, 0, 0, 0},
                        "counted 2, 3, 4, ... times"));
    CU_ASSERT_TRUE(says((struct histogram_mistake){once, 0, 0, 1},
                        "as they should, whatever the bytes are: each byte is "
                        "counted, but some in the bin of another value"));
    CU_ASSERT_TRUE(says((struct histogram_mistake){once, 9, 60, 0},
                        "the bins have 61 too many, the same ones whatever"));
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"the terms of a window", window_terms},
        {"the terms of a layer", layer_terms},
        {"the terms of a channel", channel_terms},
        {"the terms of a maximum", pool_terms},
        {"the bytes of wrong bins", counted_bytes},
        {"how often bytes are counted", repeated_bytes},
        CU_TEST_INFO_NULL};

    return run_tests("terms of the labs' sums", tests);
}
