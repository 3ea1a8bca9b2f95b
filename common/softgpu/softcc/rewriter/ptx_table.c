/* SPDX-License-Identifier: MIT */
/* Inline PTX: the instructions that the software GPU has.  The functions are in
 * include/softgpu/inline_ptx.h. */
#include <stddef.h>
#include <string.h>

#include "ptx.h"

static const struct ptx_instruction instructions[] = {
    { "mov", "mov", "busfp", 2, false },
    { "add", "add", "usf", 3, false },
    { "sub", "sub", "usf", 3, false },
    { "mul", "mul", "f", 3, false },
    { "mul.lo", "mul", "us", 3, false },
    { "mul.hi", "mul_hi", "us", 3, false },
    { "mul.wide", "mul_wide", "us", 3, false },
    { "mad", "fma", "f", 4, false },
    { "mad.lo", "mad", "us", 4, false },
    { "mad.hi", "mad_hi", "us", 4, false },
    { "mad.wide", "mad_wide", "us", 4, false },
    { "add.cc", "add_cc", "us", 3, true },
    { "addc", "addc", "us", 3, true },
    { "addc.cc", "addc_cc", "us", 3, true },
    { "sub.cc", "sub_cc", "us", 3, true },
    { "subc", "subc", "us", 3, true },
    { "subc.cc", "subc_cc", "us", 3, true },
    { "mad.lo.cc", "mad_lo_cc", "us", 4, true },
    { "mad.hi.cc", "mad_hi_cc", "us", 4, true },
    { "madc.lo", "madc_lo", "us", 4, true },
    { "madc.lo.cc", "madc_lo_cc", "us", 4, true },
    { "madc.hi", "madc_hi", "us", 4, true },
    { "madc.hi.cc", "madc_hi_cc", "us", 4, true },
    { "fma", "fma", "f", 4, false },
    { "div", "div", "usf", 3, false },
    { "rem", "rem", "us", 3, false },
    { "min", "min", "usf", 3, false },
    { "max", "max", "usf", 3, false },
    { "abs", "abs", "sf", 2, false },
    { "neg", "neg", "sf", 2, false },
    { "and", "and_", "bp", 3, false },
    { "or", "or_", "bp", 3, false },
    { "xor", "xor_", "bp", 3, false },
    { "not", "not_", "b", 2, false },
    { "shl", "shl", "b", 3, false },
    { "shr", "shr", "bus", 3, false },
    { "shf.l.wrap", "shf_l_wrap", "b", 4, false },
    { "shf.l.clamp", "shf_l_clamp", "b", 4, false },
    { "shf.r.wrap", "shf_r_wrap", "b", 4, false },
    { "shf.r.clamp", "shf_r_clamp", "b", 4, false },
    { "lop3", "lop3", "b", 5, false },
    { "prmt", "prmt", "b", 4, false },
    { "bfe", "bfe", "us", 4, false },
    { "bfi", "bfi", "b", 5, false },
    { "bfind", "bfind", "us", 2, false },
    { "brev", "brev", "b", 2, false },
    { "popc", "popc", "b", 2, false },
    { "clz", "clz", "b", 2, false },
    { "sad", "sad", "us", 4, false },
    { "rcp", "rcp", "f", 2, false },
    { "sqrt", "sqrt", "f", 2, false },
    { "rsqrt", "rsqrt", "f", 2, false },
    { "ex2", "ex2", "f", 2, false },
    { "lg2", "lg2", "f", 2, false },
    { "sin", "sin", "f", 2, false },
    { "cos", "cos", "f", 2, false },
    { "tanh", "tanh", "f", 2, false },
    { "setp.eq", "setp_eq", "busf", 3, false },
    { "setp.ne", "setp_ne", "busf", 3, false },
    { "setp.lt", "setp_lt", "usf", 3, false },
    { "setp.le", "setp_le", "usf", 3, false },
    { "setp.gt", "setp_gt", "usf", 3, false },
    { "setp.ge", "setp_ge", "usf", 3, false },
    { "selp", "selp", "busf", 4, false },
    { "cvta", "mov", "u", 2, false },
    { "cvta.to", "mov", "u", 2, false },
    { "cvta.shared", "cvta_shared", "u", 2, false },
    { "cvta.to.shared", "cvta_to_shared", "u", 2, false },
    { "ld", "ld", "busf", 2, false },
    { "ld.volatile", "ld_volatile", "busf", 2, false },
    { "ld.ordered", "ld_relaxed", "busf", 2, false },
    { "ld.v2", "ld_v2", "busf", 3, false },
    { "ld.v4", "ld_v4", "busf", 5, false },
    { "ld.volatile.v2", "ld_volatile_v2", "busf", 3, false },
    { "ld.ordered.v2", "ld_volatile_v2", "busf", 3, false },
    { "st", "st", "busf", 2, false },
    { "st.volatile", "st_volatile", "busf", 2, false },
    { "st.volatile.v2", "st_volatile_v2", "busf", 3, false },
    { "st.v2", "st_v2", "busf", 3, false },
    { "st.v4", "st_v4", "busf", 5, false },
    { "atom.add", "atom_add", "usf", 3, false },
    { "atom.min", "atom_min", "us", 3, false },
    { "atom.max", "atom_max", "us", 3, false },
    { "atom.and", "atom_and", "b", 3, false },
    { "atom.or", "atom_or", "b", 3, false },
    { "atom.xor", "atom_xor", "b", 3, false },
    { "atom.exch", "atom_exch", "b", 3, false },
    { "atom.cas", "atom_cas", "b", 4, false },
    { "red.add", "red_add", "usf", 2, false },
    { "red.min", "red_min", "us", 2, false },
    { "red.max", "red_max", "us", 2, false },
    { "red.and", "red_and", "b", 2, false },
    { "red.or", "red_or", "b", 2, false },
    { "red.xor", "red_xor", "b", 2, false },
    { "shfl.sync.up", "shfl_sync_up", "b", 5, false },
    { "shfl.sync.down", "shfl_sync_down", "b", 5, false },
    { "shfl.sync.bfly", "shfl_sync_bfly", "b", 5, false },
    { "shfl.sync.idx", "shfl_sync_idx", "b", 5, false },
    /* the same with a second result: was the lane inside? */
    { "shfl.sync.up", "shfl_sync_up", "b", 6, false },
    { "shfl.sync.down", "shfl_sync_down", "b", 6, false },
    { "shfl.sync.bfly", "shfl_sync_bfly", "b", 6, false },
    { "shfl.sync.idx", "shfl_sync_idx", "b", 6, false },
    { "vote.sync.ballot", "vote_sync_ballot", "b", 3, false },
    /* as CUB writes it */
    { "vote.ballot.sync", "vote_sync_ballot", "b", 3, false },
    { "vote.sync.any", "vote_sync_any", "p", 3, false },
    { "vote.sync.all", "vote_sync_all", "p", 3, false },
    { "match.any.sync", "match_any", "b", 3, false },
    { "match.all.sync", "match_all", "b", 3, false },
    { "match.all.sync", "match_all", "b", 4, false },
    { "redux.sync.add", "redux_add", "us", 3, false },
    { "redux.sync.min", "redux_min", "us", 3, false },
    { "redux.sync.max", "redux_max", "us", 3, false },
    { "redux.sync.and", "redux_and", "b", 3, false },
    { "redux.sync.or", "redux_or", "b", 3, false },
    { "redux.sync.xor", "redux_xor", "b", 3, false },
    { "activemask", "activemask", "b", 1, false },
    { "bar.sync", "bar_sync", "", 1, false },
    { "bar.sync", "bar_sync", "", 2, false },
    { "bar.arrive", "bar_arrive", "", 2, false },
    { "barrier.sync", "bar_sync", "", 1, false },
    { "barrier.sync", "bar_sync", "", 2, false },
    { "barrier.arrive", "bar_arrive", "", 2, false },
    { "bar.warp.sync", "bar_warp_sync", "", 1, false },
    { "ldmatrix.sync.m8n8.x1", "ldmatrix_x1", "b", 2, false },
    { "ldmatrix.sync.m8n8.x2", "ldmatrix_x2", "b", 3, false },
    { "ldmatrix.sync.m8n8.x4", "ldmatrix_x4", "b", 5, false },
    { "ldmatrix.sync.m8n8.x1.trans", "ldmatrix_trans_x1", "b", 2, false },
    { "ldmatrix.sync.m8n8.x2.trans", "ldmatrix_trans_x2", "b", 3, false },
    { "ldmatrix.sync.m8n8.x4.trans", "ldmatrix_trans_x4", "b", 5, false },
    { "cp.async", "cp_async", "", 3, false },
    { "cp.async", "cp_async", "", 4, false },
    { "cp.async.commit_group", "cp_async_commit", "", 0, false },
    { "cp.async.wait_group", "cp_async_wait", "", 1, false },
    { "cp.async.wait_all", "cp_async_wait_all", "", 0, false },
    { "membar", "fence", "", 0, false },
    { "fence", "fence", "", 0, false },
    { "membar.cta", "fence_block", "", 0, false },
    { "fence.cta", "fence_block", "", 0, false },
    { "nanosleep", "nanosleep", "u", 1, false },
};

const struct ptx_instruction *find_ptx_instruction(const char *opcode,
                                                   int operands)
{
    const struct ptx_instruction *found = NULL;
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        const struct ptx_instruction *row = &instructions[i];
        if (strcmp(row->opcode, opcode) == 0
            && (!found || row->operands == operands))
            found = row;
    }
    return found;
}

/* Is the word one of a NULL-terminated list? */
static bool is_one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list != NULL;
}

bool is_ignored_modifier(const char *word)
{
    static const char *const words[] = {
        "ftz", "rn", "approx", "full", "global", "shared", "local", "const",
        "shared::cta", "ca", "cg", "cs", "cv", "lu", "wb", "wt", "nc", "weak",
        "relaxed", "acquire", "release", "acq_rel", "sc", "cta", "gpu", "sys",
        "gl", "aligned", "L1::no_allocate", "L1::evict_last",
        "L1::evict_first", "L1::evict_normal", "L2::64B", "L2::128B",
        "L2::256B", NULL };
    return is_one_of(word, words);
}

const char *polling_modifier(const char *opcode, const char *word)
{
    const bool is_relaxed = strcmp(word, "relaxed") == 0;
    if (strcmp(opcode, "ld") == 0)
        return is_relaxed || strcmp(word, "acquire") == 0 ? "ordered"
               : strcmp(word, "cv") == 0                  ? "volatile"
                                                          : word;
    return strcmp(opcode, "st") == 0
                   && (is_relaxed || strcmp(word, "release") == 0)
               ? "volatile"
               : word;
}

const char *ptx_type(const char *word)
{
    static const struct {
        const char *ptx, *type;
    } types[] = {
        { "b16", "uint16_t" }, { "b32", "uint32_t" }, { "b64", "uint64_t" },
        { "u16", "uint16_t" }, { "u32", "uint32_t" }, { "u64", "uint64_t" },
        { "s16", "int16_t" },  { "s32", "int32_t" },  { "s64", "int64_t" },
        { "u8", "uint8_t" },   { "s8", "int8_t" },    { "b8", "uint8_t" },
        { "f32", "float" },    { "f64", "double" },   { "pred", "bool" },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].ptx, word) == 0)
            return types[i].type;
    return NULL;
}

const char *special_register(const char *name)
{
    static const struct {
        const char *name, *function;
    } registers[] = {
        { "laneid", "r_laneid" },     { "warpid", "r_warpid" },
        { "tid.x", "r_tid_x" },       { "tid.y", "r_tid_y" },
        { "tid.z", "r_tid_z" },       { "ntid.x", "r_ntid_x" },
        { "ntid.y", "r_ntid_y" },     { "ntid.z", "r_ntid_z" },
        { "ctaid.x", "r_ctaid_x" },   { "ctaid.y", "r_ctaid_y" },
        { "ctaid.z", "r_ctaid_z" },   { "nctaid.x", "r_nctaid_x" },
        { "nctaid.y", "r_nctaid_y" }, { "nctaid.z", "r_nctaid_z" },
        { "lanemask_eq", "r_lanemask_eq" },
        { "lanemask_lt", "r_lanemask_lt" },
        { "lanemask_le", "r_lanemask_le" },
        { "lanemask_gt", "r_lanemask_gt" },
        { "lanemask_ge", "r_lanemask_ge" },
        { "clock", "r_clock" },       { "clock64", "r_clock64" },
        { "globaltimer", "r_globaltimer" },
    };
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (strcmp(registers[i].name, name) == 0)
            return registers[i].function;
    return NULL;
}

bool is_scope_of_fence(const char *opcode, const char *word)
{
    return strcmp(word, "cta") == 0
           && (strcmp(opcode, "fence") == 0 || strcmp(opcode, "membar") == 0);
}
