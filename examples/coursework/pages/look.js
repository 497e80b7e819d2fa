"use strict";
/* Draws the page of one run: the tape, forward and back; each operand's Jacobian, one's own beside the right one; and
 * of the first wrong element the terms that it is the sum of. */
const data = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");

/* ---- small tools ---- */

function element(tag, attributes, ...inside) {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(attributes || {}))
        if (v !== null && v !== false) e.setAttribute(k, v === true ? "" : v);
    e.append(...inside.filter(x => x !== null));
    return e;
}
function drawn(tag, attributes) {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    return e;
}
const number = x => typeof x === "string" ? { nan: NaN, inf: Infinity, "-inf": -Infinity }[x] : x;
const numbers = list => list && list.map(number);
const largest = list => Math.max(0, ...list.filter(Number.isFinite).map(Math.abs));
function text(x) {
    if (!Number.isFinite(x)) return Number.isNaN(x) ? "NaN" : x > 0 ? "inf" : "\u2212inf";
    if (x === 0) return "0";
    const size = Math.abs(x);
    const t = size >= 1e4 || size < 1e-3 ? x.toExponential(0) : String(Number(x.toPrecision(3)));
    return t.replace("-", "\u2212");
}
/* As the grader compares: to five digits of the largest. */
const near = (a, b, most) => Number.isFinite(a) && Math.abs(a - b) <= 1e-5 * (most + 0.02);
const differs = (a, b) => a.some((x, i) => !near(x, b[i], largest(b)));
function place(shape, k) {
    const at = [];
    for (let d = shape.length - 1; d >= 0; d--) {
        at.unshift(k % shape[d]);
        k = Math.floor(k / shape[d]);
    }
    return "[" + at.join(", ") + "]";
}
const times = n => n === 1 ? "1 place" : n + " places";

/* ---- arrays as tables ---- */

function shade(x, most) {
    if (!Number.isFinite(x) || !most) return "";
    const share = Math.round(55 * Math.min(1, Math.abs(x) / most));
    return `background: color-mix(in srgb, var(${x < 0 ? "--second" : "--first"}) ${share}%, transparent)`;
}
function matrix(caption, shape, values, other) {
    const columns = shape.length ? shape[shape.length - 1] : 1, most = largest(values), scale = other ? largest(other) : 0;
    const table = element("table", { class: "matrix" });
    for (let k = 0; k < values.length; k += columns) {
        const row = element("tr");
        for (let j = k; j < k + columns; j++) {
            const off = other && !near(values[j], other[j], scale);
            row.append(element("td", { style: shade(values[j], most), class: off ? "off" : null }, text(values[j])));
        }
        table.append(row);
    }
    return element("figure", {}, element("figcaption", {}, caption), table);
}
/* One table where both are the same, else two; given: what to say where the student's is not known. */
function arrays(name, shape, mine, right, given) {
    if (mine && right && differs(mine, right))
        return [matrix(`${name}: yours`, shape, mine, right), matrix(`${name}: right`, shape, right)];
    return [matrix(`${name}: ${mine ? "yours is right" : given}`, shape, right || mine)];
}

/* ---- the tape ---- */

/* What step k's gradient is made of, where the steps are numbers: {to, share}. */
function shares(steps, k) {
    const list = [];
    steps.forEach((y, to) => y.from.forEach((from, place) => {
        if (from !== k) return;
        const dy = y.right_grad[0], other = steps[y.from[1 - place]];
        const slope = y.made.includes("+") ? 1 : y.from.length === 2 ? other.right[0]
            : y.made.startsWith("sin") ? Math.cos(steps[k].right[0]) : 1 - y.right[0] ** 2;
        list.push({ to, share: dy * slope });
    }));
    return list;
}
/* Of those, the ones that are missing in what the student has: of all selections whose sum is that, the largest. */
function missing(list, mine) {
    const most = largest(list.map(x => x.share));
    for (let out = 1; out < 1 << list.length; out++) {
        const sum = list.reduce((s, x, i) => out >> i & 1 ? s : s + x.share, 0);
        if (near(mine, sum, most)) return list.filter((_, i) => out >> i & 1).map(x => x.to);
    }
    return null;
}
/* The first step that is not right, in the order of the run: {step, back, edges as [from, to], words}. */
function firstWrong(steps, isScalar) {
    for (let k = 0; k < steps.length; k++)
        if (steps[k].mine && differs(steps[k].mine, steps[k].right))
            return { step: k, back: false, edges: steps[k].from.map(f => [f, k]),
                     words: `${steps[k].name} is the first array that is not right.` };
    for (let k = steps.length - 1; k >= 0; k--) {
        const s = steps[k];
        if (!s.mine_grad || !s.right_grad || !differs(s.mine_grad, s.right_grad)) continue;
        let users = steps.map((y, to) => y.from.includes(k) ? to : -1).filter(to => to >= 0);
        let words = `d${s.name} is the first gradient that is not right.`;
        const lost = isScalar && users.length > 1 ? missing(shares(steps, k), s.mine_grad[0]) : null;
        if (lost) {
            users = [...new Set(lost)];
            words = `d${s.name} lacks what comes back from ${users.map(u => steps[u].name).join(" and ")}.`;
        }
        return { step: k, back: true, edges: users.map(u => [k, u]), words };
    }
    return null;
}

function tape(run) {
    const steps = run.tape.map(s => ({ ...s, mine: numbers(s.mine), right: numbers(s.right), mine_grad: numbers(s.mine_grad),
                                       right_grad: numbers(s.right_grad) }));
    const isScalar = run.symbol === "your tape", bad = firstWrong(steps, isScalar);
    const order = steps.map((_, k) => ({ k, back: false }));
    for (let k = steps.length - 1; k >= 0; k--)
        if (steps[k].mine_grad || steps[k].right_grad) order.push({ k, back: true });
    const list = element("ol", { class: "tape" }), arcs = drawn("svg", { "aria-hidden": "true" });
    list.append(arcs);
    const rows = steps.map((s, k) => {
        const made = s.made || (s.from.length ? "from " + s.from.map(f => steps[f].name).join(", ") : "an input");
        const isLast = k === steps.length - 1, shape = isScalar ? "" : `, ${s.shape.join(" \u00d7 ")}`;
        const value = element("div", { class: "arrays" },
            ...(s.right ? arrays(s.name, s.shape, s.mine, s.right, s.from.length ? "the library's" : "given") : []));
        const grad = element("div", { class: "arrays" },
            ...(s.right_grad ? arrays("d" + s.name, s.shape, s.mine_grad, s.right_grad, isLast ? "arrives" : "the library's") : []));
        const li = element("li", {}, element("h4", {}, s.name + " ", element("span", {}, made + shape)),
                           element("div", { class: "both" }, value, grad));
        if (bad && bad.step === k) {
            li.classList.add("bad");
            li.append(element("div", { class: "flag" }, "\u2717 " + bad.words));
        }
        list.append(li);
        return { li, value, grad };
    });
    let now = bad ? order.findIndex(o => o.k === bad.step && o.back === bad.back) : order.length - 1;

    function drawArcs() {
        arcs.replaceChildren();
        const top = list.getBoundingClientRect().top, at = rows.map(r => r.li.getBoundingClientRect().top - top + 18);
        const step = order[now], edge = parseFloat(getComputedStyle(list).paddingLeft) - 3;
        steps.forEach((y, to) => [...new Set(y.from)].forEach(from => {
            const isBad = bad && bad.edges.some(e => e[0] === from && e[1] === to);
            const active = step.back ? from === step.k : to === step.k;
            const x = edge - Math.min(1.25 * edge - 8, 10 + 9 * (to - from));
            arcs.append(drawn("path", { class: "edge" + (isBad ? " bad" : active ? " now" : ""),
                                        d: `M${edge} ${at[from]} C${x} ${at[from]} ${x} ${at[to]} ${edge} ${at[to]}` }));
            if (isBad) {
                const mark = drawn("text", { class: "mark", "text-anchor": "middle", x: 0.25 * edge + 0.75 * x, y: (at[from] + at[to]) / 2 + 5 });
                mark.textContent = "\u2717";
                arcs.append(mark);
            }
        }));
    }
    const status = element("output", { "aria-live": "polite" });
    const range = element("input", { type: "range", min: 0, max: order.length - 1, "aria-label": "Step of the run" });
    const back = element("button", { type: "button" }, "\u2190 back"), next = element("button", { type: "button" }, "next \u2192");
    function show(step) {
        now = Math.max(0, Math.min(order.length - 1, step));
        const { k, back: isBack } = order[now], s = steps[k];
        order.forEach((o, i) => rows[o.k][o.back ? "grad" : "value"].classList.toggle("later", i > now));
        rows.forEach((r, i) => r.li.classList.toggle("now", i === k));
        range.value = now;
        back.disabled = now === 0;
        next.disabled = now === order.length - 1;
        const users = steps.filter(y => y.from.includes(k)).map(y => "d" + y.name);
        status.textContent = `step ${now + 1} of ${order.length}, ` + (isBack
            ? `backward: d${s.name}` + (users.length ? ` gets what comes back from ${users.join(" and ")}` : " arrives")
            : `forward: ${s.name}` + (s.from.length ? ` from ${s.from.map(f => steps[f].name).join(", ")}` : " is given"));
        drawArcs();
    }
    back.onclick = () => show(now - 1);
    next.onclick = () => show(now + 1);
    range.oninput = () => show(Number(range.value));
    const section = element("section", { "aria-label": "The run, step by step" },
        element("h3", {}, "The run, step by step"),
        element("div", { class: "controls" }, back, next, range, status), list);
    section.addEventListener("keydown", e => {
        const move = { ArrowRight: 1, ArrowLeft: -1, Home: -1e9, End: 1e9 }[e.key];
        if (!move || e.target === range) return;
        e.preventDefault();
        show(now + move);
    });
    new ResizeObserver(drawArcs).observe(list);
    requestAnimationFrame(() => show(now));
    return section;
}

/* ---- Jacobians ---- */

/* Each place: "" right, "-" missing, "+" something where nothing belongs, "x" another number. */
function kinds(j) {
    const most = largest(j.right);
    return j.right.map((r, i) => near(j.mine[i], r, most) ? "" : Math.abs(r) <= 1e-5 * most ? "+"
        : Math.abs(j.mine[i]) <= 1e-5 * most ? "-" : "x");
}

function names(list, word) {
    const short = list.slice(0, 6), more = list.length > 6 ? `, \u2026` : "";
    return word + short.join(", " + word) + more;
}

/* What the places that are not right have in common: sentences that the maps show. */
function findings(j, n, m, kind, hasMask) {
    const at = what => kind.map((k, i) => k === what ? i : -1).filter(i => i >= 0);
    const lost = at("-"), extra = at("+"), other = at("x"), count = lost.length + extra.length + other.length;
    if (!count) return ["Your Jacobian is the right one in every place."];
    const out = [], most = largest(j.right);
    const factor = ratio(j.mine, j.right, j.right.map((_, i) => i));
    if (Number.isFinite(factor) && !extra.length && !lost.length)
        return [`Every place holds ${text(factor)} times the right number.`];
    const rowIsLost = r => j.right.slice(r * n, r * n + n).every((x, c) => Math.abs(x) <= 1e-5 * most || kind[r * n + c] === "-");
    const lostRows = [...Array(m).keys()].filter(r => lost.some(i => Math.floor(i / n) === r) && rowIsLost(r));
    if (lost.length === j.right.filter(x => Math.abs(x) > 1e-5 * most).length)
        out.push(`Nothing of what arrives at d${j.result} comes back to ${j.name}.`);
    else if (lost.length && lost.every(i => lostRows.includes(Math.floor(i / n))))
        out.push(`What arrives at ${names(lostRows.map(r => place(j.rows, r)), "d" + j.result)} does not come back to ${j.name}: ` +
                 "it is not in the sum.");
    else if (lost.length && n === m && lost.every(i => Math.floor(i / n) !== i % n) && !extra.length)
        out.push(`Off the diagonal ${times(lost.length)} are empty in yours: of one ${j.result} only the ${j.name} of the same index ` +
                 "gets something; the others of its row move it as well.");
    else if (lost.length)
        out.push(`${times(lost.length)} are empty in yours where something belongs (\u2212 in the third map).`);
    if (extra.length)
        out.push(`${times(extra.length)} hold something where nothing belongs (+ in the third map)` +
                 (hasMask ? `: ${j.name}${place(j.shape, extra[0] % n)} does not move ${j.result}${place(j.rows, Math.floor(extra[0] / n))}; the mask was not applied there.`
                          : `: ${j.name}${place(j.shape, extra[0] % n)} does not move ${j.result}${place(j.rows, Math.floor(extra[0] / n))}.`));
    if (other.length) {
        const c = ratio(j.mine, j.right, other);
        out.push(Number.isFinite(c) ? `${times(other.length)} hold ${text(c)} times the right number.`
                                    : `${times(other.length)} hold another number (\u2260 in the third map).`);
    }
    return out;
}
function ratio(mine, right, where) {
    let products = 0, squares = 0;
    for (const i of where) {
        products += mine[i] * right[i];
        squares += right[i] * right[i];
    }
    const c = products / squares, most = largest(right);
    return where.every(i => Math.abs(mine[i] - c * right[i]) <= 1e-4 * Math.abs(c) * most) ? c : NaN;
}

function colours() {
    const style = getComputedStyle(document.documentElement), of = name => style.getPropertyValue(name).trim();
    return { back: of("--back"), ink: of("--ink"), rule: of("--rule"), first: of("--first"), second: of("--second") };
}

function jacobian(raw, hasMask) {
    const j = { ...raw, mine: numbers(raw.mine), right: numbers(raw.right) };
    const n = j.shape.reduce((a, b) => a * b, 1), m = j.rows.reduce((a, b) => a * b, 1), kind = kinds(j);
    const apart = j.mine.map((x, i) => x - j.right[i]), most = Math.max(largest(j.right), largest(j.mine)) || 1;
    const side = Math.max(5, Math.min(22, Math.floor(300 / n))), row = Math.max(5, Math.min(22, Math.floor(300 / m)));
    let cursor = Math.max(0, kind.findIndex(k => k));
    const reading = element("p", { class: "reading", "aria-live": "polite" });
    const all = [["yours", j.mine], ["right", j.right], ["difference: yours \u2212 right", apart]];
    const maps = (kind.some(k => k) ? all : [["yours is right", j.mine]]).map(([caption, values], which) => {
        const canvas = element("canvas", { tabindex: 0, role: "img", "aria-label": `${caption}: ${m} rows, ${n} columns; arrow keys read it` });
        return { canvas, values, which, figure: element("figure", {}, element("figcaption", {}, caption), canvas) };
    });
    function paint() {
        const c = colours(), scale = window.devicePixelRatio || 1;
        for (const { canvas, values, which } of maps) {
            canvas.width = n * side * scale;
            canvas.height = m * row * scale;
            canvas.style.width = n * side + "px";
            canvas.style.height = m * row + "px";
            const g = canvas.getContext("2d");
            g.scale(scale, scale);
            g.fillStyle = c.back;
            g.fillRect(0, 0, n * side, m * row);
            values.forEach((x, i) => {
                const px = i % n * side, py = Math.floor(i / n) * row;
                g.globalAlpha = Number.isFinite(x) ? Math.min(1, Math.abs(x) / most) : 1;
                g.fillStyle = x < 0 ? c.second : c.first;
                g.fillRect(px, py, side, row);
                g.globalAlpha = 1;
                if (which === 2 && kind[i] && Math.min(side, row) >= 9) {
                    g.fillStyle = c.ink;
                    g.font = `bold ${Math.min(side, row) - 2}px system-ui`;
                    g.textAlign = "center";
                    g.textBaseline = "middle";
                    g.fillText({ "-": "\u2212", "+": "+", x: "\u2260" }[kind[i]], px + side / 2, py + row / 2);
                }
            });
            g.strokeStyle = c.rule;
            g.beginPath();
            const everyColumn = j.shape[j.shape.length - 1], everyRow = j.rows[j.rows.length - 1];
            for (let x = everyColumn; x < n; x += everyColumn) { g.moveTo(x * side, 0); g.lineTo(x * side, m * row); }
            for (let y = everyRow; y < m; y += everyRow) { g.moveTo(0, y * row); g.lineTo(n * side, y * row); }
            g.stroke();
            g.strokeStyle = c.ink;
            g.lineWidth = 2;
            g.strokeRect(cursor % n * side + 1, Math.floor(cursor / n) * row + 1, side - 2, row - 2);
        }
        reading.textContent = `${j.name}${place(j.shape, cursor % n)} moves ${j.result}${place(j.rows, Math.floor(cursor / n))} by ` +
            `${text(j.right[cursor])}; yours says ${text(j.mine[cursor])}.`;
    }
    const move = to => { if (to >= 0 && to < n * m) { cursor = to; paint(); } };
    for (const { canvas } of maps) {
        canvas.addEventListener("keydown", e => {
            const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: n, ArrowUp: -n }[e.key];
            if (!by) return;
            e.preventDefault();
            e.stopPropagation();
            move(cursor + by);
        });
        canvas.addEventListener("pointerdown", e => {
            const box = canvas.getBoundingClientRect();
            const x = Math.floor((e.clientX - box.left) / box.width * n), y = Math.floor((e.clientY - box.top) / box.height * m);
            move(Math.min(m - 1, Math.max(0, y)) * n + Math.min(n - 1, Math.max(0, x)));
        });
    }
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
    requestAnimationFrame(paint);
    return element("section", { "aria-label": `Jacobian of ${j.result} by ${j.name}` },
        element("h3", {}, `How ${j.name} moves ${j.result}`),
        element("p", {}, `A row for each element of ${j.result} (${j.rows.join(" \u00d7 ")}), a column for each of ${j.name} (${j.shape.join(" \u00d7 ")}): ` +
            `what your VJP answers when 1 arrives at that one ${j.result} and 0 elsewhere. Blue is above 0, orange below.`),
        ...findings(j, n, m, kind, hasMask).map(f => element("p", { class: kind.some(k => k) ? "flag" : null }, f)),
        element("div", { class: "maps" }, ...maps.map(x => x.figure)), reading);
}

/* ---- the first wrong element, as the sum that it is ---- */

function bar(value, most, which) {
    const w = 50 * Math.min(1, Math.abs(value) / most), y = which === "right" ? 1 : 11;
    return drawn("rect", { class: which, x: (value < 0 ? 50 - w : 50) + "%", width: Math.max(w, 0) + "%", y, height: 8 });
}
function terms(run) {
    for (const raw of run.jacobian || []) {
        const j = { ...raw, mine: numbers(raw.mine), right: numbers(raw.right) };
        const x = run.tape.find(s => s.name === j.name), y = run.tape.find(s => s.name === j.result && s.right_grad);
        if (!x || !y || !x.mine_grad || !x.right_grad) continue;
        const mine = numbers(x.mine_grad), right = numbers(x.right_grad), most = largest(right), dy = numbers(y.right_grad);
        const k = mine.findIndex((v, i) => !near(v, right[i], most)), n = right.length;
        if (k < 0) continue;
        const list = dy.map((d, r) => ({ r, right: d * j.right[r * n + k], mine: d * j.mine[r * n + k] }))
            .filter(t => t.right !== 0 || t.mine !== 0);
        const size = largest(list.flatMap(t => [t.right, t.mine])) || 1, cut = list.slice(0, 16);
        const line = (label, r, m) => {
            const svg = drawn("svg", { "aria-hidden": "true" });
            svg.append(bar(r, size, "right"), bar(m, size, "mine"), drawn("line", { class: "zero", x1: "50%", x2: "50%", y1: 0, y2: 20 }));
            const off = !near(m, r, size);
            return element("tr", {}, element("th", { scope: "row" }, label), element("td", {}, text(r)),
                element("td", { class: off ? "flag" : null }, text(m) + (off ? Math.abs(m) <= 1e-5 * size ? " missing" : Math.abs(r) <= 1e-5 * size ? " extra" : " \u2260" : "")),
                element("td", { class: "bars" }, svg));
        };
        const name = `d${j.name}${place(j.shape, k)}`;
        return element("section", { "aria-label": "The first wrong element" },
            element("h3", {}, `The first wrong element: ${name}`),
            element("p", {}, `It is the sum of what comes back from each ${j.result}: d${j.result} times how ${j.name}${place(j.shape, k)} moves that ${j.result}. `,
                element("span", { class: "key", style: "background: var(--first)" }), " right ",
                element("span", { class: "key", style: "background: var(--second)" }), " yours"),
            element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Terms" },
                element("table", { class: "terms" },
                    element("tr", {}, ...["from", "right", "yours", ""].map(h => element("th", { scope: "col" }, h))),
                    ...cut.map(t => line(`d${j.result}${place(j.rows, t.r)}`, t.right, t.mine)),
                    list.length > cut.length ? element("tr", {}, element("td", { colspan: 4 }, `and ${list.length - cut.length} more`)) : null,
                    line("sum", right[k], mine[k]))));
    }
    return null;
}

function overwriting(run) {
    return element("section", {}, element("h3", {}, "What was there before is lost"),
        element("p", {}, "Into a gradient that holds 0 you write the right numbers. One that held 0.75 has to be 0.75 more:"),
        element("div", { class: "chips" }, element("span", { class: "gone" }, "0.75 from elsewhere"), "+",
            element("span", {}, "what this operation gives"), "= in place of +="));
}

/* ---- the page ---- */

page.replaceChildren(element("h1", {}, `${data.number} ${data.title}: your run`));
const wrong = data.parts.filter(p => !p.right);
page.append(element("p", {}, `${data.points} of ${data.most} points` + (data.note ? `: ${data.note}` : "")));
if (data.failure) page.append(element("p", { class: "verdict wrong" }, data.failure));
for (const run of data.runs) {
    const parts = wrong.filter(p => !p.symbol || p.symbol === run.symbol);
    page.append(element("h2", {}, run.symbol));
    for (const p of parts)
        page.append(element("p", { class: "verdict wrong" }, element("strong", {}, `${p.where}: ${p.mistake}. `),
            p.element ? element("span", { class: "element" }, p.element) : null, p.why));
    if (!parts.length) page.append(element("p", { class: "verdict right" }, "All right."));
    if (run.none || !run.tape) continue;
    const hasMask = run.tape.some(s => s.name === "mask" || s.name === "keep");
    if (run.overwrites) page.append(overwriting(run));
    page.append(tape(run));
    const sum = terms(run);
    if (sum) page.append(sum);
    const isWrong = j => kinds({ mine: numbers(j.mine), right: numbers(j.right) }).some(k => k);
    const list = run.jacobian || [];
    for (const j of [...list.filter(isWrong), ...list.filter(j => !isWrong(j))]) page.append(jacobian(j, hasMask));
}
page.append(element("p", {}, "Keys: \u2190 and \u2192 step through the run when the focus is in it; in a map the arrow keys move the frame that is read below."));
