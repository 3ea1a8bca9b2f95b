# SPDX-License-Identifier: MIT
# How the parts are built; the Makefile, which includes this, has the commands.
# Sources are found by wildcards: a new .c file in a folder below is built, and
# a new tests/*.c file is a test program that runs.
# Lines in its messages need no more than -g1, a sixth of the compile time less;
# only the software GPU and what draws random inputs are worth more than -O0.
# gcc tells sources by this macro that it sanitizes them; clang does not.  Its
# sanitizer in the program itself would be program code, where a signal may
# stop a thread: a shared library is not, and is gcc's default.
ASAN   := -g1 -fsanitize=address,undefined -fno-omit-frame-pointer \
          $(if $(findstring clang,$(CC)),\
            -D__SANITIZE_ADDRESS__=1 -shared-libasan \
            -Wno-unused-command-line-argument -Xlinker -rpath=$(dir $(shell \
              $(CC) -print-file-name=libclang_rt.asan-$(shell uname -m).so)))
SAN_O   = $(if $(filter $(SG)/% common/base/%,$<),-O1,-O0)
# Test programs run once: to optimize them takes longer than it saves.
TESTS_O = $(if $(findstring /tests/,$<),-O0 -g1)
# gcc alone sees a defect in each snprintf() that may cut its text.
QUIET  := $(if $(findstring clang,$(CC)),,-Wno-format-truncation)
ALL     = -std=c11 -D_GNU_SOURCE= -Wall -Wextra -MMD -MP -pthread -fno-plt \
          -Werror=implicit-function-declaration -I. -Icommon/include \
          -I$(SG)/include $(QUIET) $(CFLAGS) \
          $(if $(SAN),$(SAN_O) $(ASAN)) $(TESTS_O)
# The runtime's own code section, where a signal never stops it.
OWN    := .text=softgpu_text,alloc,load,readonly,code,contents
LIBS   := -Wl,--as-needed -lcunit -ljansson -linih -lpng -ljpeg -lz -larchive \
          -lyaml -lmd -lseccomp -lpthread -lm

# --- what there is: the sources of each library, by its name ------------------
objects  = $(patsubst %,$(B)/obj/%.o,$(1))
within   = $(wildcard $(foreach folder,$(2),$(1)/$(folder)/*.c))
softcc  := $(call within,$(SG),softcc softcc/support softcc/compiler \
             softcc/rewriter)
softgpu := $(call within,$(SG),core host cards texture driver blas dnn fft \
             nvml rand rtc sparse solver) \
           $(wildcard $(SG)/core/*$(shell uname -m).S)
softgpu_watch := $(call within,$(SG),instrument watch profile)
base    := $(call within,common,base)
trainer := $(call within,common,data net train)
grader  := $(filter-out $(addprefix grader/,runner/% tests/% mutants/% bench/% \
             calls/main.c boxed/%),\
             $(sort $(shell find grader -name '*.c')))
testing := $(sort $(shell find common grader -path '*/tests/*.c' \
             ! -path '*/programs/*'))
# Both ends of each lab's calls are written by lab-calls from its settings.
LAB_INI := $(wildcard grader/labs/*.ini)
CALLS   := $(patsubst grader/labs/%.ini,$(B)/calls/%_stub.c,$(LAB_INI))
# What runs in the grader's boxes.
BOXED   := $(patsubst grader/boxed/%.c,$(B)/lib/%,$(wildcard grader/boxed/*.c))
# The vector engine of softcc, a pass of clang 19, where LLVM's headers are.
LLVM    := /usr/lib/llvm-19
VECTORS := $(if $(SAN),,$(if $(wildcard $(LLVM)/include/llvm/Passes),\
             $(B)/lib/softcc-vectors.so))
PROGRAM := $(shell grep -l '^int main\b' $(softcc) $(grader) $(trainer) \
             $(testing))
TESTS   := $(patsubst %.c,$(B)/tests/%,$(filter $(testing),$(PROGRAM)))
BINS    := $(addprefix $(B)/,softcc warpbook train) $(BOXED)
# The runtime as our own programs have it; RUNTIME is what softcc links.
OWN_A   := $(patsubst %,$(B)/obj/lib%.a,softgpu_watch softgpu)
ARCHIVE := $(patsubst %,$(B)/lib/lib%.a,testing grader softcc trainer) \
           $(OWN_A) $(B)/lib/libbase.a
RUNTIME := $(patsubst %,$(B)/lib/lib%.a,softgpu softgpu_watch)

# The fuzzed device process is a runner's, linked as a runner is.
FUZZED := $(filter-out %/remote_libraries.c,\
            $(wildcard grader/runner/soft/*.c)) \
          $(patsubst %,grader/runner/%.c,device no_library_status arrays resources \
            handle_wrappers memcpy_wrappers launch_wrappers_soft digest_soft \
            call_site_soft)

# A first build takes minutes: every 25th file says how far it is.
MISSING := $(call objects,$(softcc) $(softgpu) $(softgpu_watch) $(base) \
             $(trainer) $(grader) $(CALLS) $(wildcard grader/calls/*.c grader/boxed/*.c) \
             $(if $(VECTORS),$(wildcard $(SG)/vectors/*.cpp)) \
             $(if $(filter tests,$(MAKECMDGOALS)),$(testing) $(FUZZED),\
               $(filter-out $(PROGRAM),$(testing))))
MISSING := $(filter-out $(wildcard $(MISSING)),$(sort $(MISSING)))
tell     = $(if $(word 25,$(MISSING)),$(eval COUNT += x)\
             $(if $(filter 1 %00 %25 %50 %75,$(words $(COUNT))),\
               echo "cc $(words $(COUNT)) of $(words $(MISSING)) files" &&))

# --- rules -------------------------------------------------------------------
members = $(call objects,$(filter-out $(PROGRAM),$($(patsubst lib%,%,$(notdir $(1))))))
$(ARCHIVE): $(B)/%.a: $$(call members,$$*)
	mkdir -p $(@D) && rm -f $@ && ar rcs $@ $^ && echo "ar $@"
# A program may use any name that CUDA leaves free, such as fftw_execute: the
# runtime's other names get its prefix.
CUDA_NAMES := ^(softgpu|cu(da|[A-Z]|blas|dnn|fft|rand|solver|sparse)|nv|__|_Z)
BUILTINS   := ^((block|grid|thread)(Dim|Idx)|clock)$$
$(B)/obj/own_names: $(OWN_A) $(B)/lib/libbase.a common/rules.mk
	nm -g --defined-only $(filter %.a,$^) | awk 'NF == 3 { print $$3 }' | sort -u | \
	  grep -vE '$(CUDA_NAMES)|$(BUILTINS)' | sed 's/.*/& softgpu_own_&/' >$@
$(B)/lib/libsoftgpu.a: $(call members,libsoftgpu)
$(B)/lib/libsoftgpu_watch.a: $(call members,libsoftgpu_watch) \
                             $(call members,libbase)
$(RUNTIME): $(B)/obj/own_names
	rm -f $@ && ar rcs $@ $(filter %.o,$^) && \
	  objcopy --redefine-syms=$(B)/obj/own_names $@ && echo "ar $@"
$(B)/lib/libgrader.a: $(call objects,$(CALLS))
# Nothing of the grader: the package of softcc is built without it.
SOFTCC := $(B)/lib/libsoftcc.a $(B)/obj/libsoftgpu.a $(B)/lib/libbase.a
$(B)/softcc:   $(call objects,$(filter $(PROGRAM),$(softcc))) $(SOFTCC)
$(B)/softcc:   private ARCHIVE := $(SOFTCC)
$(B)/warpbook: $(call objects,$(filter $(PROGRAM),$(grader))) $(ARCHIVE)
# Hidden tests are loaded at run time: what they call is exported.
$(B)/warpbook: private LDFLAGS += -Wl,--dynamic-list=$(B)/exports
$(B)/warpbook: $(B)/exports
$(B)/exports: $(LAB_INI)
	mkdir -p $(@D) && \
	{ echo '{ suite_*; call_*; expect_*; random_*; hypothesis_*;' && \
	  sed -n 's/^\[function \(.*\)\]/\1;/p' $^ && echo '};'; } >$@
$(B)/train:    $(call objects,$(filter $(PROGRAM),$(trainer))) $(ARCHIVE) \
                 | $(B)/softcc
$(BOXED): $(B)/lib/%: $(B)/obj/grader/boxed/%.c.o $(ARCHIVE)
$(TESTS): $(B)/tests/%: $(B)/obj/%.c.o $(ARCHIVE) | $(BINS)
$(B)/tests/grader/tests/fuzz_test: $(call objects,$(FUZZED)) $(B)/wraps
$(B)/tests/grader/tests/fuzz_test: private LDFLAGS += @$(B)/wraps
$(B)/tests/grader/tests/choices_test: \
  $(call objects,grader/runner/soft/choices.c)
$(B)/wraps: grader/runner/soft/remote_runtime.def.h common/rules.mk
	mkdir -p $(@D) && \
	printf 'R(%s)\n' softgpu_max_potential_block getenv | cat $< - | \
	  sed -n 's/^[RC](\([A-Za-z0-9_]*\).*/-Wl,--wrap=\1/p' >$@
$(BINS) $(TESTS): | $(RUNTIME)
	mkdir -p $(@D) && echo "cc $@"
	$(CC) $(ALL) -o $@ $(filter %.o,$^) $(ARCHIVE) $(LIBS) $(LDFLAGS)
# A switch over kinds of layers must name each kind, with a default or without.
$(B)/obj/common/net/% $(B)/obj/common/train/%: ALL += -Wswitch-enum
$(B)/obj/%.o: % | $(BUILD)/setup.stamp
	$(tell) mkdir -p $(@D) && $(CC) $(ALL) -c -o $@ $<
	$(if $(filter $(softgpu) $(softgpu_watch) $(base),$<),\
	  objcopy --rename-section $(OWN) $@)
$(B)/lib/softcc-vectors.so: $(call objects,$(wildcard $(SG)/vectors/*.cpp))
	mkdir -p $(@D) && $(LLVM)/bin/clang++ -shared -o $@ $^ -L$(LLVM)/lib -lLLVM
LLVMCXX = $(LLVM)/bin/clang++ -std=c++17 -O1 -fPIC -fno-rtti -fno-exceptions \
          -Wall -Wextra -MMD -MP -MT $@ -MF $(basename $@).d \
          -isystem $(LLVM)/include -I.
# LLVM's headers, parsed once, and the templates they use instantiated once.
WIDENER := $(B)/obj/$(SG)/vectors/widener.h.pch
$(WIDENER): $(SG)/vectors/widener.h $(LLVM)/include/llvm/Config/llvm-config.h
	mkdir -p $(@D) && $(LLVMCXX) -fpch-instantiate-templates \
	  -x c++-header -o $@ $<
$(B)/obj/$(SG)/vectors/%.cpp.o: $(SG)/vectors/%.cpp $(WIDENER)
	$(LLVMCXX) -include-pch $(WIDENER) -c -o $@ $<
# What CMake takes for a CUDA Toolkit.
$(B)/lib/cuda: $(SG)/packaging/toolkit
	$< $@ $(B)/softcc $(SG)/include $(B)/lib/libsoftgpu.a
$(B)/lab-calls: $(call objects,$(wildcard grader/calls/*.c))
	$(CC) $(ALL) -o $@ $^ -linih $(LDFLAGS)
$(CALLS): $(B)/calls/%_stub.c: grader/labs/%.ini $(B)/lab-calls
	mkdir -p $(@D) && $(B)/lab-calls $* $< $@ $(B)/calls/$*_thunk.c
# For editors: clangd, and all that read its list of compile commands.
compile_commands.json: grader/setup/editor \
    $(wildcard labs/* solutions/* common/* grader/*)
	grader/setup/editor
$(BUILD)/setup.stamp: grader/setup/install.sh
	grader/setup/install.sh student && mkdir -p $(@D) && touch $@
-include $(shell find $(B)/obj -name "*.d" 2>/dev/null)
