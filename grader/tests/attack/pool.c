/* SPDX-License-Identifier: MIT */
/* See pool.h. */
#include "pool.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attack.h"
#include "common/base/temp_dir.h"

/* One task. */
struct task {
    pid_t process; /* 0 before it was started */
    FILE *output;  /* what it prints */
    bool ended;
    int result;
};

static struct task tasks[2 * ATTACK_ROWS];
static int task_count, job_count, started, running;
static int (*run_task)(int number);

void pool_open(int count, int jobs, int (*task)(int number))
{
    task_count = count;
    job_count = jobs;
    run_task = task;
}

/* Ends the process.  The folder of temporary files is the parent's: this
 * process makes its own. */
static void run_here(int number)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    temp_dirs_forget();
    if (dup2(fileno(tasks[number].output), STDOUT_FILENO) < 0)
        _exit(POOL_FAILED);
    exit(run_task(number));
}

static void start_next(void)
{
    const int number = started++;
    struct task *task = &tasks[number];

    fflush(NULL);
    task->output = tmpfile();
    task->process = task->output ? fork() : -1;
    if (task->process == 0)
        run_here(number);
    task->ended = task->process < 0;
    task->result = POOL_FAILED;
    running += !task->ended;
}

/* Waits until one of them ends. */
static void reap_one(void)
{
    int status;
    const pid_t ended = wait(&status);

    for (int i = 0; i < started; i++)
        if (tasks[i].process == ended && !tasks[i].ended) {
            tasks[i].ended = true;
            tasks[i].result = WIFEXITED(status) ? WEXITSTATUS(status)
                                                : POOL_FAILED;
            running--;
        }
}

static void print_output(FILE *output)
{
    char text[4096];
    size_t length;

    if (!output)
        return;
    rewind(output);
    while ((length = fread(text, 1, sizeof text, output)) > 0)
        fwrite(text, 1, length, stdout);
    fclose(output);
}

int pool_result(int number)
{
    struct task *task = &tasks[number];

    while (!task->ended) {
        while (running < job_count && started < task_count)
            start_next();
        if (!task->ended)
            reap_one();
    }
    print_output(task->output);
    task->output = NULL;
    return task->result;
}
