/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: each optimiser, some steps in a row. */
#include "suite_16.h"

static void try_updates(const char *text, int steps)
{
    const struct plan plan = {text, {1, 4, 4}, 5};
    struct trial trial;

    suite_case("\"%s\"", strstr(text, "train"));
    trial_begin(&trial, &plan, 7);
    for (int step = 1; step <= steps && !suite_failed(); step++) {
        suite_case("%.60s, step %d", strstr(text, "train"), step);
        *trial.step.d_rate = 0.02f * (float)step;
        trial_draw(&trial, 7);
        trial_step(&trial);
    }
    trial_end(&trial);
}

#define NET "conv 3 2x2\nrelu\ndense\ntrain "

void trainer_update(void)
{
    static const char *const texts[] = {
        NET "sgd rate 0.1",
        NET "sgd rate 0.1 decay 0.1",
        NET "momentum rate 0.1 momentum 0.9",
        NET "nesterov rate 0.1 momentum 0.8 decay 0.05",
        NET "adam rate 0.1",
        NET "adam rate 0.1 decay 0.2",
        NET "adamw rate 0.1 decay 0.2"};

    for (size_t i = 0; i < COUNT(texts) && !suite_failed(); i++)
        try_updates(texts[i], 4);
}

/* Limits below the gradient's norm and above it. */
void trainer_clip(void)
{
    static const char *const texts[] = {
        NET "sgd rate 0.1 clip 0.05",
        NET "sgd rate 0.1 clip 1000",
        NET "momentum rate 0.1 momentum 0.9 decay 0.1 clip 0.1",
        NET "adamw rate 0.1 decay 0.2 clip 0.02"};

    for (size_t i = 0; i < COUNT(texts) && !suite_failed(); i++)
        try_updates(texts[i], 3);
}
