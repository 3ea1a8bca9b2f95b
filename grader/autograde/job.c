/* SPDX-License-Identifier: MIT */
/* Grading one submission in a child process. */
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/json_member.h"
#include "common/base/process.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "grader/box/box.h"
#include "grader/grade/grade.h"
#include "grader/lab/hidden.h"
#include "grader/lab/threshold.h"
#include "grader/report/result.h"

enum { MAX_RESULT = 16 << 20 };

bool job_lab(const struct course *course, const char *stem, struct lab *lab,
             struct failure *failure)
{
    const struct course_lab *wanted = course_lab(course, stem);
    char error[LAB_ERROR_SIZE];

    if (!lab_open(stem, lab, error))
        return fail(failure, "%s", error);
    if (!hidden_add(course->hidden, lab, failure))
        return false;
    if (wanted->seconds > 0)
        lab->seconds = wanted->seconds;
    for (int i = 0; i < wanted->thresholds; i++)
        if (!threshold_set(lab, wanted->threshold[i].key,
                           wanted->threshold[i].value, error))
            return fail(failure, "%s", error);
    if (wanted->memory > 0)
        lab->memory = lab->memory_gpu = (size_t)(wanted->memory * 1048576);
    return true;
}

/* They are part of what a result depends on.  By their digest: the text is
 * bounded. */
static void add_thresholds(const struct course_lab *wanted, char *text)
{
    char all[COURSE_THRESHOLDS * sizeof(struct course_threshold) + 1] = "";
    char hex[DIGEST_TEXT];
    size_t used = 0;

    for (int i = 0; i < wanted->thresholds; i++) {
        text_format(all + used, sizeof all - used, "%s=%s\n",
                    wanted->threshold[i].key, wanted->threshold[i].value);
        used += strlen(all + used);
    }
    if (used)
        text_format(text + strlen(text), 1024 - strlen(text),
                    "thresholds=%s\n", digest(hex, all, used));
}

char *job_settings(const struct batch *batch, const struct lab *lab)
{
    char path[PATH_MAX], ini_hex[DIGEST_TEXT], secret_hex[DIGEST_TEXT];
    char *text = malloc(1024), *ini;
    size_t length = 0;

    ini = read_file(root_path(path, "grader/labs/%s.ini", lab->stem), 1 << 20,
                    &length);
    if (text && ini)
        text_format(text, 1024,
                    "lab=%s\ngrader=%s\nsettings=%s\ndevice=%s\nmodel=%s\n"
                    "tier=%s\nseconds=%g\nmemory=%zu\nmemory_gpu=%zu\n"
                    "secret=%s\n",
                    lab->stem, GRADER_VERSION, digest(ini_hex, ini, length),
                    device_name(batch->target.kind), batch->target.model,
                    box_tier_name(box_tier_in_use()), lab->seconds, lab->memory,
                    lab->memory_gpu,
                    digest(secret_hex, batch->secret, batch->secret_bytes));
    if (text && ini && lab->hidden)
        text_format(text + strlen(text), 1024 - strlen(text), "hidden=%s\n",
                    lab->hidden_digest);
    if (text && ini)
        add_thresholds(course_lab(batch->course, lab->stem), text);
    if (!ini) {
        free(text);
        text = NULL;
    }
    free(ini);
    return text;
}

void job_identify(struct job *job, const struct batch *batch,
                  const char *settings, int round)
{
    char text[SECRET_BYTES + 512], hex[DIGEST_TEXT];
    char *end;

    text_format(text, sizeof text, "warpbook-key/1\n%s%s\nround=%d\n",
                settings, job->content, round);
    digest(job->key, text, strlen(text));
    memcpy(text, batch->secret, batch->secret_bytes);
    end = text + batch->secret_bytes;
    text_format(end, 256, "\n%s\n%s\n%d", job->stem, job->content, round);
    digest(hex, text, batch->secret_bytes + strlen(end));
    hex[16] = 0;
    job->seed = strtoull(hex, NULL, 16);
}

/* --- the child ------------------------------------------------------------ */

/* The file gets the name that the student knows: messages show it. */
static bool copy_source(const struct job *job, const struct batch *batch,
                        const struct lab *lab, char *path)
{
    char folder[PATH_MAX], name[STORE_NAME];
    size_t length = 0;
    char *text;
    bool ok;

    text_format(name, sizeof name, "files/%s.cu", job->content);
    text = store_read(batch->store, name, &length);
    ok = text && temp_dir_create(folder);
    if (ok) {
        text_format(path, PATH_MAX, "%s/%s.cu", folder, lab->name);
        ok = write_file(path, text, length);
    }
    free(text);
    return ok;
}

bool job_program(struct batch *batch, struct failure *failure)
{
    size_t length = 0;
    char path[PATH_MAX], *bytes = NULL;
    ssize_t got = readlink("/proc/self/exe", path, sizeof path - 1);

    if (got > 0) {
        path[got] = 0;
        bytes = read_file(path, (size_t)1 << 30, &length);
    }
    if (!bytes)
        return fail(failure, "cannot read the program itself: %s",
                    strerror(errno));
    digest(batch->program, bytes, length);
    free(bytes);
    return true;
}

/* The result and everything that decided it, as evidence: key, settings,
 * isolation, limits, device, time. */
static json_t *describe(const struct job *job, const struct lab *lab,
                        const struct task *task, const struct report *report,
                        const char *settings, const char *program)
{
    char *text = result_to_json(task, report);
    json_t *inner = text ? json_loads(text, 0, NULL) : NULL;
    json_t *result;

    free(text);
    if (!inner)
        return NULL;
    result = json_pack("{ss ss ss ss ss ss s{sf sI si} ss sI so}", "schema",
                       "warpbook-graded/1", "key", job->key, "content",
                       job->content, "settings", settings, "isolation",
                       box_tier_words(box_tier_in_use()), "program", program,
                       "limits", "seconds", lab->seconds,
                       "memory_bytes",
                       (json_int_t)(task->target->kind == DEVICE_GPU
                                    ? lab->memory_gpu : lab->memory),
                       "processes", (int)MAX_PROCESSES,
                       "device_model", task->target->model, "graded",
                       (json_int_t)time(NULL), "result", inner);
    return result;
}

/* An error of the grader anywhere: nothing of this run is used. */
static bool is_internal(const struct report *report, const struct lab *lab)
{
    bool internal = report->verdict == INTERNAL
                    || report->clean.verdict == INTERNAL;

    for (size_t i = 0; i < lab->tests; i++)
        internal |= report->test[i].verdict == INTERNAL;
    return internal;
}

/* The first message of an error of the grader. */
static const char *problem_of(const struct report *report,
                              const struct lab *lab)
{
    if (*report->message)
        return report->message;
    if (report->clean.verdict == INTERNAL)
        return report->clean.message;
    for (size_t i = 0; i < lab->tests; i++)
        if (report->test[i].verdict == INTERNAL)
            return report->test[i].message;
    return "no message";
}

/* In one write: a file in memory takes it as a whole. */
static void send_json(int fd, json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    size_t done = 0, length = text ? strlen(text) : 0;

    while (done < length) {
        ssize_t n = write(fd, text + done, length - done);

        if (n < 0 && errno != EINTR)
            _exit(1);
        done += n > 0 ? (size_t)n : 0;
    }
    if (!length)
        _exit(1);
    free(text);
    json_decref(json);
}

/* In the child: grade and send JSON. An error of the grader is sent as a
 * problem, so that it never becomes a mark. */
static void grade_job(const struct job *job, const struct batch *batch)
{
    static struct lab lab;
    static struct report report;
    char source[PATH_MAX], *settings;
    struct failure failure;
    struct task task = {.lab = &lab, .target = &batch->target,
                        .source = source, .seed = job->seed,
                        .speed = batch->target.kind == DEVICE_GPU,
                        .watch = true};

    if (!job_lab(batch->course, job->stem, &lab, &failure)) {
        send_json(job->fd, json_pack("{ss}", "problem", failure.text));
        return;
    }
    settings = job_settings(batch, &lab);
    if (!settings || !copy_source(job, batch, &lab, source)) {
        send_json(job->fd, json_pack("{ss}", "problem", strerror(errno)));
        return;
    }
    grade(&task, &report);
    if (interrupted())
        return;
    if (is_internal(&report, &lab))
        send_json(job->fd, json_pack("{ss}", "problem",
                                     problem_of(&report, &lab)));
    else
        send_json(job->fd, describe(job, &lab, &task, &report, settings,
                                     batch->program));
    free(settings);
}

/* Ended by its supervisor's end, the child stops its runner as ctrl-C does. */
static _Noreturn void run_child(const struct job *job,
                                const struct batch *batch, pid_t parent)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    store_forget_lock(batch->store);
    temp_dirs_forget();
    install_signal_handlers();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    isolate_process();
    setpgid(0, 0); /* ctrl-C reaches the supervisor, which tells us */
    if (null >= 0)
        dup2(null, STDOUT_FILENO);
    grade_job(job, batch);
    temp_dirs_remove();
    _exit(0);
}

/* --- the supervisor's side ------------------------------------------------ */

bool job_start(struct job *job, const struct batch *batch)
{
    pid_t parent = getpid();

    job->fd = memfd_create("result", MFD_CLOEXEC);
    if (job->fd < 0)
        return false;
    fflush(NULL);
    job->started = clock_seconds();
    job->child = fork();
    if (job->child == 0)
        run_child(job, batch, parent);
    if (job->child > 0)
        return true;
    job->child = 0;
    close(job->fd);
    return false;
}

/* From the unlinked file that child and parent share. */
static json_t *read_result(int fd)
{
    struct stat about;
    char *text;
    json_t *json = NULL;

    if (fstat(fd, &about) || about.st_size > MAX_RESULT)
        return NULL;
    text = malloc((size_t)about.st_size + 1);
    if (text && pread(fd, text, (size_t)about.st_size, 0) == about.st_size)
        json = json_loadb(text, (size_t)about.st_size, 0, NULL);
    free(text);
    return json;
}

json_t *job_result(struct job *job, int status)
{
    json_t *json = WIFEXITED(status) && WEXITSTATUS(status) == 0
                   ? read_result(job->fd) : NULL;
    char problem[256];

    close(job->fd);
    job->child = 0;
    if (json && json_object_get(json, "result"))
        return json;
    if (WIFSIGNALED(status))
        text_format(problem, sizeof problem,
                    "the process that graded it was ended by signal %d",
                    WTERMSIG(status));
    else
        text_format(problem, sizeof problem, "%s",
                    member_text(json, "problem", "it sent no result"));
    free(job->problem);
    job->problem = strdup(problem);
    json_decref(json);
    return NULL;
}
