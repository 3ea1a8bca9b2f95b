/* SPDX-License-Identifier: MIT */
/* Opens sockets of families that have code in the kernel and no use here. */
#include "hostile.h"

#include <sys/socket.h>

/* AF_NETLINK, AF_KEY, AF_PACKET, AF_BLUETOOTH, AF_ALG, AF_VSOCK, AF_XDP. */
static bool is_refused(void)
{
    static const int family[] = {16, 15, 17, 31, 38, 40, 44};

    for (size_t i = 0; i < sizeof family / sizeof *family; i++)
        for (int type = SOCK_STREAM; type <= SOCK_SEQPACKET; type++)
            if (socket(family[i], type, 0) >= 0)
                return false;
    return true;
}

RIGHT_IF(is_refused())
