/* SPDX-License-Identifier: MIT */
/** @file
 *  Which code an address belongs to: the program's own, the runtime's, or a
 *  library's.  The one definition of these ranges.
 *
 *  A program and the runtime, an archive, are linked into one image.  The
 *  build moves the runtime's code into a section of its own, `softgpu_text`,
 *  and the linker defines the section's bounds.
 */
#ifndef SOFTGPU_CODE_RANGE_H
#define SOFTGPU_CODE_RANGE_H

#include <stdbool.h>
#include <stdint.h>

extern char __executable_start, _end; /* the program's image, by the linker */

/** First address of the program's image. */
static inline uintptr_t softgpu_image_begin(void)
{
    return (uintptr_t)&__executable_start;
}

/** Does an address lie in the program's image, code or static data? */
static inline bool softgpu_is_in_image(uintptr_t address)
{
    return address - softgpu_image_begin()
           < (uintptr_t)&_end - softgpu_image_begin();
}

/** Set the program's code range: the segment that holds a kernel's code, in
 *  the executable or in a shared library.
 *  @param code  an address in it */
void softgpu_find_program_code(const void *code);
/** Is this the program's own code, where a signal may stop a thread?  The
 *  runtime's code and shared libraries are not. */
bool softgpu_is_program_code(const void *pc);
/** Does a stub of the procedure linkage table begin or go on at an address of
 *  code?  The runtime, too, calls shared libraries by stubs where a compiler
 *  ignores -fno-plt (clang's calls of its sanitizer), and they lie in no
 *  section of its own.  Code that looks alike may be taken for one. */
bool softgpu_is_linkage_stub(const void *pc);
/** Is this code of the runtime or of its checks? */
bool softgpu_is_runtime_code(const void *pc);

#endif
