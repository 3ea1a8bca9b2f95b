/* SPDX-License-Identifier: MIT */
/* Running sim_c over the submissions of a lab, and reading its list of runs:
 *
 *     1.cu: line 12-40        |7.cu: line 15-44[278]
 */
#include "similarity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/base/files.h"
#include "common/base/process.h"
#include "common/base/target.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"

static const char handout_name[] = "handout.cu";

/* The files are of unknown origin, and so is what a parser does with them. */
static const struct limits sim_limits = {.seconds = 1800,
                                         .memory = (size_t)1 << 30,
                                         .output = (size_t)64 << 20,
                                         .file = 1 << 20,
                                         .processes = 4,
                                         .drop_user = true};

void similarity_add(struct similarity *similarity, const char *name,
                    char *text, bool is_step)
{
    struct similar_file *file = realloc(
        similarity->file, (similarity->files + 1) * sizeof *file);

    if (!file)
        abort();
    similarity->file = file;
    file += similarity->files++;
    *file = (struct similar_file){.text = text, .is_step = is_step};
    text_format(file->name, sizeof file->name, "%s", name);
    digest(file->content, text, strlen(text));
}

/* --- running sim_c -------------------------------------------------------- */

static char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", NULL};

/* Run it in the folder with the names of files on its standard input.
 * @return what it printed, malloced, or NULL with one line */
static char *run_sim(const char *folder, const char *names, int shortest,
                     const char *how, struct failure *failure)
{
    char path[PATH_MAX], run[16];
    char *const arguments[] = {"sim_c", "-T", "-n",        "-w", "500",
                               run,     "-i", (char *)how, NULL};
    struct program program = {.path = path, .arguments = arguments,
                              .environment = environment, .folder = folder,
                              .input = names, .input_bytes = strlen(names)};
    struct process process;
    char *text = NULL;
    int status = 0, why;

    if (!find_program("sim_c", path)) {
        fail(failure, "sim_c is not installed: apt-get install "
             "similarity-tester");
        return NULL;
    }
    text_format(run, sizeof run, "-r%d", shortest);
    why = process_run(&process, &program, &sim_limits, &status);
    if (why == WAIT_ENDED && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        text = strdup(process.out.text ? process.out.text : "");
    else
        fail(failure, "sim_c did not end well: %.200s",
             why < 0 ? strerror(-why)
             : process.err.text ? process.err.text : "it reached a limit");
    process_free(&process);
    return text;
}

/* "7.cu: line 15-44", with blanks behind it.
 * @param[out] file  index; SIZE_MAX: the handout
 * @return what follows, or NULL */
static const char *read_place(const char *at, size_t *file, int *first,
                              int *last)
{
    int used = 0;

    if (!strncmp(at, handout_name, strlen(handout_name))) {
        *file = SIZE_MAX;
        at += strlen(handout_name);
    } else if (sscanf(at, "%zu.cu%n", file, &used) == 1 && used) {
        at += used;
    } else {
        return NULL;
    }
    used = 0;
    if (sscanf(at, ": line %d-%d%n", first, last, &used) != 2 || !used)
        return NULL;
    return at + used + strspn(at + used, " ");
}

/* Call `take` for each run of sim_c's list. */
static void read_runs(struct similarity *similarity, const char *list,
                      void (*handle)(struct similarity *, const size_t file[2],
                                     const struct similar_run *))
{
    while (*list) {
        size_t file[2];
        struct similar_run run;
        const char *at = read_place(list, &file[0], &run.first[0],
                                    &run.last[0]);

        if (at && *at == '|'
            && (at = read_place(at + 1, &file[1], &run.first[1],
                                &run.last[1]))
            && sscanf(at, "[%d]", &run.tokens) == 1)
            handle(similarity, file, &run);
        list += strcspn(list, "\n");
        list += *list == '\n';
    }
}

/* --- the handout ---------------------------------------------------------- */

/* Blank lines of a text; their line ends stay. */
static void blank_lines(char *text, int first, int last)
{
    for (int line = 1; *text && line <= last; line++) {
        size_t length = strcspn(text, "\n");

        if (line >= first)
            memset(text, ' ', length);
        text += length + (text[length] == '\n');
    }
}

/* Lines that both student and handout have are blanked, so that they do not
 * count as copied. */
static void blank_handout_run(struct similarity *similarity,
                              const size_t file[2],
                              const struct similar_run *run)
{
    for (int i = 0; i < 2; i++)
        if (file[i] < similarity->files && file[1 - i] == SIZE_MAX)
            blank_lines(similarity->file[file[i]].text, run->first[i],
                        run->last[i]);
}

/* sim_c gets numbers for names, since names of students are untrusted. */
static bool write_files(const struct similarity *similarity,
                        const char *folder, const char *handout)
{
    char path[PATH_MAX + 32];
    bool ok = true;

    for (size_t i = 0; ok && i < similarity->files; i++) {
        const char *text = similarity->file[i].text;

        text_format(path, sizeof path, "%s/%zu.cu", folder, i);
        ok = write_file(path, text, strlen(text));
    }
    text_format(path, sizeof path, "%s/%s", folder, handout_name);
    return ok && (!handout || write_file(path, handout, strlen(handout)));
}

/* The files' names, a line each; then a line '/' and the handout.
 * @return malloced */
static char *list_names(const struct similarity *similarity, bool handout)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (!out)
        return NULL;
    for (size_t i = 0; i < similarity->files; i++)
        fprintf(out, "%zu.cu\n", i);
    if (handout)
        fprintf(out, "/\n%s\n", handout_name);
    return fclose(out) == 0 ? text : NULL;
}

/* --- pairs ---------------------------------------------------------------- */

static struct similar_pair *find_pair(struct similarity *similarity,
                                      size_t one, size_t other)
{
    struct similar_pair *pair;

    for (size_t i = similarity->pairs; i-- > 0;) { /* most often the last */
        pair = &similarity->pair[i];
        if (pair->file[0] == one && pair->file[1] == other)
            return pair;
    }
    pair = realloc(similarity->pair, (similarity->pairs + 1) * sizeof *pair);
    if (!pair)
        abort();
    similarity->pair = pair;
    pair += similarity->pairs++;
    *pair = (struct similar_pair){.file = {one, other}};
    return pair;
}

/* Is a run within one that the pair has already?  sim_c compares two files in
 * both directions. */
static bool is_known(const struct similar_pair *pair,
                     const struct similar_run *run)
{
    for (size_t i = 0; i < pair->runs; i++) {
        const struct similar_run *known = &pair->run[i];

        if (run->first[0] >= known->first[0] && run->last[0] <= known->last[0]
            && run->first[1] >= known->first[1]
            && run->last[1] <= known->last[1])
            return true;
    }
    return false;
}

static void add_pair_run(struct similarity *similarity, const size_t file[2],
                         const struct similar_run *run)
{
    struct similar_pair *pair;
    struct similar_run *runs;

    if (file[0] >= file[1] || file[1] >= similarity->files
        || (similarity->file[file[0]].is_step
            && similarity->file[file[1]].is_step))
        return;
    pair = find_pair(similarity, file[0], file[1]);
    if (is_known(pair, run))
        return;
    runs = realloc(pair->run, (pair->runs + 1) * sizeof *runs);
    if (!runs)
        abort();
    pair->run = runs;
    runs += pair->runs++;
    *runs = *run;
    pair->tokens += run->tokens;
}

static int by_tokens(const void *a, const void *b)
{
    const struct similar_pair *x = a, *y = b;

    if (x->is_equal != y->is_equal)
        return x->is_equal ? -1 : 1;
    if (x->tokens != y->tokens)
        return x->tokens < y->tokens ? 1 : -1;
    if (x->file[0] != y->file[0])
        return x->file[0] < y->file[0] ? -1 : 1;
    return (x->file[1] > y->file[1]) - (x->file[1] < y->file[1]);
}

/* Drop short pairs, mark equal files, and put the longest pairs first. */
static void finish_pairs(struct similarity *similarity)
{
    size_t kept = 0;

    for (size_t i = 0; i < similarity->pairs; i++) {
        struct similar_pair *pair = &similarity->pair[i];

        pair->is_equal = !strcmp(similarity->file[pair->file[0]].content,
                                 similarity->file[pair->file[1]].content);
        if (pair->is_equal || pair->tokens >= PAIR_TOKENS)
            similarity->pair[kept++] = *pair;
        else
            free(pair->run);
    }
    similarity->pairs = kept;
    if (kept)
        qsort(similarity->pair, kept, sizeof *similarity->pair, by_tokens);
}

/* Equal files are a pair, however short they are, unless they are empty or the
 * handout. */
static void add_equal_files(struct similarity *similarity,
                            const char *handout)
{
    char hex[DIGEST_TEXT] = "";

    if (handout)
        digest(hex, handout, strlen(handout));
    for (size_t i = 0; i < similarity->files; i++)
        for (size_t k = i + 1; k < similarity->files; k++)
            if (!strcmp(similarity->file[i].content,
                        similarity->file[k].content)
                && strcmp(similarity->file[i].content, hex)
                && similarity->file[i].text[strspn(similarity->file[i].text,
                                                   " \t\r\n")])
                find_pair(similarity, i, k);
}

/* Write the files, run sim_c, read its list. */
static bool one_pass(struct similarity *similarity, const char *folder,
                     const char *handout, struct failure *failure)
{
    char *names = list_names(similarity, handout != NULL), *list = NULL;

    if (names && write_files(similarity, folder, handout))
        list = handout ? run_sim(folder, names, HANDOUT_RUN, "-S", failure)
                       : run_sim(folder, names, SHARED_RUN, "-esu", failure);
    else
        fail(failure, "%s: %s", folder, strerror(errno));
    if (list)
        read_runs(similarity, list,
                  handout ? blank_handout_run : add_pair_run);
    free(names);
    free(list);
    return list != NULL;
}

bool similarity_compare(struct similarity *similarity, const char *handout,
                        struct failure *failure)
{
    char folder[PATH_MAX];

    if (!temp_dir_create(folder))
        return fail(failure, "cannot make a temporary folder: %s",
                    strerror(errno));
    if ((handout && !one_pass(similarity, folder, handout, failure))
        || !one_pass(similarity, folder, NULL, failure))
        return false;
    add_equal_files(similarity, handout);
    finish_pairs(similarity);
    return true;
}

void similarity_free(struct similarity *similarity)
{
    for (size_t i = 0; i < similarity->files; i++)
        free(similarity->file[i].text);
    for (size_t i = 0; i < similarity->pairs; i++)
        free(similarity->pair[i].run);
    free(similarity->file);
    free(similarity->pair);
    *similarity = (struct similarity){0};
}
