/* SPDX-License-Identifier: MIT */
/* Accesses with an address a lane, as instructions or as calls. */
#include "common/softgpu/vectors/scattered.h"

#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

using namespace llvm;

namespace vectors {

/* The attributes of the gang's processor; a call keeps all registers of its
 * caller.  LLVM would clear the upper halves of those that it has restored
 * (vzeroupper), so that is off. */
static void set_attributes(Function *f, const Function *gang)
{
    for (const char *name : { "target-cpu", "tune-cpu", "target-features" })
        if (gang->hasFnAttribute(name))
            f->addFnAttr(gang->getFnAttribute(name));
    f->addFnAttr(Attribute::NoInline);
    f->setDoesNotThrow();
    f->setWillReturn();
    if (!Triple(f->getParent()->getTargetTriple()).isX86())
        return;
    f->setCallingConv(CallingConv::PreserveAll);
    f->addFnAttr("target-features",
                 (f->getFnAttribute("target-features").getValueAsString()
                  + ",-vzeroupper")
                     .str());
}

/* The addresses of each lane's word of that number. */
static Value *words_at(IRBuilderBase &b, Value *pointers, unsigned word)
{
    return word ? b.CreateGEP(b.getInt8Ty(), pointers, b.getInt64(word * WORD))
                : pointers;
}

/* Access by the function's arguments: vectors to store, or none, pointers, and
 * a bit a lane.  Of several vectors, each has one of neighboring words. */
static void emit_access(IRBuilderBase &b, Function *f, Value *mask)
{
    const unsigned stored = (unsigned)f->arg_size() - 2;
    Value *const pointers = f->getArg(stored);
    Type *const type = f->getReturnType();
    const Align align(1); /* processors take any */
    auto load = [&](Type *of, unsigned word) {
        return b.CreateMaskedGather(of, words_at(b, pointers, word), align,
                                    mask, Constant::getNullValue(of));
    };
    for (unsigned n = 0; n < stored; n++)
        b.CreateMaskedScatter(f->getArg(n), words_at(b, pointers, n), align,
                              mask);
    if (stored) {
        b.CreateRetVoid();
    } else if (type->isStructTy()) {
        Value *all = PoisonValue::get(type);
        for (unsigned n = 0; n < QUAD; n++)
            all = b.CreateInsertValue(all, load(type->getStructElementType(n),
                                                n), n);
        b.CreateRet(all);
    } else {
        b.CreateRet(load(type, 0));
    }
}

/* The body: most rows are whole, and need no branches. */
static void write_body(Function *f)
{
    BasicBlock *entry = BasicBlock::Create(f->getContext(), "", f);
    BasicBlock *whole = BasicBlock::Create(f->getContext(), "whole_row", f);
    BasicBlock *part = BasicBlock::Create(f->getContext(), "part", f);
    IRBuilder<> b(entry);
    Value *bits = f->getArg(f->arg_size() - 1);
    Type *lanes = FixedVectorType::get(
        b.getInt1Ty(), bits->getType()->getIntegerBitWidth());
    b.CreateCondBr(
        b.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType())),
        whole, part);
    b.SetInsertPoint(whole);
    emit_access(b, f, Constant::getAllOnesValue(lanes));
    b.SetInsertPoint(part);
    emit_access(b, f, b.CreateBitCast(bits, lanes));
}

/* The function of the gang's module, by its name and the type of a vector. */
static Function *find_access(Function *gang, const char *name, Type *type,
                             FunctionType *signature)
{
    std::string full = std::string("softgpu.") + name + ".";
    raw_string_ostream(full) << *type;
    Module *module = gang->getParent();
    if (Function *f = module->getFunction(full))
        return f;
    Function *f = Function::Create(signature, GlobalValue::InternalLinkage,
                                   full, module);
    const bool loads = !signature->getReturnType()->isVoidTy();
    f->setMemoryEffects(loads ? MemoryEffects::readOnly()
                              : MemoryEffects::writeOnly());
    set_attributes(f, gang);
    write_body(f);
    return f;
}

/* May the access become a branch of each lane? */
static bool may_branch(kernel &k, const FixedVectorType *type)
{
    enum { MANY = 2048 }; /* branches of a gang's loops, of which a compiler's
                           * time rises with the square */
    if (!k.is_in_loop || k.branches_in_loops >= MANY)
        return false;
    k.branches_in_loops += type->getNumElements();
    return true;
}

/* Are all lanes active, has the processor an instruction, or is the access in a
 * loop? */
static bool needs_no_call(kernel &k, const Type *type, const Value *mask,
                          bool has_instruction)
{
    const unsigned bits = type->getScalarSizeInBits();
    auto *constant = dyn_cast<Constant>(mask);
    return (constant && constant->isAllOnesValue())
           || (has_instruction && (bits == 32 || bits == 64 || !bits))
           || may_branch(k, cast<FixedVectorType>(type));
}

/* Does each element lie in one aligned word of 4 bytes? */
static bool lies_in_word(const Type *type, Align align)
{
    const unsigned bits = type->getScalarSizeInBits();
    return bits == 8 || (bits == 16 && align >= Align(2));
}

/* Load the words that the elements lie in.  The sanitizers are not asked: the
 * rest of a word may be outside of an array. */
static Value *gather_from_words(IRBuilderBase &b, Type *type, Value *pointers,
                                Value *mask)
{
    const unsigned lanes = cast<FixedVectorType>(type)->getNumElements();
    Type *words = FixedVectorType::get(b.getInt32Ty(), lanes);
    Type *addresses = FixedVectorType::get(b.getInt64Ty(), lanes);
    Value *in_word = ConstantInt::get(addresses, WORD - 1);
    Value *aligned = b.CreateIntrinsic(
        Intrinsic::ptrmask, { pointers->getType(), addresses },
        { pointers, b.CreateNot(in_word) });
    CallInst *all = b.CreateMaskedGather(words, aligned, Align(WORD), mask);
    all->setMetadata(LLVMContext::MD_nosanitize,
                     MDNode::get(b.getContext(), {}));
    Value *byte = b.CreateAnd(b.CreatePtrToInt(pointers, addresses), in_word);
    Value *bits = b.CreateShl(b.CreateTrunc(byte, words), 3);
    return b.CreateBitCast(
        b.CreateTrunc(b.CreateLShr(all, bits),
                      FixedVectorType::get(
                          b.getIntNTy(type->getScalarSizeInBits()), lanes)),
        type);
}

static Value *bits_of(IRBuilderBase &b, Value *mask)
{
    return b.CreateBitCast(
        mask, b.getIntNTy(cast<FixedVectorType>(mask->getType())
                              ->getNumElements()));
}

/* A call of such a function.
 *  @param stored  vectors to store; empty: the function loads */
static Value *call_access(IRBuilderBase &b, const char *name, Type *type,
                          Type *result, ArrayRef<Value *> stored,
                          Value *pointers, Value *mask)
{
    SmallVector<Value *, QUAD + 2> arguments(stored);
    SmallVector<Type *, QUAD + 2> types;
    arguments.push_back(pointers);
    arguments.push_back(bits_of(b, mask));
    for (Value *argument : arguments)
        types.push_back(argument->getType());
    Function *f = find_access(b.GetInsertBlock()->getParent(), name, type,
                              FunctionType::get(result, types, false));
    CallInst *call = b.CreateCall(f, arguments);
    call->setCallingConv(f->getCallingConv());
    return call;
}

Value *gather(IRBuilderBase &b, kernel &k, Type *type, Value *pointers,
              Align align, Value *mask)
{
    if (k.has_gather && lies_in_word(type, align))
        return gather_from_words(b, type, pointers, mask);
    return needs_no_call(k, type, mask, k.has_gather)
               ? (Value *)b.CreateMaskedGather(type, pointers, align, mask)
               : call_access(b, "gather", type, type, {}, pointers, mask);
}

Value *scatter(IRBuilderBase &b, kernel &k, Value *values,
               Value *pointers, Align align, Value *mask)
{
    Type *type = values->getType();
    return needs_no_call(k, type, mask, k.has_scatter)
               ? (Value *)b.CreateMaskedScatter(values, pointers, align, mask)
               : call_access(b, "scatter", type, b.getVoidTy(), { values },
                             pointers, mask);
}

rows gather_quad(IRBuilderBase &b, kernel &k, Type *type,
                 Value *pointers, Align align, Value *mask)
{
    rows result;
    if (needs_no_call(k, type, mask, k.has_gather)) {
        for (unsigned n = 0; n < QUAD; n++)
            result.push_back(b.CreateMaskedGather(
                type, words_at(b, pointers, n), align, mask));
        return result;
    }
    Value *all = call_access(b, "gather_quad", type,
                             StructType::get(type, type, type, type), {},
                             pointers, mask);
    for (unsigned n = 0; n < QUAD; n++)
        result.push_back(b.CreateExtractValue(all, n));
    return result;
}

void scatter_quad(IRBuilderBase &b, kernel &k, ArrayRef<Value *> values,
                  Value *pointers, Align align, Value *mask)
{
    Type *type = values[0]->getType();
    if (!needs_no_call(k, type, mask, k.has_scatter)) {
        call_access(b, "scatter_quad", type, b.getVoidTy(), values, pointers,
                    mask);
        return;
    }
    for (unsigned n = 0; n < QUAD; n++)
        b.CreateMaskedScatter(values[n], words_at(b, pointers, n), align,
                              mask);
}

} // namespace vectors
