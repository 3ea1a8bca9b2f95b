/* SPDX-License-Identifier: MIT */
/* What a lab's files may call beside themselves: other labs' references and
 * files of the house, in one archive, so that only what is called is linked. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "house.h"
#include "text.h"

/* One word of `with`. */
struct piece {
    struct lab lab;        /* whose reference it is, if `is_lab` */
    bool is_lab;           /* or a file of the house */
    char source[PATH_MAX]; /* the file */
    char folder[PATH_MAX]; /* it lies in */
};

static bool piece_find(const char *word, struct piece *piece, char *error)
{
    const size_t length = strlen(word);
    char why[LAB_ERROR];

    piece->is_lab = length < 3 || strcmp(word + length - 2, ".c");
    if (!piece->is_lab) {
        house_path(piece->source, "%s", word);
    } else if (lab_open(word, &piece->lab, why)) {
        house_path(piece->source, "solutions/%s/%s", piece->lab.stem,
                   piece->lab.reference);
    } else {
        text_put(error, MESSAGE_TEXT, "lab.ini, with: %s", why);
        return false;
    }
    text_put(piece->folder, PATH_MAX, "%.*s",
             (int)(strrchr(piece->source, '/') - piece->source),
             piece->source);
    return true;
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* When the newest thing it is made of changed. */
static double piece_changed(const struct piece *piece)
{
    char path[PATH_MAX];
    double latest = changed_at(piece->source);

    if (!piece->is_lab)
        return later(latest, newest(piece->folder, ".h"));
    latest = later(newest(piece->folder, ""), latest);
    latest = later(newest(house_path(path, "common"), ".h"), latest);
    return later(newest(house_path(path, "labs/%s", piece->lab.stem), ".h"),
                 latest);
}

double with_changed(const struct lab *lab)
{
    static struct piece piece;
    char words[sizeof lab->with], *rest = words, *word, error[MESSAGE_TEXT];
    double latest = 0;

    memcpy(words, lab->with, sizeof words);
    while ((word = strsep(&rest, " ")))
        if (*word && piece_find(word, &piece, error))
            latest = later(piece_changed(&piece), latest);
    return latest;
}

/* A lab's reference, compiled as the student's file is. */
static bool compile_lab(const struct target *target, struct piece *piece,
                        const char *object, char *error)
{
    struct compiler compiler;
    char part[PATH_MAX + 32], *log = NULL;
    bool ok;

    text_put(part, sizeof part, "%s.%d.o", object, (int)getpid());
    build_options(target, &piece->lab, &compiler);
    build_watching(target, &compiler.command);
    command_add(&compiler.command, "-c");
    command_add(&compiler.command, "-o");
    command_add(&compiler.command, part);
    command_add(&compiler.command, piece->source);
    ok = command_run(&compiler.command, house_root(), &log)
         && rename(part, object) == 0;
    if (!ok) {
        unlink(part);
        text_put(error, MESSAGE_TEXT, "cannot build %s: %.500s",
                 piece->source, log ? log : strerror(errno));
    }
    free(log);
    return ok;
}

static bool archive_make(char objects[][PATH_MAX], size_t count,
                         const char *archive, char *error)
{
    struct command command = {0};
    char part[PATH_MAX + 32], *log = NULL;
    bool ok;

    text_put(part, sizeof part, "%s.%d", archive, (int)getpid());
    command_add(&command, "ar");
    command_add(&command, "rcs");
    command_add(&command, part);
    for (size_t i = 0; i < count; i++)
        command_add(&command, objects[i]);
    ok = command_run(&command, house_root(), &log)
         && rename(part, archive) == 0;
    if (!ok) {
        unlink(part);
        text_put(error, MESSAGE_TEXT, "cannot make %s: %.500s", archive,
                 log ? log : strerror(errno));
    }
    free(log);
    return ok;
}

/* It takes some ten seconds, once: say why nothing is heard. */
static void say_once(const struct lab *lab)
{
    static bool said;

    if (!said)
        fprintf(stderr, "warpbook: building what lab %02d calls; it is kept\n",
                lab->number);
    said = true;
}

bool build_with(const struct target *target, const struct lab *lab,
                char *archive, char *error)
{
    enum { MOST = 16 };
    static char objects[MOST][PATH_MAX];
    static struct piece piece;
    char folder[PATH_MAX], words[sizeof lab->with], *rest = words, *word;
    size_t count = 0;
    double latest = 0;

    text_put(folder, sizeof folder, "%s/runner/%s%s/with", house_build(),
             device_name(target->kind), build_kind(target));
    if (!make_folders(folder)) {
        text_put(error, MESSAGE_TEXT, "%s: %s", folder, strerror(errno));
        return false;
    }
    memcpy(words, lab->with, sizeof words);
    while ((word = strsep(&rest, " ")) && count < MOST) {
        char *object = objects[count];

        if (!*word)
            continue;
        if (!piece_find(word, &piece, error))
            return false;
        text_put(object, PATH_MAX, "%s/%s.o", folder,
                 piece.is_lab ? piece.lab.stem : base_name(piece.source));
        if (changed_at(object) <= piece_changed(&piece)) {
            say_once(lab);
            if (!(piece.is_lab
                      ? compile_lab(target, &piece, object, error)
                      : build_part(target, piece.source, object, error)))
                return false;
        }
        latest = later(changed_at(object), latest);
        count++;
    }
    text_put(archive, PATH_MAX, "%s/%s.a", folder, lab->stem);
    return changed_at(archive) > latest
           || archive_make(objects, count, archive, error);
}
