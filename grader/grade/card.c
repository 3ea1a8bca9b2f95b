/* SPDX-License-Identifier: MIT */
/* The card's processes and clocks, by NVML.
 *
 * nvml.h is a part of the Toolkit that need not be installed, so the few types
 * are declared here, as version 2 of NVML's interface has them. */
#include "card.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"

enum { NVML_SUCCESS = 0, NVML_MORE = 7, CLOCK_SM = 1, CLOCK_MEMORY = 2,
       MAX_LISTED = 64 };

/* nvmlClocksEventReason*: those by which a run is slower than the card can be.
 * Idle clocks and clocks that a person has set are none. */
static const struct {
    unsigned long long bit;
    const char *text;
} reasons[] = {
    {0x04, "the power limit"}, {0x08, "a hardware slowdown"},
    {0x20, "heat (software)"}, {0x40, "heat (hardware)"},
    {0x80, "the power supply's brake"},
};

/* nvmlProcessInfo_t of nvmlDeviceGetComputeRunningProcesses_v2 and _v3. */
struct process_info {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
};

typedef int (*list_processes)(void *, unsigned *, struct process_info *);

struct card {
    void *library, *handle;
    int (*shutdown)(void);
    int (*get_reasons)(void *, unsigned long long *); /* or NULL */
    list_processes get_processes;                     /* or NULL */
};

/* ISO C has no conversion from void * to a function pointer. */
static bool find_function(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);

    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* "2,3" is an index, "GPU-8932f937,..." a UUID, which may be shortened. */
static bool find_handle(struct card *card, const char *visible)
{
    int (*by_index)(unsigned, void **), (*by_uuid)(const char *, void **);
    char first[CARD_TEXT] = "0", *end;
    unsigned long index;

    if (visible && *visible)
        text_format(first, sizeof first, "%.*s", (int)strcspn(visible, ","),
                    visible);
    index = strtoul(first, &end, 10);
    if (*end == 0)
        return find_function(card->library, "nvmlDeviceGetHandleByIndex_v2",
                             &by_index)
               && by_index((unsigned)index, &card->handle) == NVML_SUCCESS;
    return find_function(card->library, "nvmlDeviceGetHandleByUUID", &by_uuid)
           && by_uuid(first, &card->handle) == NVML_SUCCESS;
}

/* Functions of newer drivers first. */
static void find_optional_functions(struct card *card)
{
    void *library = card->library;

    if (!find_function(library, "nvmlDeviceGetCurrentClocksEventReasons",
                       &card->get_reasons))
        find_function(library, "nvmlDeviceGetCurrentClocksThrottleReasons",
                      &card->get_reasons);
    if (!find_function(library, "nvmlDeviceGetComputeRunningProcesses_v3",
                       &card->get_processes))
        find_function(library, "nvmlDeviceGetComputeRunningProcesses_v2",
                      &card->get_processes);
}

struct card *card_open(const char *library, const char *visible)
{
    struct card *card = calloc(1, sizeof *card);
    int (*init)(void);

    if (!card)
        return NULL;
    card->library =
        dlopen(library ? library : "libnvidia-ml.so.1", RTLD_LAZY);
    if (card->library && find_function(card->library, "nvmlInit_v2", &init)
        && find_function(card->library, "nvmlShutdown", &card->shutdown)
        && init() == NVML_SUCCESS) {
        find_optional_functions(card);
        if (find_handle(card, visible))
            return card;
        card->shutdown();
    }
    if (card->library)
        dlclose(card->library);
    free(card);
    return NULL;
}

static unsigned highest_clock(const struct card *card, int kind)
{
    int (*get_clock)(void *, int, unsigned *);
    unsigned megahertz = 0;

    return find_function(card->library, "nvmlDeviceGetMaxClockInfo",
                         &get_clock)
                   && get_clock(card->handle, kind, &megahertz) == NVML_SUCCESS
               ? megahertz : 0;
}

void card_describe(const struct card *card, struct card_facts *facts)
{
    int (*get_name)(void *, char *, unsigned), (*get_driver)(char *, unsigned);

    *facts = (struct card_facts){0};
    if (!card)
        return;
    if (!find_function(card->library, "nvmlDeviceGetName", &get_name)
        || get_name(card->handle, facts->name, CARD_TEXT) != NVML_SUCCESS)
        *facts->name = 0;
    if (!find_function(card->library, "nvmlSystemGetDriverVersion",
                       &get_driver)
        || get_driver(facts->driver, CARD_TEXT) != NVML_SUCCESS)
        *facts->driver = 0;
    facts->sm_mhz = highest_clock(card, CLOCK_SM);
    facts->memory_mhz = highest_clock(card, CLOCK_MEMORY);
}

/* A process with several contexts is listed once for each.  Process ids are not
 * compared with ours: in a container NVML may know others. */
static unsigned count_processes(const struct card *card)
{
    struct process_info list[MAX_LISTED];
    unsigned count = MAX_LISTED, different = 0;
    int result;

    memset(list, 0, sizeof list);
    if (!card->get_processes)
        return 0;
    result = card->get_processes(card->handle, &count, list);
    if (result == NVML_MORE)
        return count;
    for (unsigned i = 0; result == NVML_SUCCESS && i < count; i++) {
        unsigned k = 0;

        while (k < i && list[k].pid != list[i].pid)
            k++;
        different += k == i;
    }
    return different;
}

bool card_is_unfit(const struct card *card, unsigned allowed, char *reason)
{
    const unsigned processes = count_processes(card);
    unsigned long long why = 0;

    if (processes > allowed) {
        text_format(reason, CARD_REASON, "another process uses the card: %u "
                    "run on it, %u of them for this grade", processes, allowed);
        return true;
    }
    if (!card->get_reasons
        || card->get_reasons(card->handle, &why) != NVML_SUCCESS)
        return false;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (why & reasons[i].bit) {
            text_format(reason, CARD_REASON, "the card has lowered its clocks "
                        "because of %s", reasons[i].text);
            return true;
        }
    return false;
}

void card_close(struct card *card)
{
    if (!card)
        return;
    card->shutdown();
    dlclose(card->library);
    free(card);
}
