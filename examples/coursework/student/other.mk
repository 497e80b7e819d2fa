# For a make that is not GNU's: GNUmakefile is what GNU make reads.
grade look pages hint predict line xor recall text clean:
	@echo "this needs GNU make: gmake $@ (on a BSD, pkg install gmake; on Windows, make in WSL)" >&2
	@exit 2
