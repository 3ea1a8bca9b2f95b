/* SPDX-License-Identifier: MIT */
/* Registers by ptxas: the section that softcc put into the program, searched
 * by the mangled name of the kernel's stub, which is the kernel's own. */
#include "registers.h"

#include <elfutils/libdwfl.h>
#include <unistd.h>

/* The linker makes these of the section's name; absent without the section. */
extern const char __start_softgpu_registers[] __attribute__((weak));
extern const char __stop_softgpu_registers[] __attribute__((weak));

static const char *symbol_at(const void *address)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_linux_proc_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
    };
    static Dwfl *self; /* kept: one for all kernels */
    Dwfl_Module *module;

    if (!self) {
        self = dwfl_begin(&callbacks);
        if (!self || dwfl_linux_proc_report(self, getpid()) != 0)
            return NULL;
        dwfl_report_end(self, NULL, NULL);
    }
    module = dwfl_addrmodule(self, (Dwarf_Addr)(uintptr_t)address);
    return module ? dwfl_module_addrname(module, (Dwarf_Addr)(uintptr_t)address)
                  : NULL;
}

uint32_t registers_by_ptxas(const struct softgpu_kernel *kernel)
{
    const char *start = __start_softgpu_registers;
    const char *name = start ? symbol_at(kernel->stub) : NULL;

    return name ? registers_in(start, __stop_softgpu_registers, name) : 0;
}
