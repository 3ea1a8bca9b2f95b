/* SPDX-License-Identifier: MIT */
/* See session.h: opening, training loop, checkpoints. */
#include "session.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    POINTS_PER_EPOCH = 50,     /* points of the learning curve per epoch, at
                                  most */
    DIVERGED_LOSS = 1000  /* a mean loss above it counts as diverged */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Tell what a user might not expect of the data. */
static void report_sets(const struct session *session)
{
    const struct train_options *options = session->options;
    const size_t ignored = session->train.ignored + session->test.ignored;

    if (ignored)
        fprintf(stderr, "train: %s: %zu file%s left out: not PNG or JPEG by "
                "name\n", options->folder, ignored,
                ignored == 1 ? " is" : "s are");
    if (session->test.count == 0)
        fprintf(stderr, "train: %s: there is no test set\n",
                *options->folder ? options->folder : options->data);
}

static bool read_sets(struct session *session, struct failure *failure)
{
    const struct train_options *options = session->options;
    const struct dataset_source source = train_data_source(options);

    if (!dataset_read(&source, DATASET_TRAIN, &session->train, failure)
        || !dataset_read_test(&source, &session->train, &session->test,
                              failure))
        return false;
    if (session->train.classes < 2)
        return fail(failure, "%s: one class only; a network needs two",
                    *options->folder ? options->folder : options->data);
    report_sets(session);
    if (options->limit > 0)
        dataset_truncate(&session->train, (size_t)options->limit);
    return dataset_split(&session->train, options->validation,
                         (uint64_t)options->seed, &session->validation_set,
                         failure);
}

static bool read_network(struct session *session, struct failure *failure)
{
    const struct dataset *set = &session->train;
    const struct image_shape in = {set->channels, set->height, set->width};
    const char *root = getenv("WARPBOOK_HOME");
    char path[4096];

    train_net_path(session->options, root ? root : ".", path);
    if (strcmp(path, session->options->net) && access(path, R_OK) != 0)
        return fail(failure,
                    "--net: there is no \"%.100s\"; softmax, mlp, "
                    "lenet, cifar-cnn, vgg-small, or a path that "
                    "ends in .net",
                    session->options->net);
    return network_read(path, in, set->classes, &session->net, failure)
           && train_options_resolve(session->options, &session->net, failure);
}

/* The initial state: random weights, or a checkpoint. */
static bool initialize_state(struct session *session,
                             const struct tensors *from, const char *path,
                             struct failure *failure)
{
    struct checkpoint *state = session->state =
        checkpoint_allocate(&session->net);

    session->confusion = calloc(1, sizeof *session->confusion);
    if (!state || !session->confusion)
        return fail(failure, "no memory for the network");
    /* Also before loading a checkpoint, which must replace all of it. */
    network_initialize(&session->net, state->parameters,
                       (uint64_t)session->options->seed);
    for (int i = 0; i < session->net.count; i++) {
        const struct layer *layer = &session->net.layers[i];
        /* As in PyTorch, running variances start at 1, running means at 0. */
        float *variance = state->running
                          + step_running_stats_offset(&session->net, i)
                          + layer->weights;

        for (size_t j = 0; layer->kind == LAYER_BATCHNORM && j < layer->weights;
             j++)
            variance[j] = 1;
    }
    dataset_statistics(&session->train, state->mean, state->std);
    if (*session->options->resume == 0)
        return from->count == 0
               || checkpoint_load(state, from, false, path, failure);
    return checkpoint_load(state, from, true, path, failure)
           && checkpoint_matches_network(&session->net, from, path, failure);
}

static void configure_loader(struct session *session)
{
    const struct training *training = &session->net.training;
    struct loader_options *to = &session->loading;

    *to = (struct loader_options){
        /* All images of an epoch; the last batch may be smaller. */
        .batch = (size_t)training->batch, .keep_last = true, .shuffle = true,
        .augmented = training->pad || training->flip || training->cutout,
        .seed = (uint64_t)session->options->seed, .prefetch = 2,
        .augment = {.pad = training->pad, .flip = training->flip,
                    .cutout = training->cutout}};
    memcpy(to->augment.mean, session->state->mean, sizeof to->augment.mean);
    memcpy(to->augment.std, session->state->std,
           sizeof to->augment.std);
}

bool session_open(struct session *session, const struct tensors *from,
                  const char *path, struct failure *failure)
{
    const struct train_options *options = session->options;

    if (!read_sets(session, failure) || !read_network(session, failure)
        || !initialize_state(session, from, path, failure)
        || !events_open(options->out, (double)time(NULL), &session->events,
                        failure))
        return false;
    configure_loader(session);
    return trainer_open(&session->trainer, session->state,
                        session->net.training.batch, (uint64_t)options->seed,
                        options->graph != 0, failure);
}

void session_close(struct session *session)
{
    trainer_close(&session->trainer);
    if (session->events.file)
        events_close(&session->events, NULL);
    checkpoint_free(session->state);
    free(session->confusion);
    dataset_free(&session->train);
    dataset_free(&session->validation_set);
    dataset_free(&session->test);
}

static struct position position_of(const struct checkpoint *state)
{
    return (struct position){state->step, state->epoch, state->batch};
}

/* Save a checkpoint.  The position is stored with it: if the loss diverges,
 * the steps from here on are repeated to find the cause. */
static bool save(struct session *session, struct failure *failure)
{
    if (!trainer_download(&session->trainer, session->state, failure))
        return false;
    session->saved = position_of(session->state);
    return checkpoint_write(session->state, session->options->out,
                            session->options, &session->train, failure);
}

bool session_loss_is_stable(double loss)
{
    return isfinite(loss) && loss < DIVERGED_LOSS;
}

bool session_step(struct session *session, const struct batch *batch,
                  struct failure *failure)
{
    struct checkpoint *state = session->state;
    const double epoch = (double)state->epoch
                         + (double)batch->number / (double)session->batches;
    const struct images images = {batch->images, batch->labels,
                                  (int)batch->count};

    if (!trainer_step(&session->trainer, &images,
                      train_learning_rate(session->options, epoch), failure))
        return false;
    state->step++;
    state->batch = (int64_t)batch->number + 1;
    return true;
}

/* True when the user has interrupted the training or --steps is reached.
 * Checked between steps, so that a checkpoint contains complete steps. */
static bool is_finished(const struct session *session)
{
    const double steps = session->options->steps;

    return session_stop_requested()
           || (steps > 0 && (double)session->state->step >= steps);
}

/* Add a point to the learning curve, after several loss checks and at the end
 * of an epoch. */
static void add_point(struct session *session, const struct batch *batch,
                      const float totals[2])
{
    struct checkpoint *state = session->state;
    struct history *history = &state->history;
    const size_t every = (size_t)session->options->check_interval;
    /* At most POINTS_PER_EPOCH points per epoch; the last batch always adds
     * one. */
    const size_t interval = session->batches / (every * POINTS_PER_EPOCH) + 1;
    const size_t done = batch->number + 1;
    const size_t images = batch->last
                              ? session->train.count
                              : done * (size_t)session->trainer.batch;

    if (!batch->last && done % (interval * every))
        return;
    history_add_point(history, state->step,
                      (double)state->epoch
                          + (double)done / (double)session->batches,
                      totals, images);
    events_scalar(&session->events, "loss/steps", state->step,
                  history->point[history->points - 1][POINT_LOSS],
                  (double)time(NULL));
}

/* State of the loss checks. */
struct log_state {
    float before[2]; /* sums at the last check */
    size_t images;   /* images since the last check */
    size_t first;    /* first batch of this epoch in this process */
    double since;    /* start time of that batch */
};

/* Check the loss.  Reading it synchronizes with the device, so it is not done
 * after each step.  @return an exit code */
static int check_loss(struct session *session, const struct batch *batch,
                      struct log_state *at, float totals[2],
                      struct failure *failure)
{
    double loss;

    if (!trainer_read_totals(&session->trainer, totals, failure))
        return TRAIN_FAILED;
    loss = (double)(totals[0] - at->before[0]) / (double)at->images;
    if (!session_loss_is_stable(loss)) {
        session_diagnose(session, loss);
        return TRAIN_DIVERGED;
    }
    memcpy(at->before, totals, sizeof at->before);
    at->images = 0;
    add_point(session, batch, totals);
    progress(session, batch->number + 1, at->first, now() - at->since, loss);
    return TRAIN_DONE;
}

/* Train from the current batch to the end of its epoch, or until interrupted.
 * @return an exit code */
static int run_epoch(struct session *session, struct loader *loader,
                     struct failure *failure)
{
    const size_t every = (size_t)session->options->check_interval;
    struct log_state at = {.first = (size_t)session->state->batch,
                         .since = now()};
    const struct batch *batch;
    float totals[2];
    int code = TRAIN_DONE;

    memcpy(at.before, session->state->totals, sizeof at.before);
    do {
        batch = loader_next(loader);
        if (!session_step(session, batch, failure))
            return TRAIN_FAILED;
        at.images += batch->count;
        if ((batch->number + 1) % every == 0 || batch->last
            || is_finished(session))
            code = check_loss(session, batch, &at, totals, failure);
        if (code != TRAIN_DONE)
            return code;
        /* run_epochs() saves a checkpoint at the end of an epoch. */
        if (session->state->step % (int64_t)session->options->save == 0
            && !batch->last && !save(session, failure))
            return TRAIN_FAILED;
    } while (!batch->last && !is_finished(session));
    if (!batch->last)
        return TRAIN_INTERRUPTED;
    return session_end_epoch(session, totals, failure) ? TRAIN_DONE
                                                   : TRAIN_FAILED;
}

/* Train the remaining epochs.  @return an exit code */
static int run_epochs(struct session *session, struct loader *loader,
                      struct failure *failure)
{
    struct checkpoint *state = session->state;
    int code = TRAIN_DONE;

    while (code == TRAIN_DONE && state->epoch < session->options->epochs
           && !is_finished(session)) {
        code = run_epoch(session, loader, failure);
        if (code == TRAIN_DONE) {
            state->epoch++;
            state->batch = 0;
        }
        if ((code == TRAIN_DONE || code == TRAIN_INTERRUPTED)
            && !save(session, failure))
            return TRAIN_FAILED;
    }
    if (code == TRAIN_INTERRUPTED && !session_stop_requested())
        return TRAIN_DONE; /* --steps was reached */
    return session_stop_requested() ? TRAIN_INTERRUPTED : code;
}

int session_run(struct session *session, struct failure *failure)
{
    struct checkpoint *state = session->state;
    struct loader *loader =
        loader_open(&session->train, &session->loading, (size_t)state->epoch,
                    (size_t)state->batch, failure);
    int code;

    if (!loader)
        return TRAIN_FAILED;
    session->batches = loader_batches_per_epoch(loader);
    session->saved = position_of(state);
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
    if (session->trainer.graph)
        printf("%zu kernels a step, in one graph\n",
               session->trainer.launches);
    return code;
}
