/* SPDX-License-Identifier: MIT */
/* See host_commands.h: train compare. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "host_commands.h"
#include "metrics.h"
#include "page.h"

/* A run: its checkpoint's file, and the rows of its history. */
struct run {
    const char *folder;
    struct tensors file;
    struct history history;
};

/* Read the history of a run from its checkpoint; it must be a table of
 * EPOCH_COLUMNS columns. */
static bool open_run(struct run *run, struct failure *failure)
{
    struct checkpoint_about about;
    const struct tensor *rows;
    char path[PAGE_PATH];

    snprintf(path, sizeof path, "%s/checkpoint.safetensors", run->folder);
    if (!safetensors_read(path, &run->file, failure)
        || !checkpoint_describe(&run->file, path, &about, failure))
        return false;
    dataset_free(&about.trained);
    rows = tensors_find(&run->file, "train.history");
    if (!rows || rows->type != TENSOR_F32 || rows->rank != 2
        || rows->size[1] != EPOCH_COLUMNS)
        return fail(failure, "%s: train.history is not a table", path);
    if (!history_reserve(&run->history, rows->size[0], failure))
        return false;
    run->history.count = rows->size[0];
    tensor_to_floats(rows, (float *)run->history.row);
    return true;
}

/* A loss and an accuracy; "-" for a set that there is not. */
static void print_pair(FILE *out, const float *row)
{
    if (isnan(row[0]))
        fprintf(out, "  %18s", "-");
    else
        fprintf(out, "  %8.4f %7.2f %%", (double)row[0], 100 * (double)row[1]);
}

/* The row of the epoch with the smallest validation loss, else the last one. */
static void print_run(FILE *out, const struct run *run)
{
    const struct history *history = &run->history;
    const long best = history_best(history);
    const float *row;

    if (history->count == 0) {
        fprintf(out, "%5d  %18s  %18s  %18s  ", 0, "-", "-", "-");
    } else {
        row = history->row[best < 0 ? (long)history->count - 1 : best];
        fprintf(out, "%5.0f", (double)row[EPOCH_NUMBER]);
        print_pair(out, row + EPOCH_LOSS);
        print_pair(out, row + EPOCH_VALIDATION_LOSS);
        print_pair(out, row + EPOCH_TEST_LOSS);
        fprintf(out, "  ");
    }
    print_name(out, run->folder);
    fprintf(out, "\n");
}

/* A line for each setting that is not the same in all runs. */
static void print_differences(FILE *out, const struct run *runs, int count)
{
    char text[OPTION_TEXT];
    struct train_options defaults;
    const char *name;

    train_options_default(&defaults);
    for (int i = 0; (name = train_option_value(&defaults, i, text)); i++) {
        const char *first = tensors_metadata(&runs[0].file, name);
        bool same = true;

        for (int j = 1; j < count; j++) {
            const char *other = tensors_metadata(&runs[j].file, name);

            same &= first && other ? !strcmp(first, other) : first == other;
        }
        if (same)
            continue;
        fprintf(out, "%s:", name);
        for (int j = 0; j < count; j++) {
            const char *value = tensors_metadata(&runs[j].file, name);

            fprintf(out, j ? ", " : " ");
            print_name(out, value && *value ? value : "-");
        }
        fprintf(out, "\n");
    }
}

bool compare_runs(const struct train_options *options, FILE *out,
                  struct failure *failure)
{
    const int count = options->file_count;
    struct run *runs = calloc((size_t)count, sizeof *runs);
    bool ok = runs || fail(failure, "no memory");

    for (int i = 0; ok && i < count; i++) {
        runs[i].folder = options->files[i];
        ok = open_run(&runs[i], failure);
    }
    if (ok) {
        fprintf(out, "epoch  %18s  %18s  %18s  run\n", "training",
                "validation", "test");
        for (int i = 0; i < count; i++) print_run(out, &runs[i]);
        print_differences(out, runs, count);
    }
    for (int i = 0; runs && i < count; i++) {
        tensors_free(&runs[i].file);
        history_free(&runs[i].history);
    }
    free(runs);
    return ok;
}
