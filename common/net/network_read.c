/* SPDX-License-Identifier: MIT */
/** @file
 *  Parsing of network files: words to layers.  Their shapes are inferred
 *  afterwards (network_shapes.c). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network.h"
#include "network_shapes.h"

enum { LINE_BYTES = 256, MAX_WORDS = 24, COUNT_MAX = 65536 };

/** The parser's position: file, line, remaining words. */
struct parser {
    const char *path;
    int line;
    char text[LINE_BYTES];
    char *word[MAX_WORDS + 1]; /* NULL-terminated */
    char **next;
    struct network *net;
    struct failure *failure;
};

/* One line about the line that is being read. @return false */
#define FAIL(r, ...) \
    network_fail_at((r)->path, (r)->line, (r)->failure, __VA_ARGS__)

/* --- words --------------------------------------------------------------- */

/* A comment reaches from # to the end of the line. */
static bool split_words(struct parser *r)
{
    char *remaining = r->text, *word;
    int count = 0;

    remaining[strcspn(remaining, "#\r\n")] = '\0';
    while ((word = strtok_r(remaining, " \t", &remaining)) != NULL) {
        if (count == MAX_WORDS) return FAIL(r, "too many words");
        r->word[count++] = word;
    }
    r->word[count] = NULL;
    r->next = r->word;
    return true;
}

/* Parse the next word as an integer of at least `min`. */
static bool parse_count(struct parser *r, const char *what, int min, int *to)
{
    char *end;
    const char *word = *r->next;
    long value;

    if (!word) return FAIL(r, "%s is missing", what);
    value = strtol(word, &end, 10);
    if (end == word || *end || value < min || value > COUNT_MAX)
        return FAIL(r, "%s is \"%s\": an integer of at least %d is needed",
                    what, word, min);
    *to = (int)value;
    r->next++;
    return true;
}

/* Parse the next word as a number from 0 to `most`. */
static bool parse_real(struct parser *r, const char *what, float max,
                       float *to)
{
    char *end;
    const char *word = *r->next;

    if (!word) return FAIL(r, "%s is missing", what);
    *to = strtof(word, &end);
    if (end == word || *end || !(*to >= 0 && *to <= max))
        return FAIL(r, "%s is \"%s\": a number from 0 to %g is needed", what,
                    word, (double)max);
    r->next++;
    return true;
}

/** An option, and where its value is stored. */
struct option {
    const char *name;
    int *count; /* an integer, or NULL */
    int min;
    float *real; /* a real number, or NULL; without either, `flag` is set */
    bool *flag;
};

/* A name, followed by a count or a number unless it is a flag. */
static bool parse_option(struct parser *r, const struct option *options)
{
    const char *word = *r->next++;

    for (const struct option *o = options; o->name; o++) {
        if (strcmp(word, o->name) != 0) continue;
        if (o->count) return parse_count(r, o->name, o->min, o->count);
        if (o->real) return parse_real(r, o->name, 1e6f, o->real);
        *o->flag = true;
        return true;
    }
    return FAIL(r, "unexpected word \"%s\"", word);
}

/* Options may come in any order and replace defaults. */
static bool parse_options(struct parser *r, const struct option *options)
{
    while (*r->next)
        if (!parse_option(r, options)) return false;
    return true;
}

/* --- lines --------------------------------------------------------------- */

/* conv FILTERS RxS [stride N] [pad N] */
static bool read_conv(struct parser *r, struct layer *layer)
{
    const struct option options[] = {
        {"stride", &layer->stride, 1, NULL, NULL},
        {"pad", &layer->pad, 0, NULL, NULL},
        {NULL, NULL, 0, NULL, NULL}};
    char end;

    if (!parse_count(r, "the number of filters", 1, &layer->units))
        return false;
    if (!*r->next || sscanf(*r->next, "%dx%d%c", &layer->rows,
                            &layer->columns, &end) != 2 ||
        layer->rows < 1 || layer->columns < 1)
        return FAIL(r, "the filter's size is \"%s\": something like 3x3 is "
                    "needed", *r->next ? *r->next : "");
    r->next++;
    return parse_options(r, options);
}

/* maxpool or avgpool SIDE [stride N]; the default stride is the side, so that
 * windows do not overlap. */
static bool read_pool(struct parser *r, struct layer *layer)
{
    const struct option options[] = {
        {"stride", &layer->stride, 1, NULL, NULL},
        {NULL, NULL, 0, NULL, NULL}};

    if (!parse_count(r, "the window's side", 1, &layer->rows)) return false;
    layer->columns = layer->stride = layer->rows;
    return parse_options(r, options);
}

/* The window is the whole input: its size is known later. */
static bool read_globalpool(struct parser *r, struct layer *layer)
{
    (void)r;
    layer->rows = layer->columns = 0;
    return true;
}

/* add LAYER: the residual connection from an earlier layer's output, or from
 * the input of the network. */
static bool read_add(struct parser *r, struct layer *layer)
{
    struct network *net = r->net;
    const char *word = *r->next;

    if (!word) return FAIL(r, "the name of an earlier layer is missing");
    layer->source = strcmp(word, "input") ? net->count - 1 : -1;
    while (layer->source >= 0
           && strcmp(net->layers[layer->source].name, word) != 0)
        layer->source--;
    if (layer->source < 0 && strcmp(word, "input") != 0)
        return FAIL(r, "there is no earlier layer \"%.40s\"", word);
    if (layer->source >= 0) net->layers[layer->source].is_source = true;
    r->next++;
    return true;
}

/* dropout P: the probability of dropping an element. */
static bool read_dropout(struct parser *r, struct layer *layer)
{
    if (!parse_real(r, "dropout's probability", 1, &layer->drop)) return false;
    return layer->drop < 1 || FAIL(r, "dropout's probability must be below 1");
}

/* dense [UNITS]; without a number, one unit a class. */
static bool read_dense(struct parser *r, struct layer *layer)
{
    return !*r->next || parse_count(r, "the number of units", 1, &layer->units);
}

/* For kinds that are only a word. */
static bool read_no_arguments(struct parser *r, struct layer *layer)
{
    (void)r, (void)layer;
    return true;
}

/* Parse the word after "schedule". */
static bool parse_schedule(struct parser *r)
{
    const char *word = *++r->next;

    if (!word || !schedule_parse(word, &r->net->training.schedule))
        return FAIL(r, "the schedule is \"%s\": constant, cosine or step",
                    word ? word : "");
    r->next++;
    return true;
}

/* train OPTIMIZER [NAME VALUE]...: defaults that options of the command line
 * override. */
static bool read_train(struct parser *r)
{
    struct training *t = &r->net->training;
    const struct option options[] = {
        {"rate", NULL, 0, &t->learning_rate, NULL},
        {"momentum", NULL, 0, &t->momentum, NULL},
        {"decay", NULL, 0, &t->weight_decay, NULL},
        {"clip", NULL, 0, &t->max_grad_norm, NULL},
        {"batch", &t->batch, 1, NULL, NULL},
        {"epochs", &t->epochs, 1, NULL, NULL},
        {NULL, NULL, 0, NULL, NULL}};

    if (!*r->next || !optimizer_parse(*r->next, &t->optimizer))
        return FAIL(r, "the optimizer is \"%s\": sgd, momentum, nesterov, "
                    "adam or adamw", *r->next ? *r->next : "");
    r->next++;
    while (*r->next)
        if (strcmp(*r->next, "schedule") ? !parse_option(r, options)
                                         : !parse_schedule(r))
            return false;
    return true;
}

/* augment [pad N] [cutout N] [flip] */
static bool read_augment(struct parser *r)
{
    struct training *t = &r->net->training;
    const struct option options[] = {
        {"pad", &t->pad, 0, NULL, NULL},
        {"cutout", &t->cutout, 0, NULL, NULL},
        {"flip", NULL, 0, NULL, &t->flip},
        {NULL, NULL, 0, NULL, NULL}};

    return parse_options(r, options);
}

static const struct {
    const char *word;
    enum layer_kind kind;
    bool (*read)(struct parser *, struct layer *);
} kinds[] = {
    {"conv", LAYER_CONV, read_conv},
    {"relu", LAYER_RELU, read_no_arguments},
    {"maxpool", LAYER_MAXPOOL, read_pool},
    {"avgpool", LAYER_AVGPOOL, read_pool},
    {"globalpool", LAYER_AVGPOOL, read_globalpool},
    {"add", LAYER_ADD, read_add},
    {"batchnorm", LAYER_BATCHNORM, read_no_arguments},
    {"dropout", LAYER_DROPOUT, read_dropout},
    {"dense", LAYER_DENSE, read_dense},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* "conv1", "conv2", ... */
static void name_layer(struct network *net, struct layer *layer,
                       const char *word)
{
    int number = 1;

    for (int i = 0; i < net->count; i++)
        number += net->layers[i].kind == layer->kind;
    snprintf(layer->name, sizeof layer->name, "%.15s%d", word, number);
}

/* A layer is appended before its shapes are known. */
static bool read_layer(struct parser *r, int kind)
{
    struct network *net = r->net;
    struct layer *layer = &net->layers[net->count];

    if (net->count == NETWORK_MAX_LAYERS)
        return FAIL(r, "more than %d layers", NETWORK_MAX_LAYERS);
    *layer = (struct layer){.kind = kinds[kind].kind, .line = r->line,
                            .stride = 1};
    name_layer(net, layer, kinds[kind].kind == LAYER_AVGPOOL
                               ? "avgpool" : kinds[kind].word);
    if (!kinds[kind].read(r, layer)) return false;
    net->count++;
    return !*r->next || FAIL(r, "unexpected word \"%s\"", *r->next);
}

/* An empty line, a setting or a layer. */
static bool read_line(struct parser *r)
{
    const char *word;

    if (!split_words(r)) return false;
    word = *r->next;
    if (!word) return true;
    r->next++;
    if (strcmp(word, "train") == 0) return read_train(r);
    if (strcmp(word, "augment") == 0) return read_augment(r);
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcmp(word, kinds[i].word) == 0) return read_layer(r, i);
    return FAIL(r, "\"%s\" is not a layer: conv, relu, maxpool, batchnorm, "
                "avgpool, globalpool, add, dropout, dense, or train, augment",
                word);
}

/* A line that does not fit the buffer is refused, never read as two. */
static bool read_lines(struct parser *r, FILE *file)
{
    while (fgets(r->text, LINE_BYTES, file)) {
        r->line++;
        if (!strchr(r->text, '\n') && strlen(r->text) == LINE_BYTES - 1)
            return FAIL(r, "a line longer than %d bytes", LINE_BYTES - 2);
        if (!read_line(r)) return false;
    }
    if (ferror(file)) return fail(r->failure, "%s: %s", r->path,
                                  strerror(errno));
    return r->net->count > 0 || FAIL(r, "no layer");
}

/* Set the name: the file name without folder and ".net". */
static void name_network(struct network *net, const char *path)
{
    const char *base = strrchr(path, '/');
    char *end;

    snprintf(net->name, sizeof net->name, "%.23s", base ? base + 1 : path);
    end = strstr(net->name, ".net");
    if (end && !end[4]) *end = '\0';
}

/* Parse an open file; `file` is closed. */
static bool read_stream(FILE *file, struct parser *r, struct image_shape in,
                        int classes)
{
    bool ok;

    *r->net = (struct network){
        .in = in, .classes = classes,
        .training = {.optimizer = OPTIMIZER_MOMENTUM, .learning_rate = 0.01f,
                     .momentum = 0.9f, .batch = 128, .epochs = 1}};
    name_network(r->net, r->path);
    if (!file) return fail(r->failure, "%s: %s", r->path, strerror(errno));
    ok = read_lines(r, file)
      && network_infer_shapes(r->net, r->path, r->failure);
    fclose(file);
    return ok;
}

bool network_read(const char *path, struct image_shape in, int classes,
                  struct network *net, struct failure *failure)
{
    struct parser r = {.path = path, .net = net, .failure = failure};

    return read_stream(fopen(path, "r"), &r, in, classes);
}

bool network_parse(const char *text, const char *path, struct image_shape in,
                   int classes, struct network *net, struct failure *failure)
{
    struct parser r = {.path = path, .net = net, .failure = failure};
    FILE *file = *text ? fmemopen((char *)text, strlen(text), "r")
                       : fopen("/dev/null", "r"); /* fmemopen() needs a byte */

    return read_stream(file, &r, in, classes);
}
