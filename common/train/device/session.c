/* SPDX-License-Identifier: MIT */
/* See session.h: opening, the loop over steps, checkpoints. */
#include "session.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    POINTS = 50,     /* of the curve within an epoch, at most */
    EXPLODED = 1000  /* a mean loss that no training comes back from */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool read_sets(struct session *session, struct failure *failure)
{
    const struct train_options *options = session->options;
    const char *folder = *options->folder ? options->folder : NULL;

    if (!dataset_read(options->data, folder, DATASET_TRAIN, &session->train,
                      failure)
        || !dataset_read(options->data, folder, DATASET_TEST, &session->test,
                         failure))
        return false;
    if (options->limit > 0)
        dataset_keep(&session->train, (size_t)options->limit);
    return dataset_split(&session->train, options->validation,
                         (uint64_t)options->seed, &session->held, failure);
}

static bool read_network(struct session *session, struct failure *failure)
{
    const struct dataset *set = &session->train;
    const struct image_shape in = {set->channels, set->height, set->width};
    const char *root = getenv("WARPBOOK_HOME");
    char path[4096];

    train_net_path(session->options, root ? root : ".", path);
    if (strcmp(path, session->options->net) && access(path, R_OK) != 0)
        return fail(failure, "--net: there is no \"%.100s\"; softmax, mlp, "
                             "lenet, cifar-cnn, vgg-small, or a path that "
                             "ends in .net", session->options->net);
    return network_read(path, in, set->classes, &session->net, failure)
           && train_options_settle(session->options, &session->net, failure);
}

/* The state to begin with: drawn, or that of a checkpoint. */
static bool begin(struct session *session, const struct tensors *from,
                  const char *path, struct failure *failure)
{
    struct checkpoint *state = session->state =
        checkpoint_make(&session->net);

    session->confusion = calloc(1, sizeof *session->confusion);
    if (!state || !session->confusion)
        return fail(failure, "no memory for the network");
    /* Drawn even when a checkpoint follows: it must replace all of it. */
    network_initialise(&session->net, state->parameters,
                       (uint64_t)session->options->seed);
    for (int i = 0; i < session->net.count; i++) {
        const struct layer *layer = &session->net.layers[i];
        /* Running variances begin at 1, as PyTorch's; means at 0. */
        float *variance = state->running + step_running_at(&session->net, i)
                          + layer->weights;

        for (size_t j = 0; layer->kind == LAYER_BATCHNORM
                           && j < layer->weights; j++)
            variance[j] = 1;
    }
    dataset_statistics(&session->train, state->mean, state->scale);
    if (*session->options->resume == 0)
        return from->count == 0
               || checkpoint_take(state, from, false, path, failure);
    return checkpoint_take(state, from, true, path, failure)
           && checkpoint_fits(&session->net, from, path, failure);
}

static void choose_loading(struct session *session)
{
    const struct training *how = &session->net.training;
    struct loader_options *to = &session->loading;

    *to = (struct loader_options){
        /* All images of an epoch, the last batch smaller if need be. */
        .batch = (size_t)how->batch, .keep_rest = true, .shuffle = true,
        .augmented = how->pad || how->flip || how->cutout,
        .seed = (uint64_t)session->options->seed, .ahead = 2,
        .augment = {.pad = how->pad, .flip = how->flip,
                    .cutout = how->cutout}};
    memcpy(to->augment.mean, session->state->mean, sizeof to->augment.mean);
    memcpy(to->augment.scale, session->state->scale,
           sizeof to->augment.scale);
}

bool session_open(struct session *session, const struct tensors *from,
                  const char *path, struct failure *failure)
{
    const struct train_options *options = session->options;

    if (!read_sets(session, failure) || !read_network(session, failure)
        || !begin(session, from, path, failure)
        || !events_open(options->out, (double)time(NULL), &session->events,
                        failure))
        return false;
    choose_loading(session);
    return machine_open(&session->machine, session->state,
                        session->net.training.batch, (uint64_t)options->seed,
                        options->graph != 0, failure);
}

void session_close(struct session *session)
{
    machine_close(&session->machine);
    if (session->events.file)
        events_close(&session->events, NULL);
    checkpoint_free(session->state);
    free(session->confusion);
    dataset_free(&session->train);
    dataset_free(&session->held);
    dataset_free(&session->test);
}

static struct place place_of(const struct checkpoint *state)
{
    return (struct place){state->step, state->epoch, state->batch};
}

/* The place is noted with the arrays: should the loss be lost, the steps from
 * here on are done once more to see where. */
static bool save(struct session *session, struct failure *failure)
{
    if (!machine_save(&session->machine, session->state, failure))
        return false;
    session->saved = place_of(session->state);
    return checkpoint_write(session->state, session->options->out,
                            session->options, &session->train, failure);
}

bool session_sound(double loss)
{
    return isfinite(loss) && loss < EXPLODED;
}

bool session_step(struct session *session, const struct batch *batch,
                  struct failure *failure)
{
    struct checkpoint *state = session->state;
    const double epoch = (double)state->epoch
                         + (double)batch->number / (double)session->batches;
    const struct images images = {batch->images, batch->labels,
                                  (int)batch->count};

    if (!machine_train(&session->machine, &images,
                       train_rate(session->options, epoch), failure))
        return false;
    state->step++;
    state->batch = (int64_t)batch->number + 1;
    return true;
}

/* Looked at between steps alone, so that a checkpoint is of a whole step.  An
 * end before the end: asked for, or by the user. */
static bool is_over(const struct session *session)
{
    const double steps = session->options->steps;

    return session_stopped()
           || (steps > 0 && (double)session->state->step >= steps);
}

/* A point of the curve: after some looks, and at the end of an epoch. */
static void tell_point(struct session *session, const struct batch *batch,
                       const float totals[2])
{
    struct checkpoint *state = session->state;
    struct history *history = &state->history;
    const size_t look = (size_t)session->options->look;
    /* The curve has POINTS an epoch however long that is; the last batch always
     * has one, so that the epoch is seen to its end. */
    const size_t looks = session->batches / (look * POINTS) + 1;
    const size_t done = batch->number + 1;
    const size_t images = batch->last
                              ? session->train.count
                              : done * (size_t)session->machine.batch;

    if (!batch->last && done % (looks * look))
        return;
    history_point(history, state->step,
                  (double)state->epoch
                      + (double)done / (double)session->batches,
                  totals, images);
    events_scalar(&session->events, "loss/steps", state->step,
                  history->point[history->points - 1][POINT_LOSS],
                  (double)time(NULL));
}

/* What a look compares to. */
struct looking {
    float before[2]; /* sums at the last look */
    size_t images;   /* since then */
    size_t first;    /* batch of this epoch that this run began with */
    double since;    /* when that was */
};

/* Look at the loss: reading it waits for the device, so this is not done after
 * each step.  @return an exit code */
static int look(struct session *session, const struct batch *batch,
                struct looking *at, float totals[2], struct failure *failure)
{
    double loss;

    if (!machine_totals(&session->machine, totals, failure))
        return TRAIN_TROUBLE;
    loss = (double)(totals[0] - at->before[0]) / (double)at->images;
    if (!session_sound(loss)) {
        session_examine(session, loss);
        return TRAIN_DIVERGED;
    }
    memcpy(at->before, totals, sizeof at->before);
    at->images = 0;
    tell_point(session, batch, totals);
    progress(session, batch->number + 1, at->first, now() - at->since, loss);
    return TRAIN_DONE;
}

/* From the present batch to the end of its epoch, or to an end before.
 * @return an exit code */
static int run_epoch(struct session *session, struct loader *loader,
                     struct failure *failure)
{
    const size_t every = (size_t)session->options->look;
    struct looking at = {.first = (size_t)session->state->batch,
                         .since = now()};
    const struct batch *batch;
    float totals[2];
    int code = TRAIN_DONE;

    memcpy(at.before, session->state->totals, sizeof at.before);
    do {
        batch = loader_next(loader);
        if (!session_step(session, batch, failure))
            return TRAIN_TROUBLE;
        at.images += batch->count;
        if ((batch->number + 1) % every == 0 || batch->last
            || is_over(session))
            code = look(session, batch, &at, totals, failure);
        if (code != TRAIN_DONE)
            return code;
        /* The end of an epoch is saved by run_epochs(), with its results. */
        if (session->state->step % (int64_t)session->options->save == 0
            && !batch->last && !save(session, failure))
            return TRAIN_TROUBLE;
    } while (!batch->last && !is_over(session));
    if (!batch->last)
        return TRAIN_INTERRUPTED;
    return session_epoch(session, totals, failure) ? TRAIN_DONE
                                                   : TRAIN_TROUBLE;
}

/* All epochs that are left. */
static int run_epochs(struct session *session, struct loader *loader,
                      struct failure *failure)
{
    struct checkpoint *state = session->state;
    int code = TRAIN_DONE;

    while (code == TRAIN_DONE && state->epoch < session->options->epochs
           && !is_over(session)) {
        code = run_epoch(session, loader, failure);
        if (code == TRAIN_DONE) {
            state->epoch++;
            state->batch = 0;
        }
        if ((code == TRAIN_DONE || code == TRAIN_INTERRUPTED)
            && !save(session, failure))
            return TRAIN_TROUBLE;
    }
    if (code == TRAIN_INTERRUPTED && !session_stopped())
        return TRAIN_DONE; /* --steps was reached */
    return session_stopped() ? TRAIN_INTERRUPTED : code;
}

int session_run(struct session *session, struct failure *failure)
{
    struct checkpoint *state = session->state;
    struct loader *loader =
        loader_open(&session->train, &session->loading, (size_t)state->epoch,
                    (size_t)state->batch, failure);
    int code;

    if (!loader)
        return TRAIN_TROUBLE;
    session->batches = loader_batches(loader);
    session->saved = place_of(state);
    printf("%s: %zu parameters, %zu image%s, %zu step%s an epoch\n",
           session->net.name, session->net.parameters, session->train.count,
           session->train.count == 1 ? "" : "s", session->batches,
           session->batches == 1 ? "" : "s");
    if (state->epoch >= session->options->epochs)
        printf(session->options->epochs == 1
                   ? "the one epoch is done; --epochs asks for more\n"
                   : "all %.0f epochs are done; --epochs asks for more\n",
               session->options->epochs);
    code = run_epochs(session, loader, failure);
    loader_close(loader);
    if (session->machine.graph)
        printf("%zu kernels a step, in one graph\n",
               session->machine.launches);
    return code;
}
