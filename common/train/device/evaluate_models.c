/* SPDX-License-Identifier: MIT */
/* train evaluate: checkpoints on a test set.  Several checkpoints are an
 * ensemble: the mean of their probabilities is measured. */
#include <stdlib.h>
#include <string.h>

#include "common/train/metrics.h"
#include "model.h"

/* The data and the predictions. */
struct evaluation {
    const struct train_options *options;
    struct dataset set;   /* of the first model */
    float *mean;          /* [images][classes] */
    struct confusion *confusion;
};

/* The test set that the first model's options, or the command line, name. */
static bool read_set(struct evaluation *e, struct model *model,
                     struct failure *failure)
{
    struct dataset_source source = train_data_source(&model->options);

    if (!dataset_read_test(&source, &model->about.trained, &e->set, failure))
        return false;
    if (e->set.count == 0)
        return fail(failure, "%s: there is no test set",
                    source.folder ? source.folder : source.name);
    e->mean = calloc(e->set.count * (size_t)e->set.classes, sizeof *e->mean);
    e->confusion = calloc(1, sizeof *e->confusion);
    return (e->mean && e->confusion)
           || fail(failure, "no memory for %zu images", e->set.count);
}

/* @param top  at most the number of classes */
static void print_metrics(const char *what, const struct metrics *m, int top)
{
    print_name(stdout, what);
    printf(": loss %.4f, accuracy %.2f %%, top-%d %.2f %%\n", m->loss,
           100 * m->accuracy, top, 100 * m->top_accuracy);
}

/* --top, or the number of classes if that is smaller. */
static int top_of(const struct evaluation *e)
{
    const int top = (int)e->options->top;

    return top < e->set.classes ? top : e->set.classes;
}

/* Measure one model, and add its share to the mean. */
static bool add_model(struct evaluation *e, struct model *model,
                      const char *path, struct failure *failure)
{
    const size_t all = e->set.count * (size_t)e->set.classes;
    const int top = top_of(e), models = e->options->file_count;
    float *own = malloc(all * sizeof *own);
    struct metrics m;

    if (!own)
        return fail(failure, "no memory for %zu images", e->set.count);
    if (!dataset_fits(&model->about.trained, &e->set, "test", failure)
        || !model_probabilities(model, &e->set, own, failure)) {
        free(own);
        return false;
    }
    for (size_t i = 0; i < all; i++) e->mean[i] += own[i] / (float)models;
    memset(e->confusion, 0, sizeof *e->confusion);
    m = metrics_of(&e->set, own, top, e->confusion);
    print_metrics(path, &m, top);
    free(own);
    return true;
}

static bool evaluate_file(struct evaluation *e, int i, struct failure *failure)
{
    struct model *model = calloc(1, sizeof *model);
    const char *path = e->options->files[i];
    bool ok = model || fail(failure, "no memory");

    ok = ok && model_open(model, path, e->options, failure)
         && (i > 0 || read_set(e, model, failure));
    if (ok && i == 0)
        printf("%zu test images of %s\n", e->set.count, model->options.data);
    ok = ok && add_model(e, model, path, failure);
    if (model)
        model_close(model);
    free(model);
    return ok;
}

bool evaluate(const struct train_options *options, struct failure *failure)
{
    struct evaluation e = {.options = options};
    bool ok = true;

    for (int i = 0; i < options->file_count && ok; i++)
        ok = evaluate_file(&e, i, failure);
    if (ok && options->file_count > 1) {
        struct metrics m;

        memset(e.confusion, 0, sizeof *e.confusion);
        m = metrics_of(&e.set, e.mean, top_of(&e), e.confusion);
        print_metrics("mean of their probabilities", &m, top_of(&e));
    }
    if (ok)
        print_classes(stdout, e.confusion, &e.set);
    dataset_free(&e.set);
    free(e.mean);
    free(e.confusion);
    return ok;
}
