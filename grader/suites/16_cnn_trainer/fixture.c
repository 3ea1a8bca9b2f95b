/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: the fixture, a network with its arrays and inputs. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/net/reference_layers.h"
#include "suite_16.h"

enum { ALIGN = 256, PADDING_BYTE = 0xb5 };

/* Parses a network from a text. */
static void read_net(struct network *net, const struct net_config *net_config)
{
    const size_t length = strlen(net_config->text);
    struct failure reason = {""};
    char path[64];
    int file = memfd_create("net", MFD_CLOEXEC);
    bool ok = file >= 0
              && write(file, net_config->text, length) == (ssize_t)length;

    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ok = ok
         && network_read(path, net_config->in, net_config->classes, net,
                         &reason);
    if (file >= 0)
        close(file);
    expect_that(ok, "a defect of the suite: %s", reason.text);
}

void fixture_name_case(const struct net_config *net_config, int images)
{
    const char *end = strstr(net_config->text, "\ntrain");
    char words[256];
    size_t used = 0;

    for (const char *at = net_config->text; at < end && used + 3 < sizeof words;
         at++) {
        if (*at == '\n')
            words[used++] = ',';
        words[used++] = *at == '\n' ? ' ' : *at;
    }
    words[used] = 0;
    suite_case("a net of %s; %d image%s", words, images,
               images == 1 ? "" : "s");
}

/* An array of a layer, for messages. */
struct layer_array {
    const char *name;  /* "d_out" */
    const char *layer; /* "conv1" */
    int index;         /* of the layer */
    unsigned char *data;
    size_t bytes;
};

/* Calls `action` for each array of each layer. */
static void for_each_array(const struct fixture *fixture,
                           void (*action)(const struct layer_array *array))
{
    for (int i = 0; i < fixture->net.count; i++) {
        const struct layer *layer = &fixture->net.layers[i];
        const size_t out = (size_t)fixture->max_images
                           * shape_elements(&layer->out) * sizeof(float);

        const struct step *step = &fixture->step;
#define ARRAY(member, bytes)                                                   \
    &(struct layer_array){#member, layer->name, i,                            \
                          (unsigned char *)step->member[i], bytes}
        action(ARRAY(d_out, out));
        action(ARRAY(d_out_grad, out));
        if (layer->kind == LAYER_MAXPOOL)
            action(ARRAY(d_argmax, out));
        if (layer->kind == LAYER_BATCHNORM)
            action(ARRAY(d_saved, 2 * layer->weights * sizeof(float)));
#undef ARRAY
    }
}

static size_t padding_bytes(size_t bytes)
{
    return (ALIGN - bytes % ALIGN) % ALIGN;
}

static void fill_padding(const struct layer_array *array)
{
    memset(array->data + array->bytes, PADDING_BYTE,
           padding_bytes(array->bytes));
}

static void check_padding(const struct layer_array *array)
{
    for (size_t i = 0; i < padding_bytes(array->bytes); i++)
        expect_that(array->data[array->bytes + i] == PADDING_BYTE,
                    "something was written %zu bytes behind the end of "
                    "%s[%d], the array of layer %s",
                    i, array->name, array->index, array->layer);
}

void fixture_check_padding(const struct fixture *fixture)
{
    if (!suite_failed())
        for_each_array(fixture, check_padding);
}

/* Random parameters and running averages. */
static void randomize_parameters(struct fixture *fixture)
{
    struct step *step = &fixture->step;

    network_initialize(&fixture->net, step->d_parameters, random_bits());
    for (int i = 0; i < fixture->net.count; i++) {
        const struct layer *layer = &fixture->net.layers[i];
        const size_t c = layer->weights;
        float *running = step->d_running_stats
                         + step_running_stats_offset(&fixture->net, i);

        random_floats(step->d_parameters + layer->bias_offset, layer->biases,
                      -0.3, 0.3);
        if (layer->kind != LAYER_BATCHNORM)
            continue;
        random_floats(step->d_parameters + layer->weight_offset, c, 0.5, 1.5);
        random_floats(running, c, -0.5, 0.5);
        random_floats(running + c, c, 0.5, 1.5);
    }
}

bool fixture_create(struct fixture *fixture,
                    const struct net_config *net_config, int max_images)
{
    *fixture = (struct fixture){.max_images = max_images,
                                 .largest_pixel = 1};
    read_net(&fixture->net, net_config);
    if (suite_failed())
        return false;
    fixture->work = train_workspace(&fixture->net, max_images);
    fixture->bytes = step_layout(&fixture->net, max_images, fixture->work, NULL,
                                 &fixture->step);
    fixture->memory = suite_bytes(fixture->bytes);
    step_layout(&fixture->net, max_images, fixture->work, fixture->memory,
                &fixture->step);
    for_each_array(fixture, fill_padding);
    randomize_parameters(fixture);
    *fixture->step.d_learning_rate = 0.05f;
    fixture->step.seed = random_bits();
    fixture->images =
        suite_doubles((size_t)max_images * shape_elements(&fixture->net.in));
    fixture->x =
        reference_make(&fixture->net, max_images, fixture->step.d_parameters);
    expect_that(fixture->x != NULL, "no memory");
    return !suite_failed();
}

void fixture_free(struct fixture *fixture)
{
    reference_free(fixture->x);
    fixture->x = NULL;
}

/* Distance of the two largest values of a window or row.  Equal values are
 * equal in float as well and do not count. */
static double top_two_distance(const double *in, size_t rows, size_t columns,
                               size_t pitch)
{
    double best = -INFINITY, second = -INFINITY;

    for (size_t i = 0; i < rows * columns; i++) {
        const double now = in[i / columns * pitch + i % columns];

        if (now > best) {
            second = best;
            best = now;
        } else if (now > second) {
            second = now;
        }
    }
    return best == second ? INFINITY : best - second;
}

/* The smallest change of the input that changes a ReLU's or a maximum's
 * outcome. */
static double distance_to_tie(const struct layer *layer, const double *in,
                              int count)
{
    const size_t width = (size_t)layer->in.width;
    const size_t plane = width * (size_t)layer->in.height;
    const size_t q = (size_t)layer->out.width;
    const size_t windows = q * (size_t)layer->out.height;
    const size_t planes = (size_t)count * (size_t)layer->in.channels;
    double least = INFINITY;

    if (layer->kind == LAYER_RELU)
        for (size_t i = 0; i < planes * plane; i++)
            least = fmin(least, in[i] ? fabs(in[i]) : INFINITY);
    if (layer->kind == LAYER_MAXPOOL)
        for (size_t i = 0; i < planes * windows; i++) {
            const size_t at = i % windows;
            const double *window =
                in + i / windows * plane
                + (at / q * width + at % q) * (size_t)layer->stride;

            least =
                fmin(least, top_two_distance(window, (size_t)layer->rows,
                                             (size_t)layer->columns, width));
        }
    return least;
}

/* Does each ReLU pass something?  Behind one that does not, all gradients are
 * 0, and most mistakes in them do not show. */
static bool is_alive(const struct fixture *fixture)
{
    const struct network *net = &fixture->net;

    for (int i = 0; i < net->count; i++) {
        const size_t n = (size_t)fixture->step.count
                         * shape_elements(&net->layers[i].out);
        double most = 0;

        for (size_t k = 0; net->layers[i].kind == LAYER_RELU && k < n; k++)
            most = fmax(most, fixture->x->out[i][k]);
        if (net->layers[i].kind == LAYER_RELU && most == 0)
            return false;
    }
    return true;
}

static bool is_suitable(struct fixture *fixture, bool training)
{
    enum { INVERSE_MIN_DISTANCE = 1 << 18 }; /* rounding errors are about
                                                2^-22 */
    const struct network *net = &fixture->net;
    const int count = fixture->step.count, last = net->count - 1;
    double least = INFINITY;

    if (training)
        reference_loss(fixture->x, fixture->images, fixture->step.d_labels,
                       count);
    else
        fixture_forward(fixture, EVALUATION_RIGHT);
    for (int i = 0; i < net->count; i++)
        least = fmin(least, distance_to_tie(&net->layers[i],
                                            i ? fixture->x->out[i - 1]
                                            : fixture->images,
                                            count));
    for (int n = 0; n < count; n++)
        least = fmin(least,
                     top_two_distance(fixture->x->out[last]
                                      + (size_t)n * (size_t)net->classes,
                                      1, (size_t)net->classes, 0));
    return least > 1.0 / INVERSE_MIN_DISTANCE && is_alive(fixture);
}

void fixture_randomize_inputs(struct fixture *fixture, int count)
{
    struct step *step = &fixture->step;
    const size_t n = (size_t)count * shape_elements(&fixture->net.in);

    step->count = count;
    for (int tries = 0; tries < 50 && !suite_failed(); tries++) {
        random_floats(step->d_images, n, -fixture->largest_pixel,
                      fixture->largest_pixel);
        for (size_t i = 0; i < n; i++)
            step->d_images[i] +=
                (float)(fixture->brighter * (double)(i / (n / (size_t)count)));
        for (int i = 0; i < count; i++)
            step->d_labels[i] =
                (unsigned char)random_int(0, fixture->net.classes - 1);
        for (size_t i = 0; i < n; i++)
            fixture->images[i] = (double)step->d_images[i];
        if (is_suitable(fixture, true) && is_suitable(fixture, false))
            return;
    }
}

/* 1 / the standard deviation, of a running variance. */
static double inverse_deviation(double variance, enum evaluation how)
{
    if (how == EVALUATION_OUTSIDE_ROOT)
        return 1 / (sqrt(variance) + 1e-5);
    return 1 / sqrt(variance
                    + (how == EVALUATION_EPSILON_OF_1E_3 ? 1e-3 : 1e-5));
}

/* Batch normalization with the running averages. */
static void batchnorm_inference(const struct fixture *fixture, int i,
                                const double *in, enum evaluation how)
{
    const struct layer *layer = &fixture->net.layers[i];
    const size_t c = layer->weights, all = shape_elements(&layer->in);
    const size_t plane = all / c;
    const double *parameters = fixture->x->parameters;
    const float *running = fixture->step.d_running_stats
                           + step_running_stats_offset(&fixture->net, i);

    for (size_t j = 0; j < (size_t)fixture->step.count * all; j++) {
        const size_t channel = j / plane % c;

        fixture->x->out[i][j] =
            parameters[layer->weight_offset + channel]
                * (in[j] - (double)running[channel])
                * inverse_deviation((double)running[c + channel], how)
            + parameters[layer->bias_offset + channel];
    }
}

double fixture_forward(const struct fixture *fixture, enum evaluation how)
{
    struct reference *x = fixture->x;
    const int last = fixture->net.count - 1, classes = fixture->net.classes;
    double sum = 0;

    for (int i = 0; i <= last; i++) {
        const double *in = i ? x->out[i - 1] : fixture->images;

        if (fixture->net.layers[i].kind == LAYER_BATCHNORM
            && how != EVALUATION_OF_BATCH)
            batchnorm_inference(fixture, i, in, how);
        else
            reference_layer_forward(x, i, in, fixture->step.count);
    }
    for (int n = 0; n < fixture->step.count; n++) {
        const double *out = x->out[last] + (size_t)n * (size_t)classes;
        double max_logit = out[0], exp_sum = 0;

        for (int j = 1; j < classes; j++)
            max_logit = fmax(max_logit, out[j]);
        for (int j = 0; j < classes; j++)
            exp_sum += exp(out[j] - max_logit);
        sum += log(exp_sum) + max_logit - out[fixture->step.d_labels[n]];
    }
    return sum;
}
