/* SPDX-License-Identifier: MIT */
/* The report of a run: every setting, the machine, and the versions. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/base/processor.h"
#include "session.h"

static void add_settings(struct report *report,
                         const struct train_options *options)
{
    char text[OPTION_TEXT], number[OPTION_TEXT];
    const char *name;

    for (int i = 0; (name = train_option_value(options, i, text)); i++) {
        if (*text) /* given */
            report_add(report, name, train_option_readable(text, number));
    }
}

static void add_cpu(struct report *report)
{
    char name[256], text[300];

    snprintf(text, sizeof text, "%s, %ld cores online",
             processor_name(name, sizeof name), sysconf(_SC_NPROCESSORS_ONLN));
    report_add(report, "CPU", text);
}

static void add_machine(struct report *report)
{
    struct cudaDeviceProp device;
    struct utsname system;
    char text[300];
    int version = 0;

    if (cudaGetDeviceProperties(&device, 0) == cudaSuccess) {
        /* Set by `train`.  The software GPU has the name of a card, too. */
        const char *kind = getenv("TRAIN_DEVICE");

        snprintf(text, sizeof text, "%s%s", device.name,
                 kind && !strcmp(kind, "soft")
                     ? " as described to the software GPU" : "");
        report_add(report, "CUDA device", text);
    }
    add_cpu(report);
    if (uname(&system) == 0) {
        snprintf(text, sizeof text, "%s %s %s", system.sysname, system.release,
                 system.machine);
        report_add(report, "system", text);
    }
    if (cudaRuntimeGetVersion(&version) == cudaSuccess) {
        snprintf(text, sizeof text, "%d.%d", version / 1000,
                 version % 1000 / 10);
        report_add(report, "CUDA runtime", text);
    }
    report_add(report, "compiler", __VERSION__);
    if (getenv("TRAIN_ENGINE")) /* set by `train` */
        report_add(report, "kernels by", getenv("TRAIN_ENGINE"));
    /* Set by `train`: the commit of the source tree. */
    if (getenv("TRAIN_COMMIT"))
        report_add(report, "version", getenv("TRAIN_COMMIT"));
}

bool session_write_report(const struct session *session,
                          struct failure *failure)
{
    const struct train_options *options = session->options;
    struct report *report = calloc(1, sizeof *report);
    char title[3 * OPTION_TEXT], text[80];
    bool ok;

    if (!report)
        return fail(failure, "no memory for a report");
    snprintf(title, sizeof title, "%s on %s, seed %.0f", session->net.name,
             options->data, options->seed);
    report->title = title;
    report->network = session->about.network;
    report->set = &session->train;
    report->evaluated = session->test.count ? "test" : "validation";
    if (session->test.count || session->validation_set.count)
        report->confusion = session->confusion;
    snprintf(text, sizeof text, "%zu training, %zu validation, %zu test",
             session->train.count, session->validation_set.count,
             session->test.count);
    report_add(report, "images", text);
    snprintf(text, sizeof text, "%zu", session->net.parameters);
    report_add(report, "parameters", text);
    add_settings(report, options);
    add_machine(report);
    ok = report_write_html(&session->state->history, report, options->out,
                           failure);
    free(report);
    return ok;
}
