# SPDX-License-Identifier: MIT
# Warpbook's commands; common/rules.mk says how the parts are built.
# SAN=1: under ASan and UBSan, in build/san.  V=1: show each command.
$(if $(V),,.SILENT:)
.SECONDEXPANSION:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory \
             $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc))
SG     := common/softgpu
BUILD  ?= build
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
B      := $(BUILD)$(if $(SAN),/san)

include common/rules.mk

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
	BUILD=$(B) ATTACK_PART=all ATTACK_REPEAT=$(REPEAT) ATTACK_TIER=$(TIER) \
	  $(B)/tests/grader/tests/attack/attack_test
grade: build ## grade your file: make grade LAB=01 [FROM=solutions]
	$(if $(LAB),,$(error which lab? Say make grade LAB=01, or another number))
	# a grade below full marks (1, or 3 without a program) is no error of make
	$(B)/warpbook grade $(LAB) $(if $(FROM),--from $(FROM)) || \
	  case $$? in 1 | 3) ;; *) exit 2; esac
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
.PHONY: deb dist results help build run test tests attack-test grade prove \
        doctor picture train bench docs gpu-report install uninstall clean
