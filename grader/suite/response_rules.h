/* SPDX-License-Identifier: MIT */
/** @file
 *  Between the parts of the diagnosis by impulse response: what all wrong sums
 *  have in common, in words.
 */
#ifndef GRADER_RESPONSE_RULES_H
#define GRADER_RESPONSE_RULES_H

#include "response.h"

/** The rules' view of a failed comparison. */
struct rules {
    const struct evidence *evidence; /**< the comparison */
    const struct response *response; /**< of its output */
    const struct response_sum *sum;  /**< what one wrong element contains */
    struct response_term *term; /**< room for the terms of another one, */
    struct response_term *term2; /**< and of one more */
    int dims;                   /**< indices of the sum */
    int times;                  /**< how often a pattern's terms are there */
    bool is_call; /**< it looks at the call of the sum, not the failed one */
};

/** The term's value in the call that is looked at. */
double rules_value(const struct rules *r, const struct response_term *term);
/** What the element should be there. */
double rules_want(const struct rules *r, size_t i);
/** What it is there. */
double rules_got(const struct rules *r, size_t i);
/** The value that an element would have.
 *  @return false: none */
typedef bool rule_value(const struct rules *r, const void *rule, size_t i,
                        double *value);
/** Does the rule give the value of all wrong elements (of many: of one in
 *  some), in both calls? */
bool rules_hold(struct rules *r, rule_value *of, const void *rule);
/** Append to a text of DIAGNOSIS_SIZE bytes. */
void rules_append(char *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** All terms from this one on are missing: a question about the last tile,
 *  where they may be those of an incomplete one. */
void rules_append_last_tile(char *text, const struct rules *r, size_t from);
/** The same of sums of first elements, as in a scan: about the last group. */
void rules_append_last_group(char *text, const struct rules *r, size_t from);
/** "each wrong element lacks ". */
void rules_begin(char *text, const struct rules *r, const char *verb);
/** "", or "s" of more than one. */
const char *rules_plural(size_t n);
/** How many terms of the sum are not there once. */
size_t rules_changed(const struct response_sum *sum);

/** A rule: writes the sentence and returns true. */
typedef bool response_rule_of(struct rules *r, char *text);
/** Some terms are missing, or there several times: those of a pattern. */
response_rule_of rule_of_times;
/** Each sum starts at this constant. */
response_rule_of rule_of_constant;
/** The sum of another element is there, too, or in its place. */
response_rule_of rule_of_other;
/** That is so in this element, whatever the others contain. */
response_rule_of response_other_sum;
/** What the rules look at; `term` is to be freed. */
struct rules rules_of(const struct evidence *evidence,
                      const struct response_sum *sum);

#endif
