/* SPDX-License-Identifier: MIT */
/* The trainer as a program: its steps against the reference's, its bits
 * against its own, and what it says. */
#include <CUnit/Basic.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/data/loader.h"
#include "common/net/reference.h"
#include "common/tests/common_tests.h"
#include "common/train/checkpoint.h"

enum { WORDS = 40, CLASSES = 10 };

static char build[512]; /* of the program under test */

/* Start `train` with these words, its output in the scratch file "log". */
static pid_t begin(const char *format, va_list words)
{
    static char line[2048], program[600], log[PATH_BYTES];
    char *argument[WORDS] = {program}, *rest = line;
    pid_t child;

    snprintf(program, sizeof program, "%s/train", build);
    vsnprintf(line, sizeof line, format, words);
    for (int i = 1; i < WORDS - 1; i++)
        argument[i] = strsep(&rest, " ");
    scratch(log, "log");
    fflush(NULL);
    child = fork();
    if (child == 0) {
        if (freopen(log, "w", stdout) && dup2(STDOUT_FILENO, STDERR_FILENO))
            execv(program, argument);
        _exit(99);
    }
    return child;
}

static pid_t start(const char *format, ...)
{
    va_list words;
    pid_t child;

    va_start(words, format);
    child = begin(format, words);
    va_end(words);
    return child;
}

static int end(pid_t child)
{
    int status = -1;

    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int train(const char *format, ...)
{
    va_list words;
    pid_t child;

    va_start(words, format);
    child = begin(format, words);
    va_end(words);
    return end(child);
}

/* The log holds this. */
static bool said(const char *fragment)
{
    char path[PATH_BYTES], text[4096] = "";
    FILE *log = fopen(scratch(path, "log"), "r");

    if (!log)
        return false;
    text[fread(text, 1, sizeof text - 1, log)] = 0;
    fclose(log);
    if (!strstr(text, fragment))
        fprintf(stderr, "not said: %s\nbut: %s\n", fragment, text);
    return strstr(text, fragment) != NULL;
}

/* The state in a folder of the scratch folder. */
static struct checkpoint *state_in(const char *folder,
                                   const struct network *net)
{
    char path[PATH_BYTES], name[PATH_BYTES];
    struct failure why = {""};
    struct tensors from;
    struct checkpoint *state = checkpoint_make(net);

    snprintf(name, sizeof name, "%s/checkpoint.safetensors", folder);
    CU_ASSERT_FATAL(safetensors_read(scratch(path, name), &from, &why));
    CU_ASSERT_FATAL(checkpoint_take(state, &from, true, path, &why));
    tensors_free(&from);
    return state;
}

static bool same_files(const char *a, const char *b)
{
    char path[PATH_BYTES];
    static char text[2][1 << 21];
    const char *const names[] = {a, b};
    size_t bytes[2] = {0, 0};

    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(scratch(path, names[i]), "r");

        if (!file)
            return false;
        bytes[i] = fread(text[i], 1, sizeof *text, file);
        fclose(file);
    }
    return bytes[0] && bytes[0] == bytes[1]
           && !memcmp(text[0], text[1], bytes[0]);
}

/* --- against the reference ----------------------------------------------- */

/* A net of every kind of layer but dropout, which draws. */
static const char odd[] = "batchnorm\nconv 5 5x4 stride 2 pad 1\nbatchnorm\n"
                          "relu\nmaxpool 3 stride 2\nconv 9 3x3 pad 2\n"
                          "relu\nmaxpool 2\ndense 11\nrelu\ndense\n"
                          "train sgd rate 0.1 momentum 0.9\n";

/* The same steps in double, over the same batches. */
static struct reference *by_reference(struct network *net, size_t limit,
                                      int batch, int steps, double *losses)
{
    const struct image_shape in = {1, 28, 28};
    struct loader_options how = {.batch = (size_t)batch, .keep_rest = true,
                                 .shuffle = true, .seed = 7, .ahead = 1};
    struct dataset set;
    struct failure why = {""};
    float *first = malloc(net->parameters * sizeof *first);
    double *images =
        malloc((size_t)batch * layer_elements(&in) * sizeof *images);
    struct reference *x;
    struct loader *loader;

    CU_ASSERT_FATAL(dataset_read("lookalike", NULL, DATASET_TRAIN, &set,
                                 &why));
    dataset_keep(&set, limit);
    dataset_statistics(&set, how.augment.mean, how.augment.scale);
    network_initialise(net, first, 7);
    x = reference_make(net, batch, first);
    loader = loader_open(&set, &how, 0, 0, &why);
    CU_ASSERT_FATAL(x && loader && images);
    for (int i = 0; i < steps; i++) {
        const struct batch *now = loader_next(loader);

        for (size_t j = 0; j < now->count * layer_elements(&in); j++)
            images[j] = (double)now->images[j];
        losses[now->epoch] += reference_back(x, images, now->labels,
                                             (int)now->count)
                              * (double)now->count / (double)limit;
        reference_update(x, (double)net->training.rate);
    }
    loader_close(loader);
    dataset_free(&set);
    free(first);
    free(images);
    return x;
}

static void read_odd(struct network *net, char path[PATH_BYTES])
{
    const struct image_shape in = {1, 28, 28};
    struct failure why = {""};

    scratch_file(path, "odd.net", odd, sizeof odd - 1);
    CU_ASSERT_FATAL(network_read(path, in, CLASSES, net, &why));
}

/* With rate 1 and plain descent, what changes is the gradient. */
static void one_step(const char *kernels)
{
    static struct network net;
    char path[PATH_BYTES], out[PATH_BYTES];
    double loss[1] = {0}, worst = 0, most = 0;
    struct reference *x;
    struct checkpoint *state;

    read_odd(&net, path);
    net.training.rate = 1;
    CU_ASSERT_EQUAL_FATAL(
        train("--net %s --data lookalike --limit 16 --batch 16 --steps 1 "
              "--lr 1 --seed 7 --kernels %s --device soft --out %s",
              path, kernels, scratch(out, "one")), 0);
    x = by_reference(&net, 16, 16, 1, loss);
    state = state_in("one", &net);
    for (size_t i = 0; i < net.parameters; i++) {
        most = fmax(most, fabs(x->gradients[i]));
        worst = fmax(worst, fabs(x->parameters[i]
                                 - (double)state->parameters[i]));
    }
    CU_ASSERT(most > 0.01 && worst < 1e-5 * fmax(most, 1));
    printf("  %s: off by %.2g of %.2g ", kernels, worst, most);
    reference_free(x);
    checkpoint_free(state);
}

static void step_is_right(void)
{
    one_step("solutions");
}

static void labs_are_right(void)
{
    one_step("solutions/16_cnn_trainer/1_layers.cu");
}

static void library_is_right(void)
{
    one_step("cudnn");
}

/* A hundred steps of each kind of update: the losses stay together. */
static void hundred_steps(void)
{
    static struct network net;
    char path[PATH_BYTES], out[PATH_BYTES];

    read_odd(&net, path);
    for (int how = OPTIMIZER_MOMENTUM; how <= OPTIMIZER_ADAMW; how += 2) {
        const double rate = how == OPTIMIZER_MOMENTUM ? 0.02 : 0.002;
        double losses[10] = {0};
        struct reference *x;
        struct checkpoint *state;

        net.training.optimizer = (enum optimizer)how;
        net.training.rate = (float)rate;
        net.training.decay = 0.01f;
        net.training.clip = 0.5f;
        CU_ASSERT_EQUAL_FATAL(
            train("--net %s --data lookalike --limit 80 --batch 8 --epochs 10 "
                  "--lr %g --seed 7 --optimizer %s --decay 0.01 --clip 0.5 "
                  "--device soft --out %s", path, rate,
                  optimizer_name((enum optimizer)how),
                  scratch(out, "hundred")), 0);
        x = by_reference(&net, 80, 8, 100, losses);
        state = state_in("hundred", &net);
        CU_ASSERT_EQUAL(state->history.count, 10);
        for (int i = 0; i < 10; i++)
            CU_ASSERT(fabs(losses[i] - (double)state->history.row[i][EPOCH_LOSS])
                      < 1e-3 * losses[0]);
        CU_ASSERT(losses[9] < 0.9 * losses[0]);
        reference_free(x);
        checkpoint_free(state);
    }
}

/* --- bits ---------------------------------------------------------------- */

static const char *const run = "--net lenet --data lookalike --limit 200 "
                               "--batch 32 --epochs 2 --device soft --save 1 "
                               "--seed 3 --out %s%s";

static void same_bits(void)
{
    char out[PATH_BYTES];

    CU_ASSERT_EQUAL(train(run, scratch(out, "whole"), ""), 0);
    CU_ASSERT_EQUAL(train(run, scratch(out, "plain"), " --graph 0"), 0);
    CU_ASSERT(same_files("whole/checkpoint.safetensors",
                         "plain/checkpoint.safetensors"));
    CU_ASSERT(same_files("whole/metrics.csv", "plain/metrics.csv"));
}

/* What a step launches: fused kernels are few. */
static void few_launches(void)
{
    static const struct {
        const char *net;
        int most;
    } promised[] = {{"softmax", 4}, {"mlp", 8}, {"lenet", 12},
                    {"cifar-cnn", 12}};
    char out[PATH_BYTES], words[80];

    for (size_t i = 0; i < sizeof promised / sizeof *promised; i++) {
        CU_ASSERT_EQUAL(train("--net %s --data lookalike --limit 8 --batch 4 "
                              "--steps 2 --device soft --out %s",
                              promised[i].net, scratch(out, "few")), 0);
        snprintf(words, sizeof words, "%d kernels a step, in one graph",
                 promised[i].most);
        CU_ASSERT(said(words));
    }
}

static void nap(long milliseconds)
{
    nanosleep(&(struct timespec){milliseconds / 1000,
                                 milliseconds % 1000 * 1000000}, NULL);
}

/* Killed at any moment: what is on the disk is whole, and leads on to the
 * same bits. */
static void killed(void)
{
    char out[PATH_BYTES], path[PATH_BYTES];

    scratch(out, "killed");
    for (int i = 0; i < 3; i++) {
        pid_t child = i ? start("--resume %s --epochs 2 --save 1 --device "
                                "soft --out %s", out, out)
                        : start(run, out, "");

        for (int wait = 0; wait < 1000 && !i; wait++) {
            if (file_bytes(scratch(path, "killed/checkpoint.safetensors")))
                break;
            nap(20);
        }
        nap(100 + rand() % 300);
        kill(child, SIGKILL);
        end(child);
    }
    CU_ASSERT_EQUAL(train("--resume %s --epochs 2 --device soft --out %s",
                          out, out), 0);
    CU_ASSERT(same_files("whole/checkpoint.safetensors",
                         "killed/checkpoint.safetensors"));
    CU_ASSERT(same_files("whole/metrics.csv", "killed/metrics.csv"));
    CU_ASSERT(same_files("whole/steps.csv", "killed/steps.csv"));
}

/* --- what it says -------------------------------------------------------- */

static void overfits(void)
{
    const struct image_shape in = {1, 28, 28};
    static struct network net;
    struct failure why = {""};
    char out[PATH_BYTES];
    struct checkpoint *state;

    CU_ASSERT_EQUAL(train("--net lenet --data lookalike --limit 32 --batch 4 "
                          "--epochs 40 --lr 0.01 --schedule constant "
                          "--device soft --out %s",
                          scratch(out, "over")), 0);
    CU_ASSERT_FATAL(network_read("common/net/nets/lenet.net", in, CLASSES,
                                 &net, &why));
    state = state_in("over", &net);
    CU_ASSERT(state->history.row[39][EPOCH_LOSS] < 0.001f);
    CU_ASSERT_EQUAL(state->history.row[39][EPOCH_RIGHT], 1);
    checkpoint_free(state);
}

static void explodes(void)
{
    char out[PATH_BYTES];

    CU_ASSERT_EQUAL(train("--net mlp --data lookalike --limit 640 --lr 1e8 "
                          "--device soft --out %s", scratch(out, "bad")), 1);
    CU_ASSERT(said("after step ") && said("dense"));
}

static void command_line(void)
{
    char out[PATH_BYTES], image[PATH_BYTES];

    CU_ASSERT_EQUAL(train("--frob 1"), 2);
    CU_ASSERT(said("train: there is no option \"--frob\"; see train --help"));
    CU_ASSERT_EQUAL(train("--lr x"), 2);
    CU_ASSERT(said("train: --lr: \"x\" is no number it can be"));
    CU_ASSERT_EQUAL(train("--batch 1.5"), 2);
    CU_ASSERT_EQUAL(train("--epochs"), 2);
    CU_ASSERT_EQUAL(train("--help"), 0);
    CU_ASSERT(said("exit: 0 done"));
    CU_ASSERT_EQUAL(train("--data nothing --device soft --out %s",
                          scratch(out, "bad")), 3);
    CU_ASSERT(said("nothing: no such data set"));
    CU_ASSERT_EQUAL(train("--resume %s --device soft --out %s",
                          scratch(image, "nowhere"), out), 3);
    CU_ASSERT(said("No such file"));
    CU_ASSERT_EQUAL(train("predict %s %s --device soft",
                          scratch(out, "whole/checkpoint.safetensors"),
                          scratch(image, "whole/filters.png")), 0);
    CU_ASSERT(said(" %  "));
}

int main(void)
{
    CU_TestInfo tests[] = {{"a step is the reference's", step_is_right},
                           {"the labs' step is", labs_are_right},
                           {"cuDNN's step is", library_is_right},
                           {"a hundred steps", hundred_steps},
                           {"same seed, same bits", same_bits},
                           {"few launches", few_launches},
                           {"killed and resumed", killed},
                           {"overfits 32 images", overfits},
                           {"explodes", explodes},
                           {"command line", command_line},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{.pName = "train", .pTests = tests},
                             CU_SUITE_INFO_NULL};
    unsigned failures;
    char *san;

    snprintf(build, sizeof build, "%s",
             getenv("BUILD") ? getenv("BUILD") : "build");
    san = strstr(build, "/san"); /* kernels are not built under sanitizers */
    if (san)
        *san = 0;
    srand((unsigned)getpid());
    if (CU_initialize_registry() != CUE_SUCCESS
        || CU_register_suites(suites) != CUE_SUCCESS)
        return 2;
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}
