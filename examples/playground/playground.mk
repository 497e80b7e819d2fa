# The library as WebAssembly, and a page that runs it.

FOR_wasm32 = -no-pthread -fno-PIC -Wno-conversion
