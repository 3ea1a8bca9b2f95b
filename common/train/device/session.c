/* SPDX-License-Identifier: MIT */
/* See session.h: training loop, checkpoints. */
#include "session.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/files.h"
#include "common/train/run_folder.h"

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

static struct position position_of(const struct checkpoint *state)
{
    return (struct position){state->step, state->epoch, state->batch};
}

static void swap_floats(float **a, float **b)
{
    float *const kept = *a;

    *a = *b;
    *b = kept;
}

int session_fetch(struct session *session, struct failure *failure)
{
    struct checkpoint *state = session->state, *from = session->incoming;

    if (!trainer_download(&session->trainer, from, failure))
        return TRAIN_FAILED;
    if (checkpoint_find_nonfinite(from)) {
        session_diagnose(session, NAN);
        return TRAIN_DIVERGED;
    }
    swap_floats(&state->parameters, &from->parameters);
    swap_floats(&state->moments, &from->moments);
    swap_floats(&state->running, &from->running);
    memcpy(state->totals, from->totals, sizeof state->totals);
    return TRAIN_DONE;
}

/* Write the state as NAME in the output folder. */
static bool write_state(struct session *session, const char *name,
                        struct failure *failure)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", session->options->out, name);
    return checkpoint_write(session->state, path, session->options,
                            &session->about, failure);
}

/* Save a checkpoint.  The position is stored with it: if the loss diverges,
 * the steps from here on are repeated to find the cause.
 * @return an exit code */
static int save(struct session *session, struct failure *failure)
{
    const int code = session_fetch(session, failure);

    if (code != TRAIN_DONE)
        return code;
    session->saved = position_of(session->state);
    session->saved_any = true;
    return write_state(session, "checkpoint.safetensors", failure)
               ? TRAIN_DONE : TRAIN_FAILED;
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
                      train_learning_rate(session->options, epoch,
                                          session->batches),
                      failure))
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
            && !batch->last)
            code = save(session, failure);
    } while (code == TRAIN_DONE && !batch->last && !is_finished(session));
    if (code != TRAIN_DONE)
        return code;
    return batch->last ? session_end_epoch(session, totals, failure)
                       : TRAIN_INTERRUPTED;
}

/* The epochs since the validation loss was smallest. */
static double epochs_without_progress(const struct session *session)
{
    const struct history *history = &session->state->history;
    const long best = history_best(history);

    return best < 0 ? 0 : (double)history->count - 1 - (double)best;
}

/* Has --patience been used up?  Depends on the history only: a resumed training
 * stops, too. */
static bool has_no_patience(const struct session *session)
{
    const double patience = session->options->patience;

    return patience > 0 && epochs_without_progress(session) >= patience;
}

/* Save a checkpoint and, after the best epoch so far, best.safetensors.  That
 * one comes first: a run that is killed between the two repeats the steps since
 * its last checkpoint, and writes both.
 * @param code  of the epoch
 * @return an exit code */
static int save_epoch(struct session *session, int code,
                      struct failure *failure)
{
    const struct history *history = &session->state->history;
    const bool is_best = code == TRAIN_DONE && history->count > 0
                         && history_best(history) == (long)history->count - 1;
    int saved = is_best ? session_fetch(session, failure) : TRAIN_DONE;

    if (saved == TRAIN_DONE && is_best
        && !write_state(session, "best.safetensors", failure))
        saved = TRAIN_FAILED;
    if (saved == TRAIN_DONE)
        saved = save(session, failure);
    return saved == TRAIN_DONE ? code : saved;
}

/* Train the remaining epochs.  @return an exit code */
static int run_epochs(struct session *session, struct loader *loader,
                      struct failure *failure)
{
    struct checkpoint *state = session->state;
    int code = TRAIN_DONE;

    while (code == TRAIN_DONE && state->epoch < session->options->epochs
           && !is_finished(session) && !has_no_patience(session)) {
        code = run_epoch(session, loader, failure);
        if (code == TRAIN_DONE) {
            state->epoch++;
            state->batch = 0;
        }
        if (code == TRAIN_DONE || code == TRAIN_INTERRUPTED)
            code = save_epoch(session, code, failure);
    }
    if (code == TRAIN_INTERRUPTED && !session_stop_requested())
        return TRAIN_DONE; /* --steps was reached */
    return code == TRAIN_DONE && session_stop_requested() ? TRAIN_INTERRUPTED
                                                          : code;
}

/* Does the checkpoint's position fit the data? */
static bool check_position(const struct session *session,
                           struct failure *failure)
{
    const struct checkpoint *state = session->state;
    const int64_t batches = (int64_t)session->batches;

    return (state->batch < batches
            && state->step == state->epoch * batches + state->batch)
           || fail(failure, "%s: step %lld is not batch %lld of epoch %lld, "
                   "with %lld batches an epoch", session->options->resume,
                   (long long)state->step, (long long)state->batch,
                   (long long)state->epoch, (long long)batches);
}

/* A new run begins with a checkpoint of its initial state, so that it can be
 * resumed at any moment.  Weights of a file may be invalid: then the first step
 * tells. */
static bool save_first(struct session *session, struct failure *failure)
{
    const struct train_options *options = session->options;
    char best[4096], copy[4096], *content;
    size_t length;
    bool ok = true;

    session->saved = position_of(session->state);
    session->saved_any = !checkpoint_find_nonfinite(session->state);
    if (!session->saved_any
        || (*options->resume && run_folder_same(options->out, options->resume)))
        return true;
    snprintf(best, sizeof best, "%s/best.safetensors", options->resume);
    snprintf(copy, sizeof copy, "%s/best.safetensors", options->out);
    content = *options->resume ? read_file(best, SIZE_MAX / 2, &length) : NULL;
    if (content && !write_file(copy, content, length))
        ok = fail(failure, "%s: %s", copy, strerror(errno));
    free(content);
    return ok && write_state(session, "checkpoint.safetensors", failure);
}

static void print_beginning(const struct session *session)
{
    const size_t images = session->train.count, steps = session->batches;
    const double epochs = session->options->epochs;

    printf("%s: %zu parameters, %zu image%s, %zu step%s an epoch\n",
           session->net.name, session->net.parameters, images,
           images == 1 ? "" : "s", steps, steps == 1 ? "" : "s");
    if ((double)session->state->epoch >= epochs)
        printf(epochs == 1 ? "the one epoch is done; --epochs asks for more\n"
                           : "all %.0f epochs are done; --epochs asks for "
                             "more\n",
               epochs);
}

static void print_end(const struct session *session)
{
    const long best = history_best(&session->state->history);

    if (session->trainer.graph)
        printf("%zu kernels a step, in one graph\n",
               session->trainer.launches);
    if (has_no_patience(session))
        printf("stopped: no smaller validation loss for %.0f epochs\n",
               epochs_without_progress(session));
    if (best >= 0)
        printf("best validation loss: epoch %ld, %s/best.safetensors\n",
               best + 1, session->options->out);
}

int session_run(struct session *session, struct failure *failure)
{
    const struct checkpoint *state = session->state;
    struct loader *loader;
    int code = TRAIN_FAILED;

    session->batches = (session->train.count + session->loading.batch - 1)
                       / session->loading.batch;
    if (!check_position(session, failure))
        return TRAIN_FAILED;
    loader = loader_open(&session->train, &session->loading,
                         (size_t)state->epoch, (size_t)state->batch, failure);
    if (!loader)
        return TRAIN_FAILED;
    print_beginning(session);
    if (save_first(session, failure))
        code = run_epochs(session, loader, failure);
    loader_close(loader);
    if (code != TRAIN_FAILED)
        print_end(session);
    return code;
}
