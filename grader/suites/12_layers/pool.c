/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: max-pooling, forward and backward. */
#include "suite_12.h"

/* Windows that touch, leave gaps, overlap, hang over an edge, or do not reach
 * it. */
static const struct pool_shape shapes[] = {
    {1, 1, 1, 1, 1, 1, 0},   {1, 1, 2, 2, 2, 2, 0},   {2, 3, 4, 6, 2, 2, 0},
    {2, 1, 5, 7, 2, 2, 0},   {1, 2, 9, 9, 3, 2, 0},   {2, 2, 8, 5, 3, 1, 0},
    {1, 2, 7, 7, 3, 2, 1},   {3, 1, 6, 11, 2, 3, 0},  {1, 3, 10, 4, 4, 2, 2},
    {2, 2, 3, 17, 3, 4, 1},  {1, 1, 16, 16, 16, 1, 0}, {1, 1, 18, 5, 5, 5, 2},
    {4, 5, 14, 14, 2, 2, 0}, {1, 1, 1, 40, 2, 1, 1},  {2, 3, 13, 31, 2, 1, 0}};

/* The winner of one window, as the contract has it. */
static size_t winner_of(const struct pool_shape *s, const float *plane, int p,
                        int q, double *best)
{
    int won = -1;

    for (int r = 0; r < s->size; r++)
        for (int c = 0; c < s->size; c++) {
            const int row = p * s->stride - s->pad + r;
            const int column = q * s->stride - s->pad + c;
            double value;

            if (row < 0 || row >= s->h || column < 0 || column >= s->w)
                continue;
            value = plane[row * s->w + column];
            if (won < 0 || value > *best
                || (isnan(value) && !isnan(*best))) {
                won = r * s->size + c;
                *best = value;
            }
        }
    return (size_t)won;
}

/* A pooling's numbers. */
struct pooled {
    size_t before, after, rows, columns; /* elements; windows down and across */
    double *y, *winner;
};

static struct pooled pool(const struct pool_shape *s, const float *x)
{
    const int rows = POOL_OUT(s->h, s->size, s->stride, s->pad);
    const int columns = POOL_OUT(s->w, s->size, s->stride, s->pad);
    const size_t planes = (size_t)(s->n * s->c), area = (size_t)(s->h * s->w);
    struct pooled made = {.before = planes * area,
                          .after = planes * (size_t)(rows * columns),
                          .rows = (size_t)rows, .columns = (size_t)columns};

    made.y = suite_doubles(made.after);
    made.winner = suite_doubles(made.after);
    for (size_t i = 0; i < made.after; i++) {
        const size_t place = i % (size_t)(rows * columns);
        const float *plane = x + i / (size_t)(rows * columns) * area;

        made.winner[i] = (double)winner_of(
            s, plane, (int)(place / made.columns), (int)(place % made.columns),
            &made.y[i]);
    }
    return made;
}

static void say(const char *what, const struct pool_shape *s)
{
    suite_case("%s, [%d][%d][%d][%d], size %d, stride %d, pad %d", what, s->n,
               s->c, s->h, s->w, s->size, s->stride, s->pad);
}

/* The forward of given numbers.  @return what should come of it */
static struct pooled expect_pool(const struct pool_shape *s, const float *x)
{
    const struct pooled want = pool(s, x);
    const size_t n = (size_t)s->n, c = (size_t)s->c;
    const struct layer_shape shape = {s->n, s->c, (int)want.rows,
                                      (int)want.columns};
    float *y = suite_floats(want.after);
    uint8_t *winner = suite_bytes(want.after);

    expect_success(maxpool_forward(s, x, y, winner));
    layers_expect("y", y, want.y, NULL, &shape);
    expect_elements(&(struct expected){
        .name = "winner", .got = winner, .want = want.winner, .type = UINT8,
        .size = {n, c, want.rows, want.columns}});
    return want;
}

/* Which x a window's winner is. */
static size_t winning_x(const struct pool_shape *s, const struct pooled *pooled,
                        size_t i)
{
    const size_t windows = pooled->rows * pooled->columns;
    const int won = (int)pooled->winner[i], place = (int)(i % windows);
    const int columns = (int)pooled->columns;
    const int row = place / columns * s->stride - s->pad + won / s->size;
    const int column = place % columns * s->stride - s->pad + won % s->size;

    return i / windows * (size_t)(s->h * s->w)
           + (size_t)(row * s->w + column);
}

static void expect_pool_grad(const struct pool_shape *s,
                             const struct pooled *pooled)
{
    const struct layer_shape shape = {s->n, s->c, s->h, s->w};
    float *y_grad = layers_floats(pooled->after, -1, 1);
    float *x_grad = suite_floats(pooled->before);
    uint8_t *winner = suite_bytes(pooled->after);
    double *want = suite_doubles(pooled->before);
    double *slack = suite_doubles(pooled->before);

    for (size_t i = 0; i < pooled->after; i++) {
        const size_t at = winning_x(s, pooled, i);

        winner[i] = (uint8_t)pooled->winner[i];
        want[at] += y_grad[i];
        slack[at] += fabs(y_grad[i]) * 0x1p-23 * s->size * s->size;
    }
    say("maxpool_backward", s);
    expect_success(maxpool_backward(s, winner, y_grad, x_grad));
    layers_expect("x_grad", x_grad, want, slack, &shape);
}

void layers_try_pool(const struct pool_shape *s)
{
    float *x = layers_floats((size_t)(s->n * s->c * s->h * s->w), -5, 5);
    struct pooled pooled;

    say("maxpool_forward", s);
    pooled = expect_pool(s, x);
    expect_pool_grad(s, &pooled);
}

/* Windows beside each other; numbers of either sign. */
void layers_test_pool(void)
{
    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++) {
        const struct pool_shape *s = &shapes[i];

        say("maxpool_forward", s);
        expect_pool(s, layers_floats((size_t)(s->n * s->c * s->h * s->w), -5,
                                     i % 2 ? -4 : 5));
    }
}

/* Few different numbers; infinities; NaNs that hide none of that. */
void layers_test_pool_ties(void)
{
    for (size_t i = 0; i < 2 * COUNT(shapes) && !suite_failed(); i++) {
        const struct pool_shape *s = &shapes[i / 2];
        const size_t n = (size_t)(s->n * s->c * s->h * s->w);
        float *x = suite_floats(n);

        random_whole(x, n, -2, 0);
        for (size_t k = 0; i % 2 && k < n; k++)
            if (x[k] > -2)
                x[k] = random_between(0, 9) ? -INFINITY : NAN;
        say(i % 2 ? "maxpool_forward of -inf and NaN"
                  : "maxpool_forward of equal numbers", s);
        expect_pool(s, x);
    }
}

/* Winners as the forward would leave them. */
void layers_test_pool_grad(void)
{
    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++) {
        const struct pool_shape *s = &shapes[i];
        const struct pooled pooled =
            pool(s, layers_floats((size_t)(s->n * s->c * s->h * s->w), -1, 1));

        expect_pool_grad(s, &pooled);
    }
}
