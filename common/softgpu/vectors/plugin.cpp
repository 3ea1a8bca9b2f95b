/* SPDX-License-Identifier: MIT */
/* The pass as a plugin of clang: it replaces the body of
 * softgpu::gang_entry<Closure>, which runs one thread, by that of a gang. */
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

#include <cstdlib>
#include <cstring>

#include "common/softgpu/include/softgpu/abi.h"
#include "common/softgpu/vectors/choose.h"
#include "common/softgpu/vectors/host_products.h"
#include "common/softgpu/vectors/optimize.h"
#include "common/softgpu/vectors/parts.h"
#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

/* Marks the code of a gang. */
static const char gang_attribute[] = "softgpu-gang";
static const char entry_prefix[] = "_ZN7softgpu10gang_entryI";
static const char entry_suffix[] = "EEvPKv";
static const char threads_prefix[] = "_ZN7softgpu12gang_threadsI";
static const char blocks_prefix[] = "_ZN7softgpu10run_blocksI";
static const char threads_limit[] = "Lj", threads_suffix[] = "EEEiv";

/* The function that the entry calls: softgpu::run_thread<Closure>. */
static Function *find_thread(Function &entry)
{
    for (Instruction &i : instructions(entry)) {
        auto *call = dyn_cast<CallBase>(&i);
        Function *callee = call ? call->getCalledFunction() : nullptr;
        if (callee && callee->getName().contains("10run_threadI"))
            return callee;
    }
    return nullptr;
}

/* The function that tells the runtime how many threads a gang has.
 * @param most  gets the number of threads that a block may have, or 0 */
static Function *find_threads(Function &entry, unsigned &most)
{
    StringRef closure = entry.getName();
    if (!closure.consume_front(entry_prefix)
        || !closure.consume_back(entry_suffix))
        return nullptr;
    const std::string prefix = (threads_prefix + closure + threads_limit).str();
    for (Function &f : *entry.getParent()) {
        StringRef limit = f.getName();
        if (limit.consume_front(prefix) && limit.consume_back(threads_suffix)
            && !limit.getAsInteger(10, most))
            return &f;
    }
    return nullptr;
}

/* "tile" or "tile<float, 16>": the kernel in which the closure is declared. */
static std::string kernel_name(const Function &thread)
{
    static const char before[] = "run_thread<";
    std::string name = demangle(thread.getName());
    const size_t at = name.find(before);
    if (at != std::string::npos)
        name.erase(0, at + strlen(before));
    return name.substr(0, name.find('('));
}

/* A new body: return the value, or nothing. */
static void set_result(Function *f, Constant *value)
{
    const bool is_visible = is_shared(*f);
    f->deleteBody();
    if (!is_visible)
        f->setLinkage(GlobalValue::InternalLinkage);
    f->setComdat(nullptr);
    BasicBlock *block = BasicBlock::Create(f->getContext(), "", f);
    ReturnInst::Create(f->getContext(), value, block);
}

/* Lanes of 32 bits in a register.  Processors of AVX10.1/256 have the features
 * of AVX-512 without its registers. */
static unsigned host_lanes(const Function &f)
{
    const StringRef features
        = f.getFnAttribute("target-features").getValueAsString();
    const bool wide = features.contains("+avx512vl")
                      && features.contains("+avx512bw")
                      && features.contains("+evex512")
                      && !features.contains("-evex512");
    return wide ? 16 : 8;
}

/* An empty function for the code of a gang, or of a block. */
static Function *create_gang(const kernel &k, const Function &thread)
{
    Function *gang = Function::Create(
        thread.getFunctionType(), GlobalValue::InternalLinkage, "softgpu.gang",
        k.function->getParent());
    gang->copyAttributesFrom(&thread);
    gang->removeFnAttr(Attribute::OptimizeNone);
    gang->addFnAttr(gang_attribute);
    /* LLVM's own vectorizers skip functions of this attribute: they would find
     * nothing but addresses, and take half of the time.  See late_pass. */
    gang->addFnAttr(Attribute::NoImplicitFloat);
    if (k.gang.lanes == 16) { /* clang prefers half of a register */
        gang->addFnAttr("prefer-vector-width", "512");
        gang->addFnAttr("min-legal-vector-width", "512");
    }
    return gang;
}

/* More does not stay in a processor's cache: a kernel of 14 KiB a thread took
 * 15 times as long as on fibers. */
enum { MOST_LOCAL_BYTES = 1 << 17 };

/* Bytes of the arrays of a gang; a block's frames are bounded where they are
 * laid out. */
static uint64_t local_bytes(const Function &gang)
{
    const DataLayout &data = gang.getParent()->getDataLayout();
    uint64_t bytes = 0;
    for (const Instruction &i : instructions(gang))
        if (auto *array = dyn_cast<AllocaInst>(&i))
            if (auto size = array->getAllocationSize(data))
                bytes += size->getFixedValue();
    return bytes;
}

/* The code of a gang as a new function; NULL: the kernel is refused. */
static Function *make_gang(kernel &k, const Function &thread)
{
    if (k.refusal.empty() && !has_long_work(k))
        k.refuse("it has no loop and no barrier: the threads of a block are "
                 "one loop");
    if (k.refusal.empty())
        refuse_polling(k);
    if (!k.refusal.empty())
        return nullptr;
    find_local_arrays(k);
    find_regions(k);
    if (!k.refusal.empty())
        return nullptr;
    find_phases(k);
    const layout of_warp = k.gang;
    choose_rows(k);
    pack_quads(k);
    Function *gang = create_gang(k, thread);
    if (!has_too_many_sums(k))
        widen(k, gang);
    if (k.frame_is_large) {
        gang->eraseFromParent();
        k.phases.clear();
        k.gang = of_warp;
        gang = create_gang(k, thread);
        if (!has_too_many_sums(k))
            widen(k, gang);
    }
    if (k.refusal.empty() && has_too_many_sums(k))
        k.refuse("it keeps many sums a thread in registers: each thread is "
                 "vectorized");
    if (k.refusal.empty() && local_bytes(*gang) > MOST_LOCAL_BYTES)
        k.refuse("its local arrays are too large for the stack of a gang");
    if (k.refusal.empty() && verifyFunction(*gang, &errs()))
        k.refuse("the code of the gang is not valid");
    if (k.refusal.empty() && is_mostly_atomic(k))
        k.refuse("a loop has little but atomic functions, which run for one "
                 "thread at a time");
    if (k.refusal.empty())
        return gang;
    gang->eraseFromParent();
    return nullptr;
}

/* The entry calls the gang, and tells the runtime its threads. */
static void use_gang(Function &entry, Function *gang, Function *threads,
                     const kernel &k)
{
    entry.deleteBody();
    BasicBlock *block = BasicBlock::Create(entry.getContext(), "", &entry);
    IRBuilder<> b(block);
    entry.addFnAttr(gang_attribute); /* the gang may be inlined here */
    entry.setLinkage(GlobalValue::InternalLinkage);
    entry.setComdat(nullptr);
    b.CreateCall(gang, { entry.getArg(0) });
    b.CreateRetVoid();
    set_result(threads, ConstantInt::get(threads->getReturnType(),
                                         k.phases.empty()
                                             ? k.gang.threads()
                                             : SOFTGPU_WHOLE_BLOCK));
    for (Function *f : runtime_functions(entry)) /* for fibers alone */
        if (f->getName().starts_with(blocks_prefix))
            set_result(f, nullptr);
}

static void remove_scalar_code(kernel &k)
{
    k.function->eraseFromParent();
    for (auto &variable : k.builtins)
        for (Function *component : variable)
            if (component && component->use_empty())
                component->eraseFromParent();
}

/* The code of a kernel that is still to be optimized. */
struct made {
    Function *gang, *thread;
};

/** @param[in,out] all  gets the kernel's gang, if it has one
 *  @return was the module changed? */
static bool compile(Function &entry, FunctionAnalysisManager &analyses,
                    std::vector<made> &all)
{
    enum { WARP = 32 };
    kernel k;
    unsigned most = 0;
    Function *thread = find_thread(entry), *threads = find_threads(entry, most);
    if (!thread || !threads)
        return false;
    const unsigned lanes = host_lanes(*thread);
    auto *words = FixedVectorType::get(Type::getInt32Ty(entry.getContext()),
                                       lanes);
    const auto &target = analyses.getResult<TargetIRAnalysis>(*thread);
    k.has_gather = target.isLegalMaskedGather(words, Align(4));
    k.has_scatter = target.isLegalMaskedScatter(words, Align(4));
    if (most)
        k.most_threads = most;
    prepare(k, thread, { lanes, WARP / lanes }, analyses);
    Function *gang = make_gang(k, *thread);
    if (std::getenv("SOFTCC_SHOW_ENGINE"))
        errs() << "softcc: " << kernel_name(*thread) << ": "
               << (gang ? "vectors" : "fibers: " + k.refusal) << "\n";
    if (gang) {
        use_gang(entry, gang, threads, k);
        all.push_back({ gang, thread });
    }
    remove_scalar_code(k);
    return true;
}

/* Optimize gangs and threads, those of this process if gangs are divided now. */
static shared_names optimize(Module &module, FunctionAnalysisManager &analyses,
                             ArrayRef<made> all, bool may_divide)
{
    shared_names shared;
    SmallVector<Function *, 8> gangs;
    for (const made &one : all)
        gangs.push_back(one.gang);
    if (may_divide)
        shared = divide_gangs(module, gangs);
    if (!shared.empty())
        analyses.clear();
    for (const made &one : all) {
        if (!one.gang->isDeclaration())
            optimize_gang(*one.gang, analyses);
        if (!one.thread->isDeclaration())
            optimize_thread(*one.thread, analyses);
    }
    return shared;
}

struct pass : PassInfoMixin<pass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager)
    {
        auto &analyses
            = manager.getResult<FunctionAnalysisManagerModuleProxy>(module)
                  .getManager();
        std::vector<Function *> entries;
        for (Function &f : module)
            if (!f.isDeclaration() && f.getName().starts_with(entry_prefix))
                entries.push_back(&f);
        std::vector<made> all;
        shared_names shared = divide(module, entries);
        bool changed = !shared.empty();
        for (Function *entry : entries)
            changed |= compile(*entry, analyses, all);
        shared.append(optimize(module, analyses, all, shared.empty()));
        rename_shared(shared);
        if (!shared.empty())
            GlobalDCEPass().run(module, manager);
        return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }
};

/* Gangs after optimization: the order of their sums. */
struct late_pass : PassInfoMixin<late_pass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager)
    {
        auto &analyses
            = manager.getResult<FunctionAnalysisManagerModuleProxy>(module)
                  .getManager();
        bool changed = false;
        for (Function &f : module) {
            if (is_optimized(f))
                end_optimization(f);
            changed |= limit_shifts(f);
            if (f.isDeclaration() || !f.hasFnAttribute(gang_attribute))
                continue;
            f.removeFnAttr(Attribute::NoImplicitFloat);
            order_sums(f, host_lanes(f), analyses.getResult<AAManager>(f));
            if (verifyFunction(f, &errs()))
                report_fatal_error("the order of sums is not valid");
            changed = true;
        }
        return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }
};

/* Host code, when its variables are values and its loops as written. */
struct host_pass : PassInfoMixin<host_pass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        return wrap_host_products(module) ? PreservedAnalyses::none()
                                          : PreservedAnalyses::all();
    }
};

} // namespace vectors

extern "C" PassPluginLibraryInfo LLVM_ATTRIBUTE_WEAK llvmGetPassPluginInfo()
{
    return { LLVM_PLUGIN_API_VERSION, "softgpu-vectors", "1",
             [](PassBuilder &builder) {
                 builder.registerPipelineStartEPCallback(
                     [](ModulePassManager &passes, OptimizationLevel) {
                         passes.addPass(vectors::pass());
                     });
                 builder.registerPipelineEarlySimplificationEPCallback(
                     [](ModulePassManager &passes, OptimizationLevel) {
                         passes.addPass(vectors::host_pass());
                     });
                 builder.registerOptimizerLastEPCallback(
                     [](ModulePassManager &passes, OptimizationLevel) {
                         passes.addPass(vectors::late_pass());
                     });
             } };
}
