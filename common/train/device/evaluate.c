/* SPDX-License-Identifier: MIT */
/* Between epochs: evaluation on validation and test set, files, log line. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/train/metrics.h"
#include "session.h"

static bool count_predictions(struct confusion *confusion,
                              const struct batch *batch,
                              const unsigned char *predicted)
{
    for (size_t i = 0; i < batch->count; i++)
        confusion->count[batch->labels[i]][predicted[i]]++;
    confusion->images += batch->count;
    return true;
}

static bool evaluate_batches(struct session *session, struct loader *loader,
                             struct confusion *confusion,
                             struct failure *failure)
{
    unsigned char predicted[65536]; /* the largest --batch */
    const struct batch *batch;
    bool ok = true;

    do {
        batch = loader_next(loader);
        ok = trainer_evaluate(&session->trainer,
                              &(struct images){batch->images, batch->labels,
                                               (int)batch->count},
                              predicted, failure);
        if (ok && confusion)
            count_predictions(confusion, batch, predicted);
    } while (ok && !batch->last);
    return ok;
}

bool session_evaluate(struct session *session, const struct dataset *set,
                      float result[2], struct confusion *confusion,
                      struct failure *failure)
{
    struct loader_options how = session->loading;
    const float none[2] = {0, 0};
    struct loader *loader;
    bool ok;

    result[0] = result[1] = NAN;
    if (set->count == 0)
        return true;
    /* Without augmentation and shuffling: the sums are then accumulated in the
     * same order for every seed. */
    how.shuffle = how.augmented = false;
    how.keep_last = true;
    loader = loader_open(set, &how, 0, 0, failure);
    /* Training and evaluation accumulate into the same sums on the device: the
     * epoch's sums have been read before. */
    ok = loader && trainer_write_totals(&session->trainer, none, failure)
         && evaluate_batches(session, loader, confusion, failure)
         && trainer_read_totals(&session->trainer, result, failure)
         && trainer_write_totals(&session->trainer, none, failure);
    loader_close(loader);
    result[0] /= (float)set->count;
    result[1] /= (float)set->count;
    return ok;
}

static void print_row(const float row[EPOCH_COLUMNS])
{
    static const char *const sets[] = {"validation", "test"};

    progress_end();
    printf("epoch %g: loss %.4f, accuracy %.2f %%", (double)row[EPOCH_NUMBER],
           (double)row[EPOCH_LOSS], 100 * (double)row[EPOCH_ACCURACY]);
    for (int i = 0; i < 2; i++) {
        const float *of = row + EPOCH_VALIDATION_LOSS + 2 * i;

        if (!isnan(of[0]))
            printf("; %s %.4f, %.2f %%", sets[i], (double)of[0],
                   100 * (double)of[1]);
    }
    printf("\n");
}

static void log_events(struct session *session, const float row[EPOCH_COLUMNS])
{
    static const char *const tags[] = {
        "loss/training", "accuracy/training", "loss/validation",
        "accuracy/validation", "loss/test", "accuracy/test"};
    const float *values = row + EPOCH_LOSS;

    for (int i = 0; i < 6; i++)
        if (!isnan(values[i]))
            events_scalar(&session->events, tags[i], session->state->step,
                          values[i], (double)time(NULL));
    fflush(session->events.file); /* TensorBoard may read during training */
}

/* Rewrite all result files after each epoch: a reader sees complete files, and
 * a resumed training writes the same ones. */
static bool write_files(struct session *session, struct failure *failure)
{
    const struct checkpoint *state = session->state;
    const struct layer *first = &session->net.layers[0];
    const char *out = session->options->out;

    return history_write_csv(&state->history, out, failure)
           && history_write_svg(&state->history, out, failure)
           && (!session->confusion->images
               || (confusion_write_svg(session->confusion, &session->train, out,
                                       failure)
                   && classes_write_csv(session->confusion, &session->train,
                                        out, failure)))
           && (first->kind != LAYER_CONV
               || filters_write_png(state->parameters + first->weight_offset,
                                    first->out.channels, first->in.channels,
                                    first->rows, first->columns, out, failure))
           && session_write_report(session, failure);
}

/* A set whose loss is not finite or too large, with finite weights. */
static bool has_diverged(const struct session *session, const float *row)
{
    const struct {
        const char *name;
        size_t images;
        float loss;
    } sets[] = {{"validation", session->validation_set.count,
                 row[EPOCH_VALIDATION_LOSS]},
                {"test", session->test.count, row[EPOCH_TEST_LOSS]}};

    for (int i = 0; i < 2; i++)
        if (sets[i].images && !session_loss_is_stable((double)sets[i].loss)) {
            progress_end();
            fprintf(stderr, "train: the %s loss is %g after step %lld\n",
                    sets[i].name, (double)sets[i].loss,
                    (long long)session->state->step);
            return true;
        }
    return false;
}

int session_end_epoch(struct session *session, const float totals[2],
                      struct failure *failure)
{
    struct checkpoint *state = session->state;
    struct history *history = &state->history;
    const float seen = (float)session->train.count, none[2] = {0, 0};
    const int code = session_fetch(session, failure);
    float *row;

    if (code != TRAIN_DONE)
        return code;
    /* The next epoch's sums begin at 0, also where nothing is evaluated. */
    if (!history_reserve(history, history->count + 1, failure)
        || !trainer_write_totals(&session->trainer, none, failure))
        return TRAIN_FAILED;
    row = history->row[history->count];
    memset(session->confusion, 0, sizeof *session->confusion);
    session->confusion->classes = session->net.classes;
    row[EPOCH_NUMBER] = (float)(state->epoch + 1);
    row[EPOCH_LOSS] = totals[0] / seen;
    row[EPOCH_ACCURACY] = totals[1] / seen;
    if (!session_evaluate(session, &session->validation_set,
                          row + EPOCH_VALIDATION_LOSS,
                          session->test.count ? NULL : session->confusion,
                          failure)
        || !session_evaluate(session, &session->test, row + EPOCH_TEST_LOSS,
                             session->confusion, failure))
        return TRAIN_FAILED;
    if (has_diverged(session, row))
        return TRAIN_DIVERGED;
    history->count++;
    memset(history->mark, 0, sizeof history->mark); /* for the next epoch */
    print_row(row);
    log_events(session, row);
    return write_files(session, failure) ? TRAIN_DONE : TRAIN_FAILED;
}
