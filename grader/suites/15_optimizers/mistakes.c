/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 15: terms of the update that are missing or in the
 * wrong place. */
#include "mistakes.h"

/* A step with something wrong in it. */
struct step_mistake {
    const char *text, *hint;
    enum { BOTH, SGD, ADAM } optimizer;
    bool sign, no_rate, no_scale;       /* of the gradient */
    bool no_decay, decay_all, scaled_decay, decay_by_rate_missing;
    bool other_decay;                   /* coupled for decoupled and back */
    bool decay_negative;                /* with the other sign */
    bool decay_one_more;                /* i <= decay_count */
    bool decay_after;                   /* of the new parameter */
    bool decay_of_p;                    /* not of the velocity */
    bool no_momentum, dampened, old_velocity, other_nesterov; /* SGD */
    bool without_gradient, velocity_for_gradient; /* Nesterov's */
    bool no_first_correction, no_second_correction, no_root, epsilon_inside;
    bool first_by_beta2, second_by_beta1; /* corrections */
    bool not_squared, betas_exchanged, sums; /* Adam */
    bool magnitude, betas_fixed, running_maximum, corrected_after_root;
    bool raw_second; /* second moment of the gradient as it comes */
    bool epsilon_missing, epsilon_fixed, epsilon_uncorrected;
    int later; /* step number */
    enum { THIS_RATE, FIRST_RATE, LAST_RATE } rate; /* of which step */
};

static const char number_hint[] =
    "The step number is *d_step, in device memory, and starts at 1: the host "
    "does not count steps.";

static const struct step_mistake list[] = {
    {"the step with the sign of an ascent: the update is added", "p = p - "
     "rate * (...)", .sign = true},
    {"the step without the learning rate", NULL, .no_rate = true},
    {"the step with the learning rate of the first call", "The learning rate "
     "is in device memory: read it in the kernel, in each step.",
     .rate = FIRST_RATE},
    {"the step with the learning rate of the call before", "The learning rate "
     "is in device memory: read it in the kernel, in each step.",
     .rate = LAST_RATE},
    {"the step without the gradient scale", "g is scaled by *d_scale first.",
     .no_scale = true},
    {"the step without weight decay", "Parameter i has weight decay if i < "
     "decay_count.", .no_decay = true},
    {"the step with a weight decay of the other sign", "Decay pulls towards 0: "
     "it is added to the gradient.", .decay_negative = true},
    {"the step with weight decay of one parameter too many", "Parameter i has "
     "weight decay if i < decay_count.", .decay_one_more = true},
    {"the step with weight decay of all parameters", "Parameter i has weight "
     "decay if i < decay_count.", .decay_all = true},
    {"the step with a decay that is scaled like the gradient", "Only the "
     "gradient is scaled.", .scaled_decay = true},
    {"the step with a decay that is subtracted from p alone, as AdamW's",
     "SGD's weight decay is added to g, and so enters the velocity, too.", SGD,
     .decay_of_p = true},
    {"the step with coupled decay for decoupled, or the reverse", "Coupled "
     "decay is added to g and so enters both moments; decoupled decay "
     "subtracts rate * weight_decay * p from p alone.", ADAM,
     .other_decay = true},
    {"the step with a decoupled decay without the learning rate",
     "p = p - rate * weight_decay * p", ADAM, .decay_by_rate_missing = true},
    {"the step with decoupled decay of the new parameter, after the update",
     "p = p - rate * weight_decay * p comes before the update by the moments.",
     ADAM, .decay_after = true},
    {"the step without momentum", "v = momentum * v + g", SGD,
     .no_momentum = true},
    {"the step with (1 - momentum) * g in the velocity", "v = momentum * v + "
     "g: this momentum has no dampening.", SGD, .dampened = true},
    {"the step with the velocity of the step before", "v is updated first, "
     "and p moves by the new v.", SGD, .old_velocity = true},
    {"the step with the other momentum, Nesterov's or the plain one", "p moves "
     "by v, with nesterov by g + momentum * v.", SGD, .other_nesterov = true},
    {"the step by momentum * v, without g", "with nesterov p moves by g + "
     "momentum * v", SGD, .without_gradient = true},
    {"the step by v + momentum * v", "with nesterov p moves by g + momentum * "
     "v", SGD, .velocity_for_gradient = true},
    {"the step with the first moment corrected by beta2", "m / (1 - beta1^t), "
     "v / (1 - beta2^t)", ADAM, .first_by_beta2 = true},
    {"the step with the second moment corrected by beta1", "m / (1 - beta1^t), "
     "v / (1 - beta2^t)", ADAM, .second_by_beta1 = true},
    {"the step with the largest second moment so far, as in AMSGrad",
     "v = beta2 * v + (1 - beta2) * g * g, also where that is less than before",
     ADAM, .running_maximum = true},
    {"the step with the second moment corrected after its square root",
     "sqrt(v / (1 - beta2^t)): the correction comes first.", ADAM,
     .corrected_after_root = true},
    {"the step without the bias correction of the first moment",
     "m / (1 - beta1^t)", ADAM, .no_first_correction = true},
    {"the step without the bias correction of the second moment",
     "v / (1 - beta2^t)", ADAM, .no_second_correction = true},
    {"the step without both bias corrections", "m / (1 - beta1^t), v / (1 - "
     "beta2^t)", ADAM, .no_first_correction = true,
     .no_second_correction = true},
    {"the step without the square root", "sqrt(v) + epsilon", ADAM,
     .no_root = true},
    {"the step with epsilon under the square root", "sqrt(v) + epsilon", ADAM,
     .epsilon_inside = true},
    {"the step without epsilon", "sqrt(v) + epsilon", ADAM,
     .epsilon_missing = true},
    {"the step with an epsilon of 1e-8", "epsilon is a member of the options.",
     ADAM, .epsilon_fixed = true},
    {"the step with epsilon added before the bias correction", "sqrt(v / (1 - "
     "beta2^t)) + epsilon: the correction comes first.", ADAM,
     .epsilon_uncorrected = true},
    {"the second moment of g, not of g * g", "v = beta2 * v + (1 - beta2) * g "
     "* g", ADAM, .not_squared = true},
    {"the second moment of |g|, not of g * g",
     "v = beta2 * v + (1 - beta2) * g * g", ADAM, .magnitude = true},
    {"the second moment of the gradient without its scale and weight decay",
     "Both moments are of the same g: scale * g, and with coupled decay + "
     "weight_decay * p.", ADAM, .raw_second = true},
    {"the step with a beta1 of 0.9 and a beta2 of 0.999", "Both are members of "
     "the options.", ADAM, .betas_fixed = true},
    {"the step with beta1 and beta2 exchanged", NULL, ADAM,
     .betas_exchanged = true},
    {"the step without the factors 1 - beta", "m = beta1 * m + (1 - beta1) * "
     "g", ADAM, .sums = true},
    {"the step with the number of the step before", number_hint, ADAM,
     .later = -1},
    {"the step with the number of the next step", number_hint, ADAM,
     .later = 1},
};

static float *copy(const float *from, size_t n)
{
    float *to = suite_floats(n);

    memcpy(to, from, n * sizeof *to);
    return to;
}

struct step_before step_before_create(const struct buffers *b,
                                      size_t decay_count,
                                      const struct sgd *sgd,
                                      const struct adam *adam)
{
    static const char key;
    float *rates = suite_kept_floats(&key, 3); /* first, last, and are set */
    struct step_before s = {.buffers = *b, .decay_count = decay_count,
                            .sgd = sgd, .adam = adam, .params = b->params,
                            .first = b->first, .second = b->second};

    s.first_rate = rates[2] > 0 ? rates[0] : b->rate;
    s.last_rate = rates[2] > 0 ? rates[1] : b->rate;
    rates[0] = s.first_rate;
    rates[1] = b->rate;
    rates[2] = 1;
    s.buffers.params = copy(b->params, b->n);
    s.buffers.first = copy(b->first, b->n);
    s.buffers.second = copy(b->second, b->n);
    return s;
}

/* Parameter and moments after a step. */
struct stepped {
    double param, first, second;
};

static double rate_of(const struct step_before *s, const struct step_mistake *m)
{
    return m->no_rate              ? 1
           : m->rate == FIRST_RATE ? s->first_rate
           : m->rate == LAST_RATE  ? s->last_rate : s->buffers.rate;
}

static struct stepped sgd_wrong(const struct step_before *s,
                                const struct step_mistake *m, size_t i,
                                double g)
{
    const struct buffers *b = &s->buffers;
    const double momentum = m->no_momentum ? 0 : s->sgd->momentum;
    const double v = momentum * b->first[i]
                     + (m->dampened ? 1 - momentum : 1) * g;
    const bool nesterov = !s->sgd->nesterov != !m->other_nesterov;
    const double by = m->old_velocity ? b->first[i]
                      : nesterov ? (m->without_gradient        ? 0
                                    : m->velocity_for_gradient ? v : g)
                                       + momentum * v
                                 : v;
    const double rate = rate_of(s, m) * (m->sign ? -1 : 1);

    return (struct stepped){b->params[i] - rate * by, v, 0};
}

/* The denominator of Adam's update, from the corrected second moment. */
static double adam_root(const struct step_mistake *m, double square,
                        double correction, double epsilon)
{
    if (m->epsilon_missing)
        return sqrt(square);
    if (m->epsilon_fixed)
        return sqrt(square) + 1e-8;
    if (m->epsilon_uncorrected)
        return sqrt(square) + epsilon / sqrt(correction);
    if (m->no_root)
        return square + epsilon;
    if (m->corrected_after_root) /* 1 / c under the root, once more beside it */
        return sqrt(square) / sqrt(correction) + epsilon;
    return m->epsilon_inside ? sqrt(square + epsilon) : sqrt(square) + epsilon;
}

static struct stepped adam_wrong(const struct step_before *s,
                                 const struct step_mistake *m, size_t i,
                                 double g, double decoupled)
{
    const struct buffers *b = &s->buffers;
    const double beta1 = m->betas_fixed       ? 0.9
                         : m->betas_exchanged ? s->adam->beta2 : s->adam->beta1;
    const double beta2 = m->betas_fixed       ? 0.999
                         : m->betas_exchanged ? s->adam->beta1 : s->adam->beta2;
    const double rate = rate_of(s, m), t = b->step + m->later;
    const double p = b->params[i];
    const double first = beta1 * b->first[i] + (m->sums ? 1 : 1 - beta1) * g;
    const double squared = m->raw_second ? b->grads[i] : g;
    const double sum = beta2 * b->second[i]
                       + (m->sums ? 1 : 1 - beta2)
                             * (m->magnitude     ? fabs(g)
                                : m->not_squared ? g : squared * squared);
    const double second = m->running_maximum ? fmax(sum, b->second[i]) : sum;
    const double mean =
        first / (m->no_first_correction ? 1
                 : 1 - pow(m->first_by_beta2 ? beta2 : beta1, t));
    const double correction =
        m->no_second_correction ? 1
        : 1 - pow(m->second_by_beta1 ? beta1 : beta2, t);
    const double root =
        adam_root(m, second / correction, correction, s->adam->epsilon);

    const double update = (m->sign ? -1 : 1) * rate * mean / root;

    if (m->decay_after) /* `decoupled` is a multiple of p */
        decoupled *= (p - update) / p;
    return (struct stepped){
        p - (m->decay_by_rate_missing ? 1 : rate) * decoupled - update, first,
        second};
}

/* One parameter after a step with this mistake. */
static struct stepped step_wrong(const struct step_before *s,
                                 const struct step_mistake *m, size_t i)
{
    const struct buffers *b = &s->buffers;
    const double scale = m->no_scale ? 1 : b->scale;
    const size_t decay_count = s->decay_count + m->decay_one_more;
    const bool decays = !m->no_decay && (m->decay_all || i < decay_count);
    const double weight_decay =
        s->sgd ? s->sgd->weight_decay : s->adam->weight_decay;
    const double decay = (decays ? weight_decay * b->params[i] : 0)
                         * (m->scaled_decay ? scale : 1)
                         * (m->decay_negative ? -1 : 1);
    const bool decoupled = s->sgd ? m->decay_of_p
                                  : !s->adam->decoupled != !m->other_decay;
    const double g = scale * b->grads[i] + (decoupled ? 0 : decay);
    struct stepped made;

    if (!s->sgd)
        return adam_wrong(s, m, i, g, decoupled ? decay : 0);
    made = sgd_wrong(s, m, i, g);
    if (decoupled)
        made.param -= rate_of(s, m) * decay;
    return made;
}

static bool differs(double made, double got)
{
    return fabs(made - got) > 0x1p-13 * (fabs(made) + fabs(got));
}

/* SGD's velocity is the same without a decay and with one of p alone: is the
 * parameter, which is compared later, nearer to the step with this mistake? */
static bool fits_param(const struct step_before *s,
                       const struct step_mistake *m, size_t i)
{
    const struct step_mistake other = {.no_decay = m->decay_of_p,
                                       .decay_of_p = m->no_decay};
    const double got = (double)s->params[i];

    return fabs(step_wrong(s, m, i).param - got)
           < fabs(step_wrong(s, &other, i).param - got);
}

/* Set the values to those of the compared buffer after this step.
 * @return does Adam's first moment, which has been compared before, agree where
 *         an element is wrong? */
static bool set_values(double *values, const struct hypotheses *h,
                       const struct step_before *s,
                       const struct step_mistake *m)
{
    const void *got = h->evidence->expected->got;
    bool agrees = true;

    for (size_t i = 0; i < s->buffers.n; i++) {
        const struct stepped made = step_wrong(s, m, i);

        values[i] = got == s->params  ? made.param
                    : got == s->first ? made.first : made.second;
        if (isnan(values[i])) /* as in step 0 */
            values[i] = HYPOTHESIS_ANY;
        if (h->evidence->comparison->wrong_mask[i] && got != s->first)
            agrees &= s->sgd || !differs(made.first, (double)s->first[i]);
        if (h->evidence->comparison->wrong_mask[i] && got == s->first && s->sgd
            && (m->no_decay || m->decay_of_p))
            agrees &= fits_param(s, m, i);
    }
    return agrees;
}

/* Elements with the bits that they had before: a step changes few bits of a
 * parameter, but never none. */
static void try_no_update(struct hypotheses *h, const struct step_before *s)
{
    const struct comparison *comparison = h->evidence->comparison;
    const struct expected *e = h->evidence->expected;
    const float *before = e->got == s->params  ? s->buffers.params
                          : e->got == s->first ? s->buffers.first
                                               : s->buffers.second;
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < s->buffers.n; i++) {
        if (!comparison->wrong_mask[i])
            continue;
        if ((double)before[i] != evidence_got(h->evidence, i))
            return;
        values[i] = (double)before[i];
    }
    h->needed = 0;
    hypothesis_try(h, comparison->wrong == s->buffers.n
                          ? "Is the new value stored?"
                      : comparison->wrong_mask[s->buffers.n - 1]
                          ? "Is the number of blocks rounded up? After the "
                            "last whole float4 there are up to three more."
                          : "Which thread should own it?",
                   "what it was before the step: the step leaves it out");
    h->needed = needed;
}

/* A number that is counted elsewhere. */
static void try_step_numbers(struct hypotheses *h, const struct step_before *s)
{
    enum { MOST = 64 };

    for (int t = 1; s->adam && t <= MOST && !h->fits; t++) {
        const struct step_mistake other = {.later = t - s->buffers.step};

        set_values(hypothesis_values(h), h, s, &other);
        hypothesis_try(h, number_hint, "the step with the number %d, not %d",
                       t, s->buffers.step);
    }
}

/* Right moments, and only then NaN: a bias correction that is 0. */
static void try_step_zero(struct hypotheses *h, const struct step_before *s)
{
    const struct step_mistake none = {0};
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    if (!s->adam || s->buffers.step != 1
        || h->evidence->expected->got != s->params
        || !set_values(values, h, s, &none))
        return;
    for (size_t i = 0; i < s->buffers.n; i++)
        values[i] = NAN;
    h->needed = 4; /* it is evidence, too, that the moments are right */
    hypothesis_try(h, number_hint, "NaN, as 0 divided by 0: with a step number "
                   "of 0 the bias correction 1 - beta^0 is 0");
    h->needed = needed;
}

void optimizers_mistakes(struct hypotheses *h, const void *context)
{
    const struct step_before *s = context;

    for (size_t k = 0; k < COUNT(list); k++) {
        if (list[k].optimizer == (s->sgd ? ADAM : SGD))
            continue;
        if (set_values(hypothesis_values(h), h, s, &list[k]))
            hypothesis_try(h, list[k].hint, "%s", list[k].text);
    }
    try_no_update(h, s);
    try_step_zero(h, s);
    try_step_numbers(h, s);
}
