/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: softmax, cross-entropy and its gradient. */
#include <float.h>

#include "mistakes.h"

/* The softmax of a row in double, and each element's distance to the row's
 * maximum.  Returns log(sum(exp(x - max))). */
static double softmax_row(const float *x, size_t n, double *y,
                          double *below_max)
{
    double max_logit = -INFINITY, sum = 0;

    for (size_t i = 0; i < n; i++)
        max_logit = fmax(max_logit, x[i]);
    for (size_t i = 0; i < n; i++) {
        below_max[i] = max_logit - x[i];
        sum += y[i] = exp(x[i] - max_logit);
    }
    for (size_t i = 0; i < n; i++)
        y[i] /= sum;
    return log(sum);
}

/* The contract's error bound, plus one for subnormal results. */
static double softmax_tolerance(double y, double below_max)
{
    return 0x1p-23 * y * (160 + below_max) + 0x1p-125;
}

/* Checks the forward pass of given rows. */
static void check_softmax(const float *x, size_t rows, size_t classes)
{
    const size_t n = rows * classes;
    const struct layer_shape shape = {(int)rows, (int)classes, 1, 1};
    const struct softmax_inputs inputs = {x, rows, classes};
    double *want = suite_doubles(n), *tolerance = suite_doubles(n);
    float *y = suite_floats(n);

    for (size_t row = 0; row < rows; row++)
        softmax_row(x + row * classes, classes, want + row * classes,
                    tolerance + row * classes);
    for (size_t i = 0; i < n; i++)
        tolerance[i] = softmax_tolerance(want[i], tolerance[i]);
    expect_success(softmax_forward(&shape, x, y));
    suite_mistakes(layers_softmax_mistakes, &inputs);
    layers_compare("y", y, want, tolerance, &shape);
    suite_mistakes(NULL, NULL);
}

void layers_check_softmax(size_t rows, size_t classes)
{
    suite_case("softmax_forward, [%zu][%zu]", rows, classes);
    check_softmax(layers_random_floats(rows * classes, -9, 9), rows, classes);
}

/* Numbers of rows and classes around the sizes of warps and blocks. */
static const size_t sizes[][2] = {
    {1, 1},    {2, 1},   {1, 2},    {3, 10},   {7, 31},   {9, 32},  {8, 33},
    {255, 10}, {257, 4}, {5, 511},  {6, 512},  {3, 513},  {1, 4096}, {2, 4097},
    {1, 5003}, {64, 10}, {33, 100}, {2, 1025}};

void layers_test_softmax(void)
{
    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++)
        layers_check_softmax(sizes[i][0], sizes[i][1]);
}

/* Rows whose exponentials overflow or underflow unless the maximum is
 * subtracted first; all elements are finite, as the contract says. */
void layers_test_stable(void)
{
    enum { CLASSES = 37 };
    static const float offsets[] = {1e4f,  -1e4f,  88.7f, -104,
                                    3e38f, -3e38f, 0};
    float *x = suite_floats(CLASSES);

    for (size_t i = 0; i < 3 * COUNT(offsets) && !suite_failed(); i++) {
        const float offset = offsets[i / 3];
        const char *how[] = {"equal", "near", "one far above"};

        for (size_t k = 0; k < CLASSES; k++)
            x[k] = offset + (i % 3 == 1 ? (float)random_uniform(-1, 1) : 0);
        if (i % 3 == 2)
            x[random_int(0, CLASSES - 1)] += 100;
        suite_case("softmax_forward round %g, %s", offset, how[i % 3]);
        check_softmax(x, 1, CLASSES);
    }
    for (size_t k = 0; k < CLASSES; k++)
        x[k] = k % 5 ? -FLT_MAX : (float)k;
    suite_case("softmax_forward with -FLT_MAX");
    check_softmax(x, 1, CLASSES);
}

/* The reference of softmax_cross_entropy(). */
struct losses {
    double *loss, *loss_tolerance, *grad, *grad_tolerance;
};

/* The reference of one row. */
static void loss_row(const float *x, size_t classes, unsigned label,
                     size_t rows, size_t row, struct losses *want)
{
    double *grad = want->grad + row * classes;
    double *tolerance = want->grad_tolerance + row * classes;
    double log_sum = softmax_row(x, classes, grad, tolerance);
    const bool is_valid = label < classes;
    const double below_max = is_valid ? tolerance[label] : 0;
    double largest = 0;

    want->loss[row] = is_valid ? log_sum + below_max : NAN;
    for (size_t i = 0; i < classes; i++)
        largest = fmax(largest, fabs(x[i]));
    /* log(sum) + max - x[label] is a sum of large numbers */
    want->loss_tolerance[row] = 0x1p-23 * (32 + 4 * log_sum + 4 * below_max)
                                + 0x1p-22 * largest;
    for (size_t i = 0; i < classes; i++) {
        tolerance[i] = (softmax_tolerance(grad[i], tolerance[i])
                        + (i == label) * 0x1p-22) / (double)rows;
        grad[i] = is_valid ? (grad[i] - (i == label)) / (double)rows : NAN;
    }
}

/* Checks loss and gradient of given rows. */
static void check_loss(const float *x, const uint8_t *labels, size_t rows,
                       size_t classes)
{
    const size_t n = rows * classes;
    const struct layer_shape shape = {(int)rows, (int)classes, 1, 1};
    struct loss_inputs inputs = {x, labels, rows, classes, NULL, NULL};
    struct losses want = {suite_doubles(rows + 1), suite_doubles(rows + 1),
                          suite_doubles(n), suite_doubles(n)};
    float *losses = suite_floats(rows + 1), *x_grad = suite_floats(n);
    double sum = 0, tolerance = 0;

    for (size_t row = 0; row < rows; row++) {
        loss_row(x + row * classes, classes, labels[row], rows, row, &want);
        sum += want.loss[row];
        tolerance += want.loss_tolerance[row]
                 + 0x1p-23 * layers_rounding_steps(rows) * want.loss[row];
    }
    want.loss[rows] = rows ? sum / (double)rows : 0;
    want.loss_tolerance[rows] = rows ? tolerance / (double)rows : 0;
    suite_misalign("d_labels", 1); /* a pointer to bytes may have any
                                      alignment */
    expect_success(softmax_cross_entropy(&shape, x, labels, losses, x_grad));
    inputs.x_grad = want.grad;
    layers_keep_losses(&inputs, sum);
    suite_mistakes(layers_loss_mistakes, &inputs);
    layers_compare_n("losses", losses, want.loss, want.loss_tolerance,
                     rows + 1);
    suite_mistakes(layers_loss_grad_mistakes, &inputs);
    layers_compare("x_grad", x_grad, want.grad, want.grad_tolerance, &shape);
    suite_mistakes(NULL, NULL);
}

/* Random labels below `classes`. */
static uint8_t *random_labels(size_t rows, size_t classes)
{
    const int64_t max_logit = classes > 256 ? 255 : (int64_t)classes - 1;
    uint8_t *labels = suite_bytes(rows);

    for (size_t i = 0; i < rows; i++)
        labels[i] = (uint8_t)random_int(0, max_logit);
    return labels;
}

void layers_check_loss(size_t rows, size_t classes)
{
    suite_case("softmax_cross_entropy, [%zu][%zu]", rows, classes);
    check_loss(layers_random_floats(rows * classes, -9, 9),
               random_labels(rows, classes), rows, classes);
}

/* Rows whose logits are all far above or all far below 0. */
static void check_far_losses(void)
{
    enum { ROWS = 3, CLASSES = 10 };
    static const float offsets[] = {1e4f, -200, -1e4f};

    for (size_t i = 0; i < COUNT(offsets) && !suite_failed(); i++) {
        float *x = layers_random_floats(ROWS * CLASSES, -1, 1);

        for (size_t k = 0; k < ROWS * CLASSES; k++)
            x[k] += offsets[i];
        suite_case("softmax_cross_entropy, all logits near %g", offsets[i]);
        check_loss(x, random_labels(ROWS, CLASSES), ROWS, CLASSES);
        if (suite_failed())
            suite_hint(offsets[i] > 0
                           ? "Subtract the maximum of a row before exp()."
                           : "The maximum of a row whose logits are all below "
                             "0 is below 0: start its search at -INFINITY or "
                             "at the first logit.");
    }
}

/* All sizes; then rows with a probability near 1 for the right or a wrong
 * class. */
void layers_test_loss(void)
{
    enum { ROWS = 9, CLASSES = 10 };
    float *x = layers_random_floats(ROWS * CLASSES, -1, 1);
    uint8_t *labels = random_labels(ROWS, CLASSES);

    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++)
        layers_check_loss(sizes[i][0], sizes[i][1]);
    for (size_t row = 0; row < ROWS; row++)
        x[row * CLASSES + labels[row]] += row % 2 ? 90 : -9000;
    suite_case("softmax_cross_entropy, rows that are sure");
    check_loss(x, labels, ROWS, CLASSES);
    check_far_losses();
}

/* A label that is no class gives a NaN loss, and no access out of bounds. */
void layers_test_labels(void)
{
    static const size_t classes[] = {1, 10, 33, 100, 255};

    for (size_t i = 0; i < COUNT(classes) && !suite_failed(); i++) {
        const size_t rows = 5, c = classes[i];
        uint8_t *labels = random_labels(rows, c);

        labels[1] = (uint8_t)c;
        labels[3] = 255;
        suite_case("softmax_cross_entropy, labels %zu and 255 of %zu classes",
                   c, c);
        check_loss(layers_random_floats(rows * c, -3, 3), labels, rows, c);
    }
}
