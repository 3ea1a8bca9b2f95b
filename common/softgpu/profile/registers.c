/* SPDX-License-Identifier: MIT */
/* Registers by ptxas: softcc writes them into a section of the program, which
 * is searched for the mangled name of the kernel's stub.  The kernel has the
 * same name. */
#include "registers.h"

#include "common/softgpu/core/source_line.h"

/* Defined by the linker, from the section's name; NULL without the section. */
extern const char __start_softgpu_registers[] __attribute__((weak));
extern const char __stop_softgpu_registers[] __attribute__((weak));

uint32_t ptxas_registers(const struct softgpu_kernel *kernel)
{
    const char *start = __start_softgpu_registers;
    const char *name = start ? softgpu_function_name(kernel->stub) : NULL;

    return name ? find_ptxas_registers(start, __stop_softgpu_registers, name)
                : 0;
}

int nvcc_splits(const struct softgpu_kernel *kernel, const char *word,
                const char *file, int line)
{
    const char *start = __start_softgpu_registers;
    const char *name = start ? softgpu_function_name(kernel->stub) : NULL;

    return name
           && find_split_line(start, __stop_softgpu_registers, name, word, file,
                              line);
}
