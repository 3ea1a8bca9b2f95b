/* SPDX-License-Identifier: MIT */
/* Sends descriptors over the channel, so that the grader runs out of them. */
#include "hostile.h"

#include <sys/socket.h>

enum { MANY = 250 };

static void send_many(int fd)
{
    char control[CMSG_SPACE(MANY * sizeof(int))] = {}, byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr message = {};
    struct cmsghdr *head;
    int sent[MANY];

    for (int i = 0; i < MANY; i++)
        sent[i] = 0;
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof sent);
    memcpy(CMSG_DATA(head), sent, sizeof sent);
    sendmsg(fd, &message, MSG_DONTWAIT);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (int i = 0; i < 64 && attacked(n); i++)
        send_many(3);
    return honest(a, b, c, n);
}
