/* SPDX-License-Identifier: MIT */
/* Where was the loss lost?  By the time that someone looks, several steps may
 * have gone over it and nothing is a number any more.  Steps give the same bits
 * again, so those since the last checkpoint are done once more, each looked at:
 * the first that is lost still has sound weights before it. */
#include <stdio.h>
#include <string.h>

#include "session.h"

enum { TEXT = 160 };

/* Of the step that was lost. */
struct finding {
    double loss;     /* mean of its images */
    long long step;  /* from 1 */
    char text[TEXT]; /* the layer */
};

/* Do a step once more.
 * @return whether to go on: it was sound, and there is another */
static bool again(struct session *session, struct loader *loader,
                  int64_t last, struct finding *found)
{
    const float none[2] = {0, 0};
    const struct batch *batch = loader_next(loader);
    struct checkpoint *state = session->state;
    struct machine *machine = &session->machine;
    float totals[2];

    if (!machine_save(machine, state, NULL)
        || !machine_set_totals(machine, none, NULL)
        || !session_step(session, batch, NULL)
        || !machine_totals(machine, totals, NULL))
        return false;
    found->loss = (double)totals[0] / (double)batch->count;
    found->step = state->step;
    if (!session_sound(found->loss))
        machine_examine(machine, state->parameters, found->text, TEXT);
    return !*found->text && state->step < last;
}

/* All steps of the epoch since the last checkpoint: there is one at its end,
 * so that they are of one epoch. */
static void repeat(struct session *session, struct finding *found)
{
    struct checkpoint *state = session->state;
    const int64_t last = state->step;
    struct loader *loader;

    state->step = session->saved.step;
    state->epoch = session->saved.epoch;
    state->batch = session->saved.batch;
    loader = loader_open(&session->train, &session->loading,
                         (size_t)state->epoch, (size_t)state->batch, NULL);
    if (loader && machine_put(&session->machine, state, NULL))
        while (again(session, loader, last, found))
            ;
    loader_close(loader);
}

void session_examine(struct session *session, double loss)
{
    struct finding found = {.loss = loss};

    progress_end();
    repeat(session, &found);
    if (!*found.text) /* kernels of a learner's may not repeat themselves */
        snprintf(found.text, TEXT, "done again, its steps are sound: are the "
                                   "kernels free of races?");
    fprintf(stderr, "train: the loss is %g after step %lld: %s; a smaller "
                    "--lr or --clip may help\n",
            found.loss, found.step, found.text);
}
