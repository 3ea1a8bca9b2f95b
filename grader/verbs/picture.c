/* SPDX-License-Identifier: MIT */
/* warpbook picture LAB [IMAGE]: apply a kernel to images.
 *
 * The kernel runs in the runner as in a grade, one call for each image. */
#include "grader/report/picture.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/build/build.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "common.h"
#include "labs/02_blur/blur.h"

enum { RADIUS = 2 }; /* pixels: details disappear, shapes remain */

/* Blur all images; the stub `blur` calls the lab in the runner. */
static bool blur_all(struct session *session, const struct lab *lab,
                     struct picture *picture, struct outcome *outcome)
{
    int status = 0;

    *outcome = (struct outcome){.verdict = PASS};
    test_begin(session, lab, 0, "picture", outcome);
    for (int i = 0; i < picture->count && !status; i++) {
        const struct image *in = &picture->before[i];
        status = blur(in->data, picture->after[i].data, in->width, in->height,
                      in->channels, RADIUS);
    }
    test_end();
    session_kill(session);
    if (outcome->verdict == PASS && status)
        text_format(outcome->message, MESSAGE_SIZE, "blur returned %d", status);
    return !status && outcome->verdict == PASS;
}

/* Make a temporary folder, and a scratch folder in it for the runner. */
static bool make_scratch(char *folder, char *scratch)
{
    if (!temp_dir_create(folder))
        return false;
    text_format(scratch, PATH_MAX, "%s/scratch", folder);
    return mkdir(scratch, 0700) == 0;
}

/* Build the file and run it on the images.  @return an exit status */
static int make_picture(const struct target *target, const struct lab *lab,
                        const char *source, struct picture *picture)
{
    char folder[PATH_MAX], scratch[PATH_MAX];
    struct outcome outcome;
    struct build_result built;
    char output[PATH_MAX];
    const struct build_request request = {.target = target, .lab = lab,
                                          .source = source,
                                          .output = output};
    struct session session;
    bool ok;

    if (!make_scratch(folder, scratch))
        return report_error(EXIT_GRADER_ERROR,
                            "cannot make a temporary folder: %s",
                            strerror(errno));
    text_format(output, sizeof output, "%s/runner", folder);
    build_runner(&request, &built);
    if (built.verdict != PASS)
        return report_error(EXIT_NO_BUILD, "%s", built.message);
    session = (struct session){.runner = built.runner, .folder = scratch,
                               .limits = grade_limits(lab, target),
                               .gpu = target->kind == DEVICE_GPU};
    ok = blur_all(&session, lab, picture, &outcome);
    session_free(&session);
    if (!ok)
        return report_error(EXIT_PARTIAL, "no picture: %s", outcome.message);
    return EXIT_FULL;
}

/* The named file, or images of Fashion-MNIST. */
static bool read_picture(const struct options *options,
                         struct picture *picture)
{
    struct failure reason = {""};
    bool ok = options->count > 1
                  ? picture_from_file(options->words[1], picture, &reason)
                  : picture_from_fashion(picture, &reason);

    if (!ok)
        report_error(0, "%s", reason.text);
    return ok;
}

/* All but reading and freeing the images.  @return an exit status */
static int show(const struct options *options, struct picture *picture)
{
    static struct lab lab;
    struct target target;
    struct failure reason = {""};
    char error[512], source[PATH_MAX];
    const char *path = options->output ? options->output : "picture.png";
    int code;

    if (!load_lab(options->words[0], options, &lab)
        || !source_path(options, &lab, source))
        return EXIT_USAGE;
    if (strcmp(lab.name, "blur"))
        return report_error(EXIT_USAGE, "lab %s has no pictures; lab 02 has",
                            options->words[0]);
    if (!target_find(options->device, &target, error))
        return report_error(EXIT_GRADER_ERROR, "%s", error);
    code = make_picture(&target, &lab, source, picture);
    if (code != EXIT_FULL)
        return code;
    if (!picture_write(picture, path, &reason))
        return report_error(EXIT_GRADER_ERROR, "%s", reason.text);
    printf("%s: %d image%s, before and after\n", path, picture->count,
           picture->count == 1 ? "" : "s");
    return EXIT_FULL;
}

/* Pictures are freed also after a failure. */
static int run(const struct options *options)
{
    struct picture picture;
    int code = EXIT_NO_BUILD;

    if (read_picture(options, &picture))
        code = show(options, &picture);
    picture_free(&picture);
    return code;
}

const struct verb verb_picture = {
    "picture", "LAB [IMAGE.png]", "apply your blur to images",
    "Blurs the PNG file, or 64 images of Fashion-MNIST, with the lab's kernel "
    "and writes one PNG with both, before on the left. --output FILE, else "
    "picture.png.",
    "fdotm", 1, 2, run};
