/* SPDX-License-Identifier: MIT */
/* Which part compiles which kernel, and what a part needs of the module. */
#include "common/softgpu/vectors/parts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <numeric>

#include "common/softgpu/vectors/part_processes.h"

using namespace llvm;

namespace vectors {

/* softcc makes names that end so local (compiler/join_parts.c). */
static const char shared_suffix[] = ".softgpu.part";
static const char shared_attribute[] = "softgpu-shared";

using globals = SetVector<GlobalValue *>;

SmallVector<Function *, 4> runtime_functions(const Function &entry)
{
    static const char *const prefixes[]
        = { "_ZN7softgpu9gang_mainI", "_ZN7softgpu12thread_entryI",
            "_ZN7softgpu12gang_threadsI", "_ZN7softgpu10run_blocksI" };
    SmallVector<Function *, 4> found;
    StringRef closure = entry.getName();
    closure.consume_front("_ZN7softgpu10gang_entryI");
    closure.consume_back("EEvPKv");
    for (const Function &f : *entry.getParent())
        for (const char *prefix : prefixes) {
            StringRef name = f.getName();
            if (name.consume_front(prefix) && name.consume_front(closure)
                && (name.starts_with("E") || name.starts_with("L")))
                found.push_back(const_cast<Function *>(&f));
        }
    return found;
}

bool is_shared(const Function &f)
{
    return f.hasFnAttribute(shared_attribute);
}

/* --- sizes ---------------------------------------------------------------- */

using sizes = DenseMap<const Function *, uint64_t>;

/* Instructions of a function with those of its callees in place of calls. */
static uint64_t inlined_size(const Function &f, sizes &known)
{
    auto [place, is_new] = known.try_emplace(&f, 0); /* 0: of a recursion */
    if (!is_new)
        return place->second;
    uint64_t size = 0;
    for (const Instruction &i : instructions(f)) {
        auto *call = dyn_cast<CallBase>(&i);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        size += 1;
        if (callee && !callee->isDeclaration())
            size += inlined_size(*callee, known);
    }
    return known[&f] = size;
}

/* The parts of entries: the largest kernel first, to the part that has least.
 * Which part has which is the same on all machines. */
static std::vector<unsigned> assign(const std::vector<Function *> &entries)
{
    enum { SIZE_OF_PART = 3000, MOST_PARTS = 4 };
    sizes known;
    std::vector<uint64_t> size;
    uint64_t total = 0;
    for (const Function *entry : entries) {
        size.push_back(inlined_size(*entry, known));
        total += size.back();
    }
    const size_t parts = std::min<size_t>(
        { MOST_PARTS, entries.size(), std::max<size_t>(1, total / SIZE_OF_PART) });
    std::vector<size_t> order(entries.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return size[a] != size[b] ? size[a] > size[b] : a < b;
    });
    std::vector<uint64_t> load(parts);
    std::vector<unsigned> part(entries.size());
    for (size_t i : order) {
        auto least = std::min_element(load.rbegin(), load.rend());
        part[i] = static_cast<unsigned>(load.rend() - least) - 1;
        *least += size[i];
    }
    return part;
}

/* --- what a part uses ----------------------------------------------------- */

static void add_operands(const User &user, globals &found)
{
    for (const Use &operand : user.operands())
        if (auto *global = dyn_cast<GlobalValue>(operand.get()))
            found.insert(global);
        else if (auto *constant = dyn_cast<Constant>(operand.get()))
            add_operands(*constant, found);
}

/* May each part that uses it have one of its own? */
static bool can_be_copied(const GlobalValue &g)
{
    if (g.isDeclaration())
        return false;
    if (g.hasLinkOnceLinkage()) /* the linker keeps one */
        return true;
    if (auto *f = dyn_cast<Function>(&g))
        return !f->isInterposable() && !f->hasAddressTaken();
    auto *variable = dyn_cast<GlobalVariable>(&g);
    return variable && variable->isConstant()
           && variable->hasGlobalUnnamedAddr();
}

/* What the functions use of the module, by themselves or by what they use. */
static globals reached_from(ArrayRef<Function *> roots)
{
    globals found(roots.begin(), roots.end());
    for (size_t i = 0; i < found.size(); i++) {
        GlobalValue *g = found[i];
        if (i >= roots.size() && !can_be_copied(*g))
            continue;
        add_operands(*g, found);
        if (auto *f = dyn_cast<Function>(g))
            for (const Instruction &at : instructions(*f))
                add_operands(at, found);
    }
    return found;
}

/* --- a part of the module ------------------------------------------------- */

/* Only in its own module may the compiler align a variable for vectors. */
static void align_for_vectors(GlobalVariable *variable)
{
    const Align row(64);
    const DataLayout &data = variable->getParent()->getDataLayout();
    if (variable->canIncreaseAlignment()
        && data.getTypeAllocSize(variable->getValueType()) >= row.value())
        variable->setAlignment(
            std::max(row, variable->getAlign().valueOrOne()));
}

static void share(GlobalValue *g)
{
    g->setLinkage(GlobalValue::ExternalLinkage);
    g->setVisibility(GlobalValue::HiddenVisibility);
    g->setDSOLocal(true);
    if (auto *object = dyn_cast<GlobalObject>(g))
        object->setComdat(nullptr);
    if (auto *f = dyn_cast<Function>(g))
        f->addFnAttr(shared_attribute);
}

/* Another part defines it. */
static void remove_definition(GlobalValue *g)
{
    if (auto *f = dyn_cast<Function>(g)) {
        f->deleteBody();
    } else if (auto *variable = dyn_cast<GlobalVariable>(g)) {
        variable->setInitializer(nullptr);
        variable->setLinkage(GlobalValue::ExternalLinkage);
    }
    cast<GlobalObject>(g)->setComdat(nullptr);
}

/* Remove all that the functions of a further part do not use. */
static void keep_only(Module &module, ArrayRef<Function *> roots)
{
    const globals used = reached_from(roots);
    SmallVector<GlobalObject *, 0> copied, removed;
    for (GlobalObject &g : module.global_objects())
        if (!g.isDeclaration() && !is_contained(roots, &g))
            (used.contains(&g) && can_be_copied(g) ? copied : removed)
                .push_back(&g);
    for (const char *list : { "llvm.global_ctors", "llvm.global_dtors",
                              "llvm.used", "llvm.compiler.used" })
        if (GlobalVariable *variable = module.getNamedGlobal(list)) {
            llvm::erase(removed, variable);
            variable->eraseFromParent();
        }
    for (GlobalObject *g : removed)
        remove_definition(g);
    for (GlobalObject *g : copied) {
        if (g->hasLinkOnceLinkage() || g->hasLocalLinkage())
            continue;
        g->setLinkage(GlobalValue::InternalLinkage);
        g->setComdat(nullptr);
    }
}

/* Nothing stands for another thing, or hides in assembly. */
static bool can_be_divided(const Module &module)
{
    return module.alias_empty() && module.ifunc_empty()
           && module.getModuleInlineAsm().empty();
}

using function_list = SmallVector<Function *, 4>;

/* Keep the part of this process.
 * @param items  functions of the module, by kernel
 * @param parts  the part of each kernel */
static shared_names keep_part(Module &module, ArrayRef<function_list> items,
                              ArrayRef<unsigned> parts, unsigned own)
{
    shared_names shared;
    function_list further, mine;
    for (size_t i = 0; i < items.size(); i++) {
        if (parts[i])
            further.append(items[i]);
        if (parts[i] == own)
            mine.append(items[i]);
    }
    for (GlobalValue *g : reached_from(further))
        if (is_contained(further, g)
            || (g->hasLocalLinkage() && !can_be_copied(*g)))
            shared.push_back(g);
    for (const WeakVH &value : shared)
        if (auto *variable = dyn_cast<GlobalVariable>(value))
            align_for_vectors(variable);
    if (own)
        keep_only(module, mine);
    for (const WeakVH &value : shared)
        share(cast<GlobalValue>(value));
    for (Function *f : further)
        if (!is_contained(mine, f))
            remove_definition(f);
    return shared;
}

/* Fork, and keep the part of each process. @return empty if nothing is divided */
static shared_names fork_and_keep(Module &module, ArrayRef<function_list> items,
                                  ArrayRef<unsigned> parts, unsigned &own)
{
    const unsigned last
        = parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end());
    if (!last)
        return {};
    const int part = fork_parts(last + 1);
    if (part < 0)
        return {};
    own = static_cast<unsigned>(part);
    return keep_part(module, items, parts, own);
}

shared_names divide(Module &module, std::vector<Function *> &entries)
{
    std::vector<Function *> mine;
    SmallVector<function_list, 0> items;
    unsigned own = 0;
    if (!object_of_parts() || !can_be_divided(module))
        return {};
    const std::vector<unsigned> parts = assign(entries);
    for (const Function *entry : entries)
        items.push_back(runtime_functions(*entry));
    const std::vector<Function *> all = entries;
    shared_names shared = fork_and_keep(module, items, parts, own);
    if (shared.empty())
        return shared;
    entries.clear();
    for (size_t i = 0; i < all.size(); i++)
        if (parts[i] == own)
            entries.push_back(all[i]);
    return shared;
}

shared_names divide_gangs(Module &module, ArrayRef<Function *> gangs)
{
    enum { LEAST = 2000 }; /* instructions; less is not worth a process */
    uint64_t first = 0, second = 0;
    SmallVector<function_list, 0> items;
    SmallVector<unsigned, 8> parts;
    unsigned own = 0;
    if (!object_of_parts() || !can_be_divided(module))
        return {};
    for (const Function &f : module)
        if (!is_contained(gangs, &f))
            first += f.getInstructionCount();
    for (Function *gang : gangs) {
        const uint64_t size = gang->getInstructionCount();
        const bool is_second = second <= first;
        (is_second ? second : first) += size;
        items.push_back({ gang });
        parts.push_back(is_second);
    }
    return second < LEAST ? shared_names()
                          : fork_and_keep(module, items, parts, own);
}

void rename_shared(const shared_names &shared)
{
    for (const WeakVH &value : shared)
        if (auto *g = cast_or_null<GlobalValue>(value))
            g->setName(g->getName() + shared_suffix);
}

} // namespace vectors
