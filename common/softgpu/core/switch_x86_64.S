/* SPDX-License-Identifier: MIT */
/* The switch between threads on x86-64 (System V): six registers and the
 * stack pointer; the floating-point control words are shared.
 *
 * It ends with a jump, not with `ret`: the processor expects `ret` to go where
 * the *suspended* thread called from, and with an unrolled loop that is always
 * the next barrier but one.  The runtime's functions on the way here are tail
 * calls, so the jump leads straight back into the kernel. */
#if defined(__x86_64__)
        .text
        .globl  softgpu_switch
        .type   softgpu_switch, @function
softgpu_switch:
        .cfi_startproc
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        popq    %rcx
        movq    %rdx, %rax
        jmp     *%rcx
        .cfi_endproc
        .size   softgpu_switch, . - softgpu_switch

/* Below the top lies what softgpu_switch pops: six registers, the address of
 * entry, and a 0 where a backtrace ends. */
        .globl  softgpu_switch_prepare
        .type   softgpu_switch_prepare, @function
softgpu_switch_prepare:
        movq    $0, -8(%rdi)
        movq    %rdx, -16(%rdi)
        leaq    -64(%rdi), %rax
        ret
        .size   softgpu_switch_prepare, . - softgpu_switch_prepare
#endif
        .section .note.GNU-stack, "", @progbits
