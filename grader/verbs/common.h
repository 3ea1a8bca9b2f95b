/* SPDX-License-Identifier: MIT */
/** @file
 *  Functions that several verbs share.
 */
#ifndef GRADER_VERBS_COMMON_H
#define GRADER_VERBS_COMMON_H

#include "common/base/output_file.h"
#include "grader/grade/grade.h"
#include "options.h"

/** Size of the text of command_or_key(). */
enum { COMMAND_SIZE = 64 };

/** How to get something: in `warpbook watch` by a key, "key h", elsewhere by a
 *  command, "build/warpbook hint 02".
 *  @param command  up to the number of the lab
 *  @return `text` */
char *command_or_key(char text[COMMAND_SIZE], const char *command, char key,
                     int lab);
/** Print "warpbook: ..." on stderr: one line, which a terminal gets wrapped.
 *  @return `code` */
int report_error(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** Open a lab and apply the limits of the command line.
 *  @param name  as typed; NULL: the lab that `next` names
 *  @return false after one line on stderr */
bool load_lab(const char *name, const struct options *options,
              struct lab *lab);
/** The file that --from means for this lab.
 *  @return false after one line on stderr */
bool source_path(const struct options *options, const struct lab *lab,
                 char *path);

/** Can -o name this, a folder or nothing yet?
 *  @return false after one line on stderr: it is a file */
bool output_is_folder(const char *path);
/** Does a path, which need not be there yet, lie in a folder?  The folder itself
 *  does not. */
bool path_is_within(const char *path, const char *folder);

/** Open the file of --json, before a submission runs.
 *  @param[out] file  OUTPUT_FILE_NONE without --json, or for stdout
 *  @return false after one line on stderr */
bool open_json(const struct options *options, struct output_file *file);
/** The card that a verb measures on. */
struct card_context {
    struct card *card; /**< NULL on the soft device, or without NVML */
    struct calibration calibration; /**< of the card; empty on the soft one */
};

/** Open the card of a target, and its calibration.
 *  @return false after one line on stderr: the calibration is broken, or
 *  --calibration names none and `must_exist` */
bool card_context_open(const struct options *options,
                       const struct target *target, bool must_exist,
                       struct card_context *context);
/** Close what card_context_open() opened. */
void card_context_close(struct card_context *context);

#endif
