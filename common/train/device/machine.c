/* SPDX-License-Identifier: MIT */
/* See machine.h. */
#include "machine.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Steps go to the stream that `--default-stream per-thread` makes the default
 * one, so that they may be captured. */
#define STREAM cudaStreamPerThread

static bool check(int status, const char *call, struct failure *failure)
{
    return status == 0
           || fail(failure, "%s: %s", call,
                   cudaGetErrorString((cudaError_t)status));
}

static bool put(void *to, const void *from, size_t bytes,
                struct failure *failure)
{
    return check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice,
                                 STREAM), "copy to the device", failure);
}

static bool get(void *to, const void *from, size_t bytes,
                struct failure *failure)
{
    return check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost,
                                 STREAM), "copy to the host", failure)
           && check(cudaStreamSynchronize(STREAM), "a step", failure);
}

bool machine_put(struct machine *machine, const struct checkpoint *state,
                 struct failure *failure)
{
    const struct step *to = &machine->step;
    const size_t flat = to->net->parameters, real = sizeof(float);
    const int step = (int)state->step;

    return put(to->d_parameters, state->parameters, flat * real, failure)
           && put(to->d_first, state->moments, flat * real, failure)
           && put(to->d_second, state->moments + flat, flat * real, failure)
           && put(to->d_running, state->running, step_running(to->net) * real,
                  failure)
           && put(to->d_totals, state->totals, 2 * real, failure)
           && put(to->d_step, &step, sizeof step, failure)
           && check(cudaStreamSynchronize(STREAM), "the device", failure);
}

bool machine_open(struct machine *machine, const struct checkpoint *state,
                  int batch, uint64_t seed, bool use_graph,
                  struct failure *failure)
{
    const struct network *net = state->net;
    const size_t work = train_workspace(net, batch);
    const size_t bytes = step_layout(net, batch, work, NULL, &machine->step);

    *machine = (struct machine){.batch = batch, .use_graph = use_graph};
    /* The zeros matter: d_saved and others are read before a first step. */
    if (!check(cudaMalloc(&machine->memory, bytes), "device memory", failure)
        || !check(cudaMemsetAsync(machine->memory, 0, bytes, STREAM),
                  "device memory", failure))
        return false;
    step_layout(net, batch, work, machine->memory, &machine->step);
    machine->step.seed = seed;
    return machine_put(machine, state, failure);
}

void machine_close(struct machine *machine)
{
    if (machine->graph)
        cudaGraphExecDestroy(machine->graph);
    cudaFree(machine->memory);
    *machine = (struct machine){0};
}

static bool put_images(struct machine *machine, const struct images *images,
                       struct failure *failure)
{
    const size_t count = (size_t)images->count;
    const struct image_shape *in = &machine->step.net->in;

    /* The last batch of an epoch may be smaller; the arrays have room. */
    machine->step.count = images->count;
    return put(machine->step.d_images, images->pixels,
               count * layer_elements(in) * sizeof(float), failure)
           && put(machine->step.d_labels, images->labels, count, failure);
}

/* Record a step instead of running it: its launches are the same each time, and
 * what is not, the rate and the count of steps, lies in device memory.  Where
 * that does not work steps are launched one by one. */
static void capture(struct machine *machine)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    int status;

    machine->use_graph = false; /* until it works */
    if (cudaStreamBeginCapture(STREAM, cudaStreamCaptureModeThreadLocal) == 0) {
        status = train_step(&machine->step);
        if (cudaStreamEndCapture(STREAM, &graph) == 0 && status == 0 && graph
            && cudaGraphGetNodes(graph, NULL, &machine->launches) == 0
            && cudaGraphInstantiate(&exec, graph, 0) == 0) {
            machine->graph = exec;
            machine->use_graph = true;
        }
    }
    if (graph)
        cudaGraphDestroy(graph);
    cudaGetLastError(); /* a failed capture is no failure of the next step */
}

bool machine_train(struct machine *machine, const struct images *images,
                   float rate, struct failure *failure)
{
    const bool whole = images->count == machine->batch;

    if (!put_images(machine, images, failure)
        || !put(machine->step.d_rate, &rate, sizeof rate, failure))
        return false;
    /* A graph has the number of images in it: smaller batches are launched. */
    if (whole && machine->use_graph && !machine->graph)
        capture(machine);
    if (whole && machine->graph)
        return check(cudaGraphLaunch(machine->graph, STREAM), "a step",
                     failure);
    return check(train_step(&machine->step), "train_step", failure);
}

bool machine_evaluate(struct machine *machine, const struct images *images,
                      unsigned char *chosen, struct failure *failure)
{
    return put_images(machine, images, failure)
           && check(train_evaluate(&machine->step), "train_evaluate", failure)
           && (!chosen || get(chosen, machine->step.d_chosen,
                              (size_t)images->count, failure));
}

bool machine_totals(struct machine *machine, float totals[2],
                    struct failure *failure)
{
    return get(totals, machine->step.d_totals, 2 * sizeof *totals, failure);
}

bool machine_set_totals(struct machine *machine, const float totals[2],
                        struct failure *failure)
{
    return put(machine->step.d_totals, totals, 2 * sizeof *totals, failure)
           && check(cudaStreamSynchronize(STREAM), "a copy", failure);
}

bool machine_save(struct machine *machine, struct checkpoint *state,
                  struct failure *failure)
{
    const struct step *step = &machine->step;
    const size_t real = sizeof(float), flat = step->net->parameters;

    return get(state->parameters, step->d_parameters, flat * real, failure)
           && get(state->moments, step->d_first, flat * real, failure)
           && get(state->moments + flat, step->d_second, flat * real, failure)
           && get(state->running, step->d_running,
                  step_running(step->net) * real, failure)
           && get(state->totals, step->d_totals, 2 * real, failure);
}

bool machine_outputs(struct machine *machine, float *outputs,
                     struct failure *failure)
{
    const struct step *step = &machine->step;

    return get(outputs, step->d_out[step->net->count - 1],
               (size_t)step->net->classes * sizeof *outputs, failure);
}

/* The largest magnitude; NaN when there is what is no number. */
static double largest(const float *values, size_t count)
{
    double most = 0;

    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            return NAN;
        most = fmax(most, fabs((double)values[i]));
    }
    return most;
}

/* The same of what a layer put out. */
static double largest_out(const struct machine *machine, int i)
{
    const struct step *step = &machine->step;
    const size_t count = (size_t)step->count
                         * layer_elements(&step->net->layers[i].out);
    float *values = malloc(count * sizeof *values);
    const double most = values && get(values, step->d_out[i],
                                      count * sizeof *values, NULL)
                            ? largest(values, count)
                            : 0;

    free(values);
    return most;
}

/* In the order of the forward pass: what is no number makes more of its kind
 * downstream, so the first to have some is where they came up. */
void machine_examine(struct machine *machine, const float *parameters,
                     char *text, size_t bytes)
{
    const struct network *net = machine->step.net;
    const char *worst = net->layers[0].name;
    double most = 0;

    for (int i = 0; i < net->count; i++) {
        const struct layer *layer = &net->layers[i];
        const double out = largest_out(machine, i);

        if (isnan(largest(parameters + layer->weight_at, layer->weights))
            || isnan(largest(parameters + layer->bias_at, layer->biases))) {
            snprintf(text, bytes, "%s: its weights hold what is no number",
                     layer->name);
            return;
        }
        if (isnan(out)) {
            snprintf(text, bytes, "%s: its outputs hold what is no number",
                     layer->name);
            return;
        }
        if (out > most) {
            most = out;
            worst = layer->name;
        }
    }
    snprintf(text, bytes, "%s: its outputs reach %.3g", worst, most);
}
