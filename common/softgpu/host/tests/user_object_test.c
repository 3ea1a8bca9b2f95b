/* SPDX-License-Identifier: MIT */
/* User objects: their references, and when they are destroyed. */
#include <limits.h>

#include "host_tests.h"

static int ended; /* calls of note() */

/* Destroys an object; CUDA calls are not permitted here. */
static void note(void *value)
{
    ended += *(int *)value;
    RETURNS(cudaErrorNotPermitted, cudaDeviceSynchronize());
    cudaGetLastError();
}

static cudaUserObject_t object_of(int *value, unsigned count)
{
    cudaUserObject_t object = NULL;
    ended = 0;
    OK(cudaUserObjectCreate(&object, value, note, count,
                            cudaUserObjectNoDestructorSync));
    return object;
}

/* Only references of the program. */
static void counted(void)
{
    int value = 3;
    cudaUserObject_t object = object_of(&value, 2);
    OK(cudaUserObjectRetain(object, 1));
    OK(cudaUserObjectRelease(object, 2));
    CU_ASSERT_EQUAL(ended, 0);
    RETURNS(cudaErrorInvalidValue, cudaUserObjectRelease(object, 2));
    OK(cudaUserObjectRelease(object, 1));
    CU_ASSERT_EQUAL(ended, 3);
    RETURNS(cudaErrorInvalidValue, cudaUserObjectRelease(object, 1));
}

/* A graph, its clone and its executable graph have references of their own. */
static void kept_by_copies(void)
{
    int value = 1;
    cudaUserObject_t object = object_of(&value, 1);
    cudaGraph_t g, clone;
    cudaGraphExec_t e;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphRetainUserObject(g, object, 1, cudaGraphUserObjectMove));
    RETURNS(cudaErrorInvalidValue, cudaUserObjectRelease(object, 1));
    OK(cudaGraphClone(&clone, g));
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphReleaseUserObject(clone, object, 1));
    RETURNS(cudaErrorInvalidValue,
            cudaGraphReleaseUserObject(clone, object, 1));
    CU_ASSERT_EQUAL(ended, 0);
    OK(cudaGraphLaunch(e, NULL));
    OK(cudaGraphExecDestroy(e));
    CU_ASSERT_EQUAL(ended, 0); /* a launch of the graph is queued */
    OK(cudaDeviceSynchronize());
    CU_ASSERT_EQUAL(ended, 1);
    OK(cudaGraphDestroy(clone));
    CU_ASSERT_EQUAL(ended, 1);
}

/* An update replaces the references of the executable graph. */
static void replaced(void)
{
    int first = 1, second = 10;
    cudaUserObject_t a = object_of(&first, 1), b = object_of(&second, 1);
    cudaGraph_t with_a, with_b;
    cudaGraphExec_t e;
    OK(cudaGraphCreate(&with_a, 0));
    OK(cudaGraphCreate(&with_b, 0));
    OK(cudaGraphRetainUserObject(with_a, a, 2, 0));
    OK(cudaGraphRetainUserObject(with_b, b, 1, 0));
    OK(cudaGraphInstantiate(&e, with_a, 0));
    OK(cudaUserObjectRelease(a, 1));
    OK(cudaUserObjectRelease(b, 1));
    OK(cudaGraphDestroy(with_a));
    CU_ASSERT_EQUAL(ended, 0);
    OK(cudaGraphExecUpdate(e, with_b, NULL));
    CU_ASSERT_EQUAL(ended, 1);
    OK(cudaGraphDestroy(with_b));
    CU_ASSERT_EQUAL(ended, 1);
    OK(cudaGraphExecDestroy(e));
    CU_ASSERT_EQUAL(ended, 11);
}

static void refused(void)
{
    const unsigned flag = cudaUserObjectNoDestructorSync;
    const unsigned many = (unsigned)INT_MAX + 1;
    int value = 1;
    cudaUserObject_t o;
    cudaGraph_t g;
    RETURNS(cudaErrorInvalidValue,
            cudaUserObjectCreate(&o, &value, note, 1, 0));
    RETURNS(cudaErrorInvalidValue,
            cudaUserObjectCreate(&o, &value, note, 0, flag));
    RETURNS(cudaErrorInvalidValue,
            cudaUserObjectCreate(&o, &value, note, many, flag));
    RETURNS(cudaErrorInvalidValue,
            cudaUserObjectCreate(&o, &value, NULL, 1, flag));
    RETURNS(cudaErrorInvalidValue,
            cudaUserObjectCreate(NULL, &value, note, 1, flag));
    o = object_of(&value, 1);
    OK(cudaGraphCreate(&g, 0));
    RETURNS(cudaErrorInvalidValue, cudaUserObjectRetain(o, 0));
    RETURNS(cudaErrorInvalidValue, cudaUserObjectRetain(o, many));
    RETURNS(cudaErrorInvalidValue, cudaGraphRetainUserObject(g, o, 0, 0));
    RETURNS(cudaErrorInvalidValue, cudaGraphRetainUserObject(g, o, 1, 2));
    RETURNS(cudaErrorInvalidValue,
            cudaGraphRetainUserObject(g, o, 2, cudaGraphUserObjectMove));
    RETURNS(cudaErrorInvalidValue, cudaGraphRetainUserObject(NULL, o, 1, 0));
    RETURNS(cudaErrorInvalidValue, cudaGraphReleaseUserObject(g, o, 1));
    OK(cudaGraphDestroy(g));
    OK(cudaUserObjectRelease(o, 1));
    CU_ASSERT_EQUAL(ended, 1);
}

CU_TestInfo user_object_tests[] = {
    {"counted", counted},
    {"kept by copies of a graph", kept_by_copies},
    {"replaced by an update", replaced},
    {"refused", refused},
    CU_TEST_INFO_NULL};
