/* SPDX-License-Identifier: MIT */
/* The context switch on AArch64: x19 to x30, d8 to d15, sp. */
#if defined(__aarch64__)
        .text
        .globl  softgpu_switch
        .type   softgpu_switch, %function
softgpu_switch:
        .cfi_startproc
        sub     sp, sp, #160
        stp     x19, x20, [sp, #0]
        stp     x21, x22, [sp, #16]
        stp     x23, x24, [sp, #32]
        stp     x25, x26, [sp, #48]
        stp     x27, x28, [sp, #64]
        stp     x29, x30, [sp, #80]
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        mov     x9, sp
        str     x9, [x0]
        mov     sp, x1
        ldp     x19, x20, [sp, #0]
        ldp     x21, x22, [sp, #16]
        ldp     x23, x24, [sp, #32]
        ldp     x25, x26, [sp, #48]
        ldp     x27, x28, [sp, #64]
        ldp     x29, x30, [sp, #80]
        ldp     d8, d9, [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        add     sp, sp, #160
        mov     x0, x2
        br      x30
        .cfi_endproc
        .size   softgpu_switch, . - softgpu_switch

/* Below the top is the context that softgpu_switch loads: x30 is entry, and
 * x29 is 0, which ends a backtrace. */
        .globl  softgpu_switch_prepare
        .type   softgpu_switch_prepare, %function
softgpu_switch_prepare:
        sub     x0, x0, #160
        stp     xzr, x2, [x0, #80]
        ret
        .size   softgpu_switch_prepare, . - softgpu_switch_prepare
#endif
        .section .note.GNU-stack, "", %progbits
