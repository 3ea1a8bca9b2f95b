/* SPDX-License-Identifier: MIT */
/* The memory region of an address that a thread of a kernel accesses. */
#include "common/softgpu/core/code_range.h"
#include "common/softgpu/core/fiber.h"
#include "common/softgpu/instrument/address_space.h"
#include "allocations.h"

/* Is it on the running thread's stack, in a frame that is in use? */
static int is_local(uintptr_t address)
{
    const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

    return address >= frame
           && address < (uintptr_t)softgpu_tls.thread->stack->top;
}

void classify_address(struct access *access)
{
    const uintptr_t address = access->address;

    if (access->memory)
        access->region = REGION_DEVICE;
    else if (address - (uintptr_t)softgpu_tls.shared
             < softgpu_tls.shared_bytes)
        access->region = REGION_SHARED;
    else if (is_local(address))
        access->region = REGION_LOCAL;
    else if (softgpu_is_in_image(address))
        access->region = REGION_PROGRAM;
    else if (is_runtime_memory(softgpu_tls.block, address))
        access->region = REGION_RUNTIME; /* often: each parameter is read */
    else if ((access->memory = allocation_find_at(address, access->pc)))
        access->region = REGION_DEVICE;
    else
        access->region = REGION_NONE;
}
