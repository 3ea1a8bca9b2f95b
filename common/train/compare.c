/* SPDX-License-Identifier: MIT */
/* See host_commands.h: train compare. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "host_commands.h"
#include "metrics.h"
#include "page.h"

/* A table of the file with this number of columns; NULL with a message. */
static const struct tensor *find_table(const struct run *run, const char *name,
                                       size_t columns, struct failure *failure)
{
    const struct tensor *table = tensors_find(&run->file, name);

    if (table && table->type == TENSOR_F32 && table->rank == 2
        && table->size[1] == columns)
        return table;
    fail(failure, "%s/checkpoint.safetensors: %s is not a table", run->folder,
         name);
    return NULL;
}

/* Read the history of a run from its checkpoint. */
static bool open_run(struct run *run, struct failure *failure)
{
    struct checkpoint_about about;
    const struct tensor *rows, *points;
    char path[PAGE_PATH];

    snprintf(path, sizeof path, "%s/checkpoint.safetensors", run->folder);
    if (!safetensors_read(path, &run->file, failure)
        || !checkpoint_describe(&run->file, path, &about, failure))
        return false;
    dataset_free(&about.trained);
    rows = find_table(run, "train.history", EPOCH_COLUMNS, failure);
    points = find_table(run, "train.points", POINT_COLUMNS, failure);
    if (!rows || !points
        || !history_reserve(&run->history, rows->size[0], failure))
        return false;
    if (points->size[0] > HISTORY_POINTS)
        return fail(failure, "%s: train.points is too long", path);
    run->history.count = rows->size[0];
    run->history.points = points->size[0];
    tensor_to_floats(rows, (float *)run->history.row);
    tensor_to_floats(points, (float *)run->history.point);
    return true;
}

const float *run_best_row(const struct run *run)
{
    const struct history *history = &run->history;
    const long best = history_best(history);

    return history->count == 0
               ? NULL
               : history->row[best < 0 ? (long)history->count - 1 : best];
}

/* A loss and an accuracy; "-" for a set that there is not. */
static void print_pair(FILE *out, const float *row)
{
    if (isnan(row[0]))
        fprintf(out, "  %18s", "-");
    else
        fprintf(out, "  %8.4f %7.2f %%", (double)row[0], 100 * (double)row[1]);
}

static void print_run(FILE *out, const struct run *run)
{
    const float *row = run_best_row(run);

    if (!row) {
        fprintf(out, "%5d  %18s  %18s  %18s  ", 0, "-", "-", "-");
    } else {
        fprintf(out, "%5.0f", (double)row[EPOCH_NUMBER]);
        print_pair(out, row + EPOCH_LOSS);
        print_pair(out, row + EPOCH_VALIDATION_LOSS);
        print_pair(out, row + EPOCH_TEST_LOSS);
        fprintf(out, "  ");
    }
    print_name(out, run->folder);
    fprintf(out, "\n");
}

/* A network file's 0.01 is stored with more digits than that of the command
 * line. */
static bool is_same_value(const char *a, const char *b)
{
    char text[OPTION_TEXT], other[OPTION_TEXT];

    if (!a || !b)
        return a == b;
    if (strlen(a) >= OPTION_TEXT || strlen(b) >= OPTION_TEXT)
        return !strcmp(a, b);
    return !strcmp(train_option_readable(a, text),
                   train_option_readable(b, other));
}

/* Is a setting the same in all runs? */
static bool is_same(const struct runs *runs, const char *name)
{
    const char *first = tensors_metadata(&runs->run[0].file, name);
    bool same = true;

    for (int j = 1; j < runs->count; j++)
        same &= is_same_value(first,
                              tensors_metadata(&runs->run[j].file, name));
    return same;
}

const char *runs_next_difference(const struct runs *runs, int *i)
{
    char text[OPTION_TEXT];
    struct train_options defaults;
    const char *name;

    train_options_default(&defaults);
    while ((name = train_option_value(&defaults, (*i)++, text)))
        if (!is_same(runs, name))
            return name;
    return NULL;
}

const char *run_setting(const struct run *run, const char *name,
                        char text[OPTION_TEXT])
{
    const char *value = tensors_metadata(&run->file, name);

    return train_option_readable(value && *value ? value : "-", text);
}

bool runs_same_network(const struct runs *runs)
{
    return is_same(runs, "network");
}

/* A line for each setting that is not the same in all runs. */
static void print_differences(FILE *out, const struct runs *runs)
{
    char text[OPTION_TEXT];
    const char *name;

    for (int i = 0; (name = runs_next_difference(runs, &i));) {
        fprintf(out, "%s:", name);
        for (int j = 0; j < runs->count; j++) {
            fprintf(out, j ? ", " : " ");
            print_name(out, run_setting(&runs->run[j], name, text));
        }
        fprintf(out, "\n");
    }
    if (!runs_same_network(runs))
        fprintf(out, "the networks' texts differ\n");
}

bool compare_runs(const struct train_options *options, FILE *out,
                  struct failure *failure)
{
    struct runs runs = {.count = options->file_count};
    bool ok;

    runs.run = calloc((size_t)runs.count, sizeof *runs.run);
    ok = runs.run || fail(failure, "no memory");
    for (int i = 0; ok && i < runs.count; i++) {
        runs.run[i].folder = options->files[i];
        ok = open_run(&runs.run[i], failure);
    }
    if (ok) {
        fprintf(out, "epoch  %18s  %18s  %18s  run\n", "training",
                "validation", "test");
        for (int i = 0; i < runs.count; i++) print_run(out, &runs.run[i]);
        print_differences(out, &runs);
    }
    if (ok && *options->html) {
        ok = compare_write_page(&runs, options->html, failure);
        if (ok)
            fprintf(out, "page: %s\n", options->html);
    }
    for (int i = 0; runs.run && i < runs.count; i++) {
        tensors_free(&runs.run[i].file);
        history_free(&runs.run[i].history);
    }
    free(runs.run);
    return ok;
}
