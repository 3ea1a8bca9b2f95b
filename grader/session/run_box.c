/* SPDX-License-Identifier: MIT */
/* Running a submission in a box. */
#include "run_box.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/sandbox.h"
#include "common/base/text.h"

/* The report comes out through a file of ours; in tier C the folder is shared,
 * and the runner writes it there. */
static bool add_report(struct box *box, const struct session *session)
{
    int fd;

    if (!session->report || box->tier < TIER_B)
        return true;
    unlink(session->report);
    fd = open(session->report, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    box->output[0] = (struct box_output){base_name(session->report), fd};
    box->outputs = 1;
    return fd >= 0;
}

/* The folders of LD_LIBRARY_PATH, and the description of a card. */
static void add_settings(struct box *box)
{
    static char folders[4096];
    const char *path = getenv("LD_LIBRARY_PATH");
    const char *card = getenv("SOFTGPU_CARD");
    char *rest = folders, *folder;

    text_format(folders, sizeof folders, "%s", path ? path : "");
    while ((folder = strsep(&rest, ":")))
        if (*folder == '/' && strncmp(folder, "/usr/", 5)
            && access(folder, F_OK) == 0 && box->readables < 16)
            box_add_readable(box, folder);
    if (card && *card == '/' && access(card, F_OK) == 0)
        box_add_readable(box, card);
}

bool run_box_start(struct session *session, const struct program *program,
                   char *problem)
{
    struct box *box = session->box;
    bool started;

    if (!box)
        session->box = box = malloc(sizeof *box);
    if (!box) {
        text_format(problem, BOX_REASON, "out of memory");
        return false;
    }
    *box = (struct box){.tier = box_tier_in_use(), .kind = BOX_RUN,
                        .folder = session->folder,
                        .folder_bytes = (size_t)SCRATCH_MIB << 20,
                        .folder_files = SCRATCH_INODES, .gpu = session->gpu};
    box_add_readable(box, session->runner);
    add_settings(box);
    if (!add_report(box, session)) {
        text_format(problem, BOX_REASON, "%.300s: %s", session->report,
                    strerror(errno));
        return false;
    }
    started = box_start(box, &session->process, program, &session->limits);
    if (!started)
        text_format(problem, BOX_REASON, "%s", box->problem);
    return started;
}
