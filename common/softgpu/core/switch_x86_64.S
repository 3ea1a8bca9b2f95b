/* SPDX-License-Identifier: MIT */
/* The context switch on x86-64 (System V): six registers and the stack
 * pointer; all threads share the floating-point control words.
 *
 * It ends with a jump, not with `ret`: the return predictor expects the return
 * address of the thread that was *suspended*, which is always wrong where two
 * threads wait at different calls of an unrolled loop.  The runtime functions
 * on the way here are tail calls, so the jump goes directly to the kernel. */
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

/* Below the top is the context that softgpu_switch pops: six registers, the
 * address of entry, and a 0, which ends a backtrace. */
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
