/* SPDX-License-Identifier: MIT */
/* warpbook picture LAB [IMAGE]: see what a kernel does to images.
 *
 * The kernel runs as it does when graded: in the runner, one call an image. */
#include "../picture.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../build.h"
#include "../house.h"
#include "../text.h"
#include "common.h"
#include "labs/02_blur/blur.h"

enum { RADIUS = 2 }; /* pixels: shapes stay, prints on them vanish */

/* Blur them all; the stub `blur` calls the lab in the runner. */
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
    session_end(session);
    if (outcome->verdict == PASS && status)
        text_put(outcome->message, MESSAGE_TEXT, "blur returned %d", status);
    return !status && outcome->verdict == PASS;
}

/* A temporary folder, and one in it that the runner may write to. */
static bool make_scratch(char *folder, char *scratch)
{
    if (!make_temporary(folder))
        return false;
    text_put(scratch, PATH_MAX, "%s/scratch", folder);
    return mkdir(scratch, 0700) == 0;
}

/* Build the file and run it on the images.  @return an exit code */
static int make_picture(const struct target *target, const struct lab *lab,
                        const char *source, struct picture *picture)
{
    char folder[PATH_MAX], scratch[PATH_MAX];
    struct outcome outcome;
    struct built built;
    struct session session;
    bool ok;

    if (!make_scratch(folder, scratch))
        return complain(EXIT_TROUBLE, "cannot make a temporary folder: %s",
                        strerror(errno));
    build_runner(target, lab, source, folder, &built);
    if (built.verdict != PASS)
        return complain(EXIT_NO_BUILD, "%s", built.message);
    session = (struct session){.runner = built.runner, .folder = scratch,
                               .limits = grade_limits(lab, target),
                               .gpu = target->kind == DEVICE_GPU};
    ok = blur_all(&session, lab, picture, &outcome);
    session_free(&session);
    if (!ok)
        return complain(EXIT_NOT_FULL, "no picture: %s", outcome.message);
    return EXIT_FULL;
}

static bool read_picture(const struct options *options,
                         struct picture *picture)
{
    struct failure why = {""};
    bool ok = options->count > 1
                  ? picture_of_file(options->words[1], picture, &why)
                  : picture_of_clothes(picture, &why);

    if (!ok)
        complain(0, "%s", why.text);
    return ok;
}

/* All but reading and freeing the images.  @return an exit code */
static int show(const struct options *options, struct picture *picture)
{
    static struct lab lab;
    struct target target;
    struct failure why = {""};
    char error[512], source[PATH_MAX];
    const char *path = options->output ? options->output : "picture.png";
    int code;

    if (!open_lab(options->words[0], options, &lab)
        || !source_path(options, &lab, source))
        return EXIT_USAGE;
    if (strcmp(lab.name, "blur"))
        return complain(EXIT_USAGE, "lab %s makes no pictures; 02 does",
                        options->words[0]);
    if (!target_find(options->device, &target, error))
        return complain(EXIT_TROUBLE, "%s", error);
    code = make_picture(&target, &lab, source, picture);
    if (code != EXIT_FULL)
        return code;
    if (!picture_write(picture, path, &why))
        return complain(EXIT_TROUBLE, "%s", why.text);
    printf("%s: %d image%s, before and after\n", path, picture->count,
           picture->count == 1 ? "" : "s");
    return EXIT_FULL;
}

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
    "picture", "LAB [IMAGE.png]", "see what your blur does to images",
    "Blurs the PNG file, or 64 images of Fashion-MNIST, with the lab's kernel "
    "and writes one PNG with both, before on the left. --output FILE, else "
    "picture.png.",
    "fdotm", 1, 2, run};
