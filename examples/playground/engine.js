// The module, and what it is asked to do. Runs in a Worker, or in the page where there are none.
// engine(module bytes, send): returns the function that takes the page's messages; answers go to send.
'use strict';

// The calls of WASI that the library makes: a clock, and an end; there are no files and no environment.
const wasi = memory => {
    const numbers = () => new DataView(memory().buffer);
    return {
        environ_sizes_get: (count, size) => (numbers().setUint32(count, 0, true), numbers().setUint32(size, 0, true), 0),
        environ_get: () => 0,
        clock_time_get: (id, precision, at) => (
            numbers().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true), 0),
        fd_close: () => 8,
        fd_seek: () => 8,
        fd_write: () => 8, // no such file
        proc_exit: code => { throw new Error(`the module ended with status ${code}`); }
    };
};

const engine = async (bytes, send) => {
    let call;
    const { instance } = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: wasi(() => call.memory) });
    call = instance.exports;
    call._initialize();

    const text = at => {
        const all = new Uint8Array(call.memory.buffer);
        return new TextDecoder().decode(all.subarray(at, all.indexOf(0, at)));
    };
    const floats = (at, n) => Array.from(new Float32Array(call.memory.buffer, at, n));
    const doubles = (at, n) => Array.from(new Float64Array(call.memory.buffer, at, n));

    // ---- training: a slice of steps, then the page's messages, then the next slice ----

    let step = 0, last = 400, running = false, slice = 1, pause = 0, sentence = [], waiting = 0;

    const fail = () => { running = false; send({ error: text(call.training_error()) || 'the loss is not finite' }); };
    const look = () => {
        const n = sentence.length;
        new Int32Array(call.memory.buffer, call.training_words(), n).set(sentence);
        if (call.training_ask(n))
            return fail();
        send({ map: floats(call.training_map(), n * n), chances: floats(call.training_chances(), n * 16), sentence, step });
    };
    const train = () => {
        if (!running || step >= last)
            return;
        const begin = performance.now(), n = Math.min(slice, last - step), loss = call.training_steps(n);
        if (!Number.isFinite(loss))
            return fail();
        step += n;
        send({ step, loss, milliseconds: (performance.now() - begin) / n, done: step >= last });
        look();
        waiting = setTimeout(train, pause);
    };

    const actions = {
        begin: seed => { call.training_begin(seed) ? fail() : (step = 0, look()); },
        run: on => { running = on; clearTimeout(waiting); train(); },
        pace: ([steps, milliseconds]) => { slice = steps; pause = milliseconds; },
        ask: words => { sentence = words; if (words.length) look(); },
        check: ([operation, mistake, seed]) => {
            const begin = performance.now();
            const result = JSON.parse(text(call.mistakes_check(operation, mistake, seed))), n = call.mistakes_points();
            send({ check: result, f: doubles(call.mistakes_f(), n), integral: doubles(call.mistakes_integral(), n),
                   milliseconds: performance.now() - begin });
        }
    };
    send({ ready: true, words: text(call.training_vocabulary()).split(' '),
           operations: JSON.parse(text(call.mistakes_list())) });
    return message => {
        try {
            for (const [name, value] of Object.entries(message))
                actions[name](value);
        } catch (problem) {
            running = false;
            send({ error: String(problem.message || problem) });
        }
    };
};
