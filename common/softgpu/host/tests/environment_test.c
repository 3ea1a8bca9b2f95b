/* SPDX-License-Identifier: MIT */
/* Environment variables, each in a process of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/softgpu/host/launch_error.h"
#include "host_tests.h"

static char child_stderr[1000]; /* what the last child wrote to stderr */

/* Run f in a child with one variable set.  @return its exit status */
static int in_child(const char *name, const char *value, int (*f)(void))
{
    int ends[2], status = -1;
    CU_ASSERT_EQUAL(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        setenv(name, value, 1);
        exit(f());
    }
    close(ends[1]);
    size_t n = 0;
    ssize_t got;
    while ((got = read(ends[0], child_stderr + n, sizeof child_stderr - 1 - n))
           > 0)
        n += (size_t)got;
    child_stderr[n] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* In a child process: the number of devices. */
static int count_devices(void)
{
    int n = -1;
    cudaGetDeviceCount(&n);
    return n;
}

/* In a child process: the multiprocessors of the chosen card. */
static int sms(void)
{
    struct cudaDeviceProp p;
    return cudaGetDeviceProperties(&p, 0) ? -1 : p.multiProcessorCount;
}

/* In a child process: the last byte of fresh memory. */
static int first_byte(void)
{
    unsigned char *p, byte = 1;
    cudaMalloc((void **)&p, 100);
    cudaMemcpy(&byte, p + 99, 1, cudaMemcpyDeviceToHost);
    return byte;
}

/* In a child process: launches whose results nobody waits for. */
static int forget_to_wait(void)
{
    int *p;
    cudaMalloc((void **)&p, sizeof *p);
    LAUNCH(blocks_of(1), blocks_of(1), 0, NULL, count_kernel(p));
    LAUNCH(blocks_of(1), blocks_of(1), 0, NULL, count_kernel(p));
    return 0;
}

/* In a child process: the same, followed by a synchronization. */
static int wait_for_all(void)
{
    forget_to_wait();
    return (int)cudaDeviceSynchronize();
}

/* The host writes to device memory. */
static int touch_device(void)
{
    int *p = device_ints(1, 0);
    *(volatile int *)p = 1;
    return 0;
}

/* In a child process: the host may access managed memory. */
static int touch_managed(void)
{
    int *p;
    if (cudaMallocManaged((void **)&p, sizeof *p, cudaMemAttachGlobal))
        return 1;
    *(volatile int *)p = 1;
    return 0;
}

/* Empty means the default; anything but a number from 1 on is an error that the
 * message explains. */
static void devices(void)
{
    CU_ASSERT_EQUAL(in_child("SOFTGPU_DEVICES", "3", count_devices), 3);
    CU_ASSERT_EQUAL(in_child("SOFTGPU_DEVICES", "", count_devices), 1);
    CU_ASSERT_EQUAL(in_child("SOFTGPU_DEVICES", "0", count_devices), 2);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(child_stderr, "SOFTGPU_DEVICES=0: give a number"));
    CU_ASSERT_EQUAL(in_child("SOFTGPU_DEVICES", "two", count_devices), 2);
}

/* An unknown card is an error of one line that lists the known ones. */
static void cards(void)
{
    CU_ASSERT_EQUAL(in_child("SOFTGPU_CARD", "", sms), 132);
    CU_ASSERT_EQUAL(in_child("SOFTGPU_CARD", "a100", sms), 108);
    CU_ASSERT_EQUAL(in_child("SOFTGPU_CARD", "t4", sms), 40);
    CU_ASSERT_EQUAL(in_child("SOFTGPU_CARD", "gtx9000", sms), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(child_stderr, "h200, h100, a100"));
    CU_ASSERT_PTR_EQUAL(strchr(child_stderr, '\n'),
                        child_stderr + strlen(child_stderr) - 1);
}

/* Programs that ask for the number of multiprocessors, as for a grid-stride
 * loop, get it. */
static void multiprocessors(void)
{
    CU_ASSERT_EQUAL(in_child("SOFTGPU_SMS", "1", sms), 1);
    CU_ASSERT_EQUAL(in_child("SOFTGPU_SMS", "", sms), 132);
    CU_ASSERT_EQUAL(in_child("SOFTGPU_SMS", "0", sms), 2);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(child_stderr, "SOFTGPU_SMS=0: give a number"));
}

/* In a child process: free MiB of a device, or 0 where half of them are not to be
 * had, or more than all. */
static int device_mib(void)
{
    size_t all, left;
    char *p, *q;

    if (cudaMemGetInfo(&left, &all) || cudaMalloc((void **)&p, left / 2)
        || cudaMalloc((void **)&q, left) != cudaErrorMemoryAllocation)
        return 0;
    return (int)(left >> 20);
}

/* Programs that ask for more of the host's memory than they may have fail as
 * on a small card. */
static void host_memory(void)
{
    CU_ASSERT_EQUAL(in_child("SOFTGPU_HOST_MEMORY", "160", device_mib), 150);
    CU_ASSERT_EQUAL(in_child("SOFTGPU_HOST_MEMORY", "0", device_mib), 2);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(child_stderr, "SOFTGPU_HOST_MEMORY=0: give a number"));
}

/* SOFTGPU_POISON=1 fills fresh memory, 0 leaves it as the system gave it. */
static void poison(void)
{
    CU_ASSERT_EQUAL(in_child("SOFTGPU_POISON", "1", first_byte), 0xCB);
    CU_ASSERT_EQUAL(in_child("SOFTGPU_POISON", "0", first_byte), 0);
}

/* In a child process: launches that fail, and the lines about them. */
static int fail_to_launch(void)
{
    FILE *file = tmpfile();
    int lines = 0;

    dup2(fileno(file), 2);
    for (int i = 0; i < 150; i++)
        softgpu_explain_launch_config((dim3){0, 1, 1}, (dim3){1, 1, 1});
    rewind(file);
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    return lines;
}

/* A recursion that launches without an end is not drowned in explanations. */
static void explanations(void)
{
    CU_ASSERT_EQUAL(in_child("SOFTGPU_EXPLAIN", "1", fail_to_launch), 100);
}

/* Launches that never ran are reported at exit, by kernel and line. */
static void exit_report(void)
{
    CU_ASSERT_EQUAL(in_child("SOFTGPU_DEVICES", "1", forget_to_wait), 0);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(child_stderr, "2 kernel launches were never"));
    CU_ASSERT_PTR_NOT_NULL(strstr(child_stderr, "count (kernels.cu:2)"));
    CU_ASSERT_PTR_NOT_NULL(strstr(child_stderr, "cudaDeviceSynchronize()"));
    CU_ASSERT_EQUAL(in_child("SOFTGPU_DEVICES", "1", wait_for_all), 0);
    CU_ASSERT_STRING_EQUAL(child_stderr, "");
}

/* The kernel's result is in pinned memory that the child shares. */
static volatile int *shared_int;

/* In a child process: main() returns right after a launch. */
static int end_with_a_launch(void)
{
    int *p;
    cudaHostRegister((void *)shared_int, sizeof(int), cudaHostRegisterMapped);
    cudaHostGetDevicePointer((void **)&p, (void *)shared_int, 0);
    LAUNCH(blocks_of(1), blocks_of(1), 0, NULL, add_kernel(p, 1, 7));
    return 0;
}

/* Host functions and kernels run while the host waits outside CUDA. */
static int poll_memory(void)
{
    end_with_a_launch();
    while (*shared_int != 7)
        usleep(100);
    return 3;
}

/* Queued work begins by itself after SOFTGPU_PROGRESS milliseconds; 0 turns
 * that off. */
static void progress(void)
{
    shared_int = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_NOT_EQUAL_FATAL((void *)shared_int, MAP_FAILED);
    CU_ASSERT_EQUAL(in_child("SOFTGPU_PROGRESS", "2", poll_memory), 3);
    *shared_int = 0;
    CU_ASSERT_EQUAL(in_child("SOFTGPU_PROGRESS", "10000", end_with_a_launch),
                    0);
    CU_ASSERT_EQUAL(*shared_int, 7);
    CU_ASSERT_STRING_EQUAL(child_stderr, "");
    *shared_int = 0;
    CU_ASSERT_EQUAL(in_child("SOFTGPU_PROGRESS", "0", end_with_a_launch), 0);
    CU_ASSERT_EQUAL(*shared_int, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(child_stderr, "never ran"));
    munmap((void *)shared_int, sizeof(int));
}

/* The host cannot access device memory, but managed memory it can. */
static void check_host_access(void)
{
    CU_ASSERT_NOT_EQUAL(in_child("SOFTGPU_POISON", "0", touch_device), 0);
    CU_ASSERT_EQUAL(in_child("SOFTGPU_POISON", "0", touch_managed), 0);
}

CU_TestInfo environment_tests[] = {{"devices", devices},
                                   {"cards", cards},
                                   {"multiprocessors", multiprocessors},
                                   {"host memory", host_memory},
                                   {"poison", poison},
                                   {"explanations", explanations},
                                   {"launches never waited for", exit_report},
                                   {"progress without a wait", progress},
                                   {"host access", check_host_access},
                                   CU_TEST_INFO_NULL};
