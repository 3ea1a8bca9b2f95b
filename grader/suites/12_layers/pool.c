/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: max-pooling, forward and backward. */
#include "mistakes.h"
#include "response.h"

/* Windows that are adjacent, leave gaps, overlap, extend into the padding, or
 * do not reach the last row. */
static const struct pool_shape shapes[] = {
    {1, 1, 1, 1, 1, 1, 0},   {1, 1, 2, 2, 2, 2, 0},   {2, 3, 4, 6, 2, 2, 0},
    {2, 1, 5, 7, 2, 2, 0},   {1, 2, 9, 9, 3, 2, 0},   {2, 2, 8, 5, 3, 1, 0},
    {1, 2, 7, 7, 3, 2, 1},   {3, 1, 6, 11, 2, 3, 0},  {1, 3, 10, 4, 4, 2, 2},
    {2, 2, 3, 17, 3, 4, 1},  {1, 1, 16, 16, 16, 1, 0}, {1, 1, 18, 5, 5, 5, 2},
    {4, 5, 14, 14, 2, 2, 0}, {1, 1, 1, 40, 2, 1, 1},  {2, 3, 13, 31, 2, 1, 0}};

/* The index of a window's maximum by the contract: the first one, NaN before
 * all others. */
static size_t window_argmax(const struct pool_shape *s, const float *plane,
                            int p, int q, double *maximum)
{
    int argmax = -1;

    for (int r = 0; r < s->size; r++)
        for (int c = 0; c < s->size; c++) {
            const int row = p * s->stride - s->pad + r;
            const int column = q * s->stride - s->pad + c;
            double value;

            if (row < 0 || row >= s->h || column < 0 || column >= s->w)
                continue;
            value = plane[row * s->w + column];
            if (argmax < 0 || value > *maximum
                || (isnan(value) && !isnan(*maximum))) {
                argmax = r * s->size + c;
                *maximum = value;
            }
        }
    return (size_t)argmax;
}

/* Sizes and expected results of a max-pooling. */
struct pool_reference {
    size_t in_count, out_count, rows,
        columns; /* elements of x and y; rows and columns of windows */
    double *y, *argmax;
};

static struct pool_reference create_pool_reference(const struct pool_shape *s,
                                                   const float *x)
{
    const int rows = POOL_OUTPUT_SIZE(s->h, s->size, s->stride, s->pad);
    const int columns = POOL_OUTPUT_SIZE(s->w, s->size, s->stride, s->pad);
    const size_t planes = (size_t)(s->n * s->c), area = (size_t)(s->h * s->w);
    struct pool_reference reference = {.in_count = planes * area,
                          .out_count = planes * (size_t)(rows * columns),
                          .rows = (size_t)rows, .columns = (size_t)columns};

    reference.y = suite_doubles(reference.out_count);
    reference.argmax = suite_doubles(reference.out_count);
    for (size_t i = 0; i < reference.out_count; i++) {
        const size_t window_index = i % (size_t)(rows * columns);
        const float *plane = x + i / (size_t)(rows * columns) * area;

        reference.argmax[i] = (double)window_argmax(
            s, plane, (int)(window_index / reference.columns),
            (int)(window_index % reference.columns), &reference.y[i]);
    }
    return reference;
}

static void name_case(const char *what, const struct pool_shape *s)
{
    suite_case("%s, [%d][%d][%d][%d], size %d, stride %d, pad %d", what, s->n,
               s->c, s->h, s->w, s->size, s->stride, s->pad);
}

/* Checks the forward pass.  Returns the reference. */
static struct pool_reference check_forward(const struct pool_shape *s,
                                           const float *x)
{
    const struct pool_reference want = create_pool_reference(s, x);
    const size_t n = (size_t)s->n, c = (size_t)s->c;
    const struct layer_shape shape = {s->n, s->c, (int)want.rows,
                                      (int)want.columns};
    const struct pool_inputs inputs = {s, x, want.rows, want.columns};
    float *y = suite_floats(want.out_count);
    uint8_t *argmax = suite_bytes(want.out_count);

    expect_success(maxpool_forward(s, x, y, argmax));
    suite_mistakes(layers_pool_mistakes, &inputs);
    layers_compare("y", y, want.y, NULL, &shape);
    suite_mistakes(NULL, NULL);
    expect_elements(&(struct expected){
        .name = "argmax", .got = argmax, .want = want.argmax, .type = UINT8,
        .size = {n, c, want.rows, want.columns},
        .mistakes = layers_argmax_mistakes, .context = &inputs});
    return want;
}

/* The index in x of a window's maximum. */
static size_t input_index(const struct pool_shape *s,
                          const struct pool_reference *pool_reference,
                          size_t i)
{
    const size_t windows = pool_reference->rows * pool_reference->columns;
    const int argmax = (int)pool_reference->argmax[i],
              window_index = (int)(i % windows);
    const int columns = (int)pool_reference->columns;
    const int row =
        window_index / columns * s->stride - s->pad + argmax / s->size;
    const int column =
        window_index % columns * s->stride - s->pad + argmax % s->size;

    return i / windows * (size_t)(s->h * s->w)
           + (size_t)(row * s->w + column);
}

static void check_backward(const struct pool_shape *s,
                           const struct pool_reference *pool_reference)
{
    const struct layer_shape shape = {s->n, s->c, s->h, s->w};
    float *y_grad = layers_random_floats(pool_reference->out_count, -1, 1);
    float *x_grad = suite_floats(pool_reference->in_count);
    uint8_t *argmax = suite_bytes(pool_reference->out_count);
    double *want = suite_doubles(pool_reference->in_count);
    double *tolerance = suite_doubles(pool_reference->in_count);
    size_t *index = (size_t *)(void *)suite_doubles(pool_reference->out_count);
    struct pool_grad_inputs inputs;
    struct response response;

    for (size_t i = 0; i < pool_reference->out_count; i++) {
        const size_t at = input_index(s, pool_reference, i);

        index[i] = at;
        argmax[i] = (uint8_t)pool_reference->argmax[i];
        want[at] += y_grad[i];
        tolerance[at] += fabs(y_grad[i]) * 0x1p-23 * s->size * s->size;
    }
    name_case("maxpool_backward", s);
    expect_success(maxpool_backward(s, argmax, y_grad, x_grad));
    inputs = (struct pool_grad_inputs){
        s, y_grad, index, pool_reference->argmax, pool_reference->rows,
        pool_reference->columns, pool_reference->out_count};
    response = layers_pool_grad_response(&inputs);
    suite_mistakes(layers_pool_grad_mistakes, &inputs);
    suite_response(&response);
    layers_compare("x_grad", x_grad, want, tolerance, &shape);
    suite_response(NULL);
    suite_mistakes(NULL, NULL);
}

void layers_check_pool(const struct pool_shape *s)
{
    float *x = layers_random_floats((size_t)(s->n * s->c * s->h * s->w), -5, 5);
    struct pool_reference pool_reference;

    name_case("maxpool_forward", s);
    pool_reference = check_forward(s, x);
    check_backward(s, &pool_reference);
}

/* All shapes, values of both signs or negative ones only. */
void layers_test_pool(void)
{
    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++) {
        const struct pool_shape *s = &shapes[i];

        name_case("maxpool_forward", s);
        check_forward(s,
                      layers_random_floats((size_t)(s->n * s->c * s->h * s->w),
                                           -5, i % 2 ? -4 : 5));
    }
}

/* Many equal values; then -infinity and NaN.  The large shapes are first: what
 * is wrong is better told from many windows. */
void layers_test_pool_ties(void)
{
    for (size_t i = 0; i < 2 * COUNT(shapes) && !suite_failed(); i++) {
        const struct pool_shape *s = &shapes[COUNT(shapes) - 1
                                             - i % COUNT(shapes)];
        const bool is_special = i >= COUNT(shapes);
        const size_t n = (size_t)(s->n * s->c * s->h * s->w);
        float *x = suite_floats(n);

        random_integral(x, n, -2, 0);
        for (size_t k = 0; is_special && k < n; k++)
            if (x[k] > -2)
                x[k] = random_int(0, 9) ? -INFINITY : NAN;
        name_case(is_special ? "maxpool_forward of -inf and NaN"
                  : "maxpool_forward of equal numbers", s);
        check_forward(s, x);
    }
}

/* The backward pass with the reference's argmax. */
void layers_test_pool_grad(void)
{
    enum { FIRST = 2 }; /* one whose elements tell why they are wrong */

    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++) {
        const struct pool_shape *s = &shapes[(i + FIRST) % COUNT(shapes)];
        const struct pool_reference pool_reference = create_pool_reference(
            s,
            layers_random_floats((size_t)(s->n * s->c * s->h * s->w), -1, 1));

        check_backward(s, &pool_reference);
    }
}
