// Runs a WebAssembly program of WASI in node: node wasi.mjs PROGRAM [ARGUMENT...]. The status is the program's, 134 when it
// trapped. tests/portability/wasi.h says what tests.run is for.
import { readFileSync } from 'node:fs';

process.removeAllListeners('warning').on('warning', () => {}); // that WASI is experimental
const { WASI } = await import('node:wasi');
const args = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(args[0]));

function run(number) {
    const env = number === undefined ? process.env : { ...process.env, TEST_NUMBER: String(number) };
    const wasi = new WASI({ version: 'preview1', args, env, preopens: { '.': '.' }, returnOnExit: true });
    try {
        return wasi.start(new WebAssembly.Instance(module, { ...wasi.getImportObject(), tests: { run } }));
    } catch (trap) {
        console.error(`${args[0]}: ${trap.message}`);
        return 134;
    }
}

process.exit(run());
