/* SPDX-License-Identifier: MIT */
/* See machine.h. */
#include "trainer.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/net/layer_kinds.h"

/* The default stream under `--default-stream per-thread`, which can be
 * captured into a graph. */
#define STREAM cudaStreamPerThread

static bool check(int status, const char *call, struct failure *failure)
{
    return status == 0
           || fail(failure, "%s: %s", call,
                   cudaGetErrorString((cudaError_t)status));
}

static bool copy_to_device(void *to, const void *from, size_t bytes,
                           struct failure *failure)
{
    return check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice,
                                 STREAM), "copy to the device", failure);
}

static bool copy_to_host(void *to, const void *from, size_t bytes,
                         struct failure *failure)
{
    return check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost,
                                 STREAM), "copy to the host", failure)
           && check(cudaStreamSynchronize(STREAM), "a step", failure);
}

bool trainer_supports(const struct network *net, const char *kernels,
                      struct failure *failure)
{
    const unsigned kinds =
        train_layer_kinds ? train_layer_kinds() : NETWORK_BASIC_KINDS;

    for (int i = 0; i < net->count; i++)
        if (!(kinds >> net->layers[i].kind & 1))
            return fail(failure, "--kernels %s: has no %s; solutions and cudnn "
                        "have", kernels, net->layers[i].name);
    return true;
}

bool trainer_upload(struct trainer *trainer, const struct checkpoint *state,
                    struct failure *failure)
{
    const struct step *to = &trainer->step;
    const size_t flat = to->net->parameters, real = sizeof(float);
    const int step = (int)state->step;

    return copy_to_device(to->d_parameters, state->parameters, flat * real,
                          failure)
           && copy_to_device(to->d_moment1, state->moments, flat * real,
                             failure)
           && copy_to_device(to->d_moment2, state->moments + flat, flat * real,
                             failure)
           && copy_to_device(to->d_running_stats, state->running,
                             step_running_stats_count(to->net) * real, failure)
           && copy_to_device(to->d_totals, state->totals, 2 * real, failure)
           && copy_to_device(to->d_step, &step, sizeof step, failure)
           && check(cudaStreamSynchronize(STREAM), "the device", failure);
}

bool trainer_open(struct trainer *trainer, const struct checkpoint *state,
                  int batch, uint64_t seed, bool use_graph,
                  struct failure *failure)
{
    const struct network *net = state->net;
    const size_t work = train_workspace(net, batch);
    const size_t bytes = step_layout(net, batch, work, NULL, &trainer->step);

    *trainer = (struct trainer){.batch = batch, .use_graph = use_graph};
    /* Zeroed, because some arrays are read before the first step. */
    if (!check(cudaMalloc(&trainer->memory, bytes), "device memory", failure)
        || !check(cudaMemsetAsync(trainer->memory, 0, bytes, STREAM),
                  "device memory", failure))
        return false;
    step_layout(net, batch, work, trainer->memory, &trainer->step);
    trainer->step.seed = seed;
    return trainer_upload(trainer, state, failure);
}

bool trainer_freeze(struct trainer *trainer,
                    const bool is_frozen[NETWORK_MAX_LAYERS],
                    struct failure *failure)
{
    const size_t bytes = trainer->step.net->parameters * sizeof(float);

    memcpy(trainer->is_frozen, is_frozen, sizeof trainer->is_frozen);
    return check(cudaMalloc(&trainer->frozen, bytes), "device memory", failure)
           && check(cudaMemcpyAsync(trainer->frozen, trainer->step.d_parameters,
                                    bytes, cudaMemcpyDeviceToDevice, STREAM),
                    "a copy", failure);
}

/* Put back the parameters of frozen layers.  Weights and biases of a layer are
 * neighbors. */
static bool restore_frozen(struct trainer *trainer, struct failure *failure)
{
    const struct network *net = trainer->step.net;

    for (int i = 0; trainer->frozen && i < net->count; i++) {
        const struct layer *layer = &net->layers[i];
        const size_t count = layer->weights + layer->biases;

        if (trainer->is_frozen[i] && count
            && !check(cudaMemcpyAsync(
                          trainer->step.d_parameters + layer->weight_offset,
                          (float *)trainer->frozen + layer->weight_offset,
                          count * sizeof(float), cudaMemcpyDeviceToDevice,
                          STREAM), "a copy", failure))
            return false;
    }
    return true;
}

void trainer_close(struct trainer *trainer)
{
    cudaFree(trainer->frozen);
    if (trainer->graph)
        cudaGraphExecDestroy(trainer->graph);
    cudaFree(trainer->memory);
    *trainer = (struct trainer){0};
}

static bool upload_images(struct trainer *trainer, const struct images *images,
                          struct failure *failure)
{
    const size_t count = (size_t)images->count;
    const struct image_shape *in = &trainer->step.net->in;

    /* The last batch of an epoch may be smaller than the capacity. */
    trainer->step.count = images->count;
    return copy_to_device(trainer->step.d_images, images->pixels,
                          count * shape_elements(in) * sizeof(float), failure)
           && copy_to_device(trainer->step.d_labels, images->labels, count,
                             failure);
}

/* Capture a step into a graph.  Its launches are the same each time; what
 * changes (learning rate, step count) is in device memory.  If capturing
 * fails, steps are launched kernel by kernel. */
static void capture_graph(struct trainer *trainer)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    int status;

    trainer->use_graph = false; /* until capturing succeeds */
    if (cudaStreamBeginCapture(STREAM, cudaStreamCaptureModeThreadLocal) == 0) {
        status = train_step(&trainer->step);
        if (cudaStreamEndCapture(STREAM, &graph) == 0 && status == 0 && graph
            && cudaGraphGetNodes(graph, NULL, &trainer->launches) == 0
            && cudaGraphInstantiate(&exec, graph, 0) == 0) {
            trainer->graph = exec;
            trainer->use_graph = true;
        }
    }
    if (graph)
        cudaGraphDestroy(graph);
    cudaGetLastError(); /* clear the error of a failed capture */
}

bool trainer_step(struct trainer *trainer, const struct images *images,
                  float learning_rate, struct failure *failure)
{
    const bool whole = images->count == trainer->batch;

    if (!upload_images(trainer, images, failure)
        || !copy_to_device(trainer->step.d_learning_rate, &learning_rate,
                           sizeof learning_rate, failure))
        return false;
    /* The batch size is a constant of the graph: a smaller batch is launched.
     */
    if (whole && trainer->use_graph && !trainer->graph)
        capture_graph(trainer);
    if (whole && trainer->graph
            ? !check(cudaGraphLaunch(trainer->graph, STREAM), "a step", failure)
            : !check(train_step(&trainer->step), "train_step", failure))
        return false;
    return restore_frozen(trainer, failure);
}

bool trainer_evaluate(struct trainer *trainer, const struct images *images,
                      unsigned char *predicted, struct failure *failure)
{
    return upload_images(trainer, images, failure)
           && check(train_evaluate(&trainer->step), "train_evaluate", failure)
           && (!predicted
               || copy_to_host(predicted, trainer->step.d_predicted,
                               (size_t)images->count, failure));
}

bool trainer_read_totals(struct trainer *trainer, float totals[2],
                         struct failure *failure)
{
    return copy_to_host(totals, trainer->step.d_totals, 2 * sizeof *totals,
                        failure);
}

bool trainer_write_totals(struct trainer *trainer, const float totals[2],
                          struct failure *failure)
{
    return copy_to_device(trainer->step.d_totals, totals, 2 * sizeof *totals,
                          failure)
           && check(cudaStreamSynchronize(STREAM), "a copy", failure);
}

bool trainer_download(struct trainer *trainer, struct checkpoint *state,
                      struct failure *failure)
{
    const struct step *step = &trainer->step;
    const size_t real = sizeof(float), flat = step->net->parameters;

    return copy_to_host(state->parameters, step->d_parameters, flat * real,
                        failure)
           && copy_to_host(state->moments, step->d_moment1, flat * real,
                           failure)
           && copy_to_host(state->moments + flat, step->d_moment2, flat * real,
                           failure)
           && copy_to_host(state->running, step->d_running_stats,
                           step_running_stats_count(step->net) * real, failure)
           && copy_to_host(state->totals, step->d_totals, 2 * real, failure);
}

bool trainer_read_outputs(struct trainer *trainer, int count, float *outputs,
                          struct failure *failure)
{
    const struct step *step = &trainer->step;

    return copy_to_host(outputs, step->d_out[step->net->count - 1],
                        (size_t)count * (size_t)step->net->classes
                            * sizeof *outputs,
                        failure);
}

bool trainer_read_gradient(struct trainer *trainer, int layer, int count,
                           float *to, struct failure *failure)
{
    const struct step *step = &trainer->step;

    return copy_to_host(to, step->d_out_grad[layer],
                        (size_t)count
                            * shape_elements(&step->net->layers[layer].out)
                            * sizeof *to,
                        failure);
}

/* The largest magnitude; NaN if a value is not finite. */
static double max_magnitude(const float *values, size_t count)
{
    double max = 0;

    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            return NAN;
        max = fmax(max, fabs((double)values[i]));
    }
    return max;
}

/* The largest magnitude of a layer's output. */
static double max_output(const struct trainer *trainer, int i)
{
    const struct step *step = &trainer->step;
    const size_t count = (size_t)step->count
                         * shape_elements(&step->net->layers[i].out);
    float *values = malloc(count * sizeof *values);
    const double max = values
                               && copy_to_host(values, step->d_out[i],
                                               count * sizeof *values, NULL)
                           ? max_magnitude(values, count)
                           : 0;

    free(values);
    return max;
}

/* In the order of the forward pass: NaN and infinity propagate forward, so the
 * first layer that has them is their origin. */
void trainer_diagnose(struct trainer *trainer, const float *parameters,
                      char *text, size_t bytes)
{
    const struct network *net = trainer->step.net;
    const char *largest_layer = net->layers[0].name;
    double max = 0;

    for (int i = 0; i < net->count; i++) {
        const struct layer *layer = &net->layers[i];
        const double out = max_output(trainer, i);

        if (isnan(max_magnitude(parameters + layer->weight_offset,
                                layer->weights))
            || isnan(max_magnitude(parameters + layer->bias_offset,
                                   layer->biases))) {
            snprintf(text, bytes, "%s: its weights are not finite",
                     layer->name);
            return;
        }
        if (isnan(out)) {
            snprintf(text, bytes, "%s: its outputs are not finite",
                     layer->name);
            return;
        }
        if (out > max) {
            max = out;
            largest_layer = layer->name;
        }
    }
    snprintf(text, bytes, "%s: its outputs reach %.3g", largest_layer, max);
}
