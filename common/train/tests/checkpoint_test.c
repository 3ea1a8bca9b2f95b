/* SPDX-License-Identifier: MIT */
/* A checkpoint in itself, without training: layouts, position, network. */
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/tests/run_tests.h"
#include "common/base/tests/scratch.h"
#include "common/net/safetensors.h"
#include "common/train/checkpoint.h"

enum { NET_CLASSES = 3, DENSE_INPUTS = 8 };

static struct network net;

/* Images of 2 x 2; the dense layer has 2 * 2 * 2 inputs. */
static void read_net(const char *layers, struct network *to)
{
    const struct image_shape in = {1, 2, 2};
    struct failure why = {""};
    char path[PATH_BYTES];

    scratch_file(path, "small.net", layers, strlen(layers));
    CU_ASSERT_FATAL(network_read(path, in, NET_CLASSES, to, &why));
}

/* Parameter i is i; batch 5 of epoch 3 is next. */
static struct checkpoint *make_state(void)
{
    struct checkpoint *state;

    read_net("conv 2 1x1\nrelu\ndense\n", &net);
    state = checkpoint_allocate(&net);
    CU_ASSERT_FATAL(state != NULL);
    for (size_t i = 0; i < net.parameters; i++)
        state->parameters[i] = (float)i;
    state->moments[1] = 0.5f;
    state->step = 40;
    state->epoch = 3;
    state->batch = 5;
    return state;
}

static void write_and_read(const struct checkpoint *state, struct tensors *to)
{
    static struct train_options options;
    const struct dataset set = {.classes = NET_CLASSES};
    struct failure why = {""};
    char path[PATH_BYTES];

    train_options_default(&options);
    CU_ASSERT_FATAL(make_directories(scratch_path(path, "made")));
    CU_ASSERT_FATAL(checkpoint_write(state, path, &options, &set, &why));
    scratch_path(path, "made/checkpoint.safetensors");
    CU_ASSERT_FATAL(safetensors_read(path, to, &why));
}

/* PyTorch's Linear.weight is [out][in]; here the weights are [in][out]. */
static void dense_weights(void)
{
    struct checkpoint *state = make_state();
    const float *ours = state->parameters + net.layers[2].weight_offset;
    float theirs[NET_CLASSES * DENSE_INPUTS];
    const struct tensor *weight;
    struct tensors file;

    write_and_read(state, &file);
    weight = tensors_find(&file, "dense1.weight");
    CU_ASSERT_FATAL(weight != NULL && weight->rank == 2);
    CU_ASSERT_EQUAL(weight->size[0], NET_CLASSES);
    CU_ASSERT_EQUAL(weight->size[1], DENSE_INPUTS);
    CU_ASSERT_FATAL(tensor_bytes(weight) == sizeof theirs);
    memcpy(theirs, weight->data, sizeof theirs);
    for (int o = 0; o < NET_CLASSES; o++)
        for (int i = 0; i < DENSE_INPUTS; i++)
            CU_ASSERT_EQUAL(theirs[o * DENSE_INPUTS + i],
                            ours[i * NET_CLASSES + o]);
    tensors_free(&file);
    checkpoint_free(state);
}

static void round_trip(void)
{
    struct checkpoint *state = make_state(), *loaded;
    struct failure why = {""};
    struct tensors file;

    write_and_read(state, &file);
    loaded = checkpoint_allocate(&net);
    CU_ASSERT_FATAL(loaded != NULL);
    CU_ASSERT_FATAL(checkpoint_load(loaded, &file, true, "file", &why));
    CU_ASSERT(!memcmp(loaded->parameters, state->parameters,
                      net.parameters * sizeof(float)));
    CU_ASSERT(!memcmp(loaded->moments, state->moments,
                      2 * net.parameters * sizeof(float)));
    CU_ASSERT_EQUAL(loaded->step, 40);
    CU_ASSERT_EQUAL(loaded->epoch, 3);
    CU_ASSERT_EQUAL(loaded->batch, 5);
    checkpoint_free(loaded);
    tensors_free(&file);
    checkpoint_free(state);
}

/* A network with the same shapes, but with dropout, is another one. */
static void other_network(void)
{
    static struct network other;
    struct checkpoint *state = make_state();
    struct failure why = {""};
    struct tensors file;

    write_and_read(state, &file);
    CU_ASSERT(checkpoint_matches_network(&net, &file, "file", &why));
    read_net("conv 2 1x1\nrelu\ndropout 0.5\ndense\n", &other);
    CU_ASSERT_FALSE(checkpoint_matches_network(&other, &file, "file", &why));
    expect_message(&why, "file", "another");
    tensors_free(&file);
    checkpoint_free(state);
}

int main(void)
{
    CU_TestInfo tests[] = {{"weights of a dense layer", dense_weights},
                           {"round trip", round_trip},
                           {"another network", other_network},
                           CU_TEST_INFO_NULL};

    return run_tests("checkpoint", tests);
}
