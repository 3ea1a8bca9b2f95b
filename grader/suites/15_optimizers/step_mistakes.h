/* SPDX-License-Identifier: MIT */
/** @file
 *  The terms of a step of SGD or Adam that may be wrong.
 */
#ifndef GRADER_SUITES_STEP_MISTAKES_H
#define GRADER_SUITES_STEP_MISTAKES_H

#include <stdbool.h>

/** A step with something wrong in it. */
struct step_mistake {
    const char *text, *hint;
    enum { BOTH, SGD, ADAM, SGD_PLAIN, SGD_NESTEROV } optimizer;
    bool sign, no_rate, no_scale;       /* of the gradient */
    bool zero_scale;                    /* where there is none */
    bool no_decay, decay_all, scaled_decay, decay_by_rate_missing;
    bool other_decay;                   /* coupled for decoupled and back */
    bool decay_negative;                /* with the other sign */
    bool decay_one_more;                /* i <= decay_count */
    enum { ANY_COUNT, NEXT_IS_WHOLE, NEXT_IS_PART } count; /* for which
                                           decay_count + 1 it is tried: a
                                           multiple of 4, or none */
    bool decay_more_of_quad, decay_whole_quads; /* rounded to 4: up, down */
    bool decay_after;                   /* of the new parameter */
    bool decay_of_p;                    /* not of the velocity */
    bool no_momentum, dampened, old_velocity, other_nesterov; /* SGD */
    bool rate_in_velocity, negative_velocity; /* v adds up rate * g, or -rate
                                                 * g */
    bool without_gradient, velocity_for_gradient; /* Nesterov's */
    bool no_first_correction, no_second_correction, no_root, epsilon_inside;
    bool first_by_beta2, second_by_beta1; /* corrections */
    bool not_squared, betas_exchanged, sums; /* Adam */
    bool magnitude, betas_fixed, running_maximum, corrected_after_root;
    bool epsilon_in_moment;
    bool old_first, old_second; /* moments of before the step in its last line
                                 */
    bool raw_second; /* second moment of the gradient as it comes */
    bool epsilon_missing, epsilon_fixed, epsilon_uncorrected;
    int later; /* step number */
    enum { THIS_RATE, FIRST_RATE, LAST_RATE } rate; /* of which step */
};

/** Of steps whose number is counted elsewhere. */
extern const char step_number_hint[];
/** All of them; the last one has no text. */
extern const struct step_mistake step_mistakes[];

#endif
