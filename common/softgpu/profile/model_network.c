/* SPDX-License-Identifier: MIT */
/** @file
 *  How far latency is hidden: a closed network of queues.
 *
 *  Customers, the warps of a block or the blocks of an SM, alternate between
 *  a delay, in which they do not disturb each other, and one unit that serves
 *  them in turn.  One customer takes delay + work; many take the longer of
 *  both.  In between the exact mean value analysis tells how long they queue
 *  (Reiser and Lavenberg, "Mean-value analysis of closed multichain queuing
 *  networks", 1980).
 */
#include "model_input.h"

double model_closed_network(double delay, double work, double customers)
{
    const double service = work / customers;
    double queue = 0, throughput = 0;

    if (work <= 0)
        return delay;
    for (int n = 1; n <= (int)customers; n++) {
        const double residence = service * (1 + queue);

        throughput = n / (delay + residence);
        queue = throughput * residence;
    }
    return (int)customers / throughput;
}
