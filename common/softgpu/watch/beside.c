/* SPDX-License-Identifier: MIT */
/* The number of a flight: it changes where a grid begins and no other has
 * stopped. */
#include "beside.h"

#include "common/softgpu/core/symbols.h"
#include "common/softgpu/host/symbol.h"

static unsigned flight;  /* the last one */
static unsigned stopped; /* grids that have passed the turn */

struct place_of_command beside_place_of_launch(void)
{
    if (!stopped && !++flight)
        flight = 1;
    return (struct place_of_command){flight, softgpu_symbols_device()};
}

struct place_of_command beside_place_of_copy(void)
{
    return (struct place_of_command){stopped ? flight : 0,
                                     softgpu_symbols_device()};
}

void beside_grid_passes(int passes)
{
    if (passes)
        stopped++;
    else
        stopped--;
}

/* Is there one for each device?  (A managed variable is one for all.) */
static int is_device_variable(uintptr_t address)
{
    const struct softgpu_symbol *s = softgpu_symbol_at((const void *)address);

    return s && s->kind != SOFTGPU_MANAGED_VARIABLE;
}

int beside_may_race(struct place_of_command a, struct place_of_command b,
                    uintptr_t address)
{
    if (a.flight && a.flight == b.flight)
        return 0;
    return a.device == b.device || !is_device_variable(address);
}
