/* SPDX-License-Identifier: MIT */
/** @file
 *  The command line: a verb, its options, its words.
 */
#ifndef GRADER_OPTIONS_H
#define GRADER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Exit codes of every verb; --help prints them. */
enum exit_code {
    EXIT_FULL = 0,        /**< full marks; for other verbs: all is well */
    EXIT_NOT_FULL = 1,    /**< graded, but not full marks; a proof failed;
                               the watchers found something */
    EXIT_USAGE = 2,       /**< the command line makes no sense */
    EXIT_NO_BUILD = 3,    /**< the file is missing or does not build */
    EXIT_TROUBLE = 4,     /**< the grader could not do its work */
    EXIT_INTERRUPTED = 130 /**< ctrl-C; everything was cleaned up */
};

/** Options of all verbs; each verb says which it takes. */
struct options {
    const char *from;   /**< labs, solutions, a folder or a .cu file */
    const char *device; /**< auto, gpu or soft */
    const char *json;   /**< where result.json goes, or NULL */
    const char *output; /**< a file to write, or NULL */
    uint64_t seed;      /**< secret and fresh unless given */
    bool seeded;        /**< --seed was given */
    double seconds;     /**< time of a call; 0: the lab's */
    size_t memory;      /**< bytes; 0: the lab's */
    bool keep;          /**< keep temporary folders */
    bool verbose;       /**< show more */
    bool no_speed;      /**< do not time */
    bool no_watch;      /**< neither check it nor count its costs */
    const char *html;   /**< a page to write, or NULL */
    char **words; /**< what is no option; NULL-terminated */
    int count;    /**< of words */
};

/** One verb of the program; grader/verbs/NAME.c each. */
struct verb {
    const char *name;    /**< as typed */
    const char *words;   /**< "LAB", as shown in the usage */
    const char *summary; /**< one line */
    const char *help;    /**< more for --help, may be "" */
    const char *takes;   /**< letters of the options it takes */
    int least;           /**< fewest words it needs */
    int most;            /**< most words it takes */
    int (*run)(const struct options *options); /**< @return an exit code */
};

extern const struct verb verb_list;    /**< verbs/list.c */
extern const struct verb verb_doctor;  /**< verbs/doctor.c */
extern const struct verb verb_grade;   /**< verbs/grade.c */
extern const struct verb verb_prove;   /**< verbs/prove.c */
extern const struct verb verb_run;     /**< verbs/run.c */
extern const struct verb verb_picture; /**< verbs/picture.c */
extern const struct verb verb_cut;     /**< verbs/cut.c */
extern const struct verb verb_check;   /**< verbs/check.c */
extern const struct verb verb_profile; /**< verbs/profile.c */
extern const struct verb verb_ask;     /**< verbs/question.c */
extern const struct verb verb_answer;  /**< verbs/question.c */
extern const struct verb verb_bench;   /**< verbs/bench.c */

/** Read what follows the verb.
 *  @return -1 to go on, or an exit code (usage error said, help shown) */
int options_read(const struct verb *verb, int argc, char **argv,
                 struct options *options);
/** Print a verb's --help. */
void options_help(const struct verb *verb);

#endif
