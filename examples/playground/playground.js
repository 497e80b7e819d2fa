'use strict';
const $ = id => document.getElementById(id);
const put = (parent, tag, attributes = {}, ...children) => {
    const svg = parent instanceof SVGElement;
    const e = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
        e.setAttribute(name, value);
    e.append(...children);
    parent.append(e);
    return e;
};
const clear = e => (e.replaceChildren(), e);
const note = text => { $('engine-note').textContent = text; };

// ---- the engine: in a Worker where there are some, with vectors where there are some ----
// The module with vectors is packed: who has them can unpack it.

// the smallest module with a vector in it: () -> v128, of an i32.const 0 in each lane
const has_vectors = () => self.DecompressionStream && WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2,
    1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]));
const bytes_of = id => Uint8Array.from(atob($(id).textContent), c => c.charCodeAt(0));
const unpacked = bytes => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();

let ask_engine = () => {};
const start = async () => {
    if (!self.WebAssembly)
        return note('This browser has no WebAssembly: nothing here can run.');
    const vectors = has_vectors();
    if (!vectors) // the plain kernels stand behind this script
        await new Promise(go => document.addEventListener('DOMContentLoaded', go));
    const bytes = vectors ? await unpacked(bytes_of('simd')) : bytes_of('plain'), source = $('engine').textContent;
    const said = vectors ? '' : 'This browser has no WebAssembly vectors (SIMD): the plain kernels run, which take longer. ';
    const in_page = async () => {
        note(said + 'This browser runs no Worker for this page: training shares its thread with what you see.');
        const receive = await new Function(source + '; return engine;')()(bytes, receive_answer);
        ask_engine = message => setTimeout(receive, 0, message);
        begin();
    };
    try {
        const boot = source + ';let receive; onmessage = e => receive ? receive(e.data) : receive === undefined ' +
            '&& (receive = null, engine(e.data, postMessage.bind(self)).then(f => { receive = f; postMessage({begin: true}); },' +
            ' e => postMessage({error: String(e.message)})));';
        const worker = new Worker(URL.createObjectURL(new Blob([boot], { type: 'text/javascript' })));
        worker.onmessage = e => e.data.begin ? begin() : receive_answer(e.data);
        worker.onerror = e => { e.preventDefault(); worker.terminate(); in_page(); };
        ask_engine = message => worker.postMessage(message);
        worker.postMessage(bytes);
        note(said);
    } catch {
        await in_page();
    }
};

const receive_answer = a => {
    if (a.error)
        return $('status').textContent = `stopped: ${a.error}`;
    if (a.ready)
        words = a.words, operations = a.operations;
    if (a.loss !== undefined)
        show_progress(a);
    if (a.map)
        show_map(a);
    if (a.check)
        show_check(a);
};

// ---- 1. training ----

let words = [], operations = [], losses = [], running = true, seed = 2;

// Four facts and four questions, as training draws them; the last answer is not told.
const new_sentence = () => {
    const shuffled = from => Array.from({ length: 8 }, (_, i) => from + i).sort(() => Math.random() - .5);
    const names = shuffled(0), foods = shuffled(8), told = [0, 1, 2, 3].flatMap(i => [names[i], foods[i]]);
    const asked = Array.from({ length: 4 }, () => Math.floor(4 * Math.random())).flatMap(i => [names[i], foods[i]]);
    return [...told, ...asked].slice(0, 15);
};

// The words of a text, or what is wrong with it.
const parse = text => {
    const all = text.trim().split(/\s+/).filter(w => w);
    const ids = all.map(w => words.findIndex(k => k.toLowerCase() === w.toLowerCase()));
    const unknown = all.filter((_, i) => ids[i] < 0);
    if (!all.length)
        return { problem: `Write words of these: ${words.join(' ')}.` };
    if (unknown.length)
        return { problem: `It has never seen "${unknown[0]}". It knows ${words.join(' ')}.` };
    if (all.length > 15)
        return { problem: `${all.length} words; it takes 15 at most.` };
    return { ids };
};

const ask = () => {
    const { ids, problem } = parse($('sentence').value);
    $('ask-note').textContent = problem || 'Four facts (a name, a food), then names it was told of.';
    if (ids)
        ask_engine({ ask: ids });
};

// What follows the last word by what the sentence told before, or nothing.
const told = (ids, at) => ids.slice(0, at).findIndex((w, i) => w === ids[at] && i % 2 === 0 && ids[i + 1] >= 8);

let shown = '', cells = [], row_notes = [];
const lay_out = sentence => {
    const table = clear($('map')), head = put(put(table, 'thead'), 'tr'), body = put(table, 'tbody');
    put(head, 'td');
    sentence.forEach(w => put(put(head, 'th', { scope: 'col' }), 'span', {}, words[w]));
    put(head, 'td');
    cells = [], row_notes = [];
    sentence.forEach((w, i) => {
        const row = put(body, 'tr', told(sentence, i) >= 0 && w < 8 ? { class: 'asked' } : {});
        put(row, 'th', { scope: 'row' }, words[w]);
        sentence.forEach(() => cells.push(put(row, 'td')));
        row_notes.push(put(row, 'td', { class: 'said' }));
    });
    shown = sentence.join();
};

const show_map = ({ map, chances, sentence, step }) => {
    if (shown !== sentence.join())
        lay_out(sentence);
    map.forEach((m, i) => {
        cells[i].style.background = `color-mix(in srgb, var(--first) ${Math.round(100 * m)}%, transparent)`;
    });
    sentence.forEach((w, i) => {
        const from = told(sentence, i), p = chances.slice(16 * i, 16 * i + 16), best = p.indexOf(Math.max(...p));
        row_notes[i].textContent = w < 8 && from >= 0
            ? `${words[best]} ${Math.round(100 * p[best])}% ${best === sentence[from + 1] ? '✓' : '✗'}` : '';
    });
    const n = sentence.length, p = chances.slice(16 * (n - 1), 16 * n);
    const order = p.map((_, k) => k).sort((a, b) => p[b] - p[a]).slice(0, 4);
    const at = map.slice(n * (n - 1)), most = at.indexOf(Math.max(...at));
    clear($('answer')).append(`After ${step} steps, what follows “${words[sentence[n - 1]]}”: ` +
        order.map(k => `${words[k]} ${(100 * p[k]).toFixed(1)}%`).join(', ') +
        `. It looks most at word ${most + 1}, “${words[sentence[most]]}” (${Math.round(100 * at[most])}%).`);
};

const line = (svg, points, name) => put(svg, 'polyline', { points: points.map(p => p.map(x => x.toFixed(1)).join()).join(' '),
    class: name });
const show_loss = () => {
    const svg = clear($('loss')), x = s => 34 + s * 318 / 400, y = l => 165 - Math.min(l, 3) * 150 / 3;
    put(svg, 'path', { class: 'axis', d: 'M34 10V165H355' });
    [0, 1, 2, 3].forEach(l => put(svg, 'text', { x: 22, y: y(l) + 4, 'text-anchor': 'end' }, l));
    [0, 100, 200, 300, 400].forEach(s => put(svg, 'text', { x: x(s), y: 180, 'text-anchor': s === 400 ? 'end' : 'middle' }, s));
    put(svg, 'path', { class: 'guess', d: `M34 ${y(Math.log(4))}H355` });
    put(svg, 'text', { x: 38, y: y(Math.log(4)) + 13 }, 'guessing among the four told: ln 4');
    line(svg, losses.map(([s, l]) => [x(s), y(l)]), 'first');
};
const show_progress = ({ step, loss, milliseconds, done }) => {
    losses.push([step, loss]);
    $('status').textContent = `step ${step}/400, loss ${loss.toFixed(4)}, ${milliseconds.toFixed(1)} ms a step${done ? ', done' : ''}`;
    if (done)
        $('run').disabled = true;
    show_loss();
};

const set_pace = () => ask_engine({ pace: $('pace').value.split(',').map(Number) });
const begin_again = () => {
    losses = [], running = true;
    $('run').disabled = false, $('run').textContent = 'Pause';
    show_loss();
    ask_engine({ run: false, begin: seed++ });
    ask_engine({ run: true });
};
const begin = () => {
    $('sentence').value = new_sentence().map(w => words[w]).join(' ');
    operations.forEach((o, i) => put($('operation'), 'option', { value: i }, o.name));
    set_pace();
    ask();
    begin_again();
    choose_operation(true);
};
$('run').onclick = () => {
    running = !running;
    $('run').textContent = running ? 'Pause' : 'Go on';
    ask_engine({ run: running });
};
$('again').onclick = begin_again;
$('pace').onchange = set_pace;
$('ask').onsubmit = e => { e.preventDefault(); ask(); };
$('another').onclick = () => { $('sentence').value = new_sentence().map(w => words[w]).join(' '); ask(); };

// ---- 2. the gradient check ----

let draw = 1;
const check = () => ask_engine({ check: [Number($('operation').value), Number($('mistake').value), draw] });
const choose_operation = first => {
    const o = operations[Number($('operation').value)], before = $('mistake').value;
    clear($('mistake'));
    for (const [value, name] of Object.entries(o.mistakes))
        put($('mistake'), 'option', { value }, name);
    $('mistake').value = first ? '1' : before in o.mistakes ? before : '0';
    $('formula').textContent = `${o.formula}. Its gradient: ${o.gradient}.`;
    check();
};
$('operation').onchange = () => choose_operation(false);
$('mistake').onchange = check;
$('draw').onclick = () => { draw++; check(); };

const digits = x => x === null ? '' : x === 0 ? '0' : Math.abs(x) < 1e-3 || Math.abs(x) >= 1e4 ? x.toExponential(2) : x.toPrecision(6);
const fill = (id, caption, heads, rows) => {
    const table = clear($(id));
    put(table, 'caption', {}, caption);
    const head = put(put(table, 'thead'), 'tr'), body = put(table, 'tbody');
    heads.forEach(h => put(head, 'th', { scope: 'col' }, h));
    rows.forEach(({ cells, wrong }) => {
        const row = put(body, 'tr');
        cells.forEach((c, i) => put(row, i ? 'td' : 'th', i ? (wrong && i === cells.length - 1 ? { class: 'wrong' } : {})
            : { scope: 'row' }, c));
    });
};

const show_path = ({ f, integral }) => {
    const svg = clear($('path')), low = Math.min(...f, ...integral), high = Math.max(...f, ...integral), n = f.length - 1;
    const x = k => 44 + k * 300 / n, y = v => 175 - (v - low) * 155 / (high - low || 1), residual = f[n] - integral[n];
    put(svg, 'path', { class: 'axis', d: `M44 15V180H350M44 ${y(0).toFixed(1)}H350` });
    put(svg, 'text', { x: 40, y: y(0) + 4, 'text-anchor': 'end' }, '0');
    put(svg, 'text', { x: 44, y: 196 }, 'a, where it is');
    put(svg, 'text', { x: 350, y: 196, 'text-anchor': 'end' }, 'b');
    line(svg, f.map((v, k) => [x(k), y(v)]), 'first');
    line(svg, integral.map((v, k) => [x(k), y(v)]), 'second');
    const apart = Math.abs(residual) > 1e-6 * (high - low || 1);
    if (apart)
        put(svg, 'path', { class: 'residual', d: `M${x(n) + 4} ${y(f[n])}V${y(integral[n])}` });
    put(svg, 'text', { x: 60, y: 12, class: 'name-first' }, 'f, less its start');
    put(svg, 'text', { x: 170, y: 12, class: 'name-second' }, 'integral of ⟨g, dx⟩ so far');
    $('path-note').textContent = `At b: f(b) − f(a) = ${digits(f[n])}, the integral ${digits(integral[n])}: ` +
        `residual ${digits(residual)}. ` + (apart ? 'They part: g is not the gradient of f.'
            : 'The lines are one: f moves as g says it does.');
};

const show_check = a => {
    const r = a.check, wrong = r.verdict === 'wrong', place = (leaf, at) => `${leaf}[${at}]`;
    $('verdict').className = wrong ? 'wrong' : '';
    $('verdict').textContent = `${r.summary}${r.diagnosis ? '; ' + r.diagnosis : ''}.`;
    fill('table', 'analytic: backward; numeric: central differences in float64, with their error bar',
        ['element', 'analytic', 'numeric', '±', 'verdict'],
        r.rows.map(w => ({ cells: [place(w.leaf, w.element), digits(w.analytic), digits(w.numeric), digits(w.error),
            w.verdict], wrong: w.verdict === 'wrong' })));
    fill('lines', 'residual = f(b) − f(a) − integral; a verdict of wrong needs it beyond the noise, which is measured',
        ['path', 'f(b) − f(a)', 'integral', 'residual', 'noise', 'verdict'],
        r.lines.flatMap(l => l.pieces.map(p => ({ cells: [`${l.path}, ${digits(p.a)} to ${digits(p.b)}`,
            digits(p.f_b - p.f_a), digits(p.integral), digits(p.residual), digits(p.noise), l.verdict],
            wrong: l.verdict === 'wrong' }))));
    show_path(a);
};

start();
