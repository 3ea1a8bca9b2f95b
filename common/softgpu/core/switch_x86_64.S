/* SPDX-License-Identifier: MIT */
/* The switch between threads on x86-64 (System V): six registers and the
 * stack pointer.  It returns with `ret`: the return addresses on the
 * processor's own stack are the same for every thread that waits in the same
 * call, so they predict well.  The floating-point control words are shared. */
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
        ret
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
