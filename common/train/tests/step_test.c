/* SPDX-License-Identifier: MIT */
/* A step of the trainer, and a hundred, against the reference in double. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/data/loader.h"
#include "common/net/reference.h"
#include "train_tests.h"

/* A net of every kind of layer but dropout, which draws. */
static const char odd[] = "batchnorm\nconv 5 5x4 stride 2 pad 1\nbatchnorm\n"
                          "relu\nmaxpool 3 stride 2\nconv 9 3x3 pad 2\n"
                          "relu\nmaxpool 2\ndense 11\nrelu\ndense\n"
                          "train sgd rate 0.1 momentum 0.9\n";

/* The same steps in double, over the same batches. */
static struct reference *by_reference(struct network *net, size_t limit,
                                      int batch, int steps, double *losses)
{
    const struct image_shape in = {1, 28, 28};
    struct loader_options how = {.batch = (size_t)batch, .keep_rest = true,
                                 .shuffle = true, .seed = 7, .ahead = 1};
    struct dataset set;
    struct failure why = {""};
    float *first = malloc(net->parameters * sizeof *first);
    double *images =
        malloc((size_t)batch * layer_elements(&in) * sizeof *images);
    struct reference *x;
    struct loader *loader;

    char folder[PATH_BYTES];

    CU_ASSERT_FATAL(dataset_read("npy", scratch(folder, ""), DATASET_TRAIN,
                                 &set, &why));
    dataset_keep(&set, limit);
    dataset_statistics(&set, how.augment.mean, how.augment.scale);
    network_initialise(net, first, 7);
    x = reference_make(net, batch, first);
    loader = loader_open(&set, &how, 0, 0, &why);
    CU_ASSERT_FATAL(x && loader && images);
    for (int i = 0; i < steps; i++) {
        const struct batch *now = loader_next(loader);

        for (size_t j = 0; j < now->count * layer_elements(&in); j++)
            images[j] = (double)now->images[j];
        losses[now->epoch] += reference_back(x, images, now->labels,
                                             (int)now->count)
                              * (double)now->count / (double)limit;
        reference_update(x, (double)net->training.rate);
    }
    loader_close(loader);
    dataset_free(&set);
    free(first);
    free(images);
    return x;
}

static void read_odd(struct network *net, char path[PATH_BYTES])
{
    const struct image_shape in = {1, 28, 28};
    struct failure why = {""};

    scratch_file(path, "odd.net", odd, sizeof odd - 1);
    CU_ASSERT_FATAL(network_read(path, in, CLASSES, net, &why));
}

/* With rate 1 and plain descent, what changes is the gradient. */
void one_step(const char *kernels)
{
    static struct network net;
    char path[PATH_BYTES], out[PATH_BYTES];
    double loss[1] = {0}, worst = 0, most = 0;
    struct reference *x;
    struct checkpoint *state;

    read_odd(&net, path);
    net.training.rate = 1;
    CU_ASSERT_EQUAL_FATAL(
        train("--net %s %s --limit 16 --batch 16 --steps 1 --lr 1 --seed 7 "
              "--kernels %s --device soft --out %s", path, small_set(),
              kernels, scratch(out, "one")), 0);
    x = by_reference(&net, 16, 16, 1, loss);
    state = state_in("one", &net);
    for (size_t i = 0; i < net.parameters; i++) {
        most = fmax(most, fabs(x->gradients[i]));
        worst = fmax(worst, fabs(x->parameters[i]
                                 - (double)state->parameters[i]));
    }
    CU_ASSERT(most > 0.01 && worst < 1e-5 * fmax(most, 1));
    printf("  %s: off by %.2g of %.2g ", kernels, worst, most);
    reference_free(x);
    checkpoint_free(state);
}

static void step_is_right(void)
{
    one_step("solutions");
}

static void library_is_right(void)
{
    one_step("cudnn");
}

/* A hundred steps of each kind of update: the losses stay together. */
static void hundred_steps(void)
{
    static struct network net;
    char path[PATH_BYTES], out[PATH_BYTES];

    read_odd(&net, path);
    for (int how = OPTIMIZER_MOMENTUM; how <= OPTIMIZER_ADAMW; how += 2) {
        const double rate = how == OPTIMIZER_MOMENTUM ? 0.02 : 0.002;
        double losses[10] = {0};
        struct reference *x;
        struct checkpoint *state;

        net.training.optimizer = (enum optimizer)how;
        net.training.rate = (float)rate;
        net.training.decay = 0.01f;
        net.training.clip = 0.5f;
        CU_ASSERT_EQUAL_FATAL(
            train("--net %s %s --limit 80 --batch 8 --epochs 10 --lr %g --seed "
                  "7 --optimizer %s --decay 0.01 --clip 0.5 --device soft "
                  "--out %s", path, small_set(), rate,
                  optimizer_name((enum optimizer)how),
                  scratch(out, "hundred")), 0);
        x = by_reference(&net, 80, 8, 100, losses);
        state = state_in("hundred", &net);
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

/* A layer of dropout and one dense layer, one image, one step of rate 1: what
 * changes is the gradient.  An input that was dropped has none; that of the
 * others is twice the input times that of the bias. */
void drops_half(const char *kernels)
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
    network_initialise(&net, first, 7);
    CU_ASSERT_EQUAL_FATAL(
        train("--net %s %s --limit 1 --batch 1 --steps 1 --seed 7 --kernels %s "
              "--device soft --out %s", path, small_set(), kernels,
              scratch(out, "half")), 0);
    state = state_in("half", &net);
    CU_ASSERT_FATAL(dataset_read("npy", scratch(folder, ""), DATASET_TRAIN,
                                 &set, &why));
    for (int i = 0; i < 784; i++) {
        const double x = (set.pixels[i] / 255.0 - (double)state->mean[0])
                         / (double)state->scale[0];
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
    CU_ASSERT(abs(dropped - 392) < 5 * 14); /* a deviation is 14 */
    CU_ASSERT(off < 2e-6);
    dataset_free(&set);
    checkpoint_free(state);
}

static void drops(void)
{
    drops_half("solutions");
    drops_half("cudnn");
}

CU_TestInfo step_tests[] = {{"a step is the reference's", step_is_right},
                            {"cuDNN's step is", library_is_right},
                            {"dropout drops", drops},
                            {"a hundred steps", hundred_steps},
                            CU_TEST_INFO_NULL};
