/* SPDX-License-Identifier: MIT */
/* Threads push onto a list by atomicExch; every node is on it once. */
#include "check.h"

struct node {
    int value;
    node *next;
};

/* Pushes its thread's node onto the list. */
__global__ void push(node *nodes, node **head)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    nodes[i].value = i;
    node *old = (node *)atomicExch((unsigned long long *)head,
                                   (unsigned long long)&nodes[i]);
    nodes[i].next = old;
}

int main()
{
    node *nodes = managed<node>(300), **head = managed<node *>(1);
    push<<<3, 100>>>(nodes, head);
    RUN();
    int n = 0;
    long long sum = 0;
    for (node *at = *head; at && n < 1000; at = at->next, n++)
        sum += at->value;
    printf("%d %lld\n", n, sum);
    return 0;
}
