/* SPDX-License-Identifier: MIT */
/** @file
 *  nvcc's options: their names, their arguments, what softcc does with each.
 */
#ifndef SOFTCC_OPTION_TABLE_H
#define SOFTCC_OPTION_TABLE_H

/** The handling of an option or its argument. */
enum action {
    IGNORED, PREPROCESSOR, COMPILER, LINKER, SPLIT_COMPILER, SPLIT_LINKER,
    OUTPUT, STANDARD, ARCHITECTURE, LANGUAGE, LIBRARY, RDC, MODE_COMPILE,
    MODE_PREPROCESS,
    MODE_SHOW, MODE_DEVICE_LINK, MODE_ARCHIVE, OPTIMIZE, DEBUG, DEVICE_DEBUG,
    FAST_MATH, SHARED, MODULE, DEPENDENCIES, DEPENDENCIES_ONLY, DEVICE_OBJECT,
    CHECK, PROFILE, NO_PTXAS, GRADED, LOCKSTEP, DEFAULT_STREAM, ENGINE,
    IN_LINK_ORDER, WARNINGS_AS_ERRORS, VERBOSE, FORWARD
};

/** How an option takes its argument. */
enum argument_kind {
    NO_ARGUMENT,        /**< none */
    SEPARATE,           /**< the next word, or what follows '=' */
    JOINED_OR_SEPARATE, /**< the rest of the word, or else the next word */
    JOINED              /**< the rest of the word, which can be empty */
};

/** An option. */
struct option {
    const char *name;                 /**< with its dashes */
    enum argument_kind argument_kind; /**< how it takes an argument */
    enum action action;               /**< what softcc does with it */
    const char *replacement; /**< passed to the compiler instead */
};

/** All options; after the last one the name is NULL. */
extern const struct option options_known[];

#endif
