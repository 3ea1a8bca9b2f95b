/* SPDX-License-Identifier: MIT */
/* A checkpoint in itself, without training: layouts, position, network. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/tests/run_tests.h"
#include "common/base/tests/scratch.h"
#include "common/net/safetensors.h"
#include "common/train/checkpoint.h"

enum { NET_CLASSES = 3, DENSE_INPUTS = 8 };

#define LAYERS "conv 2 1x1\nrelu\ndense\n"

static struct network net;
static char cat[] = "c|a,t \"\n\\", dog[] = "\xe7\x8a\xac\xff",
            eel[] = "an eel with a name of more than thirty-one bytes";
static char *class_names[] = {cat, dog, eel};

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
    struct checkpoint *state = NULL;

    read_net(LAYERS, &net);
    CU_ASSERT_FATAL(state == NULL);
    state = checkpoint_allocate(&net);
    CU_ASSERT_FATAL(state != NULL);
    for (size_t i = 0; i < net.parameters; i++)
        state->parameters[i] = (float)i;
    state->moments[1] = 0.5f;
    CU_ASSERT_FATAL(history_reserve(&state->history, 3, NULL));
    memset(state->history.row, 0, 3 * sizeof *state->history.row);
    state->history.count = 3;
    state->std[0] = 1;
    state->step = 40;
    state->epoch = 3;
    state->batch = 5;
    return state;
}

/* Through a file, as a run does. */
static void write_and_read(const struct checkpoint *state, struct tensors *to)
{
    static struct train_options options;
    struct dataset set = {.channels = 1, .height = 2, .width = 2,
                          .classes = NET_CLASSES, .names = class_names};
    const struct checkpoint_about about = {set, 17, LAYERS};
    struct failure why = {""};
    char path[PATH_BYTES];

    train_options_default(&options);
    CU_ASSERT_FATAL(make_directories(scratch_path(path, "made")));
    scratch_path(path, "made/checkpoint.safetensors");
    CU_ASSERT_FATAL(checkpoint_write(state, path, &options, &about, &why));
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

/* Weights, moments, history and position survive to the bit. */
static void round_trip(void)
{
    struct checkpoint *state = make_state(), *loaded;
    struct failure why = {""};
    struct tensors file;

    write_and_read(state, &file);
    loaded = checkpoint_allocate(&net);
    CU_ASSERT_FATAL(loaded != NULL);
    CU_ASSERT_FATAL(
        checkpoint_load(loaded, &file, CHECKPOINT_ALL, "file", &why));
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
    struct checkpoint_about about;
    struct failure why = {""};
    struct tensors file;

    write_and_read(state, &file);
    CU_ASSERT_FATAL(checkpoint_describe(&file, "file", &about, &why));
    CU_ASSERT(checkpoint_matches_network(&net, &about, "file", &why));
    read_net("conv 2 1x1\nrelu\ndropout 0.5\ndense\n", &other);
    CU_ASSERT_FALSE(checkpoint_matches_network(&other, &about, "file", &why));
    expect_message(&why, "file", "another");
    dataset_free(&about.trained);
    tensors_free(&file);
    checkpoint_free(state);
}

/* Text of the network, class names, shape and number of the images. */
static void description(void)
{
    struct checkpoint *state = make_state();
    struct checkpoint_about about;
    struct failure why = {""};
    struct tensors file;

    write_and_read(state, &file);
    CU_ASSERT_FATAL(checkpoint_describe(&file, "file", &about, &why));
    CU_ASSERT_STRING_EQUAL(about.network, LAYERS);
    CU_ASSERT_EQUAL(about.images, 17);
    CU_ASSERT(about.trained.channels == 1 && about.trained.width == 2);
    CU_ASSERT_STRING_EQUAL(about.trained.names[0], cat);
    CU_ASSERT_STRING_EQUAL(about.trained.names[1], dog); /* not UTF-8 */
    CU_ASSERT_STRING_EQUAL(about.trained.names[2], eel);
    dataset_free(&about.trained);
    file.checked = false;
    CU_ASSERT_FALSE(checkpoint_describe(&file, "file", &about, &why));
    expect_message(&why, "file", "has no checksum");
    tensors_free(&file);
    checkpoint_free(state);
}

/* Loading fails, with this in the message. */
static void refuse(struct checkpoint *state, const char *fragment)
{
    struct checkpoint *loaded = checkpoint_allocate(&net);
    struct failure why = {""};
    struct tensors file;

    write_and_read(state, &file);
    CU_ASSERT_FALSE(
        checkpoint_load(loaded, &file, CHECKPOINT_ALL, "file", &why));
    expect_message(&why, "file", fragment);
    checkpoint_free(loaded);
    tensors_free(&file);
}

/* Positions that are out of range, and values that are not finite. */
static void out_of_range(void)
{
    static const int64_t places[][3] = {
        {-1, 3, 5}, {40, -3, 5}, {40, 3, -5}, {40, 1 << 20, 5}, {40, 2, 5},
        {1LL << 40, 3, 5}, {40, 3, 1LL << 40}, {INT64_MIN, 3, INT64_MAX}};
    struct checkpoint *state = make_state();

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        state->step = places[i][0];
        state->epoch = places[i][1];
        state->batch = places[i][2];
        refuse(state, "is no position");
    }
    state->step = 40;
    state->epoch = 3;
    state->batch = 5;
    state->std[0] = 0;
    refuse(state, "the normalization of channel 0 is invalid");
    state->std[0] = 1;
    CU_ASSERT_PTR_NULL(checkpoint_find_nonfinite(state));
    state->moments[net.parameters + net.layers[2].bias_offset] = INFINITY;
    refuse(state, "dense1 has values that are not finite");
    state->moments[net.parameters + net.layers[2].bias_offset] = 0;
    state->parameters[1] = NAN;
    refuse(state, "conv1 has values that are not finite");
    checkpoint_free(state);
}

static char report[2000];

/* Load in part, and keep the lines of the report. */
static bool load_partly(struct checkpoint *to, const struct tensors *from,
                        struct failure *why)
{
    FILE *out = fmemopen(report, sizeof report, "w");
    const bool ok = checkpoint_load_partly(to, from, "file", out, why);

    fclose(out);
    return ok;
}

/* Weights of three classes for a network of two, in half precision: the last
 * layer keeps its own. */
static void in_part(void)
{
    static const uint16_t conv[] = {0x3c00, 0xc000}; /* 1, -2 */
    static const float dense[3 * DENSE_INPUTS] = {9};
    static const struct image_shape in = {1, 2, 2};
    struct tensor list[] = {{"conv1.weight", TENSOR_F16, 4, {2, 1, 1, 1}, conv},
                            {"dense1.weight", TENSOR_F32, 2, {3, 8}, dense},
                            {"extra", TENSOR_F32, 1, {1}, dense}};
    const struct tensors file = {.list = list, .count = 3};
    static struct network two;
    struct failure why = {""};
    struct checkpoint *state;

    CU_ASSERT_FATAL(network_parse(LAYERS, "two.net", in, 2, &two, &why));
    state = checkpoint_allocate(&two);
    state->parameters[two.layers[2].weight_offset + 1] = 7;
    CU_ASSERT(load_partly(state, &file, &why));
    CU_ASSERT(state->parameters[0] == 1 && state->parameters[1] == -2);
    CU_ASSERT_EQUAL(state->parameters[two.layers[2].weight_offset + 1], 7);
    CU_ASSERT_STRING_EQUAL(
        report, "loaded      conv1.weight: F16 [2, 1, 1, 1]\n"
        "not loaded  conv1.bias: network F32 [2], not in the file\n"
        "not loaded  dense1.weight: network F32 [2, 8], file F32 [3, 8]\n"
        "not loaded  dense1.bias: network F32 [2], not in the file\n"
        "not used    extra: file F32 [1]\n"
        "1 of 4 tensors loaded from file\n");
    CU_ASSERT_FALSE(load_partly(
        state, &(struct tensors){.list = list + 1, .count = 2}, &why));
    expect_message(&why, "file", "no tensor fits this network");
    checkpoint_free(state);
}

int main(void)
{
    CU_TestInfo tests[] = {{"weights of a dense layer", dense_weights},
                           {"round trip", round_trip},
                           {"another network", other_network},
                           {"description", description},
                           {"out of range", out_of_range},
                           {"loaded in part", in_part},
                           CU_TEST_INFO_NULL};

    return run_tests("checkpoint", tests);
}
