/* SPDX-License-Identifier: MIT */
/** @file
 *  Diagnosis by impulse response: which terms does a wrong sum contain?
 *
 *  Most labs compute sums of inputs, or of products of the elements of two
 *  inputs.  A suite describes them:
 *
 *         static size_t terms(const void *context, size_t out,
 *                             struct response_term *term)
 *         {
 *             for (k = 0; k < g->k; k++)
 *                 term[k] = (struct response_term){.in = i * g->k + k,
 *                                                  .by = k * g->n + j,
 *                                                  .at = {k}};
 *             return g->k;
 *         }
 *
 *  After a comparison failed which no usual mistake explains, the submission's
 *  function is called again, with inputs that are 0 but for some elements.  As
 *  the function is linear, this shows what a wrong element contains: a group of
 *  inputs whose sum is the expected one is not looked at again, another one is
 *  halved.  What was found must explain the result of the failed call, too, or
 *  nothing is said.
 */
#ifndef GRADER_RESPONSE_H
#define GRADER_RESPONSE_H

#include "diagnose.h"

enum { RESPONSE_INDICES = 3 };

/** The empty hint, where the terms of all wrong elements are told. */
extern const char response_no_hint[];
/** The hint where only those of one element are told; NULL: no response. */
const char *response_hint(const struct evidence *evidence);

/** `by` of a term that is no product. */
#define RESPONSE_NONE SIZE_MAX

/** An input. */
struct response_array {
    const char *name;     /**< in messages: "d_in"; NULL: there is none */
    const float *values;  /**< host, its elements */
    const void *argument; /**< host, that array as the call gets it; NULL: it
                               stays as it is */
    size_t size[EXPECTED_DIMS]; /**< as in struct expected */
    /** Write floats as the argument's elements; NULL: these are floats. */
    void (*encode)(const float *values, size_t n, void *argument);
    size_t element; /**< bytes of one of these, with `encode` */
    unsigned most; /**< all whole numbers up to this one are exact */
};

/** A term of a sum: an element of the input, or the product of it and one of
 *  the other input. */
struct response_term {
    size_t in;                   /**< index in the input */
    size_t by;                   /**< index in the other, or RESPONSE_NONE */
    size_t at[RESPONSE_INDICES]; /**< indices of the sum, slowest first */
};

/** Calls the submission's function with other inputs of the same shape.
 *  @param[in]  in, by  as many values as the response's arrays have; `by` is
 *                      only used if that array is an argument
 *  @param[out] out     as many as the output has
 *  @return false when the call failed, or there were enough of them */
typedef bool response_call(void *context, const float *in, const float *by,
                           double *out);

/** The sums of an output. */
struct response {
    struct response_array in; /**< what each term has an element of */
    struct response_array by; /**< the other factor */
    double factor;            /**< of the sum; 0: 1 */
    const char *index[RESPONSE_INDICES]; /**< names of the sum's indices */
    size_t length[RESPONSE_INDICES]; /**< of each; 0 ends.  Their product is
                                          the most terms of a sum */
    /** Write the terms of output element `out`, in the order of the sum.
     *  @return how many */
    size_t (*terms)(const void *context, size_t out,
                    struct response_term *term);
    const void *context; /**< argument of `terms` */
    const char *hint;    /**< where one element is told; NULL: that on loops */
    /** Where the output is no array of sums: in place of response_explain(). */
    enum certainty (*explain)(const struct evidence *evidence,
                              response_call *call, void *context, char *text);
};

/** Sums of the first elements of a vector. */
struct response_prefix {
    const float *in; /**< host, the call's argument */
    size_t n;        /**< its elements */
    /** Elements that output element `out` is the sum of; NULL: all n. */
    size_t (*count)(size_t out);
};

/** Such sums; valid as long as `prefix` is. */
struct response response_of_prefixes(const struct response_prefix *prefix);

/** Find the element of an input that each output element is a copy of, or,
 *  where it is a sum, has as its operand.
 *  @param      of_by   of the other input
 *  @param[out] source  for each output element the index, or RESPONSE_NONE
 *  @return false when the call failed */
bool response_sources(const struct evidence *evidence, bool of_by,
                      response_call *call, void *context, size_t *source);

/** What one element of the output contains. */
struct response_sum {
    size_t out;                 /**< its index */
    double constant;            /**< it has where all inputs are 0 */
    struct response_term *term; /**< what it should contain */
    int *times;                 /**< how often it contains each of them */
    size_t count;               /**< of these */
    struct response_term *extra; /**< what it contains besides; `at` is not
                                      set */
    size_t extras;               /**< of these */
    float *in, *by; /**< whole numbers, of which one call was made: by them a
                         rule is refuted that holds in the failed call by
                         chance, as of a filter with a single 1 */
    double *got;    /**< the output of that call, */
    double unit;    /**< whose values can differ by this */
};

/** Elements of an array of the response. */
size_t response_count(const struct response_array *array);
/** Most terms of a sum. */
size_t response_most_terms(const struct response *response);
/** Name of an array's element: "in[1][2]". */
void response_name(const struct response_array *array, size_t index,
                   char *text, size_t bytes);
/** The term's value in the failed call. */
double response_value(const struct response *response,
                      const struct response_term *term);

/** Find out what a wrong element contains.
 *  @param      out  its index
 *  @param[out] sum  to be freed by response_free(), also on failure
 *  @return false when that is not known, or does not explain the result */
bool response_decode(const struct evidence *evidence, size_t out,
                     response_call *call, void *context,
                     struct response_sum *sum);
/** Free what response_decode() allocated. */
void response_free(struct response_sum *sum);
/** Does the wrong element hold this value, rather than the expected one? */
bool response_agrees(const struct evidence *evidence, size_t i, double value);

/** Say what all wrong elements have in common with this one.
 *  @param[out] text  DIAGNOSIS_SIZE bytes
 *  @return false when it is not true of all of them */
bool response_rule(const struct evidence *evidence,
                   const struct response_sum *sum, char *text);
/** Say what this element contains that it should not, or lacks.
 *  @return false when there is nothing to say */
bool response_example(const struct evidence *evidence,
                      const struct response_sum *sum, char *text);
/** The same with calls of any kind; see diagnose_response(). */
enum certainty response_explain(const struct evidence *evidence,
                                response_call *call, void *context,
                                char *text);
/** How much the sentences tell, as diagnose_detail() says.  Terms of all wrong
 *  elements tell no more than a mistake that is suspected, and those of one
 *  element less. */
int response_detail(const struct evidence *evidence, enum certainty located,
                    enum certainty explained, const char *hint);
/** Call the submission's function again, and say what the wrong elements
 *  contain.  No effect where the output has no response, or nothing was
 *  called.
 *  @param[out] text  DIAGNOSIS_SIZE bytes
 *  @return CERTAIN for a sentence on all wrong elements, VAGUE for one on one
 *  of them */
enum certainty diagnose_response(const struct evidence *evidence, char *text);

#endif
