/* SPDX-License-Identifier: MIT */
/* One step of the trainer, and a hundred, compared to the reference in double.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/data/loader.h"
#include "common/net/reference.h"
#include "train_tests.h"

/* A network with every kind of layer except dropout, which is random. */
static const char mixed_network[] =
    "batchnorm\nconv 5 5x4 stride 2 pad 1\nbatchnorm\n"
    "relu\nmaxpool 3 stride 2\nconv 9 3x3 pad 2\n"
    "relu\nmaxpool 2\ndense 11\nrelu\ndense\n"
    "train sgd rate 0.1 momentum 0.9\n";

/* Residual blocks, whose sums read outputs that kernels would otherwise fuse
 * with the next layer: of a convolution before ReLU, of ReLU before pooling, of
 * pooling, of the image. */
static const char residual_network[] =
    "conv 1 3x3 pad 1\nadd input\nconv 4 3x3 pad 1\nrelu\nmaxpool 2\n"
    "conv 4 3x3 pad 1\nadd maxpool1\nrelu\nconv 4 3x3 pad 1\nbatchnorm\n"
    "add relu2\nconv 4 3x3 pad 1\nrelu\nadd conv5\nadd relu3\navgpool 3 "
    "stride 2\nconv 4 1x1\nrelu\nmaxpool 2 stride 2\nadd maxpool2\n"
    "conv 4 1x1\nadd maxpool2\nglobalpool\ndense\n"
    "train sgd rate 0.1 momentum 0.9\n";

/* The same steps in double precision, with the same batches. */
static struct reference *reference_steps(struct network *net, size_t limit,
                                         int batch, int steps, double *losses)
{
    const struct image_shape in = {1, 28, 28};
    struct loader_options how = {.batch = (size_t)batch, .keep_last = true,
                                 .shuffle = true, .seed = 7, .prefetch = 1};
    struct dataset set;
    struct failure why = {""};
    float *first = malloc(net->parameters * sizeof *first);
    double *images =
        malloc((size_t)batch * shape_elements(&in) * sizeof *images);
    struct reference *x;
    struct loader *loader;

    char folder[PATH_BYTES];

    CU_ASSERT_FATAL(dataset_read(
        &(struct dataset_source){.name = "npy",
                                 .folder = scratch_path(folder, "")},
        DATASET_TRAIN, &set, &why));
    dataset_truncate(&set, limit);
    dataset_statistics(&set, how.augment.mean, how.augment.std);
    network_initialize(net, first, 7);
    x = reference_make(net, batch, first);
    loader = loader_open(&set, &how, 0, 0, &why);
    CU_ASSERT_FATAL(x && loader && images);
    for (int i = 0; i < steps; i++) {
        const struct batch *now = loader_next(loader);

        for (size_t j = 0; j < now->count * shape_elements(&in); j++)
            images[j] = (double)now->images[j];
        losses[now->epoch] +=
            reference_backward(x, images, now->labels, (int)now->count)
            * (double)now->count / (double)limit;
        reference_optimizer_step(x, (double)net->training.learning_rate);
    }
    loader_close(loader);
    dataset_free(&set);
    free(first);
    free(images);
    return x;
}

/* A network whose sizes are no multiples of anything. */
static void read_odd_network(const char *text, struct network *net,
                             char path[PATH_BYTES])
{
    const struct image_shape in = {1, 28, 28};
    struct failure why = {""};

    scratch_file(path, "odd.net", text, strlen(text));
    CU_ASSERT_FATAL(network_read(path, in, CLASSES, net, &why));
}

/* With SGD and learning rate 1 the change of the parameters is the gradient. */
static void check_step_of(const char *text, const char *kernels)
{
    static struct network net;
    char path[PATH_BYTES], out[PATH_BYTES];
    double loss[1] = {0}, worst = 0, largest = 0;
    struct reference *x;
    struct checkpoint *state;

    read_odd_network(text, &net, path);
    net.training.learning_rate = 1;
    CU_ASSERT_EQUAL_FATAL(
        train("--force "
              "--net %s %s --limit 16 --batch 16 --steps 1 --lr 1 --seed 7 "
              "--kernels %s --device soft --out %s", path, small_set(),
              kernels, scratch_path(out, "one")), 0);
    x = reference_steps(&net, 16, 16, 1, loss);
    state = load_state("one", &net);
    for (size_t i = 0; i < net.parameters; i++) {
        largest = fmax(largest, fabs(x->gradients[i]));
        worst = fmax(worst, fabs(x->parameters[i]
                                 - (double)state->parameters[i]));
    }
    CU_ASSERT(largest > 0.01 && worst < 1e-5 * fmax(largest, 1));
    printf("  %s: off by %.2g of %.2g ", kernels, worst, largest);
    reference_free(x);
    checkpoint_free(state);
}

void check_one_step(const char *kernels)
{
    check_step_of(mixed_network, kernels);
}

/* The reference's kernels. */
static void step_is_right(void)
{
    check_one_step("solutions");
}

/* Residual connections, for which a learner's kernels have no part. */
static void residual_blocks(void)
{
    char path[PATH_BYTES], out[PATH_BYTES];

    check_step_of(residual_network, "solutions");
    check_step_of(residual_network, "cudnn");
    scratch_file(path, "odd.net", residual_network,
                 sizeof residual_network - 1);
    CU_ASSERT_EQUAL(train("--force --net %s %s --kernels labs --device soft "
                          "--out %s", path, small_set(),
                          scratch_path(out, "one")), 3);
    CU_ASSERT(log_contains("--kernels labs: has no add1; solutions and cudnn"));
}

/* cuDNN's and cuBLAS's kernels. */
static void library_is_right(void)
{
    check_one_step("cudnn");
}

/* A hundred steps with several optimizers: the losses stay close. */
static void hundred_steps(void)
{
    static struct network net;
    char path[PATH_BYTES], out[PATH_BYTES];

    read_odd_network(mixed_network, &net, path);
    for (int how = OPTIMIZER_MOMENTUM; how <= OPTIMIZER_ADAMW; how += 2) {
        const double learning_rate = how == OPTIMIZER_MOMENTUM ? 0.02 : 0.002;
        double losses[10] = {0};
        struct reference *x;
        struct checkpoint *state;

        net.training.optimizer = (enum optimizer)how;
        net.training.learning_rate = (float)learning_rate;
        net.training.weight_decay = 0.01f;
        net.training.max_grad_norm = 0.5f;
        CU_ASSERT_EQUAL_FATAL(
            train("--force "
                  "--net %s %s --limit 80 --batch 8 --epochs 10 --lr %g --seed "
                  "7 --optimizer %s --decay 0.01 --clip 0.5 --device soft "
                  "--out %s", path, small_set(), learning_rate,
                  optimizer_name((enum optimizer)how),
                  scratch_path(out, "hundred")), 0);
        x = reference_steps(&net, 80, 8, 100, losses);
        state = load_state("hundred", &net);
        CU_ASSERT_EQUAL(state->history.count, 10);
        for (int i = 0; i < 10; i++)
            CU_ASSERT(fabs(losses[i]
                           - (double)state->history.row[i][EPOCH_LOSS])
                      < 1e-3 * losses[0]);
        CU_ASSERT(losses[9] < 0.9 * losses[0]);
        reference_free(x);
        checkpoint_free(state);
    }
}

/* Dropout and a dense layer, one image, one step with learning rate 1: the
 * change is the gradient.  A dropped input has gradient 0; that of the others
 * is twice the input times the bias's gradient. */
void check_dropout(const char *kernels)
{
    static const char text[] = "dropout 0.5\ndense\ntrain sgd rate 1\n";
    const struct image_shape in = {1, 28, 28};
    static struct network net;
    char path[PATH_BYTES], out[PATH_BYTES], folder[PATH_BYTES];
    struct failure why = {""};
    float first[7850];
    double off = 0;
    int dropped = 0;
    struct checkpoint *state;
    struct dataset set;

    scratch_file(path, "half.net", text, sizeof text - 1);
    CU_ASSERT_FATAL(network_read(path, in, CLASSES, &net, &why));
    network_initialize(&net, first, 7);
    CU_ASSERT_EQUAL_FATAL(
        train("--force "
              "--net %s %s --limit 1 --batch 1 --steps 1 --seed 7 --kernels %s "
              "--device soft --out %s", path, small_set(), kernels,
              scratch_path(out, "half")), 0);
    state = load_state("half", &net);
    CU_ASSERT_FATAL(dataset_read(
        &(struct dataset_source){.name = "npy",
                                 .folder = scratch_path(folder, "")},
        DATASET_TRAIN, &set, &why));
    for (int i = 0; i < 784; i++) {
        const double x = (set.pixels[i] / 255.0 - (double)state->mean[0])
                         / (double)state->std[0];
        bool none = true;

        for (int j = 0; j < CLASSES; j++) {
            const int at = i * CLASSES + j, bias = 7840 + j;
            const double change = (double)first[at]
                                  - (double)state->parameters[at];
            const double want = 2 * x * ((double)first[bias]
                                         - (double)state->parameters[bias]);

            none &= change == 0;
            off = change == 0 ? off : fmax(off, fabs(change - want));
        }
        dropped += none;
    }
    printf("  %s: %d of 784 dropped ", kernels, dropped);
    CU_ASSERT(abs(dropped - 392) < 5 * 14); /* 14 is the standard deviation */
    CU_ASSERT(off < 2e-6);
    dataset_free(&set);
    checkpoint_free(state);
}

/* Dropout keeps the same elements forward and backward. */
static void drops(void)
{
    check_dropout("solutions");
    check_dropout("cudnn");
}

CU_TestInfo step_tests[] = {{"a step is the reference's", step_is_right},
                            {"cuDNN's step is", library_is_right},
                            {"residual blocks", residual_blocks},
                            {"dropout drops", drops},
                            {"a hundred steps", hundred_steps},
                            CU_TEST_INFO_NULL};
