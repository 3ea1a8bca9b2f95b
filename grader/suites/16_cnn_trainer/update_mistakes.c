/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 16 in the update: another constant, or a term that is
 * missing.
 *
 * The update is computed again in double, from the state before the step and
 * from the gradients that the lab itself has written.  So a wrong gradient is
 * no mistake of the update, and each mistake below changes only what its text
 * says. */
#include "mistakes.h"

/* Which optimizers a mistake is possible with. */
enum family {
    ANY,           /* all */
    WITH_VELOCITY, /* momentum and Nesterov */
    PLAIN,         /* SGD, which has no momentum */
    OF_ADAM,       /* Adam and AdamW */
    CLIPPED        /* all, if the network clips gradients */
};

/* An update with something wrong in it; 0 or false: as it should be. */
static const struct update_mistake {
    const char *text; /* behind "each wrong element is" */
    const char *hint; /* what the contract says about it */
    enum family family;
    double epsilon, beta1, beta2;        /* constants of Adam */
    bool inside;                         /* epsilon under the square root */
    int later;                           /* added to the step number */
    bool ascends;                        /* the sign of the update */
    bool no_decay, not_for_biases;       /* weight decay left out */
    int only_layer, all_but_layer;       /* layers with weight decay, from 1 */
    int all_but_biases;                  /* of this layer, from 1 */
    double momentum;                     /* of SGD */
    bool other_decay;                    /* coupled for decoupled, and back */
    bool no_velocity, other_nesterov;    /* kinds of momentum */
    bool exchanged;                      /* first and second moment */
    bool uncorrected;                    /* no bias correction */
    bool unclipped, always_clipped;      /* whether the gradients are clipped */
    bool norm_as_scale;                  /* the first float of d_norm, not the
                                            second */
    bool norm_of_fours;                  /* the last n % 4 gradients left out */
    bool decay_clipped;                  /* with the gradient */
    bool decay_without_rate;             /* decoupled decay */
    bool dampened, rate_in_velocity;     /* what v adds up */
    bool no_gradient;                    /* beside Nesterov's momentum * v */
} list[] = {
    {"the update with the sign of an ascent", "The parameters move against the "
     "gradient.", .ascends = true},
    {"the update without weight decay", "net->training.weight_decay is given "
     "to the optimizer.", .no_decay = true},
    {"the update without weight decay of biases", "Weight decay is for all "
     "parameters here, biases included.", .not_for_biases = true},
    {"the update with coupled decay for decoupled, or the reverse", "AdamW's "
     "decay is decoupled, all others' is added to the gradient.",
     .other_decay = true},
    {"the update without momentum", "Momentum and Nesterov use "
     "net->training.momentum, and keep d_moment1 from step to step.",
     WITH_VELOCITY, .no_velocity = true},
    {"the update of SGD with a momentum of 0.9", "OPTIMIZER_SGD has no "
     "momentum, and neither reads nor writes d_moment1.", PLAIN,
     .momentum = 0.9},
    {"the update with the other momentum, Nesterov's or the plain one",
     "OPTIMIZER_NESTEROV: the parameters move by g + momentum * v, with the v "
     "of this step; with that of before it is the plain momentum.",
     WITH_VELOCITY, .other_nesterov = true},
    {"Adam's update with an epsilon of 1e-7", "Adam's epsilon is 1e-8.",
     OF_ADAM, .epsilon = 1e-7},
    {"Adam's update with an epsilon of 1e-6", "Adam's epsilon is 1e-8.",
     OF_ADAM, .epsilon = 1e-6},
    {"Adam's update with an epsilon of 1e-5", "Adam's epsilon is 1e-8.",
     OF_ADAM, .epsilon = 1e-5},
    {"Adam's update with an epsilon of 1e-4", "Adam's epsilon is 1e-8.",
     OF_ADAM, .epsilon = 1e-4},
    {"Adam's update with an epsilon of 1e-3", "Adam's epsilon is 1e-8.",
     OF_ADAM, .epsilon = 1e-3},
    {"Adam's update with an epsilon of 1e-10", "Adam's epsilon is 1e-8.",
     OF_ADAM, .epsilon = 1e-10},
    {"Adam's update without epsilon", "Adam's epsilon is 1e-8.", OF_ADAM,
     .epsilon = 1e-300},
    {"Adam's update with epsilon under the square root", "sqrt(v) + epsilon",
     OF_ADAM, .inside = true},
    {"Adam's update with a beta2 of 0.99", "beta1 = 0.9, beta2 = 0.999",
     OF_ADAM, .beta2 = 0.99},
    {"Adam's update with beta1 and beta2 exchanged", "beta1 = 0.9, beta2 = "
     "0.999", OF_ADAM, .beta1 = 0.999, .beta2 = 0.9},
    {"Adam's update without bias correction", "The optimizer gets d_step for "
     "the bias correction.", OF_ADAM, .uncorrected = true},
    {"Adam's update with the number of the step before", "*d_step is "
     "incremented first: the number of this step.", OF_ADAM, .later = -1},
    {"Adam's update with the number of the next step", "*d_step is incremented "
     "once in a step.", OF_ADAM, .later = 1},
    {"Adam's update with the two moments exchanged", "d_moment1 has the mean "
     "of g, d_moment2 that of g * g.", OF_ADAM, .exchanged = true},
    {"the update with gradients that are not clipped", "The optimizer gets the "
     "address of the scale that clip_grad_norm has written.", CLIPPED,
     .unclipped = true},
    {"the update with gradients times their norm", "clip_grad_norm writes the "
     "norm, then the scale: the optimizer needs the second.", CLIPPED,
     .norm_as_scale = true},
    {"the update with gradients that are always clipped", "The scale is 1 if "
     "the norm is not above max_grad_norm.", CLIPPED, .always_clipped = true},
    {"the update with a norm without the last n % 4 gradients", "The norm is "
     "that of all gradients: n need not be a multiple of 4.", CLIPPED,
     .norm_of_fours = true},
    {"the update with weight decay that is clipped with the gradient", "Only "
     "the gradient is scaled; the decay is added to the scaled gradient.",
     CLIPPED, .decay_clipped = true},
    {"AdamW's update with weight decay that is not times the learning rate",
     "A step of AdamW subtracts learning_rate * decay * p.", OF_ADAM,
     .decay_without_rate = true},
    {"the update with dampened momentum, v = momentum * v + (1 - momentum) * g",
     "v = momentum * v + g: nothing is dampened.", WITH_VELOCITY,
     .dampened = true},
    {"the update with the learning rate in the velocity", "v = momentum * v + "
     "g; the parameters move by learning_rate * v.", WITH_VELOCITY,
     .rate_in_velocity = true},
    {"Nesterov's update by momentum * v alone", "OPTIMIZER_NESTEROV: the "
     "parameters move by g + momentum * v.", WITH_VELOCITY,
     .no_gradient = true},
};

/* Parameter and moments of a parameter. */
struct state {
    double value[3];
};

/* The scale of all gradients: 1, unless their norm is above the limit. */
static double scale_of(const struct update_made *u,
                       const struct update_mistake *m)
{
    const struct fixture *f = u->fixture;
    const double most = (double)f->net.training.max_grad_norm;
    const size_t n = f->net.parameters;
    double squares = 0;

    for (size_t i = 0; i < (m->norm_of_fours ? n - n % 4 : n); i++)
        squares += f->x->gradients[i] * f->x->gradients[i];
    if (most <= 0 || m->unclipped)
        return 1;
    if (m->norm_as_scale)
        return sqrt(squares);
    return sqrt(squares) > most || m->always_clipped ? most / sqrt(squares) : 1;
}

/* A step of SGD, with or without momentum: v = momentum * v + g, and the
 * parameter moves by v, or with Nesterov by g + momentum * v. */
static struct state move_by_velocity(const struct update_mistake *m,
                                     const struct training *t, struct state s,
                                     double g, double rate)
{
    const double momentum = t->optimizer == OPTIMIZER_SGD ? m->momentum
                            : m->no_velocity ? 0 : (double)t->momentum;
    const bool nesterov =
        (t->optimizer == OPTIMIZER_NESTEROV) != m->other_nesterov;

    if (m->rate_in_velocity) {
        g *= rate;
        rate = 1;
    }
    if (t->optimizer != OPTIMIZER_SGD || m->momentum > 0)
        s.value[1] = momentum * s.value[1]
                     + g * (m->dampened ? 1 - momentum : 1);
    s.value[0] -= rate * (momentum == 0 ? g
                          : nesterov    ? (m->no_gradient ? 0 : g)
                                              + momentum * s.value[1]
                                        : s.value[1]);
    return s;
}

/* A step of Adam or AdamW from the moments before it.
 * decoupled: the weight decay that is subtracted beside the update */
static struct state move_by_moments(const struct update_mistake *m,
                                    struct state s, double g, double decoupled,
                                    double rate, double step)
{
    const double beta1 = m->beta1 ? m->beta1 : 0.9;
    const double beta2 = m->beta2 ? m->beta2 : 0.999;
    const double epsilon = m->epsilon ? m->epsilon : 1e-8;
    const double first = m->exchanged ? s.value[2] : s.value[1];
    const double second = m->exchanged ? s.value[1] : s.value[2];
    const double a = beta1 * first + (1 - beta1) * g;
    const double b = beta2 * second + (1 - beta2) * g * g;
    const double mean = m->uncorrected ? a : a / (1 - pow(beta1, step));
    const double square = m->uncorrected ? b : b / (1 - pow(beta2, step));
    const double root = m->inside ? sqrt(square + epsilon)
                                  : sqrt(square) + epsilon;

    s.value[0] -= rate * (mean / root + decoupled);
    s.value[1] = m->exchanged ? b : a;
    s.value[2] = m->exchanged ? a : b;
    return s;
}

/* Does weight decay apply to the biases or the weights of this layer? */
static bool has_decay(const struct update_mistake *m, int layer, bool is_bias)
{
    return !m->no_decay && !(m->not_for_biases && is_bias)
           && (!m->only_layer || layer + 1 == m->only_layer)
           && layer + 1 != m->all_but_layer
           && !(is_bias && layer + 1 == m->all_but_biases);
}

/* Parameter i and its moments after the wrong update.  Coupled decay is part of
 * the gradient, so that it enters the moments. */
static struct state update(const struct update_made *u,
                           const struct update_mistake *m, size_t i,
                           double scale, bool decays)
{
    const struct fixture *f = u->fixture;
    const struct training *t = &f->net.training;
    const size_t n = f->net.parameters;
    const double *at = u->before + i;
    const struct state s = {{at[0], at[n], at[2 * n]}};
    const double decay = decays ? (double)t->weight_decay * at[0] : 0;
    const bool decoupled =
        (t->optimizer == OPTIMIZER_ADAMW) != m->other_decay;
    const double g = f->x->gradients[i] * scale
                     + (decoupled          ? 0
                        : m->decay_clipped ? decay * scale : decay);
    const double rate = m->ascends ? -u->learning_rate : u->learning_rate;
    const double subtracted = m->decay_without_rate ? decay / rate : decay;

    if (t->optimizer >= OPTIMIZER_ADAM)
        return move_by_moments(m, s, g, decoupled ? subtracted : 0, rate,
                               *f->step.d_step + m->later);
    return move_by_velocity(m, t, s, g, rate);
}

/* Could this mistake change anything for this optimizer?  One that could not
 * would equal the right update, and explain nothing. */
static bool is_possible(const struct update_mistake *m,
                        const struct training *t)
{
    const bool is_adam = t->optimizer >= OPTIMIZER_ADAM;

    if ((m->no_decay || m->not_for_biases) && t->weight_decay == 0)
        return false;
    if (m->other_decay && (t->weight_decay == 0 || !is_adam))
        return false;
    if (m->decay_clipped
        && (t->weight_decay == 0 || t->optimizer == OPTIMIZER_ADAMW))
        return false;
    if (m->decay_without_rate
        && (t->weight_decay == 0 || t->optimizer != OPTIMIZER_ADAMW))
        return false;
    if (m->no_gradient && t->optimizer != OPTIMIZER_NESTEROV)
        return false;
    return m->family == ANY || (m->family == OF_ADAM && is_adam)
           || (m->family == CLIPPED && t->max_grad_norm > 0)
           || (m->family == PLAIN && t->optimizer == OPTIMIZER_SGD)
           || (m->family == WITH_VELOCITY && !is_adam
               && t->optimizer != OPTIMIZER_SGD);
}

/* Compute one array after a wrong update: all parameters, layer by layer, a
 * layer's biases behind its weights.
 * layer_name: ends the text */
static void try_update(struct hypotheses *h, const struct update_made *u,
                       const struct update_mistake *m, const char *layer_name)
{
    const struct network *net = &u->fixture->net;
    const double scale = scale_of(u, m);
    double *values = hypothesis_values(h);

    for (int k = 0; k < net->count; k++) {
        const struct layer *layer = &net->layers[k];

        for (size_t i = 0; i < layer->weights + layer->biases; i++) {
            const bool is_bias = i >= layer->weights;
            const size_t at = is_bias ? layer->bias_offset + i - layer->weights
                                      : layer->weight_offset + i;

            values[at] = update(u, m, at, scale, has_decay(m, k, is_bias))
                             .value[u->output];
        }
    }
    hypothesis_try(h, m->hint, "%s%s", m->text, layer_name);
}

/* Weight decay of one layer alone, or of all others. */
static void try_layers(struct hypotheses *h, const struct update_made *u)
{
    static const char hint[] = "Weight decay is for the parameters of all "
                               "layers.";
    const struct network *net = &u->fixture->net;

    for (int k = 0; net->training.weight_decay > 0 && k < net->count; k++) {
        if (!net->layers[k].weights)
            continue;
        try_update(h, u, &(struct update_mistake){
            .text = "the update with weight decay only in the layer ",
            .hint = hint, .only_layer = k + 1}, net->layers[k].name);
        try_update(h, u, &(struct update_mistake){
            .text = "the update without weight decay in the layer ",
            .hint = hint, .all_but_layer = k + 1}, net->layers[k].name);
    }
}

/* The biases of one layer are left out, where several layers have some. */
static void try_biases(struct hypotheses *h, const struct update_made *u)
{
    const struct network *net = &u->fixture->net;
    int last = 0;

    for (int k = 0; k < net->count; k++)
        last = net->layers[k].biases ? k : last;
    for (int k = 0; net->training.weight_decay > 0 && k < net->count; k++)
        if (net->layers[k].biases)
            try_update(h, u, &(struct update_mistake){
                .text = k == last
                            ? "the update without weight decay of the last "
                              "layer's biases: "
                            : "the update without weight decay of the biases "
                              "of the layer ",
                .hint = "Weight decay is for all parameters here, to the last "
                        "bias.",
                .all_but_biases = k + 1}, net->layers[k].name);
}

/* Some parameters, no layer's, are left out. */
static void try_some_parameters(struct hypotheses *h,
                                const struct update_made *u)
{
    static const struct update_mistake no_decay = {.no_decay = true};
    const double scale = scale_of(u, &no_decay);
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++)
        if (h->evidence->comparison->wrong_mask[i])
            values[i] =
                update(u, &no_decay, i, scale, false).value[u->output];
    hypothesis_try(h, "Weight decay is for all parameters here: how many are "
                   "decayed?", "the update without weight decay; the other "
                   "parameters have it");
}

/* Another scale of all gradients, where they are clipped: the update of SGD is
 * linear in it, so the parameter that it changes most tells it. */
static void try_scale(struct hypotheses *h, const struct update_made *u)
{
    static const struct update_mistake none = {0};
    const struct training *t = &u->fixture->net.training;
    const size_t n = hypothesis_count(h);
    double *still = suite_doubles(n), *values = hypothesis_values(h), scale;
    size_t most = 0;

    if (t->max_grad_norm <= 0 || t->optimizer >= OPTIMIZER_ADAM)
        return;
    for (size_t i = 0; i < n; i++) {
        still[i] = update(u, &none, i, 0, true).value[u->output];
        values[i] = update(u, &none, i, 1, true).value[u->output] - still[i];
        most = fabs(values[i]) > fabs(values[most]) ? i : most;
    }
    scale = (evidence_got(h->evidence, most) - still[most]) / values[most];
    if (!isfinite(scale))
        return; /* no gradient at all */
    for (size_t i = 0; i < n; i++)
        values[i] = still[i] + scale * values[i];
    if (fabs(scale) < 1e-6)
        hypothesis_try(h, "The scale of these gradients is written by "
                       "clip_grad_norm() before the optimizer reads it, in "
                       "the same step.",
                       "the update with gradients times 0, should be %.3g",
                       scale_of(u, &none));
    else
        hypothesis_try(h, "The scale is max_grad_norm / norm: is each gradient "
                       "of this step in the norm, once, and does the update "
                       "read the scale of this step?",
                       "the update with gradients times %.4g, should be %.4g: "
                       "as if their norm were %.4g, not %.4g", scale,
                       scale_of(u, &none), t->max_grad_norm / scale,
                       t->max_grad_norm / scale_of(u, &none));
}

/* All that are possible; the caller names the one that fits.  The tolerance of
 * Adam's parameters is wide, since a gradient near 0 may have any sign; from
 * the lab's own gradients a mistake's are known to 2^-13 of the step. */
void trainer_update_mistakes(struct hypotheses *h, const void *context)
{
    enum { PRECISION = 256 };
    const struct update_made *u = context;

    if (u->output == 0
        && u->fixture->net.training.optimizer >= OPTIMIZER_ADAM)
        h->precision = PRECISION;
    for (size_t k = 0; k < COUNT(list); k++)
        if (is_possible(&list[k], &u->fixture->net.training))
            try_update(h, u, &list[k], "");
    try_layers(h, u);
    if (!h->fits_all) /* correct elements refute those that fit */
        try_biases(h, u);
    if (!h->fits_all && u->fixture->net.training.weight_decay > 0)
        try_some_parameters(h, u);
    if (!h->fits)
        try_scale(h, u);
    if (!h->fits)
        trainer_other_update_mistakes(h, u);
}
