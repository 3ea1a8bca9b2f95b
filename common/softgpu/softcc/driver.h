/* SPDX-License-Identifier: MIT */
/** @file
 *  The command line around the rewriter: options, child processes, files.
 */
#ifndef SOFTCC_DRIVER_H
#define SOFTCC_DRIVER_H

#include "softcc.h"

/** Exit codes of softcc. */
enum {
    EXIT_OK = 0,
    EXIT_COMPILE = 1, /**< the compiler or the linker found errors */
    EXIT_USAGE = 2,   /**< wrong command line */
    EXIT_REFUSED = 3, /**< the program uses what the soft device lacks */
    EXIT_FILES = 4    /**< something cannot be read or written */
};

/** A list of strings, NULL-terminated once it has any. */
struct list {
    const char **at;
    int count;
};

/** Append one string, not copied. */
void list_add(struct list *list, const char *string);
/** Append all of another list. */
void list_join(struct list *list, const struct list *other);

enum mode { LINK, COMPILE, PREPROCESS, SHOW };

/** The command line, understood. */
struct options {
    enum mode mode;
    struct list inputs;     /**< source files, objects, archives */
    struct list preprocess; /**< for the preprocessor: -I -D -U -M... */
    struct list compile;    /**< for the compiler */
    struct list link;       /**< for the linker: -l -L -Wl,... */
    struct list stand_ins;  /**< names of the Toolkit's libraries wanted */
    const char *output;     /**< -o, or NULL */
    const char *standard;   /**< -std=... for the compiler */
    const char *language;   /**< -x, or NULL */
    const char *optimise;   /**< -O..., or NULL */
    bool rdc, shared, debug;
    bool check;   /**< --check: with the watchers */
    bool profile; /**< --profile: with the profiler */
    bool ptxas;   /**< not --no-ptxas: registers by nvcc, where it is */
};

/** Understand the command line.
 *  @return -1 to go on, else the exit code; a line has then been printed */
int parse_options(int argc, char **argv, struct options *options);

/** Where things are. */
struct places {
    const char *compiler; /**< C++ compiler */
    bool clang;           /**< it is clang */
    char include[4096]; /**< directory of CUDA's headers */
    char library[4096]; /**< directory of libsoftgpu.a */
};

/** A library of the CUDA Toolkit that one of this machine's stands in for. */
struct stand_in {
    const char *name;     /**< as in -lcublas */
    const char *library;  /**< what does the work: "openblas" */
    const char *also;     /**< another one it needs, or NULL */
    const char *package;  /**< Debian's package with it */
    bool later;           /**< the runtime loads it when it is used */
};
/** The stand-in for -lNAME, or NULL. */
const struct stand_in *find_stand_in(const char *name);

/** Find headers and library beside the executable or under SOFTGPU_HOME. */
void find_places(struct places *places);

/** One run of softcc. */
struct job {
    const struct options *options;
    struct places places;
    struct prelude *prelude; /**< of the file that is compiled */
    struct list objects; /**< what is linked, in order */
};

/** Append the path of CUDA's headers. */
void add_headers(struct list *argv, const struct job *job);
/** Append one of the user's preprocessor options; the folder of a CUDA Toolkit
 *  comes behind all others, so that it does not hide our headers. */
void add_include(struct list *argv, const char *option);
/** Say of a missing header of the CUDA Toolkit what it is.
 *  @param err  what the preprocessor wrote
 *  @return false if something else is wrong */
bool explain_missing(const struct buffer *err);
/** Refuse what the student includes of a CUDA Toolkit that is installed.
 *  @param text  preprocessed
 *  @param ours  the folder whose headers are good
 *  @return whether there was any; messages are on stderr */
bool refuse_toolkit(const struct buffer *text, const char *ours);
/** Append the command that reads CUDA's headers, up to their path. */
void add_header_command(struct list *argv, const struct job *job);
/** Append the wish for coloured messages, where they go to a terminal. */
void add_color(struct list *argv);
/** Append options that decide how code is made, the user's last.
 *  @param cuda  for a .cu file */
void add_code_options(struct list *argv, const struct job *job, bool cuda);
/** Whether --check or --profile is asked for. */
bool is_watched(const struct options *options);
/** Append what --check and --profile add to a compilation, after the user's options. */
void add_watch_options(struct list *argv, const struct job *job);
/** Append the watchers' library, before the runtime's. */
void add_watch_libraries(struct list *argv, const struct job *job);
/** Append what stands in for the Toolkit's libraries that are asked for, after
 *  the runtime.  @return false after a message: one is not installed */
bool add_stand_ins(struct list *argv, const struct job *job);
/** Append the libraries that the watchers need, after the runtime's. */
void add_watch_needs(struct list *argv, const struct job *job);
/** The rewritten source of a .cu file, or its preprocessed text for -E.
 *  @param object  name of the object, for dependency files
 *  @return an exit code; messages have been printed */
int translate(const struct job *job, const char *input, const char *object,
              struct buffer *out);

/** What a child process left behind. */
struct result {
    int status;        /**< its exit code, 127 if it did not start */
    struct buffer out; /**< stdout, if it was asked for */
    struct buffer err; /**< stderr, if it was asked for */
};

/** Run a program and wait for it.
 *  @param input  its stdin, or NULL
 *  @param keep   collect stdout and stderr instead of passing them on */
struct result run_program(const struct list *argv, const struct buffer *input,
                          bool keep);
/** Remove temporary files, and end with 130 or 143, when a signal comes. */
void catch_signals(void);
/** A path beside `target` to write to, renamed by finish_output.  The target
 *  itself if that is a device or a pipe.  @return NULL after a message */
const char *start_output(const char *target);
/** Put the file in its place, or remove it. @return false after a message */
bool finish_output(const char *temporary, const char *target, bool good);
/** Append what a file holds. @return false when it cannot be read */
bool read_text(const char *path, struct buffer *text);
/** Write text to a file that is removed at the end. @return its path, or
 *  /dev/null after a message */
const char *write_temporary(const struct buffer *text);
/** A directory for temporary files: $TMPDIR or /tmp. */
const char *temporary_directory(void);
/** Remove what start_output made and nobody finished. */
void remove_temporaries(void);

/** Compile and link what the options say. @return the exit code */
int drive(const struct options *options);

#endif
