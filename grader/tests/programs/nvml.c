/* SPDX-License-Identifier: MIT */
/* Stands in for NVML, which only a machine with a card has: answers as its
 * documentation says, with what the test sets.  -DOLD: as before CUDA 12.  */
#include <stdio.h>
#include <string.h>

struct process_info {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
};

/* Set by the test: processes on the card, for so many queries one more; clocks
 * event reasons. */
unsigned stand_in_processes, stand_in_guest_queries;
unsigned long long stand_in_reasons;

static int card; /* its address is the handle */

int nvmlInit_v2(void)
{
    return 0;
}

int nvmlShutdown(void)
{
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **handle)
{
    *handle = &card;
    return index == 1 ? 0 : 2; /* invalid argument */
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **handle)
{
    *handle = &card;
    return strcmp(uuid, "GPU-00c0ffee") ? 6 : 0; /* not found */
}

int nvmlDeviceGetName(void *handle, char *name, unsigned bytes)
{
    snprintf(name, bytes, "%s", handle == &card ? "Card" : "no card");
    return 0;
}

int nvmlSystemGetDriverVersion(char *version, unsigned bytes)
{
    snprintf(version, bytes, "570.1");
    return 0;
}

int nvmlDeviceGetMaxClockInfo(void *handle, int kind, unsigned *megahertz)
{
    *megahertz = kind == 1 ? 1980 : 3201;
    return handle == &card ? 0 : 2;
}

#ifdef OLD
#define nvmlDeviceGetCurrentClocksEventReasons \
    nvmlDeviceGetCurrentClocksThrottleReasons
#define nvmlDeviceGetComputeRunningProcesses_v3 \
    nvmlDeviceGetComputeRunningProcesses_v2
#endif

int nvmlDeviceGetCurrentClocksEventReasons(void *handle,
                                           unsigned long long *reasons)
{
    *reasons = stand_in_reasons;
    return handle == &card ? 0 : 2;
}

/* The first process has two contexts. */
int nvmlDeviceGetComputeRunningProcesses_v3(void *handle, unsigned *count,
                                            struct process_info *list)
{
    const unsigned guest = stand_in_guest_queries > 0;
    const unsigned processes = stand_in_processes + guest;
    const unsigned entries = processes ? processes + 1 : 0;
    const unsigned room = *count;

    stand_in_guest_queries -= guest;
    *count = entries;
    if (entries > room)
        return 7; /* insufficient size */
    for (unsigned i = 0; i < entries; i++)
        list[i] = (struct process_info){.pid = 100 + (i ? i - 1 : 0)};
    return handle == &card ? 0 : 2;
}
