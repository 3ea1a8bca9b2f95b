/* SPDX-License-Identifier: MIT */
/** @file
 *  The sandbox's canary: a program of ours that tries, in the sandbox that a
 *  submission will get, what no submission may do.
 *
 *  It tries to read and write the grader's memory by process_vm_readv,
 *  process_vm_writev, /proc/PID/mem and ptrace, and looks for capabilities.
 *  When one of these acts succeeds, or the canary cannot run, nothing is
 *  graded.
 */
#ifndef GRADER_CANARY_H
#define GRADER_CANARY_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/process.h"

/** First argument of warpbook that makes it the canary. */
#define CANARY_VERB "sandbox-canary"

/** Run the canary in the sandbox of these limits.
 *  @param      folder  the scratch folder of the runners
 *  @param[out] reason  one line when it fails
 *  @return true when every act was refused */
bool canary_is_refused(const struct limits *limits, const char *folder,
                       char *reason, size_t bytes);
/** The same once for each process; afterwards the answer is known.  Called
 *  before the first runner starts.  Namespaces are tried first, and done
 *  without where the system does not allow them. */
bool sandbox_is_closed(const struct limits *limits, const char *folder,
                       char *reason, size_t bytes);
/** After sandbox_is_closed(): can runners have namespaces of their own? */
bool sandbox_has_namespaces(void);
/** The note about such results. */
#define SELF_TEST "self-test, not for marks"
/** After sandbox_is_closed(): why results are not for marks, or NULL.  A runner
 *  of the grader's own user can end the grader, and one without namespaces
 *  leaves things behind. */
const char *sandbox_self_test(void);
/** The canary itself: try each act, and print those that succeed on stdout.
 *  @param argv  the grader's process id and the address of a word, in hex
 *  @return exit status: CANARY_REFUSED, or 1 */
int canary_main(int argc, char **argv);

/** Exit status of a canary whose acts were all refused: no program ends with
 *  it by accident. */
enum { CANARY_REFUSED = 77 };

#endif
