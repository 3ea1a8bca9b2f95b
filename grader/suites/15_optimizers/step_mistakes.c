/* SPDX-License-Identifier: MIT */
/* Usual mistakes in a step of lab 15. */
#include "step_mistakes.h"

#include <stddef.h>

const char step_number_hint[] =
    "The step number is *d_step, in device memory, and starts at 1: the host "
    "does not count steps.";
static const char decay_hint[] =
    "Parameter i has weight decay if i < decay_count: in a float4 each of the "
    "four is checked by itself.";

const struct step_mistake step_mistakes[] = {
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
    {"the step with a gradient scale of 0", "Where d_scale is NULL the scale "
     "is 1.", .zero_scale = true},
    {"the step without weight decay", "Parameter i has weight decay if i < "
     "decay_count.", .no_decay = true},
    {"the step with a weight decay of the other sign", "Decay pulls towards 0: "
     "it is added to the gradient.", .decay_negative = true},
    {"the step with weight decay of one parameter too many", decay_hint,
     .decay_one_more = true, .count = NEXT_IS_PART},
    {"the step with weight decay of one parameter too many, or of all four of "
     "its float4", decay_hint, .decay_one_more = true, .count = NEXT_IS_WHOLE},
    {"the step with weight decay of all four of a float4 of which only the "
     "first have it", decay_hint, .decay_more_of_quad = true,
     .count = NEXT_IS_PART},
    {"the step without weight decay of a float4 of which only the first have "
     "it", decay_hint, .decay_whole_quads = true},
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
    {"the step with the learning rate in the velocity", "v = momentum * v + g, "
     "and p = p - rate * v: the rate is no part of v.", SGD,
     .rate_in_velocity = true},
    {"the step with -rate * g in the velocity", "v = momentum * v + g, and p = "
     "p - rate * v: neither the rate nor the sign is part of v.", SGD,
     .rate_in_velocity = true, .negative_velocity = true},
    {"the step with the velocity of the step before", "v is updated first, "
     "and p moves by the new v.", SGD, .old_velocity = true},
    {"the step with Nesterov's momentum, which was not asked for", "p moves by "
     "v, and only with nesterov by g + momentum * v.", SGD_PLAIN,
     .other_nesterov = true},
    {"the step by g + momentum * v with the v of before the step, which is the "
     "plain step by the new v", "with nesterov p moves by g + momentum * v, "
     "and v is updated before: use the new v.", SGD_NESTEROV,
     .other_nesterov = true},
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
    {"the step with the first moment of before it", "m is updated first, and p "
     "moves by the new m.", ADAM, .old_first = true},
    {"the step with the second moment of before it", "v is updated first, and "
     "p moves by the new v.", ADAM, .old_second = true},
    {"the second moment of g, not of g * g", "v = beta2 * v + (1 - beta2) * g "
     "* g", ADAM, .not_squared = true},
    {"the second moment of g * g + epsilon, should be of g * g", "epsilon is "
     "added to the root of the corrected second moment alone.", ADAM,
     .epsilon_in_moment = true},
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
    {"the step with the number of the step before", step_number_hint, ADAM,
     .later = -1},
    {"the step with the number of the next step", step_number_hint, ADAM,
     .later = 1},
    {.text = NULL}};
