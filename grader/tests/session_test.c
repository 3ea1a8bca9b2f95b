/* SPDX-License-Identifier: MIT */
/* Sessions with a runner that ends or breaks the protocol, and the line at
 * which a program is.  This program is that runner, too, when it is started
 * under the name "runner", and one that does not end under the name
 * "spinner". */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "grader/session/running_line.h"
#include "grader/session/session.h"
#include "grader/suite/state.h"
#include "grader/suite/stored.h"

/* The behavior of a runner in a call: the frame's function. */
enum behavior { KEEPS_PROTOCOL, CHANGES_OUTPUT, CHANGES_SEQUENCE, ENDS };

enum { STATUS = 7, MESSAGE_ROOM = 4096 };
static const uint64_t result[2] = {1, 2};

/* Runs until it is killed. */
static void spin(void);
static void jump(void) __attribute__((noinline));

/* --- the runner ----------------------------------------------------------- */

/* A runner that keeps the protocol reads whole messages. */
static void receive(void *to, size_t length)
{
    unsigned char *at = to;

    for (ssize_t got; length; at += got, length -= (size_t)got)
        if ((got = read(CHANNEL_FD, at, length)) <= 0)
            _exit(0);
}

/* A message, with a header that may lie. */
static void send_message(enum message_type type, uint64_t sequence,
                         const void *data, size_t length)
{
    const struct header header = {MESSAGE_MAGIC, type, sequence, length};
    struct bytes message = {0};

    buffer_append(&message, &header, sizeof header);
    buffer_append(&message, data, length);
    if (write(CHANNEL_FD, message.data, message.length)
        != (ssize_t)message.length)
        _exit(1);
    buffer_free(&message);
}

/* What the runner says of who stored an element: the argument's index. */
enum answers {
    LIES, TWO_LINES, ONLY_OF_WRONG, NEVER_OF_WRONG, OTHER_COUNT, OTHER_BLOCKS,
    ALL_ALIKE, EXECUTIONS_UNKNOWN, STORE_UNKNOWN, ANSWERS
};
enum { SITE = 5 };

/* Of 64 floats every fourth one is wrong. */
static bool is_wrong(size_t element)
{
    return element % 4 == 3;
}

/* A text without an end, not all of which can be printed.  To the element at
 * byte 8 it gives a message of another length. */
static void lie(const struct header *header, uint64_t offset)
{
    struct store_answer answer;

    memset(&answer, 'x', sizeof answer);
    memcpy(answer.text, "a\033b", 3);
    send_message(MSG_STORE, header->sequence, &answer,
                 sizeof answer - (offset == 8));
}

static void answer_question(const struct header *header)
{
    struct store_question question;
    struct store_answer answer = {.has_executions = 1};
    unsigned wrong;

    receive(&question, sizeof question);
    if (question.argument == LIES) {
        lie(header, question.offset);
        return;
    }
    wrong = is_wrong(question.offset / 4);
    answer.block = (uint32_t)(question.offset / 4);
    snprintf(answer.text, sizeof answer.text, "add.cu:%d:9",
             question.argument == ASK_LINE              ? 30
             : question.argument == TWO_LINES && wrong ? 17 : 20);
    answer.thread_executions[SITE] =
        (uint16_t)(question.argument == ONLY_OF_WRONG    ? wrong
                   : question.argument == NEVER_OF_WRONG ? !wrong
                   : question.argument == OTHER_COUNT    ? 3 + wrong : 1);
    answer.block_executes[SITE] = (uint8_t)(question.argument != OTHER_BLOCKS
                                            || !wrong);
    answer.has_executions = question.argument != EXECUTIONS_UNKNOWN || wrong;
    if (question.argument == STORE_UNKNOWN && question.offset == 8)
        *answer.text = 0;
    send_message(MSG_STORE, header->sequence, &answer, sizeof answer);
}

/* The next header of a call. */
static void receive_call_header(struct header *header)
{
    for (;;) {
        receive(header, sizeof *header);
        if (header->type != MSG_ASK)
            return;
        answer_question(header);
    }
}

/* The next call; its argument says how the runner behaves. */
static enum behavior receive_call(struct header *header)
{
    static unsigned char message[MESSAGE_ROOM];
    const size_t numbers = 3 * sizeof(uint64_t); /* before the frame */
    struct reader in = {message + numbers, 0, false};
    struct frame frame = {0};

    receive_call_header(header);
    if (header->length < numbers || header->length > sizeof message)
        _exit(2);
    receive(message, header->length);
    in.left = header->length - numbers;
    if (frame_parse(&frame, &in))
        _exit(3);
    send_message(MSG_READY, header->sequence, NULL, 0);
    return (enum behavior)frame.function;
}

/* Answer as that behavior demands. */
static void serve_call(void)
{
    struct {
        struct facts facts;
        uint64_t output[2];
    } answer = {.output = {result[0], result[1]}};
    struct completion completion = {.status = STATUS};
    struct header header;
    const enum behavior behavior = receive_call(&header);
    uint64_t sequence = header.sequence, key;

    receive(&header, sizeof header);
    receive(&key, sizeof key);
    if (behavior == ENDS)
        _exit(9);
    completion.digest = digest_update(key, result, sizeof result);
    sequence += behavior == CHANGES_SEQUENCE;
    send_message(MSG_DONE, sequence, &completion, sizeof completion);
    answer.output[1] += behavior == CHANGES_OUTPUT;
    send_message(MSG_OUTPUT, sequence, &answer, sizeof answer);
}

/* --- the grader ----------------------------------------------------------- */

static char program[PATH_MAX], folder[PATH_MAX];

/* A session with this program as its runner. */
static struct session make_session(void)
{
    return (struct session){.runner = program, .folder = folder,
                            .limits = {.seconds = 300, .drop_user = true}};
}

/* One call, whose output must be `result` if it passes. */
static void call(struct session *session, enum behavior behavior,
                 enum verdict verdict, const char *message)
{
    uint64_t output[2] = {0};
    const struct frame frame = {
        .function = behavior, .count = 1,
        .arg = {{.kind = ARG_OUT, .bytes = sizeof output, .data = output}}};
    const double used = session_seconds_used();
    struct reply reply;

    CU_ASSERT_EQUAL(session_call(session, &frame, CALL_LAB, 1, &reply),
                    verdict == PASS);
    CU_ASSERT_TRUE(session_seconds_used() <= used + reply.seconds);
    CU_ASSERT_EQUAL(reply.verdict, verdict);
    CU_ASSERT_PTR_NOT_NULL(strstr(reply.message, message));
    if (verdict == PASS) {
        CU_ASSERT_EQUAL(reply.status, STATUS);
        CU_ASSERT_EQUAL(memcmp(output, result, sizeof result), 0);
    }
}

/* One runner serves them all. */
static void several_calls(void)
{
    struct session session = make_session();
    pid_t runner;

    call(&session, KEEPS_PROTOCOL, PASS, "");
    runner = session.process.pid;
    call(&session, KEEPS_PROTOCOL, PASS, "");
    CU_ASSERT_EQUAL(session.sequence, 2);
    CU_ASSERT_EQUAL(session.process.pid, runner);
    CU_ASSERT_TRUE(session_seconds_used() != 0);
    CU_ASSERT_TRUE(session_close(&session, 5));
    session_free(&session);
}

/* Bytes of OUTPUT that were not there when DONE was sent are refused. */
/* What sets wrong elements apart, where something does. */
static void tells_wrong_elements_apart(void)
{
    static const char *const said[ANSWERS] = {
        [TWO_LINES] = "add.cu:17:9: note: the wrong elements were stored here; "
                      "those that add.cu:20 stored are correct",
        [ONLY_OF_WRONG] = "add.cu:30:9: note: the threads of the wrong elements "
                          "execute this, those of correct ones never",
        [NEVER_OF_WRONG] = "add.cu:30:9: note: the threads of the wrong "
                           "elements never execute this, those of correct ones "
                           "do",
        [OTHER_COUNT] = "add.cu:30:9: note: the threads of the wrong elements "
                        "execute this 4 times, those of correct ones 3 times",
        [OTHER_BLOCKS] = "add.cu:30:9: note: the blocks of the wrong elements "
                         "never execute this, those of correct ones do",
    };
    static float output[64];
    static unsigned char wrong[64];
    const struct expected expected = {.got = output, .type = FLOAT32,
                                      .size = {64}};
    const struct comparison comparison = {.count = 64, .wrong = 16,
                                          .wrong_mask = wrong};
    const struct evidence evidence = {.expected = &expected,
                                      .comparison = &comparison,
                                      .on_device = true};
    struct session session = make_session();
    char text[STORED_SIZE];

    for (size_t i = 0; i < 64; i++)
        wrong[i] = is_wrong(i);
    call(&session, KEEPS_PROTOCOL, PASS, "");
    suite_state.session = &session;
    for (unsigned i = LIES + 1; i < ANSWERS; i++) {
        suite_state.frame = (struct frame){.count = i + 1};
        suite_state.frame.arg[i] = (struct arg){
            .kind = ARG_OUT, .bytes = sizeof output, .data = output,
            .on_device = true};
        session.compares_threads = false;
        suite_compare_stores(&evidence, text);
        CU_ASSERT_EQUAL(*text, 0);
        session.compares_threads = true;
        suite_compare_stores(&evidence, text);
        CU_ASSERT_STRING_EQUAL(text, said[i] ? said[i] : "");
    }
    session_free(&session);
}

/* Which line stored an element is asked between two calls; the answer is not
 * trusted. */
static void asks_for_stores(void)
{
    struct session session = make_session();
    struct store_question question = {0};
    struct store_answer answer;

    CU_ASSERT_FALSE(session_ask(&session, &question, &answer));
    call(&session, KEEPS_PROTOCOL, PASS, "");
    CU_ASSERT_TRUE(session_ask(&session, &question, &answer));
    CU_ASSERT_EQUAL(memcmp(answer.text, "a?bxxx", 6), 0);
    CU_ASSERT_EQUAL(strlen(answer.text), FACT_SIZE - 1);
    call(&session, KEEPS_PROTOCOL, PASS, "");
    question.offset = 8;
    CU_ASSERT_FALSE(session_ask(&session, &question, &answer));
    CU_ASSERT_EQUAL(*answer.text, 0);
    CU_ASSERT_FALSE(session.alive);
    call(&session, KEEPS_PROTOCOL, PASS, "");
    session_free(&session);
}

static void output_changed(void)
{
    struct session session = make_session();

    call(&session, CHANGES_OUTPUT, WRONG, "changed after the call returned");
    session_free(&session);
}

/* An answer to another call is refused. */
static void sequence_changed(void)
{
    struct session session = make_session();

    call(&session, CHANGES_SEQUENCE, CRASHED, "wrote on the grader's channel");
    session_free(&session);
}

/* The call after one that ended the runner starts another. */
static void runner_ended(void)
{
    struct session session = make_session();

    call(&session, KEEPS_PROTOCOL, PASS, "");
    call(&session, ENDS, CRASHED, "called exit(9)");
    CU_ASSERT_FALSE(session.alive);
    call(&session, KEEPS_PROTOCOL, PASS, "");
    CU_ASSERT_EQUAL(session.sequence, 1);
    session_free(&session);
}

/* The line at which this program is stopped, which box-lines names.
 *  @param loops  its first argument */
static void check_line(char *loops, const char *file, int first, int last)
{
    char *const arguments[] = {loops, NULL};
    const struct program spinner = {.path = program, .arguments = arguments,
                                    .folder = folder};
    const struct limits limits = {.seconds = 300};
    struct process process;
    char line[64] = "";

    CU_ASSERT_EQUAL(process_start(&process, &spinner, &limits), 0);
    for (int i = 0; i < 120000 && process_cpu(&process) < 0.02; i++)
        usleep(1000);
    find_running_line(&process, program, folder, line, sizeof line);
    CU_ASSERT_EQUAL(strncmp(line, file, strlen(file)), 0);
    CU_ASSERT_TRUE(atoi(line + strlen(file)) >= first
                   && atoi(line + strlen(file)) <= last);
    process_stop(&process, 0);
    process_free(&process);
}

static void line_of_a_loop(void)
{
    check_line("spinner", "spin.c:", 101, 109);
}

/* One instruction, which the compiler gave the line of a header. */
static void line_before_an_empty_loop(void)
{
    check_line("jumper", "jump.c:", 202, 203);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"several calls", several_calls},
                           {"asks for stores", asks_for_stores},
                           {"tells wrong elements apart",
                            tells_wrong_elements_apart},
                           {"output changed", output_changed},
                           {"sequence changed", sequence_changed},
                           {"runner ended", runner_ended},
                           {"line of a loop", line_of_a_loop},
                           {"empty loop", line_before_an_empty_loop},
                           CU_TEST_INFO_NULL};

    while (argc > 0 && !strcmp(argv[0], "runner"))
        serve_call();
    while (argc > 0 && !strcmp(argv[0], "spinner"))
        spin();
    while (argc > 0 && !strcmp(argv[0], "jumper"))
        jump();
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0
        || !paths_init() || !temp_dir_create(folder))
        return 2;
    return run_tests("session", tests);
}

/* As the file of a submission: under an absolute path. */
#line 100 "/submission/spin.c"
static void spin(void)
{
    static volatile unsigned rounds;

    while (rounds < 2)
        rounds = !rounds;
}

#line 200 "/submission/jump.c"
static void jump(void)
{
    __asm__ volatile("nop");
#line 1 "/usr/include/header.h"
    for (;;)
        ;
}
