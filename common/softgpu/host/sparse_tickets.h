/* SPDX-License-Identifier: MIT */
/** @file
 *  Tickets of grids with sparse memory, whose blocks do not all run.
 *
 *  A block that adds 1 to a counter takes the number before as its own.  A word
 *  of device memory, or of a `__device__` variable, that has 1 after the first
 *  block and 2 after the second is such a counter; before each later block it
 *  gets that block's index, as if all blocks before had taken their tickets.
 */
#ifndef SOFTGPU_SPARSE_TICKETS_H
#define SOFTGPU_SPARSE_TICKETS_H

/** Let the core advance tickets: once, when memory is sparse. */
void softgpu_advance_tickets(void);

#endif
