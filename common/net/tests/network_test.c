/* SPDX-License-Identifier: MIT */
/* The five networks with sizes counted by hand, and every kind of invalid
 * line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/net/network.h"
#include "common/base/tests/scratch.h"
#include "net_tests.h"

static const struct image_shape gray = {1, 28, 28}, color = {3, 32, 32};

/* One of the networks that come with the trainer. */
static struct network *read_net(const char *name, struct image_shape in)
{
    static struct network net;
    struct failure why = {""};
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "common/net/nets/%s.net", name);
    CU_ASSERT_FATAL(network_read(path, in, 10, &net, &why));
    CU_ASSERT_STRING_EQUAL(net.name, name);
    return &net;
}

/* Numbers of parameters, added up by hand. */
static void parameters(void)
{
    CU_ASSERT_EQUAL(read_net("softmax", gray)->parameters, 7850);
    CU_ASSERT_EQUAL(read_net("mlp", gray)->parameters,
                    784 * 256 + 256 + 256 * 128 + 128 + 1290);
    CU_ASSERT_EQUAL(read_net("lenet", gray)->parameters, 61706);
    CU_ASSERT_EQUAL(read_net("lenet", color)->parameters,
                    456 + 2416 + (576 * 120 + 120) + 10164 + 850);
    CU_ASSERT_EQUAL(read_net("cifar-cnn", color)->parameters,
                    896 + 18496 + (4096 * 128 + 128) + 1290);
    CU_ASSERT_EQUAL(read_net("resnet-small", color)->parameters,
                    448 + 2 * 2320 + 4640 + 2 * 9248 + 330 + 288);
    CU_ASSERT_EQUAL(read_net("vgg-small", color)->parameters,
                    896 + 18496 + 73856 + 147584 + (512 * 64 + 64) + 650);
}

/* LeNet's layers, and where their weights lie in the array. */
static void shapes(void)
{
    const struct network *net = read_net("lenet", gray);
    const struct layer *conv2 = &net->layers[3];

    CU_ASSERT_EQUAL(net->count, 11);
    CU_ASSERT_STRING_EQUAL(conv2->name, "conv2");
    CU_ASSERT(conv2->in.channels == 6 && conv2->in.height == 14);
    CU_ASSERT(conv2->out.channels == 16 && conv2->out.width == 10);
    CU_ASSERT_EQUAL(conv2->weight_offset, 156);
    CU_ASSERT_EQUAL(conv2->bias_offset, 156 + 2400);
    CU_ASSERT_EQUAL(net->layers[6].in.channels, 16);
    /* 117,600 + 240,000 + 48,000 + 10,080 + 840 */
    CU_ASSERT_EQUAL(network_macs(net), 416520);
    net = read_net("cifar-cnn", gray);
    CU_ASSERT(net->training.optimizer == OPTIMIZER_ADAM &&
              net->training.pad == 1 && net->training.flip);
    CU_ASSERT_EQUAL(net->training.batch, 64);
    CU_ASSERT_EQUAL(net->training.schedule, LR_COSINE);
    CU_ASSERT_EQUAL(read_net("softmax", gray)->training.schedule,
                    LR_CONSTANT);
}

/* The same seed gives the same weights. */
static void initialization(void)
{
    const struct network *net = read_net("lenet", gray);
    float *a = malloc(net->parameters * sizeof *a);
    float *b = malloc(net->parameters * sizeof *b), largest = 0;

    network_initialize(net, a, 1);
    network_initialize(net, b, 1);
    CU_ASSERT(!memcmp(a, b, net->parameters * sizeof *a));
    network_initialize(net, b, 2);
    CU_ASSERT(memcmp(a, b, net->parameters * sizeof *a) != 0);
    for (size_t i = 0; i < 156; i++) /* conv1: 25 inputs a unit */
        largest = a[i] > largest ? a[i] : largest;
    CU_ASSERT(largest <= 0.2f && largest > 0.15f);
    free(a);
    free(b);
}

/* The hash covers each word of a file except what command-line options set. */
static void hashes(void)
{
    static const char *const text[] = {
        "conv 6 5x5\nmaxpool 2\ndense\n", "conv 6 5x5\nmaxpool 2\ndense\n"
        "train adam rate 0.1 batch 7\n", "conv 6 5x3 pad 1\nmaxpool 2\ndense\n",
        "conv 5 5x5\nmaxpool 2\ndense\n", "conv 6 5x5\nmaxpool 2 stride 1\n"
        "dense\n", "conv 6 5x5\nmaxpool 2\nrelu\ndense\n",
        "conv 6 5x5\nrelu\nmaxpool 2\ndense\n",
        "conv 6 5x5\nmaxpool 2\ndense\naugment flip\n",
        "conv 6 5x5\nmaxpool 2\ndropout 0.1\ndense\n",
        "conv 6 5x5\nmaxpool 2\ndropout 0.11\ndense\n"};
    uint64_t found[sizeof text / sizeof *text];

    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        struct failure why = {""};
        struct network net;
        char path[PATH_BYTES];

        scratch_file(path, "one.net", text[i], strlen(text[i]));
        CU_ASSERT_FATAL(network_read(path, gray, 10, &net, &why));
        found[i] = network_hash(&net);
        for (size_t j = 0; j < i; j++)
            CU_ASSERT_EQUAL(found[i] == found[j], i == 1 && j == 0);
    }
}

/* --- bad files ----------------------------------------------------------- */

/* Reading fails, with this in the message. */
static void refuse(const char *text, const char *fragment)
{
    struct failure why = {""};
    struct network net;
    char path[PATH_BYTES];

    scratch_file(path, "bad.net", text, strlen(text));
    CU_ASSERT_FALSE(network_read(path, gray, 10, &net, &why));
    expect_message(&why, path, fragment);
}

/* The message has the line, and what was expected. */
static void invalid_words(void)
{
    refuse("", ":0: no layer");
    refuse("# nothing\n\n", ":2: no layer");
    refuse("dense 10\nconf 3 3x3\n", ":2: \"conf\" is not a layer");
    refuse("add\ndense\n", ":1: the name of an earlier layer is missing");
    refuse("relu\nadd relu2\nrelu\n", ":2: there is no earlier layer \"relu2");
    refuse("dense ten\n", ":1: the number of units is \"ten\"");
    refuse("dense 10 20\n", ":1: unexpected word \"20\"");
    refuse("conv 6\n", ":1: the filter's size is \"\"");
    refuse("conv 6 5\n", ":1: the filter's size is \"5\"");
    refuse("conv 0 5x5\n", ":1: the number of filters is \"0\"");
    refuse("conv 6 5x5 stride 0\n", ":1: stride is \"0\"");
    refuse("conv 6 5x5 strid 2\n", ":1: unexpected word \"strid\"");
    refuse("conv 6 5x5 pad\n", ":1: pad is missing");
    refuse("relu 2\n", ":1: unexpected word \"2\"");
    refuse("dropout 1\n", ":1: dropout's probability must be");
    refuse("dropout x\n", ":1: dropout's probability is \"x\"");
    refuse("dropout nan\n", ":1: dropout's probability is \"nan\"");
    refuse("dense\ntrain sgdd\n", ":2: the optimizer is \"sgdd\"");
    refuse("dense\ntrain sgd rate -1\n", ":2: rate is \"-1\"");
    refuse("dense\ntrain sgd schedule\n", ":2: the schedule is \"\"");
    refuse("dense\ntrain sgd schedule sine\n", ":2: the schedule is \"sine\"");
    refuse("dense\naugment turn\n", ":2: unexpected word \"turn\"");
}

/* Layers that do not fit each other. */
static void invalid_shapes(void)
{
    refuse("conv 2 3x3\nadd input\ndense\n", ":2: add1 adds 1 x 28 x 28 to 2 x "
           "26 x 26");
    refuse("conv 6 29x29\ndense\n", ":1: conv1: windows of 29 x 29 in 28");
    refuse("conv 6 3x3 pad 3\ndense\n", ":1: padding of 3 for windows");
    refuse("maxpool 2\nmaxpool 15\ndense\n", ":2: maxpool2: windows of 15");
    refuse("dense 11\n", ":1: the last layer must be dense, with 10");
    refuse("dense 10\nrelu\n", ":2: the last layer must be dense");
    refuse("dense 65536\ndense 65536\ndense\n", ":2: more than 2^30");
}

/* No file, a line without end, too many layers. */
static void invalid_files(void)
{
    struct failure why = {""};
    struct network net;
    char path[PATH_BYTES], text[2048] = "";

    CU_ASSERT_FALSE(
        network_read(scratch_path(path, "nowhere.net"), gray, 10, &net, &why));
    expect_message(&why, path, "No such file");
    memset(text, 'x', 300);
    refuse(text, ":1: a line longer than");
    text[0] = '\0';
    for (int i = 0; i < 65; i++) strcat(text, "relu\n");
    refuse(text, ":65: more than 64 layers");
    text[0] = '\0';
    for (int i = 0; i < 30; i++) strcat(text, "relu ");
    refuse(text, ":1: too many words");
}

CU_TestInfo network_tests[] = {
    {"parameters", parameters},
    {"shapes", shapes},
    {"initialization", initialization},
    {"hashes", hashes},
    {"invalid words", invalid_words},
    {"invalid shapes", invalid_shapes},
    {"invalid files", invalid_files},
    CU_TEST_INFO_NULL};
