/* SPDX-License-Identifier: MIT */
/* Inputs of lab 16's networks: drawn again while a ReLU passes nothing, since
 * all gradients before it would be 0, and most mistakes would not show. */
#include <stdio.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/random.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "grader/suite/state.h"
#include "grader/suites/16_cnn_trainer/suite_16.h"

enum { IMAGES = 2, DRAWS = 40 };

static char path[PATH_MAX + 8];

/* A fixture without a lab: its arrays are host memory, its parameters are
 * biases of -0.7 before a ReLU that most images do not pass. */
static bool make(struct fixture *f)
{
    static const char text[] = "dense 1\nrelu\ndense\ntrain sgd rate 0.1\n";
    static float images[IMAGES * 4], parameters[64], running[1];
    static unsigned char labels[IMAGES];
    static double exact[IMAGES * 4];
    struct failure reason = {""};

    *f = (struct fixture){.max_images = IMAGES, .largest_pixel = 1};
    if (!write_file(path, text, strlen(text))
        || !network_read(path, (struct image_shape){1, 2, 2}, 3, &f->net,
                         &reason)
        || f->net.parameters > COUNT(parameters))
        return false;
    for (size_t i = 0; i < f->net.parameters; i++)
        parameters[i] = 0.25f * (float)(i % 5 + 1);
    parameters[f->net.layers[0].bias_offset] = -0.7f;
    f->step.net = &f->net;
    f->step.d_images = images;
    f->step.d_labels = labels;
    f->step.d_running_stats = running;
    f->images = exact;
    f->x = reference_make(&f->net, IMAGES, parameters);
    return f->x != NULL;
}

static void relus_pass_something(void)
{
    struct fixture f;
    int first_passes = 0;

    CU_ASSERT_TRUE_FATAL(make(&f));
    for (int draw = 0; draw < DRAWS; draw++) {
        const double *passed = f.x->out[1];

        fixture_randomize_inputs(&f, IMAGES);
        fixture_forward(&f, EVALUATION_RIGHT);
        CU_ASSERT_TRUE(passed[0] > 0 || passed[1] > 0);
        first_passes += passed[0] > 0;
    }
    CU_ASSERT_TRUE(first_passes < DRAWS); /* one that passes nothing exists */
    fixture_free(&f);
}

int main(void)
{
    static struct outcome outcome = {.verdict = PASS};
    char folder[PATH_MAX];
    CU_TestInfo list[] = {
        {"each ReLU passes something", relus_pass_something},
        CU_TEST_INFO_NULL};
    int status;

    if (!paths_init() || !temp_dir_create(folder))
        return 2;
    snprintf(path, sizeof path, "%s/a.net", folder);
    suite_state.outcome = &outcome;
    random_seed(1, "inputs");
    status = run_tests("inputs of the trainer's suite", list);
    temp_dirs_remove();
    return status;
}
