/* SPDX-License-Identifier: MIT */
/* train predict: classify pictures. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/data/picture.h"
#include "common/train/metrics.h"
#include "model.h"

enum { AT_ONCE = 64 /* pictures predicted together */ };

/* Paths of pictures, owned. */
struct paths {
    char **list;
    size_t count, capacity;
};

/* Takes the path. */
static bool add_path(struct paths *to, char *path, struct failure *failure)
{
    const size_t capacity = to->capacity ? 2 * to->capacity : 64;
    char **more = to->list;

    if (path && to->count == to->capacity) {
        more = realloc(to->list, capacity * sizeof *more);
        if (more) {
            to->list = more;
            to->capacity = capacity;
        }
    }
    if (!path || !more) {
        free(path);
        return fail(failure, "no memory");
    }
    to->list[to->count++] = path;
    return true;
}

static bool is_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Add the pictures of a folder and of the folders in it, sorted by name. */
static bool add_folder(struct paths *to, const char *folder, int depth,
                       struct failure *failure)
{
    struct dirent **entry;
    const int count = scandir(folder, &entry, NULL, alphasort);
    bool ok = count >= 0 || fail(failure, "%s: %m", folder);

    for (int i = 0; i < count; i++) {
        const char *name = entry[i]->d_name;
        char *path = NULL;

        if (ok && name[0] != '.'
            && asprintf(&path, "%s/%s", folder, name) > 0) {
            if (is_folder(path) && depth > 0)
                ok = add_folder(to, path, depth - 1, failure);
            else if (picture_name(name))
                ok = add_path(to, strdup(path), failure);
        }
        free(path);
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
    return ok;
}

/* Find the pictures that the command line names.  A file that it names itself
 * need not have a picture's name. */
static bool find_pictures(const struct train_options *options,
                          struct paths *to, struct failure *failure)
{
    enum { DEPTH = 16 };

    for (int i = 1; i < options->file_count; i++) {
        const char *path = options->files[i];

        if (is_folder(path) ? !add_folder(to, path, DEPTH, failure)
                            : !add_path(to, strdup(path), failure))
            return false;
    }
    return to->count > 0
           || fail(failure, "%s: contains no PNG or JPEG file",
                   options->files[1]);
}

/* Read a picture at the network's size, as image `at` of the set. */
static bool read_into(const char *path, struct dataset *set, size_t at,
                      struct failure *failure)
{
    struct image image;
    bool ok;

    if (!picture_read(path, &image, failure))
        return false;
    ok = picture_planes(&image, set->channels, set->height, set->width,
                        set->pixels + at * dataset_pixels(set))
         || fail(failure, "%s: no memory", path);
    image_free(&image);
    return ok;
}

/* Lines "98.1 %  cat", the most probable class first. */
static void print_lines(const struct dataset *trained, const float *row,
                        int top)
{
    int order[DATASET_MAX_CLASSES];
    char text[DATASET_NUMBER_BYTES];

    metrics_top(row, trained->classes, top, order);
    for (int k = 0; k < top; k++) {
        printf("%5.1f %%  ", 100 * (double)row[order[k]]);
        print_name(stdout, dataset_class_name(trained, order[k], text));
        printf("\n");
    }
}

/* A line of CSV: file, then class and probability of the first K. */
static void print_row(const struct dataset *trained, const char *path,
                      const float *row, int top)
{
    int order[DATASET_MAX_CLASSES];
    char text[DATASET_NUMBER_BYTES];

    print_csv(stdout, path);
    metrics_top(row, trained->classes, top, order);
    for (int k = 0; k < top; k++) {
        printf(",");
        print_csv(stdout, dataset_class_name(trained, order[k], text));
        printf(",%.6f", (double)row[order[k]]);
    }
    printf("\n");
}

static void print_header(int top)
{
    printf("file");
    for (int k = 1; k <= top; k++) printf(",class_%d,probability_%d", k, k);
    printf("\n");
}

/* State of a prediction. */
struct prediction {
    struct model model;
    struct dataset set; /* room for AT_ONCE images */
    struct paths paths;
    float *probabilities;
    size_t unreadable; /* pictures that could not be read */
    int top;
    bool as_csv;
};

/* Predict up to AT_ONCE pictures.  Those that cannot be read are reported, and
 * the others are predicted. */
static bool predict_some(struct prediction *p, size_t from, size_t count,
                         struct failure *failure)
{
    const struct dataset *trained = &p->model.about.trained;
    const char *names[AT_ONCE];

    p->set.count = 0;
    for (size_t i = from; i < from + count; i++) {
        if (read_into(p->paths.list[i], &p->set, p->set.count, failure)) {
            names[p->set.count++] = p->paths.list[i];
            continue;
        }
        if (!p->as_csv)
            return false;
        fprintf(stderr, "train: %s\n", failure->text);
        p->unreadable++;
    }
    if (p->set.count == 0)
        return true;
    if (!model_probabilities(&p->model, &p->set, p->probabilities, failure))
        return false;
    for (size_t i = 0; i < p->set.count; i++) {
        const float *row = p->probabilities + i * (size_t)trained->classes;

        if (p->as_csv)
            print_row(trained, names[i], row, p->top);
        else
            print_lines(trained, row, p->top);
    }
    return true;
}

static bool predict_all(struct prediction *p, struct failure *failure)
{
    const size_t all = p->paths.count;
    const int classes = p->model.about.trained.classes;

    p->set = (struct dataset){.channels = p->model.net.in.channels,
                              .height = p->model.net.in.height,
                              .width = p->model.net.in.width,
                              .classes = classes};
    p->probabilities =
        malloc(AT_ONCE * (size_t)classes * sizeof *p->probabilities);
    if (!p->probabilities
        || !dataset_allocate(&p->set, AT_ONCE, "pictures", failure))
        return fail(failure, "no memory");
    if (p->top > classes)
        p->top = classes;
    if (p->as_csv)
        print_header(p->top);
    for (size_t i = 0; i < all; i += AT_ONCE)
        if (!predict_some(p, i, all - i < AT_ONCE ? all - i : AT_ONCE, failure))
            return false;
    return p->unreadable == 0
           || fail(failure, "%zu of %zu pictures cannot be read",
                   p->unreadable, all);
}

bool predict(const struct train_options *options, struct failure *failure)
{
    struct prediction *p = calloc(1, sizeof *p);
    bool ok;

    if (!p)
        return fail(failure, "no memory");
    p->top = (int)options->top;
    p->as_csv = options->file_count > 2 || is_folder(options->files[1]);
    ok = model_open(&p->model, options->files[0], options, failure)
         && find_pictures(options, &p->paths, failure)
         && predict_all(p, failure);
    if (fflush(stdout) != 0 && ok)
        ok = fail(failure, "the output cannot be written: %m");
    for (size_t i = 0; i < p->paths.count; i++) free(p->paths.list[i]);
    free(p->paths.list);
    free(p->probabilities);
    dataset_free(&p->set);
    model_close(&p->model);
    free(p);
    return ok;
}
