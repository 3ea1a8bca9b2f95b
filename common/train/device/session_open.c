/* SPDX-License-Identifier: MIT */
/* See session.h: opening and closing a session. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/train/metrics.h"
#include "session.h"

enum { NETWORK_TEXT_BYTES = 1 << 20 /* a network file, at most */ };

/* Begin a line about the data. */
static void begin_note(const struct session *session)
{
    const struct train_options *options = session->options;

    fprintf(stderr, "train: ");
    print_name(stderr, *options->folder ? options->folder : options->data);
    fprintf(stderr, ": ");
}

/* Classes without a training image: labels with gaps, or a limit on images that
 * are sorted by class. */
static void report_classes(const struct session *session)
{
    const struct dataset *set = &session->train;
    bool has_images[DATASET_MAX_CLASSES] = {false};
    char text[DATASET_NUMBER_BYTES];
    int without = 0, first = 0;

    for (size_t i = 0; i < set->count; i++) has_images[set->labels[i]] = true;
    for (int i = set->classes - 1; i >= 0; i--)
        if (!has_images[i]) {
            without++;
            first = i;
        }
    if (!without)
        return;
    begin_note(session);
    fprintf(stderr, "%d of %d classes have no training image, the first is ",
            without, set->classes);
    print_name(stderr, dataset_class_name(set, first, text));
    fprintf(stderr, "\n");
}

/* Tell what a user might not expect of the data. */
static void report_sets(const struct session *session)
{
    const size_t ignored = session->train.ignored + session->test.ignored;

    if (ignored) {
        begin_note(session);
        fprintf(stderr, "%zu file%s left out: not PNG or JPEG by name\n",
                ignored, ignored == 1 ? " is" : "s are");
    }
    if (session->test.count == 0) {
        begin_note(session);
        fprintf(stderr, "there is no test set\n");
    }
    report_classes(session);
}

/* Both parts have images. */
static bool check_split(const struct session *session, struct failure *failure)
{
    const size_t held = session->validation_set.count;
    const double asked = session->options->validation;

    if (session->train.count == 0)
        return fail(failure, "--validation %g: holds out all %zu images",
                    asked, held);
    return held || asked == 0
           || fail(failure, "--validation %g: holds out none of %zu images",
                   asked, session->train.count);
}

static bool read_sets(struct session *session, struct failure *failure)
{
    const struct train_options *options = session->options;
    const struct dataset_source source = train_data_source(options);

    if (!dataset_read(&source, DATASET_TRAIN, &session->train, failure)
        || (session->about.network
            && !dataset_fits(&session->about.trained, &session->train,
                             "present", failure))
        || !dataset_read_test(&source, &session->train, &session->test,
                              failure))
        return false;
    if (session->train.classes < 2)
        return fail(failure, "%s: one class only; a network needs two",
                    *options->folder ? options->folder : options->data);
    if (options->limit > 0)
        dataset_truncate(&session->train, (size_t)options->limit);
    if (!dataset_split(&session->train, options->validation,
                       (uint64_t)options->seed, &session->validation_set,
                       failure)
        || !check_split(session, failure))
        return false;
    report_sets(session);
    return true;
}

/* The text of a new run's network file; NULL with a message. */
static char *read_text(const struct train_options *options, const char *path,
                       struct failure *failure)
{
    size_t length;
    char *text;

    if (!train_net_exists(options, path, failure))
        return NULL;
    text = read_file(path, NETWORK_TEXT_BYTES, &length);
    if (!text)
        fail(failure, "%s: %s", path, strerror(errno));
    return text;
}

/* --net on resume: the file must still be that of the checkpoint. */
static bool check_named_network(const struct session *session,
                                const char *path, struct failure *failure)
{
    static struct network named;
    const struct train_options *options = session->options;

    return !*options->resume || !train_option_given(options, "net")
           || (network_read(path, session->net.in, session->net.classes,
                            &named, failure)
               && checkpoint_matches_network(&named, &session->about,
                                             options->resume, failure));
}

/* The network of the checkpoint, or of a file.  Its text becomes part of the
 * checkpoints. */
static bool read_network(struct session *session, struct failure *failure)
{
    const struct dataset *set = &session->train;
    const struct image_shape in = {set->channels, set->height, set->width};
    const char *root = getenv("WARPBOOK_HOME");
    char path[4096];

    train_net_path(session->options, root ? root : ".", path);
    if (!session->about.network)
        session->about.network = session->text =
            read_text(session->options, path, failure);
    return session->about.network
           && network_parse(session->about.network, path, in, set->classes,
                            &session->net, failure)
           && check_named_network(session, path, failure)
           && train_options_resolve(session->options, &session->net, failure);
}

/* Describe the data as a checkpoint does. */
static bool describe(struct session *session, struct failure *failure)
{
    struct checkpoint_about *about = &session->about;
    const struct dataset *set = &session->train;

    if (*session->options->resume && about->images != set->count)
        return fail(failure, "%s: was trained on %zu images, now there are %zu",
                    session->options->resume, about->images, set->count);
    about->images = set->count;
    dataset_free(&about->trained);
    about->trained = (struct dataset){
        .channels = set->channels, .height = set->height, .width = set->width,
        .classes = set->classes};
    return !set->names
           || dataset_set_names(&about->trained,
                                (const char *const *)set->names)
           || fail(failure, "no memory for names");
}

/* As in PyTorch, running variances start at 1, running means at 0. */
static void initialize_running(struct checkpoint *state)
{
    for (int i = 0; i < state->net->count; i++) {
        const struct layer *layer = &state->net->layers[i];
        float *variance = state->running
                          + step_running_stats_offset(state->net, i)
                          + layer->weights;

        for (size_t j = 0; layer->kind == LAYER_BATCHNORM && j < layer->weights;
             j++)
            variance[j] = 1;
    }
}

/* The initial state: random weights, those of a file, or a checkpoint. */
static bool initialize_state(struct session *session,
                             const struct tensors *from, const char *path,
                             struct failure *failure)
{
    struct checkpoint *state = session->state =
        checkpoint_allocate(&session->net);

    session->incoming = checkpoint_allocate(&session->net);
    session->confusion = calloc(1, sizeof *session->confusion);
    if (!state || !session->incoming || !session->confusion)
        return fail(failure, "no memory for the network");
    /* Also before loading a checkpoint, which must replace all of it. */
    network_initialize(&session->net, state->parameters,
                       (uint64_t)session->options->seed);
    initialize_running(state);
    dataset_statistics(&session->train, state->mean, state->std);
    if (*session->options->resume)
        return checkpoint_load(state, from, CHECKPOINT_ALL, path, failure);
    return from->count == 0
           || checkpoint_load_partly(state, from, path, stdout, failure);
}

static void configure_loader(struct session *session)
{
    const struct training *training = &session->net.training;
    struct loader_options *to = &session->loading;

    *to = (struct loader_options){
        /* All images of an epoch; the last batch may be smaller. */
        .batch = (size_t)training->batch, .keep_last = true, .shuffle = true,
        .augmented = training->pad || training->flip || training->cutout,
        .seed = (uint64_t)session->options->seed, .prefetch = 2,
        .augment = {.pad = training->pad, .flip = training->flip,
                    .cutout = training->cutout}};
    memcpy(to->augment.mean, session->state->mean, sizeof to->augment.mean);
    memcpy(to->augment.std, session->state->std,
           sizeof to->augment.std);
}

/* Read what the checkpoint says; the network's text is copied, because the
 * file's content is freed. */
static bool read_description(struct session *session,
                             const struct tensors *from, const char *path,
                             struct failure *failure)
{
    if (!*session->options->resume)
        return true;
    if (!checkpoint_describe(from, path, &session->about, failure))
        return false;
    session->about.network = session->text = strdup(session->about.network);
    return session->text || fail(failure, "no memory");
}

/* Mark the layer of a name.  @return false if none with weights has it */
static bool mark(const struct network *net, const char *name, size_t length,
                 bool is_frozen[NETWORK_MAX_LAYERS])
{
    for (int i = 0; i < net->count; i++) {
        const struct layer *layer = &net->layers[i];

        if (layer->weights && strlen(layer->name) == length
            && !strncmp(layer->name, name, length))
            return is_frozen[i] = true;
    }
    return false;
}

/* --freeze conv1,conv2 */
static bool freeze(struct session *session, struct failure *failure)
{
    bool is_frozen[NETWORK_MAX_LAYERS] = {false};
    const char *at = session->options->freeze;

    if (!*at)
        return true;
    if (session->net.training.max_grad_norm > 0)
        return fail(failure, "--freeze and --clip exclude each other: the norm "
                    "would count frozen layers");
    for (size_t length; *at; at += length + (at[length] == ',')) {
        length = strcspn(at, ",");
        if (!mark(&session->net, at, length, is_frozen))
            return fail(failure, "--freeze: %s has no layer \"%.*s\" with "
                        "weights", session->net.name, (int)length, at);
    }
    for (int i = 0; i < session->net.count; i++)
        if (session->net.layers[i].weights && !is_frozen[i])
            return trainer_freeze(&session->trainer, is_frozen, failure);
    return fail(failure, "--freeze: these are all layers with weights of %s: "
                "nothing would be trained", session->net.name);
}

bool session_open(struct session *session, const struct tensors *from,
                  const char *path, struct failure *failure)
{
    const struct train_options *options = session->options;

    if (!read_description(session, from, path, failure)
        || !read_sets(session, failure) || !read_network(session, failure)
        || !trainer_supports(&session->net, session->options->kernels,
                             failure) || !describe(session, failure)
        || !initialize_state(session, from, path, failure))
        return false;
    if (options->patience > 0 && session->validation_set.count == 0)
        return fail(failure, "--patience: there are no validation images; "
                    "--validation holds some out");
    if (options->command == COMMAND_TRAIN
        && !events_open(options->out, (double)time(NULL), &session->events,
                        failure))
        return false;
    configure_loader(session);
    return trainer_open(&session->trainer, session->state,
                        session->net.training.batch, (uint64_t)options->seed,
                        options->graph != 0, failure)
           && freeze(session, failure);
}

void session_close(struct session *session)
{
    trainer_close(&session->trainer);
    if (session->events.file)
        events_close(&session->events, NULL);
    checkpoint_free(session->state);
    checkpoint_free(session->incoming);
    free(session->confusion);
    free(session->text);
    dataset_free(&session->about.trained);
    dataset_free(&session->train);
    dataset_free(&session->validation_set);
    dataset_free(&session->test);
}
