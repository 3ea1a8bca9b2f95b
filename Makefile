# SPDX-License-Identifier: MIT
# Warpbook's commands.  Sources are found by wildcards: a new .c file in a
# folder below is built, a new tests/*.c file is a test program that runs.
# SAN=1: under ASan and UBSan, in build/san.  V=1: show each command.
$(if $(V),,.SILENT:)
.SECONDEXPANSION:
MAKEFLAGS += --no-print-directory $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc))
SG     := common/softgpu
BUILD  ?= build
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
B      := $(BUILD)$(if $(SAN),/san)
# gcc tells sources by this macro that it sanitizes them; clang does not.
ASAN   := -O1 -fsanitize=address,undefined -fno-omit-frame-pointer \
          $(if $(findstring clang,$(CC)),-D__SANITIZE_ADDRESS__=1)
# gcc alone sees a defect in each snprintf() that may cut its text.
QUIET  := $(if $(findstring clang,$(CC)),,-Wno-format-truncation)
ALL    := -std=c11 -D_GNU_SOURCE= -Wall -Wextra -MMD -MP -pthread -fno-plt \
          -I. -Icommon/include -I$(SG)/include $(QUIET) $(CFLAGS) $(if $(SAN),$(ASAN))
# The runtime's own code section, where a signal never stops it.
OWN    := .text=softgpu_text,alloc,load,readonly,code,contents
LIBS   := -Wl,--as-needed -lcunit -ljansson -linih -lpng -ljpeg -lz -larchive -lyaml \
          -lmd -lseccomp -lpthread -lm

# --- what there is: the sources of each library, by its name ------------------
objects  = $(patsubst %,$(B)/obj/%.o,$(1))
within   = $(wildcard $(foreach folder,$(2),$(1)/$(folder)/*.c))
softcc  := $(call within,$(SG),softcc softcc/support softcc/compiler softcc/rewriter)
softgpu := $(call within,$(SG),core host cards texture driver blas dnn fft nvml rand rtc sparse solver) \
           $(wildcard $(SG)/core/*$(shell uname -m).S)
softgpu_watch := $(call within,$(SG),instrument watch profile)
base    := $(call within,common,base)
trainer := $(call within,common,data net train)
grader  := $(filter-out $(addprefix grader/,runner/% tests/% mutants/% bench/% calls/main.c \
             boxed/%),\
             $(sort $(shell find grader -name '*.c')))
testing := $(sort $(shell find common grader -path '*/tests/*.c' ! -path '*/programs/*'))
# Both ends of each lab's calls are written by lab-calls from its settings.
CALLS   := $(patsubst grader/labs/%.ini,$(B)/calls/%_stub.c,$(wildcard grader/labs/*.ini))
# What runs in the grader's boxes.
BOXED   := $(patsubst grader/boxed/%.c,$(B)/lib/%,$(wildcard grader/boxed/*.c))
# The vector engine of softcc, a pass of clang 19: built where LLVM's headers are.
LLVM    := /usr/lib/llvm-19
VECTORS := $(if $(SAN),,$(if $(wildcard $(LLVM)/include/llvm/Passes),\
             $(B)/lib/softcc-vectors.so))
PROGRAM := $(shell grep -l '^int main\b' $(softcc) $(grader) $(trainer) $(testing))
TESTS   := $(patsubst %.c,$(B)/tests/%,$(filter $(testing),$(PROGRAM)))
BINS    := $(addprefix $(B)/,softcc warpbook train) $(BOXED)
ARCHIVE := $(patsubst %,$(B)/lib/lib%.a,testing grader softcc trainer softgpu_watch softgpu base)

# A first build takes minutes: every 25th file says how far it is.
MISSING := $(call objects,$(softcc) $(softgpu) $(softgpu_watch) $(base) $(trainer) $(grader) \
             $(CALLS) $(wildcard grader/calls/*.c grader/boxed/*.c) \
             $(if $(filter tests,$(MAKECMDGOALS)),$(testing),$(filter-out $(PROGRAM),$(testing))))
MISSING := $(filter-out $(wildcard $(MISSING)),$(MISSING))
tell     = $(if $(word 25,$(MISSING)),$(eval COUNT += x)$(if $(filter 1 %00 %25 %50 %75,\
             $(words $(COUNT))),echo "cc $(words $(COUNT)) of $(words $(MISSING)) files" &&))

# --- commands ----------------------------------------------------------------
help: ## list these commands
	awk -F':.*## ' '/^[a-z-]+:.*##/ {printf "make %-10s %s\n", $$1, $$2}' Makefile
build: $(BINS) $(VECTORS) $(B)/lib/cuda compile_commands.json ## build everything for the devices found
run: build ## grade the reference of every lab, then train LeNet for an epoch
	$(B)/warpbook run && $(B)/train --epochs 1 --force --out $(B)/trained/first
test: ## build and run every test, plain and under sanitizers
	grader/setup/install.sh student test docs bench cluster vectors \
	  $(if $(findstring clang,$(CC)),compilers)
	.ci/run-tests --timed "plain build" $(MAKE) build tests
	.ci/run-tests --timed "sanitized build" $(MAKE) SAN=1 build tests
	# the tests compile with more sets of options than a user does
	SOFTCC_PRELUDE=40 .ci/run-tests $(BUILD) $(BUILD)/san
tests: $(TESTS)
attack-test: build ## grade the corpus of attacks: make attack-test [REPEAT=20] [TIER=B]
	$(MAKE) $(B)/tests/grader/tests/attack/attack_test
	BUILD=$(B) ATTACK_PART=all ATTACK_REPEAT=$(REPEAT) ATTACK_TIER=$(TIER) $(B)/tests/grader/tests/attack/attack_test
grade: build ## grade your file: make grade LAB=01 [FROM=solutions]
	# a grade below full marks is no error of make
	$(B)/warpbook grade $(LAB) $(if $(FROM),--from $(FROM)) || [ $$? -le 3 ]
prove: build ## prove every lab: handout, reference and each wrong kernel
doctor: build ## say what was found, and what each missing part switches off
prove doctor:
	$(B)/warpbook $@
picture: build ## blur real photographs: build/picture.png
	$(B)/warpbook picture 02 --from solutions --output $(BUILD)/picture.png
train: build ## train a network: make train NET=lenet
	$(B)/train --net $(or $(NET),lenet) --out $(B)/trained/$(or $(NET),lenet)
bench: build ## time the software GPU, and every step of the ladders
	grader/setup/install.sh bench && grader/bench/run $(B)
gpu-report: build ## on a card: check, count and time it all there
	grader/bench/gpu-report $(B)
results: ## publish what bench and gpu-report measured, in docs/results
	cp -R $(B)/results/. docs/results/
docs: build ## make the site: build/docs/html/index.html
	grader/setup/install.sh docs && docs/make-profiles $(B) $(B)/profiles
	docs/make-site $(BUILD)/docs $(B)/profiles
install: build ## install softcc, warpbook and train: make install PREFIX=DIR
uninstall: ## remove them again
install uninstall:
	grader/setup/files $@ $(B) $(PREFIX)
deb dist: build ## packages of softcc: build/softcc_*.deb, build/softcc-*.tar.gz
	$(SG)/packaging/pack $(if $(filter deb,$@),deb,tar) $(B)
clean: ## remove what was built
	rm -rf $(BUILD)

# --- rules -------------------------------------------------------------------
$(ARCHIVE): $(B)/lib/lib%.a: $$(call objects,$$(filter-out $$(PROGRAM),$$($$*)))
	mkdir -p $(@D) && rm -f $@ && ar rcs $@ $^ && echo "ar $@"
$(B)/lib/libgrader.a: $(call objects,$(CALLS))
# Nothing of the grader: the package of softcc is built without it.
SOFTCC := $(patsubst %,$(B)/lib/lib%.a,softcc softgpu base)
$(B)/softcc:   $(call objects,$(filter $(PROGRAM),$(softcc))) $(SOFTCC)
$(B)/softcc:   private ARCHIVE := $(SOFTCC)
$(B)/warpbook: $(call objects,$(filter $(PROGRAM),$(grader))) $(ARCHIVE)
# Hidden tests are loaded at run time: what they call is exported.
$(B)/warpbook: private LDFLAGS += -Wl,--dynamic-list=$(B)/exports
$(B)/warpbook: $(B)/exports
$(B)/exports: $(wildcard grader/labs/*.ini)
	mkdir -p $(@D) && { echo '{ suite_*; call_*; expect_*; random_*; hypothesis_*;' && \
	  sed -n 's/^\[function \(.*\)\]/\1;/p' $^ && echo '};'; } >$@
$(B)/train:    $(call objects,$(filter $(PROGRAM),$(trainer))) $(ARCHIVE) | $(B)/softcc
$(BOXED): $(B)/lib/%: $(B)/obj/grader/boxed/%.c.o $(ARCHIVE)
$(TESTS): $(B)/tests/%: $(B)/obj/%.c.o $(ARCHIVE) | $(BINS)
# The fuzzed device process is a runner's, linked as a runner is.
FUZZED := $(filter-out %/remote_libraries.c,$(wildcard grader/runner/soft/*.c)) \
          $(patsubst %,grader/runner/%.c,device arrays resources handle_wrappers \
            memcpy_wrappers launch_wrappers_soft digest_soft call_site_soft)
$(B)/tests/grader/tests/fuzz_test: $(call objects,$(FUZZED)) $(B)/wraps
$(B)/tests/grader/tests/fuzz_test: private LDFLAGS += @$(B)/wraps
$(B)/wraps: grader/runner/soft/remote_runtime.def.h Makefile
	mkdir -p $(@D) && printf 'R(%s)\n' softgpu_max_potential_block getenv | cat $< - | \
	  sed -n 's/^[RC](\([A-Za-z0-9_]*\).*/-Wl,--wrap=\1/p' >$@
$(BINS) $(TESTS):
	mkdir -p $(@D) && echo "cc $@"
	$(CC) $(ALL) -o $@ $(filter %.o,$^) $(ARCHIVE) $(LIBS) $(LDFLAGS)
# A switch over kinds of layers must name each kind, with a default or without.
$(B)/obj/common/net/% $(B)/obj/common/train/%: ALL += -Wswitch-enum
$(B)/obj/%.o: % | $(BUILD)/setup.stamp
	$(tell) mkdir -p $(@D) && $(CC) $(ALL) -c -o $@ $<
	$(if $(filter $(softgpu) $(softgpu_watch) $(base),$<),objcopy --rename-section $(OWN) $@)
$(B)/lib/softcc-vectors.so: $(call objects,$(wildcard $(SG)/vectors/*.cpp))
	mkdir -p $(@D) && $(LLVM)/bin/clang++ -shared -o $@ $^ -L$(LLVM)/lib -lLLVM
LLVMCXX = $(LLVM)/bin/clang++ -std=c++17 -O1 -fPIC -fno-rtti -MMD -MP -MT $@ -MF $(basename $@).d \
          -fno-exceptions -Wall -Wextra -isystem $(LLVM)/include -I.
# LLVM's headers, parsed once.
WIDENER := $(B)/obj/$(SG)/vectors/widener.h.pch
$(WIDENER): $(SG)/vectors/widener.h $(LLVM)/include/llvm/Config/llvm-config.h
	mkdir -p $(@D) && $(LLVMCXX) -x c++-header -o $@ $<
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
compile_commands.json: grader/setup/editor $(wildcard labs/* solutions/* common/* grader/*)
	grader/setup/editor
$(BUILD)/setup.stamp: grader/setup/install.sh
	grader/setup/install.sh student && mkdir -p $(@D) && touch $@
-include $(shell find $(B)/obj -name "*.d" 2>/dev/null)
.PHONY: deb dist results help build run test tests attack-test grade prove doctor picture train bench docs gpu-report install uninstall clean
