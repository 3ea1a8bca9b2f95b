/* SPDX-License-Identifier: MIT */
/* A hundred steps compared to PyTorch's, which are in torch.csv beside this
 * file; grader/bench/train-fixture wrote it and documents its format. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "train_tests.h"

enum { IMAGES = 160, BATCH = 8, EPOCHS = 5, STEPS = 100, ROWS = 400 };

/* A row of the file; for a loss `of` is its step. */
static struct row {
    char net[16], what[8], of[24];
    double value, rounding;
} rows[ROWS];
static size_t count;

/* Results of PyTorch; torch.csv says how they were computed. */
static void read_rows(void)
{
    FILE *file = fopen("common/train/tests/torch.csv", "r");
    struct row *to = rows;

    CU_ASSERT_FATAL(file != NULL);
    CU_ASSERT_EQUAL(fscanf(file, "%*[^\n]\n"), 0);
    while (to < rows + ROWS
           && fscanf(file, "%15[^,],%7[^,],%23[^,],%lf,%lf\n", to->net,
                     to->what, to->of, &to->value, &to->rounding) == 5)
        to++;
    count = (size_t)(to - rows);
    fclose(file);
}

/* common/net/nets/NAME.net without dropout, whose random numbers differ. */
static void write_net(const char *name, char path[PATH_BYTES])
{
    char text[1024] = "", line[256], file[80];
    FILE *from;

    snprintf(file, sizeof file, "common/net/nets/%s.net", name);
    from = fopen(file, "r");
    CU_ASSERT_FATAL(from != NULL);
    while (fgets(line, sizeof line, from))
        if (strncmp(line, "dropout", 7) && strncmp(line, "augment", 7))
            strncat(text, line, sizeof text - strlen(text) - 1);
    fclose(from);
    snprintf(file, sizeof file, "%s.net", name);
    scratch_file(path, file, text, strlen(text));
}

/* Train as train-fixture did; `how` are the optimizer's options. */
static struct checkpoint *steps_of(const char *name, const char *how,
                                   int steps, struct network *net)
{
    const struct image_shape in = {1, 28, 28};
    char path[PATH_BYTES], out[PATH_BYTES];
    struct failure why = {""};

    write_net(name, path);
    CU_ASSERT_FATAL(network_read(path, in, CLASSES, net, &why));
    CU_ASSERT_EQUAL_FATAL(
        train("--force "
              "--net %s %s --batch %d --epochs %d --steps %d --look 1 --seed 9 "
              "--device soft %s --out %s", path, small_set(), BATCH, EPOCHS,
              steps, how, scratch_path(out, "torch")), 0);
    return load_state("torch", net);
}

/* A checksum that weights each element differently.  A dense layer's weights
 * are [out][in] in PyTorch, [in][out] here. */
static double checksum(const struct checkpoint *state, const char *array)
{
    for (int i = 0; i < state->net->count; i++) {
        const struct layer *layer = &state->net->layers[i];
        const size_t length = strlen(layer->name);
        const bool bias = !strcmp(array + length, ".bias");
        const size_t all = bias ? layer->biases : layer->weights;
        const size_t out = bias || layer->kind != LAYER_DENSE
                               ? 1
                               : (size_t)layer->out.channels;
        const float *w = state->parameters
                         + (bias ? layer->bias_offset : layer->weight_offset);
        double sum = 0;

        if (strncmp(array, layer->name, length) || array[length] != '.')
            continue;
        for (size_t j = 0; j < all; j++)
            sum += (double)w[j]
                   * cos((double)(j % out * (all / out) + j / out));
        return sum;
    }
    CU_FAIL("the network has no such tensor");
    return NAN;
}

/* The largest error in units of the tolerance: four times the rounding error
 * of PyTorch's own result; a loss is the difference of two sums of an epoch,
 * each a float. */
static double max_error_ratio(const struct checkpoint *state, const char *name,
                              const char *what)
{
    const double sums = 0x1p-24 * 2.4 * IMAGES / BATCH;
    double largest = 0;

    for (size_t i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        const bool loss = !strcmp(what, "loss");
        const size_t step = loss ? (size_t)atoi(row->of) : 1;
        double ours, allowed = 4 * row->rounding + (loss ? sums : 1e-6);

        if (strcmp(row->net, name) || strcmp(row->what, what)
            || step > state->history.points)
            continue;
        ours = loss ? (double)state->history.point[step - 1][POINT_LOSS]
                    : checksum(state, row->of);
        if (!isfinite(ours))
            return INFINITY;
        largest = fmax(largest, fabs(ours - row->value) / allowed);
    }
    return largest;
}

/* First the initial weights, then a hundred steps within PyTorch's own
 * rounding. */
static void hundred_steps(const char *name, const char *how)
{
    static struct network net;
    struct checkpoint *state;
    double losses, ends;

    state = steps_of(name, "--lr 0 --optimizer sgd", 1, &net);
    if (max_error_ratio(state, name, "begin") > 1)
        CU_FAIL("other initial weights: regenerate torch.csv");
    checkpoint_free(state);
    state = steps_of(name, how, 0, &net);
    CU_ASSERT_EQUAL(state->history.points, STEPS);
    losses = max_error_ratio(state, name, "loss");
    ends = max_error_ratio(state, name, "end");
    printf("  of the tolerance: losses %.2f, weights %.2f ", losses, ends);
    CU_ASSERT(losses > 0 && losses < 1);
    CU_ASSERT(ends > 0 && ends < 1);
    checkpoint_free(state);
}

/* With momentum. */
static void mlp(void)
{
    read_rows();
    CU_ASSERT(count > 3 * STEPS && count < ROWS);
    hundred_steps("mlp", "--optimizer momentum --lr 0.01");
}

/* With Nesterov's momentum. */
static void lenet(void)
{
    hundred_steps("lenet", "--optimizer nesterov --lr 0.02");
}

/* With Adam. */
static void cifar_cnn(void)
{
    hundred_steps("cifar-cnn", "--optimizer adam --lr 0.001");
}

/* Near misses: slightly different options exceed the tolerance. */
static void near_misses(void)
{
    static const char *const how[] = {
        "--optimizer nesterov --lr 0.02 --momentum 0.8999",
        "--optimizer nesterov --lr 0.02 --decay 0.00001"};

    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        static struct network net;
        struct checkpoint *state = steps_of("lenet", how[i], 0, &net);

        printf(" %.2g", max_error_ratio(state, "lenet", "loss"));
        CU_ASSERT(max_error_ratio(state, "lenet", "loss") > 2);
        checkpoint_free(state);
    }
}

CU_TestInfo torch_tests[] = {{"a hundred steps of mlp", mlp},
                             {"of lenet", lenet},
                             {"of cifar-cnn", cifar_cnn},
                             {"near misses", near_misses},
                             CU_TEST_INFO_NULL};
