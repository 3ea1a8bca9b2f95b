/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 15: terms of the update that are missing or in the
 * wrong place. */
#include "mistakes.h"
#include "step_mistakes.h"

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
    const double sign = m->negative_velocity ? -1 : 1;
    const double factor = m->rate_in_velocity ? sign * rate_of(s, m) : 1;
    const double momentum = m->no_momentum ? 0 : s->sgd->momentum;
    const double v = momentum * b->first[i]
                     + (m->dampened ? 1 - momentum : 1) * factor * g;
    const bool nesterov = !s->sgd->nesterov != !m->other_nesterov;
    const double by = m->old_velocity ? b->first[i]
                      : nesterov ? (m->without_gradient        ? 0
                                    : m->velocity_for_gradient ? v
                                                               : factor * g)
                                       + momentum * v
                                 : v;
    const double rate = m->rate_in_velocity
                            ? sign : rate_of(s, m) * (m->sign ? -1 : 1);

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
                                : m->not_squared ? g : squared * squared)
                       + (m->epsilon_in_moment
                              ? (1 - beta2) * s->adam->epsilon : 0);
    const double second = m->running_maximum ? fmax(sum, b->second[i]) : sum;
    const double mean =
        (m->old_first ? b->first[i] : first)
        / (m->no_first_correction ? 1
                 : 1 - pow(m->first_by_beta2 ? beta2 : beta1, t));
    const double correction =
        m->no_second_correction ? 1
        : 1 - pow(m->second_by_beta1 ? beta1 : beta2, t);
    const double root =
        adam_root(m, (m->old_second ? b->second[i] : second) / correction,
                  correction, s->adam->epsilon);

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
    const double scale = m->no_scale ? 1 : m->zero_scale ? 0 : b->scale;
    const size_t decay_count =
        m->decay_more_of_quad  ? (s->decay_count + 3) / 4 * 4
        : m->decay_whole_quads ? s->decay_count / 4 * 4
                               : s->decay_count + m->decay_one_more;
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
        hypothesis_try(h, step_number_hint,
                       "the step with the number %d, not %d", t,
                       s->buffers.step);
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
    hypothesis_try(h, step_number_hint, "NaN, as 0 divided by 0: with a step "
                   "number of 0 the bias correction 1 - beta^0 is 0");
    h->needed = needed;
}

/* Is it one of this optimizer, and of this number of parameters that decay? */
static bool is_possible(const struct step_before *s,
                        const struct step_mistake *m)
{
    const bool is_whole = s->decay_count % 4 == 3;

    if (m->zero_scale && !s->buffers.no_scale)
        return false;
    if (m->count != ANY_COUNT && is_whole != (m->count == NEXT_IS_WHOLE))
        return false;
    switch (m->optimizer) {
    case SGD: return s->sgd != NULL;
    case ADAM: return s->sgd == NULL;
    case SGD_PLAIN: return s->sgd && !s->sgd->nesterov;
    case SGD_NESTEROV: return s->sgd && s->sgd->nesterov;
    default: return true;
    }
}

void optimizers_mistakes(struct hypotheses *h, const void *context)
{
    const struct step_before *s = context;

    for (const struct step_mistake *m = step_mistakes; m->text; m++)
        if (is_possible(s, m) && set_values(hypothesis_values(h), h, s, m))
            hypothesis_try(h, m->hint, "%s", m->text);
    try_no_update(h, s);
    try_step_zero(h, s);
    try_step_numbers(h, s);
}
