/* SPDX-License-Identifier: MIT */
/* `train attack` and `train find-lr` beside the reference in double, which
 * differentiates batch normalization as it is when the network predicts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/image.h"
#include "common/data/loader.h"
#include "common/net/reference.h"
#include "train_tests.h"

enum { SIDE = 28, PIXELS = SIDE * SIDE, TESTED = 10, SHOWN = 8, EPSILONS = 6,
       BATCH = 16 };

/* Batch normalization of the image's sum, of a convolution and of a dense
 * layer; the second dropout layer is named in a sum. */
static const char network[] =
    "conv 1 3x3 pad 1\nadd input\nbatchnorm\ndropout 0.2\n"
    "conv 4 5x5 stride 3 pad 1\nbatchnorm\ndropout 0.1\nrelu\nconv 4 1x1\n"
    "add dropout2\nrelu\nmaxpool 2\ndense 12\nbatchnorm\nrelu\ndense\n"
    "train momentum rate 0.02 momentum 0.9 batch 16 epochs 6\n";

/* A trained network and its test images. */
struct attacked {
    struct network net;
    struct checkpoint *state;
    struct dataset set;
    struct reference *reference;
};

static void open_attacked(struct attacked *x, const char *folder)
{
    const struct image_shape in = {1, SIDE, SIDE};
    struct failure why = {""};
    char data[PATH_BYTES];

    CU_ASSERT_FATAL(network_parse(network, "norms.net", in, CLASSES, &x->net,
                                  &why));
    x->state = load_state(folder, &x->net);
    CU_ASSERT_FATAL(dataset_read(
        &(struct dataset_source){.name = "npy",
                                 .folder = scratch_path(data, "")},
        DATASET_TEST, &x->set, &why));
    CU_ASSERT_EQUAL_FATAL(x->set.count, TESTED);
    x->reference = reference_make(&x->net, 1, x->state->parameters);
    CU_ASSERT_FATAL(x->reference != NULL);
    x->reference->running = x->state->running;
}

static void close_attacked(struct attacked *x)
{
    reference_free(x->reference);
    dataset_free(&x->set);
    checkpoint_free(x->state);
}

/* Is the image classified right, with these pixels from 0 to 1? */
static bool is_right(const struct attacked *x, const double *pixels,
                     unsigned char label)
{
    const double *out = x->reference->out[x->net.count - 1];
    double image[PIXELS];
    int best = 0;

    for (int k = 0; k < PIXELS; k++)
        image[k] = (pixels[k] - (double)*x->state->mean)
                   / (double)*x->state->std;
    reference_backward(x->reference, image, &label, 1);
    for (int j = 1; j < CLASSES; j++)
        if (out[j] > out[best]) best = j;
    return best == label;
}

/* Each pixel of the picture's row of changes goes where the gradient's sign
 * says, unless that gradient is a rounding error. */
static void check_changes(const struct image *sheet, int n,
                          const double *pixels, const double *gradient)
{
    const int gap = 4, scale = 3, cell = SIDE * scale + gap;
    double largest = 0;
    int wrong = 0;

    for (int k = 0; k < PIXELS; k++) largest = fmax(largest, fabs(gradient[k]));
    CU_ASSERT(largest > 0);
    for (int k = 0; k < PIXELS; k++) {
        const int y = gap + cell + k / SIDE * scale + 1;
        const int x = gap + n * cell + k % SIDE * scale + 1;
        const double sign = (gradient[k] > 0) - (gradient[k] < 0);
        const double moved = fmin(fmax(pixels[k] + 0.1 * sign, 0), 1);
        const double value = 255 * (0.5 + (moved - pixels[k]) / 2) + 0.5;

        wrong += fabs(gradient[k]) > 1e-4 * largest
                 && fabs(sheet->data[y * sheet->width + x] - floor(value)) > 1;
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* The table of accuracies and the picture are those of the reference. */
static void compare(struct attacked *x, const char *picture)
{
    static const double epsilons[EPSILONS] = {0, 0.01, 0.02, 0.05, 0.1, 0.2};
    int right[EPSILONS] = {0};
    double pixels[PIXELS], moved[PIXELS], gradient[PIXELS];
    struct image sheet;
    char row[80];

    CU_ASSERT_FATAL(image_read(picture, &sheet, NULL));
    for (int n = 0; n < TESTED; n++) {
        for (int k = 0; k < PIXELS; k++)
            pixels[k] = x->set.pixels[n * PIXELS + k] / 255.0;
        is_right(x, pixels, x->set.labels[n]);
        memcpy(gradient, x->reference->image_grad, sizeof gradient);
        if (n < SHOWN)
            check_changes(&sheet, n, pixels, gradient);
        for (int e = 0; e < EPSILONS; e++) {
            for (int k = 0; k < PIXELS; k++)
                moved[k] = fmin(fmax(pixels[k] + epsilons[e]
                                         * ((gradient[k] > 0)
                                            - (gradient[k] < 0)), 0), 1);
            right[e] += is_right(x, moved, x->set.labels[n]);
        }
    }
    image_free(&sheet);
    CU_ASSERT(right[0] > right[EPSILONS - 1]);
    for (int e = 0; e < EPSILONS; e++) {
        snprintf(row, sizeof row, "%7g  %6.2f %%\n", epsilons[e],
                 100.0 * right[e] / TESTED);
        CU_ASSERT(log_contains(row));
    }
}

/* Normalization in front of, between and behind weights, dropout and sums with
 * the image: by the fused kernels and through cuDNN. */
static void attacks_normalized(void)
{
    static const char *const kernels[] = {"solutions", "cudnn"};
    char out[PATH_BYTES], model[PATH_BYTES], picture[PATH_BYTES];
    static struct attacked x;

    scratch_file(model, "norms.net", network, sizeof network - 1);
    CU_ASSERT_EQUAL(train("--force --net %s %s --device soft --out %s", model,
                          small_set(), scratch_path(out, "norms")), 0);
    scratch_path(model, "norms/checkpoint.safetensors");
    scratch_path(picture, "norms.png");
    open_attacked(&x, "norms");
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(train("attack %s %s --kernels %s --device soft --force",
                              model, picture, kernels[i]), 0);
        compare(&x, picture);
    }
    close_attacked(&x);
}

/* Open a new training of the small set, in double. */
static struct reference *begin(struct network *net, struct dataset *set,
                               struct loader **loader)
{
    static const char text[] = "dense 20\nrelu\nbatchnorm\ndense\n"
                               "train nesterov momentum 0.8 decay 0.001\n";
    const struct image_shape in = {1, SIDE, SIDE};
    struct loader_options how = {.batch = BATCH, .keep_last = true,
                                 .shuffle = true, .seed = 3, .prefetch = 1};
    struct failure why = {""};
    char data[PATH_BYTES], path[PATH_BYTES];
    struct reference *reference;
    float *first;

    scratch_file(path, "rates.net", text, sizeof text - 1);
    CU_ASSERT_FATAL(network_parse(text, "rates.net", in, CLASSES, net, &why));
    CU_ASSERT_FATAL(dataset_read(
        &(struct dataset_source){.name = "npy",
                                 .folder = scratch_path(data, "")},
        DATASET_TRAIN, set, &why));
    dataset_statistics(set, how.augment.mean, how.augment.std);
    first = malloc(net->parameters * sizeof *first);
    network_initialize(net, first, how.seed);
    reference = reference_make(net, BATCH, first);
    free(first);
    *loader = loader_open(set, &how, 0, 0, &why);
    CU_ASSERT_FATAL(*loader && reference);
    return reference;
}

/* The loss of a step at this rate, in double. */
static double step(struct reference *reference, struct loader *loader,
                   double rate)
{
    const struct batch *batch = loader_next(loader);
    static double images[BATCH * PIXELS];
    double loss;

    for (size_t k = 0; k < batch->count * PIXELS; k++)
        images[k] = (double)batch->images[k];
    loss = reference_backward(reference, images, batch->labels,
                              (int)batch->count);
    reference_optimizer_step(reference, rate);
    return loss;
}

/* Rates from 1e-6 on, the hundredth is 10; each row is the running mean of the
 * losses before the step, 0.9 of it old, divided by its sum of weights. */
static void finds_reference_losses(void)
{
    char out[PATH_BYTES], path[PATH_BYTES];
    struct reference *reference;
    static struct network net;
    double rate, loss, mean = 0, wrong = 0;
    struct loader *loader;
    struct dataset set;
    FILE *table;
    int rows = 0;

    reference = begin(&net, &set, &loader);
    CU_ASSERT_EQUAL(train("find-lr --net %s %s --batch 16 --seed 3 --device "
                          "soft --out %s", scratch_path(path, "rates.net"),
                          small_set(), scratch_path(out, "rates")), 0);
    table = fopen(scratch_path(path, "rates/find_lr.csv"), "r");
    CU_ASSERT_FATAL(table && fscanf(table, "lr,loss\n") == 0);
    for (; fscanf(table, "%lf,%lf\n", &rate, &loss) == 2; rows++) {
        const double right = 1e-6 * pow(1e7, rows / 99.0);

        mean = 0.9 * mean + 0.1 * step(reference, loader, right);
        wrong = fmax(wrong, fabs(rate / right - 1));
        wrong = fmax(wrong, fabs(loss * (1 - pow(0.9, rows + 1)) / mean - 1));
    }
    fclose(table);
    CU_ASSERT(rows > 50);
    CU_ASSERT(wrong < 1e-4);
    if (wrong >= 1e-4)
        fprintf(stderr, "%d rows, off by %g\n", rows, wrong);
    loader_close(loader);
    reference_free(reference);
    dataset_free(&set);
}

/* Noise of the same size hurts less than the gradient's sign; here it is enough
 * that a network that knows its images by heart forgets them. */
static void attacks(void)
{
    char out[PATH_BYTES], model[PATH_BYTES], picture[PATH_BYTES];

    CU_ASSERT_EQUAL(train("--force --net softmax %s --limit 40 --batch 8 "
                          "--lr 0.05 --epochs 40 --device soft --out %s",
                          small_set(), scratch_path(out, "heart")), 0);
    scratch_path(model, "heart/checkpoint.safetensors");
    scratch_path(picture, "attack.png");
    CU_ASSERT_EQUAL(train("attack %s %s --device soft", model, picture), 0);
    CU_ASSERT(log_contains("      0  100.00 %\n"));
    CU_ASSERT(log_contains("    0.2    0.00 %\n"));
    CU_ASSERT(file_size(picture) > 1000);
    /* A picture that exists may be one that was meant to be read. */
    scratch_file(picture, "mine.png", "mine", 4);
    CU_ASSERT_EQUAL(train("attack %s %s --device soft", model, picture), 3);
    CU_ASSERT(log_contains("mine.png: exists; --force writes over it"));
    CU_ASSERT_EQUAL(file_size(picture), 4);
    CU_ASSERT_EQUAL(train("attack %s %s --device soft --force", model,
                          picture), 0);
    CU_ASSERT(file_size(picture) > 1000);
}

CU_TestInfo attack_tests[] = {{"attacks normalized networks",
                               attacks_normalized},
                              {"attacks", attacks},
                              {"finds the reference's losses",
                               finds_reference_losses},
                              CU_TEST_INFO_NULL};
