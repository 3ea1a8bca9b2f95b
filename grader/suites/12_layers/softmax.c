/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: softmax, cross-entropy and its gradient. */
#include "suite_12.h"

/* A row in double: the softmax, and what each element is below the largest. */
static double softmax_row(const float *x, size_t n, double *y, double *below)
{
    double most = -INFINITY, sum = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, x[i]);
    for (size_t i = 0; i < n; i++) {
        below[i] = most - x[i];
        sum += y[i] = exp(x[i] - most);
    }
    for (size_t i = 0; i < n; i++)
        y[i] /= sum;
    return log(sum);
}

/* The contract's bound, and the smallest normal float, below which digits are
 * lost. */
static double softmax_slack(double y, double below)
{
    return isfinite(below) ? 0x1p-23 * y * (160 + below) + 0x1p-125 : 0;
}

/* Forward of given rows. */
static void expect_softmax(const float *x, size_t rows, size_t classes)
{
    const size_t n = rows * classes;
    const struct layer_shape shape = {(int)rows, (int)classes, 1, 1};
    double *want = suite_doubles(n), *slack = suite_doubles(n);
    float *y = suite_floats(n);

    for (size_t row = 0; row < rows; row++)
        softmax_row(x + row * classes, classes, want + row * classes,
                    slack + row * classes);
    for (size_t i = 0; i < n; i++)
        slack[i] = softmax_slack(want[i], slack[i]);
    expect_success(softmax_forward(&shape, x, y));
    layers_expect("y", y, want, slack, &shape);
}

void layers_try_softmax(size_t rows, size_t classes)
{
    suite_case("softmax_forward, [%zu][%zu]", rows, classes);
    expect_softmax(layers_floats(rows * classes, -9, 9), rows, classes);
}

/* Rows and classes round a warp's and a block's edges. */
static const size_t sizes[][2] = {
    {1, 1},    {2, 1},   {1, 2},    {3, 10},   {7, 31},   {9, 32},  {8, 33},
    {255, 10}, {257, 4}, {5, 511},  {6, 512},  {3, 513},  {1, 4096}, {2, 4097},
    {1, 5003}, {64, 10}, {33, 100}, {2, 1025}};

void layers_test_softmax(void)
{
    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++)
        layers_try_softmax(sizes[i][0], sizes[i][1]);
}

/* Rows that overflow or vanish unless the largest is taken off first. */
void layers_test_stable(void)
{
    enum { CLASSES = 37 };
    static const float levels[] = {1e4f, -1e4f, 88.7f, -104, 3e38f, 0};
    float *x = suite_floats(CLASSES);

    for (size_t i = 0; i < 3 * COUNT(levels) && !suite_failed(); i++) {
        const float level = levels[i / 3];
        const char *how[] = {"equal", "near", "one far above"};

        for (size_t k = 0; k < CLASSES; k++)
            x[k] = level + (i % 3 == 1 ? (float)random_real(-1, 1) : 0);
        if (i % 3 == 2)
            x[random_between(0, CLASSES - 1)] += 100;
        suite_case("softmax_forward round %g, %s", level, how[i % 3]);
        expect_softmax(x, 1, CLASSES);
    }
    for (size_t k = 0; k < CLASSES; k++)
        x[k] = k % 5 ? -INFINITY : (float)k;
    suite_case("softmax_forward with -inf");
    expect_softmax(x, 1, CLASSES);
}

/* What softmax_loss is to give. */
struct losses {
    double *loss, *loss_slack, *grad, *grad_slack;
};

/* One row of it. */
static void loss_row(const float *x, size_t classes, unsigned label,
                     size_t rows, size_t row, struct losses *want)
{
    double *grad = want->grad + row * classes;
    double *slack = want->grad_slack + row * classes;
    double log_sum = softmax_row(x, classes, grad, slack);
    const bool known = label < classes;
    const double below = known ? slack[label] : 0;

    want->loss[row] = known ? log_sum + below : NAN;
    want->loss_slack[row] = 0x1p-23 * (32 + 4 * log_sum + 4 * below);
    for (size_t i = 0; i < classes; i++) {
        slack[i] = (softmax_slack(grad[i], slack[i])
                    + (i == label) * 0x1p-22) / (double)rows;
        grad[i] = known ? (grad[i] - (i == label)) / (double)rows : NAN;
    }
}

/* Loss and gradient of given rows. */
static void expect_loss(const float *x, const uint8_t *labels, size_t rows,
                        size_t classes)
{
    const size_t n = rows * classes;
    const struct layer_shape shape = {(int)rows, (int)classes, 1, 1};
    struct losses want = {suite_doubles(rows + 1), suite_doubles(rows + 1),
                          suite_doubles(n), suite_doubles(n)};
    float *losses = suite_floats(rows + 1), *x_grad = suite_floats(n);
    double sum = 0, slack = 0;

    for (size_t row = 0; row < rows; row++) {
        loss_row(x + row * classes, classes, labels[row], rows, row, &want);
        sum += want.loss[row];
        slack += want.loss_slack[row]
                 + 0x1p-23 * layers_steps(rows) * want.loss[row];
    }
    want.loss[rows] = rows ? sum / (double)rows : 0;
    want.loss_slack[rows] = rows ? slack / (double)rows : 0;
    expect_success(softmax_loss(&shape, x, labels, losses, x_grad));
    layers_expect_n("losses", losses, want.loss, want.loss_slack, rows + 1);
    layers_expect("x_grad", x_grad, want.grad, want.grad_slack, &shape);
}

/* Labels below `classes`. */
static uint8_t *some_labels(size_t rows, size_t classes)
{
    const int64_t most = classes > 256 ? 255 : (int64_t)classes - 1;
    uint8_t *labels = suite_bytes(rows);

    for (size_t i = 0; i < rows; i++)
        labels[i] = (uint8_t)random_between(0, most);
    return labels;
}

void layers_try_loss(size_t rows, size_t classes)
{
    suite_case("softmax_loss, [%zu][%zu]", rows, classes);
    expect_loss(layers_floats(rows * classes, -9, 9),
                some_labels(rows, classes), rows, classes);
}

/* All sizes; then sure and right, sure and wrong. */
void layers_test_loss(void)
{
    enum { ROWS = 9, CLASSES = 10 };
    float *x = layers_floats(ROWS * CLASSES, -1, 1);
    uint8_t *labels = some_labels(ROWS, CLASSES);

    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++)
        layers_try_loss(sizes[i][0], sizes[i][1]);
    for (size_t row = 0; row < ROWS; row++)
        x[row * CLASSES + labels[row]] += row % 2 ? 90 : -9000;
    suite_case("softmax_loss, rows that are sure");
    expect_loss(x, labels, ROWS, CLASSES);
}

/* No class has that label: seen in the loss, and nothing else is touched. */
void layers_test_labels(void)
{
    static const size_t classes[] = {1, 10, 33, 100, 255};

    for (size_t i = 0; i < COUNT(classes) && !suite_failed(); i++) {
        const size_t rows = 5, c = classes[i];
        uint8_t *labels = some_labels(rows, c);

        labels[1] = (uint8_t)c;
        labels[3] = 255;
        suite_case("softmax_loss, labels %zu and 255 of %zu classes", c, c);
        expect_loss(layers_floats(rows * c, -3, 3), labels, rows, c);
    }
}
