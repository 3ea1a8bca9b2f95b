/* SPDX-License-Identifier: MIT */
/** @file
 *  The command line: a verb (subcommand), its options, its arguments.
 */
#ifndef GRADER_OPTIONS_H
#define GRADER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/autograde/slurm.h"

/** Exit statuses of all verbs; --help prints them. */
enum exit_code {
    EXIT_FULL = 0,        /**< full marks; other verbs: success */
    EXIT_PARTIAL = 1,    /**< graded, but not full marks; a proof
                               failed; the sanitizer found something */
    EXIT_USAGE = 2,       /**< invalid command line */
    EXIT_NO_BUILD = 3,    /**< the file is missing or does not build */
    EXIT_GRADER_ERROR = 4,     /**< the grader itself failed */
    EXIT_INTERRUPTED = 130 /**< SIGINT or SIGTERM; nothing is left behind */
};

/** Options of all verbs; each verb accepts some. */
struct options {
    const char *from;   /**< labs, solutions, a folder or a .cu file */
    const char *device; /**< auto, gpu or soft */
    const char *json;   /**< where result.json goes, or NULL */
    const char *output; /**< a file to write, or NULL */
    const char *calibration; /**< of the card, or NULL: the default */
    uint64_t seed;      /**< random and secret unless given */
    bool seeded;        /**< --seed was given */
    double seconds;     /**< limit of a call; 0: the lab's */
    size_t memory;      /**< bytes; 0: the lab's */
    bool keep;          /**< keep temporary folders */
    bool verbose;       /**< print more */
    bool no_speed;      /**< skip the timed runs */
    bool no_watch;      /**< skip checks and budgets */
    double search;      /**< seconds of a search; 0: the default */
    bool quick;         /**< compile with less optimization */
    bool again;         /**< show what was shown last */
    int repeat;         /**< grades at most; 0: one */
    const char *html;   /**< a page to write, or NULL */
    const char *lab;    /**< one lab of many, or NULL */
    const char *kernel; /**< one kernel of many, part of its name, or NULL */
    const char *student;  /**< one student of many, or NULL */
    const char *roster;   /**< file of students, or NULL */
    const char *deadline; /**< time, as text, or NULL */
    const char *late;     /**< late policy, as text, or NULL */
    const char *course;   /**< settings of the course, or NULL */
    const char *hidden; /**< folder of hidden tests, or NULL */
    const char *seed_file; /**< file with a secret, or NULL */
    const char *format; /**< of a gradebook, or NULL */
    bool yes;           /**< do what would be asked about */
    bool slurm;         /**< grade on a cluster */
    struct slurm_request request; /**< for that */
    const char *tier;   /**< of boxes: "A" to "D", or NULL */
    const char *part;   /**< of the mutants: "1/2", or NULL: all */
    bool best;          /**< verify-box: print the best tier */
    int jobs;           /**< submissions at a time; 0: one a core */
    char **words; /**< positional arguments; NULL-terminated */
    int count;    /**< number of words */
};

/** One verb of the program, in grader/verbs/NAME.c. */
struct verb {
    const char *name;    /**< as typed */
    const char *words;   /**< "LAB", as printed in the usage */
    const char *summary; /**< one line */
    const char *help;    /**< more for --help, may be "" */
    const char *accepts;   /**< letters of its options */
    int min_words;           /**< fewest arguments */
    int max_words;            /**< most arguments */
    int (*run)(const struct options *options); /**< @return an exit code */
};

extern const struct verb verb_list;    /**< verbs/list.c */
extern const struct verb verb_status;  /**< verbs/list.c */
extern const struct verb verb_next;    /**< verbs/list.c */
extern const struct verb verb_watch;   /**< verbs/watch.c */
extern const struct verb verb_sheet;   /**< verbs/sheet.c */
extern const struct verb verb_problem; /**< verbs/problem.c */
extern const struct verb verb_hint;    /**< verbs/hint.c */
extern const struct verb verb_explain; /**< verbs/explain.c */
extern const struct verb verb_reset;   /**< verbs/reset.c */
extern const struct verb verb_doctor;  /**< verbs/doctor.c */
extern const struct verb verb_grade;   /**< verbs/grade.c */
extern const struct verb verb_locate;  /**< verbs/locate.c */
extern const struct verb verb_prove;   /**< verbs/prove.c */
extern const struct verb verb_run;     /**< verbs/run.c */
extern const struct verb verb_picture; /**< verbs/picture.c */
extern const struct verb verb_cut;     /**< verbs/cut.c */
extern const struct verb verb_check;   /**< verbs/check.c */
extern const struct verb verb_profile; /**< verbs/profile.c */
extern const struct verb verb_ask;     /**< verbs/question.c */
extern const struct verb verb_answer;  /**< verbs/question.c */
extern const struct verb verb_bench;   /**< verbs/bench.c */
extern const struct verb verb_calibrate; /**< verbs/calibrate.c */
extern const struct verb verb_autograde; /**< verbs/autograde.c */
extern const struct verb verb_shard;     /**< verbs/shard.c */
extern const struct verb verb_regrade;   /**< verbs/autograde.c */
extern const struct verb verb_gradebook; /**< verbs/gradebook.c */
extern const struct verb verb_verify_box; /**< verbs/verify_box.c */
extern const struct verb verb_evidence;  /**< verbs/evidence.c */
extern const struct verb verb_report;    /**< verbs/report.c */
extern const struct verb verb_similarity; /**< verbs/similarity.c */

/** Parse what follows the verb.
 *  @return -1 to continue, or an exit status after an error or --help */
int options_read(const struct verb *verb, int argc, char **argv,
                 struct options *options);
/** Print a verb's --help. */
void options_help(const struct verb *verb);

#endif
