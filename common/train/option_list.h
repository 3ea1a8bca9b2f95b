/* SPDX-License-Identifier: MIT */
/** @file
 *  The table of options and commands.  Host only.
 *
 *  Strings and numbers are set, stored and compared by their offset in struct
 *  train_options, so that a new option is one line of the table.  Therefore all
 *  numbers are double, integers too. */
#ifndef OPTION_LIST_H
#define OPTION_LIST_H

#include "options.h"

/** The use of an option in a checkpoint. */
enum persistence {
    NOT_SAVED,  /**< not stored */
    SAVED,      /**< stored; the command line may override it on resume */
    SAVED_FIXED /**< stored; another value is refused on resume */
};

/** One option. */
struct option {
    const char *name;   /**< without "--" */
    const char *what;   /**< its value in the usage text; NULL for none */
    const char *help;   /**< in the usage text */
    size_t at;          /**< offset in struct train_options */
    double low, high;   /**< range of a number; a string if both are 0 */
    enum persistence persistence_of; /**< in checkpoints */
    int commands;       /**< bits of the commands that it belongs to */
};

/** One command. */
struct command {
    const char *name;      /**< the first word; "" is the default command */
    const char *arguments; /**< in the usage text */
    int at_least, at_most; /**< number of files */
};

extern const struct command train_commands[COMMAND_COUNT]; /**< by enum */
extern const struct option train_option_list[]; /**< the options */
extern const int train_option_count;            /**< number of options */

/** Is its value a string? */
bool option_is_string(const struct option *option);

/** The value of a string. */
char *option_string(const struct option *option,
                    const struct train_options *options);

/** The value of a number. */
double *option_number(const struct option *option,
                      const struct train_options *options);

/** The option of a name, or NULL. */
const struct option *option_find(const char *name);

/** Set an option from text.  @return false after a message on stderr */
bool option_set(const struct option *option, const char *value,
                struct train_options *options);

#endif
