/* SPDX-License-Identifier: MIT */
/* Messages between a box and the grader, and what the kernel adds to them. */
#include "message.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

bool box_message_send_fd(int to, int kind, int fd)
{
    struct box_message message = {.kind = kind};
    union {
        char bytes[CMSG_SPACE(sizeof fd)];
        struct cmsghdr head;
    } control = {{0}};
    struct iovec part = {&message, sizeof message};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = sizeof control.bytes};

    control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof fd),
                                    .cmsg_level = SOL_SOCKET,
                                    .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    return sendmsg(to, &head, MSG_NOSIGNAL) == (ssize_t)sizeof message;
}

/* @return false without a sender */
static bool read_control(struct msghdr *head, pid_t *sender, int *fd)
{
    struct ucred credentials = {0};

    for (struct cmsghdr *at = CMSG_FIRSTHDR(head); at;
         at = CMSG_NXTHDR(head, at)) {
        if (at->cmsg_type == SCM_CREDENTIALS)
            memcpy(&credentials, CMSG_DATA(at), sizeof credentials);
        else if (at->cmsg_type == SCM_RIGHTS && *fd < 0)
            memcpy(fd, CMSG_DATA(at), sizeof *fd);
    }
    *sender = credentials.pid;
    return credentials.pid > 0;
}

bool box_message_receive(int from, struct box_message *message, pid_t *sender,
                         int *fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred))
                   + CMSG_SPACE(sizeof(int))];
        struct cmsghdr head;
    } control;
    struct iovec part = {message, sizeof *message};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = sizeof control.bytes};
    ssize_t got = recvmsg(from, &head, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

    if (got == 0)
        errno = 0;
    if (got != sizeof *message || !read_control(&head, sender, fd))
        return false;
    message->text[sizeof message->text - 1] = 0;
    return true;
}
