/* SPDX-License-Identifier: MIT */
/* Diagnosis of a diverged loss.  When a check finds it, several steps may have
 * passed, and all values may be NaN.  Training is deterministic: the steps
 * since the last checkpoint are repeated with a check after each one; before
 * the first step that diverges, the weights are still valid. */
#include <stdio.h>
#include <string.h>

#include "session.h"

enum { TEXT = 160 };

/* The step that diverged. */
struct diagnosis {
    double loss;     /* mean loss of its batch */
    long long step;  /* from 1 */
    char text[TEXT]; /* the layer and what is wrong */
};

/* The layer whose values the last step made infinite or NaN; "" if none. */
static void find_nonfinite(const struct checkpoint *state,
                           struct diagnosis *diagnosis)
{
    const char *layer = checkpoint_find_nonfinite(state);

    diagnosis->step = state->step;
    if (layer)
        snprintf(diagnosis->text, TEXT, "%s: its weights are not finite",
                 layer);
}

/* Repeat a step.
 * @return true while steps are valid and another one follows */
static bool repeat_step(struct session *session, struct loader *loader,
                        int64_t last, struct diagnosis *diagnosis)
{
    const float none[2] = {0, 0};
    const struct batch *batch;
    struct checkpoint *state = session->state;
    struct trainer *trainer = &session->trainer;
    float totals[2];

    if (!trainer_download(trainer, state, NULL))
        return false;
    if (state->step > session->saved.step)
        find_nonfinite(state, diagnosis);
    if (*diagnosis->text || state->step == last)
        return false;
    batch = loader_next(loader);
    if (!trainer_write_totals(trainer, none, NULL)
        || !session_step(session, batch, NULL)
        || !trainer_read_totals(trainer, totals, NULL))
        return false;
    diagnosis->loss = (double)totals[0] / (double)batch->count;
    diagnosis->step = state->step;
    if (!session_loss_is_stable(diagnosis->loss))
        trainer_diagnose(trainer, state->parameters, diagnosis->text, TEXT);
    return !*diagnosis->text;
}

/* Repeat the steps since the last checkpoint.  Each epoch ends with a
 * checkpoint, so they belong to one epoch. */
static void repeat_epoch_steps(struct session *session,
                               struct diagnosis *diagnosis)
{
    struct checkpoint *state = session->state;
    const int64_t last = state->step;
    struct loader *loader;

    state->step = session->saved.step;
    state->epoch = session->saved.epoch;
    state->batch = session->saved.batch;
    loader = loader_open(&session->train, &session->loading,
                         (size_t)state->epoch, (size_t)state->batch, NULL);
    if (loader && trainer_upload(&session->trainer, state, NULL))
        while (repeat_step(session, loader, last, diagnosis))
            ;
    loader_close(loader);
}

void session_diagnose(struct session *session, double loss)
{
    struct diagnosis diagnosis = {.loss = loss};

    progress_end();
    repeat_epoch_steps(session, &diagnosis);
    if (!*diagnosis.text) /* a learner's kernels may not be deterministic */
        snprintf(diagnosis.text, TEXT,
                 "repeated, its steps are valid: are the "
                 "kernels free of races?");
    fprintf(stderr,
            "train: the loss is %g after step %lld: %s; a smaller "
            "--lr or --clip may help\n",
            diagnosis.loss, diagnosis.step, diagnosis.text);
    session->state->step = diagnosis.step;
}
