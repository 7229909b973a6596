#include "report/flame_script.h"

namespace latido::report {

// Nodes come level by level and, of one caller, beside each other (FlameTree), so that a row of the
// picture is a range of them sorted by where they begin. Drawing a row jumps over what is narrower
// than a pixel by bisection: its cost grows with the width of the screen, not with the nodes.
const std::string_view kFlameScript = R"js(
(() => {
'use strict';
const byId = id => document.getElementById(id);
const data = JSON.parse(byId('flame-data').textContent);
const texts = data.texts;
const count = data.children.length;
if (count === 0) return;
const ROW = 18, REST = -1, COLOURS = 8;

const parent = new Int32Array(count), depth = new Int32Array(count), first = new Int32Array(count);
const total = new Float64Array(count), start = new Float64Array(count), deepest = new Int32Array(count);
const levels = [0];
for (let i = 0, next = 1; count > i; i += 1) {
  first[i] = next;
  for (const end = next + data.children[i]; end > next; next += 1) {
    parent[next] = i;
    depth[next] = depth[i] + 1;
    if (depth[next] === levels.length) levels.push(next);
  }
}
levels.push(count);
for (let i = count - 1; i >= 0; i -= 1) {
  deepest[i] = Math.max(deepest[i], depth[i]);
  if (i > 0) deepest[parent[i]] = Math.max(deepest[parent[i]], deepest[i]);
}
const busyOnly = byId('flame-busy');
const selfOf = i => data.self[i] - (busyOnly && busyOnly.checked ? data.idle[i] : 0);
const measure = () => {
  total.fill(0);
  for (let i = count - 1; i >= 0; i -= 1) {
    total[i] += selfOf(i);
    if (i > 0) total[parent[i]] += total[i];
  }
  for (let i = 0; count > i; i += 1) {
    let x = start[i];
    for (let k = 0; data.children[i] > k; k += 1) {
      start[first[i] + k] = x;
      x += total[first[i] + k];
    }
  }
};
measure();

const view = byId('flame-view'), canvas = byId('flame-canvas'), spacer = byId('flame-spacer');
const search = byId('flame-search'), line = byId('flame-line'), matches = byId('flame-matches');
const pen = canvas.getContext('2d');
let zoom = 0, selected = 0, pointed = -1, outer = [], shown = -1, searching = false, pending = false;
let colours = [], ink = '', card = '', letter = 7;
const hit = new Uint8Array(count);

const number = (value, options) => value.toLocaleString(data.lang, options);
const unit = (value, name) => number(value, {maximumSignificantDigits: 3}) + '\u00a0' + name;
const clock = seconds => {
  const two = value => String(value).padStart(2, '0');
  const whole = Math.round(seconds), hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return (hours > 0 ? hours + ':' + two(minutes) : minutes) + ':' + two(whole % 60);
};
const duration = us => us >= 120e6 ? clock(us / 1e6) : us >= 1e6 ? unit(us / 1e6, 's')
  : us >= 1e3 ? unit(us / 1e3, 'ms') : unit(us, '\u00b5s');
const share = us => {
  const percent = total[0] > 0 ? 100 * us / total[0] : 0;
  return number(percent, percent >= 10 ? {maximumFractionDigits: 0}
    : {maximumSignificantDigits: 2}) + '\u00a0%';
};
// What is compared: against the same path in another run, each time for as much work as this one's.
const changes = data.change, LEAST = -3, NO_CHANGE = 0;
const amount = us => data.per > 0 ? duration(us / data.per) : share(us);
const changeText = i => {
  if (data.before[i] === 0) return texts.new;
  const ratio = (total[i] - data.before[i]) / data.before[i];
  return number(100 * ratio, {maximumSignificantDigits: Math.abs(ratio) >= 1 ? 3 : 2,
    signDisplay: 'exceptZero'}).replace('-', '\u2212') + '\u00a0%';
};
const markOf = i => !changes || changes[i] === NO_CHANGE || i === 0 ? ''
  : (changes[i] > 0 ? ' \u25b2 ' : ' \u25bc ') + changeText(i);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

const functionOf = i => data.functions[data.function[i]];
const nameOf = i => i === 0 ? texts.all : data.function[i] === REST ? '\u2026' : functionOf(i)[0];
const describe = i => {
  const parts = [data.function[i] === REST && i > 0 ? texts.rest : nameOf(i)];
  const known = functionOf(i);
  if (known && known[1] >= 0) parts.push(data.files[known[1]] + (known[2] > 0 ? ':' + known[2] : ''));
  if (data.line[i] > 0) parts.push(fill(texts.line, {line: String(data.line[i])}));
  if (changes && data.before[i] >= 0 && (i > 0 || data.per > 0)) {
    parts.push(fill(texts.change, {before: amount(data.before[i]), after: amount(total[i]),
      change: changeText(i)}));
    if (changes[i] === NO_CHANGE) parts.push(texts.noise);
  }
  parts.push(fill(texts.times, {own: duration(selfOf(i)), own_share: share(selfOf(i)),
    total: duration(total[i]), total_share: share(total[i])}));
  return parts.join(' \u00b7 ');
};

// The first node of nodes[low, high) that ends after `x`.
const firstEnding = (x, low, high) => {
  while (high > low) {
    const middle = (low + high) >> 1;
    if (start[middle] + total[middle] > x) high = middle; else low = middle + 1;
  }
  return low;
};

const colourOf = i => {
  if (changes) return changes[i] - LEAST;
  const known = functionOf(i);
  return known && known[1] >= 0 ? Math.min(known[1], COLOURS - 1) : COLOURS - 1;
};
// Where there is too little room the name loses letters, not the sign of what changed.
const cut = (name, mark, room) => {
  const left = room - mark.length;
  if (3 > left) return mark !== '' ? mark.slice(1, 2) : name.slice(0, room - 1) + '\u2026';
  return (name.length > left ? name.slice(0, left - 1) + '\u2026' : name) + mark;
};
const box = (i, x, y, width) => {
  const above = depth[zoom] > depth[i];
  pen.globalAlpha = searching && !hit[i] ? 0.22 : above ? 0.6 : 1;
  pen.fillStyle = colours[colourOf(i)];
  pen.fillRect(x, y, width > 3 ? width - 1 : width, ROW - 1);
  const room = Math.floor((width - 8) / letter);
  if (3 > room) return;
  pen.globalAlpha = searching && !hit[i] ? 0.55 : 1;
  pen.fillStyle = ink;
  pen.fillText(cut(nameOf(i), markOf(i), room), x + 4, y + 13);
};
const spanOf = (i, width) => {
  const scale = width / total[zoom];
  const from = Math.max(0, (start[i] - start[zoom]) * scale);
  return [from, Math.min(width, (start[i] + total[i] - start[zoom]) * scale) - from];
};
const drawRow = (level, y, width) => {
  const end = levels[level + 1], last = start[zoom] + total[zoom], pixel = total[zoom] / width;
  let i = firstEnding(start[zoom], levels[level], end);
  while (end > i && last > start[i]) {
    const [x, wide] = spanOf(i, width);
    if (wide >= 1) {
      box(i, x, y, wide);
      i += 1;
    } else {
      i = firstEnding(start[zoom] + x * pixel + pixel, i + 1, end);
    }
  }
};
const outline = (i, y, width) => {
  const [x, wide] = spanOf(i, width);
  pen.globalAlpha = 1;
  pen.strokeStyle = ink;
  pen.lineWidth = 2;
  pen.strokeRect(Math.min(x, width - 3) + 1, y + 1, Math.max(wide - 3, 1), ROW - 3);
};

const fit = () => {
  const most = Math.max(12 * ROW, Math.min(36 * ROW, Math.floor(window.innerHeight * 0.65 / ROW) * ROW));
  view.style.height = Math.min((deepest[0] + 1) * ROW, most) + 'px';
  const width = view.clientWidth, height = view.clientHeight, ratio = window.devicePixelRatio || 1;
  canvas.style.height = height + 'px';
  spacer.style.height = Math.max(0, (deepest[zoom] + 1) * ROW - height) + 'px';
  const columns = Math.round(width * ratio), rows = Math.round(height * ratio);
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns;
    canvas.height = rows;
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return [width, height];
};
const draw = () => {
  pending = false;
  const [width, height] = fit();
  if (width === 0) return;
  pen.globalAlpha = 1;
  pen.fillStyle = card;
  pen.fillRect(0, 0, width, height);
  pen.font = '12px ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace';
  letter = pen.measureText('0').width;
  const top = view.scrollTop, from = Math.floor(top / ROW);
  const to = Math.min(deepest[zoom], Math.floor((top + height) / ROW));
  for (let level = from; to >= level && total[zoom] > 0; level += 1) drawRow(level, level * ROW - top, width);
  if (0 >= total[zoom]) return;
  outline(selected, depth[selected] * ROW - top, width);
  if (pointed >= 0) outline(pointed, depth[pointed] * ROW - top, width);
};
const request = () => {
  if (!pending) requestAnimationFrame(draw);
  pending = true;
};
const say = () => {
  const text = describe(pointed >= 0 ? pointed : selected);
  if (line.textContent !== text) line.textContent = text;
};

const inView = i => start[zoom] + total[zoom] > start[i] && start[i] + total[i] > start[zoom];
const select = i => {
  selected = i;
  if (!inView(i)) zoom = 0;
  fit();
  const y = depth[i] * ROW;
  if (view.scrollTop > y) view.scrollTop = y;
  if (y + ROW > view.scrollTop + view.clientHeight) view.scrollTop = y + ROW - view.clientHeight;
  say();
  request();
};
const zoomTo = i => {
  if (total[i] > 0 && (i === 0 || data.function[i] !== REST)) zoom = i;
  select(i);
};
// What is drawn at a place of the canvas, or -1.
const at = event => {
  const place = canvas.getBoundingClientRect();
  const level = Math.floor((event.clientY - place.top + view.scrollTop) / ROW);
  if (0 > level || level > deepest[zoom] || place.width === 0) return -1;
  const x = start[zoom] + (event.clientX - place.left) / place.width * total[zoom];
  const i = firstEnding(x, levels[level], levels[level + 1]);
  return levels[level + 1] > i && x >= start[i] ? i : -1;
};
const point = i => {
  if (i === pointed) return;
  pointed = i;
  canvas.style.cursor = i >= 0 ? 'pointer' : '';
  say();
  request();
};

const find = () => {
  const wanted = search.value.trim().toLowerCase();
  searching = wanted !== '';
  outer = [];
  shown = -1;
  const found = data.functions.map(([name, file]) => searching && (name.toLowerCase().includes(wanted)
    || (file >= 0 && data.files[file].toLowerCase().includes(wanted))));
  const inside = new Uint8Array(count);
  let sum = 0;
  for (let i = 0; count > i; i += 1) {
    hit[i] = found[data.function[i]] ? 1 : 0;
    inside[i] = i > 0 && inside[parent[i]] ? 1 : hit[i];
    if (!hit[i] || (i > 0 && inside[parent[i]])) continue;
    outer.push(i);
    sum += total[i];
  }
  matches.textContent = !searching ? '' : outer.length > 0 ? fill(texts.matches, {share: share(sum)})
    : texts.none;
  request();
};
// Of the matches that no other one called the next, from the one with the most time on.
const nextMatch = () => {
  if (outer.length === 0) return;
  if (shown === -1) outer.sort((a, b) => total[b] - total[a]);
  shown = (shown + 1) % outer.length;
  select(outer[shown]);
};
const reset = () => {
  search.value = '';
  pointed = -1;
  find();
  zoomTo(0);
};
const neighbour = step => {
  const i = selected + step;
  return count > i && i >= 0 && depth[i] === depth[selected] && inView(i) ? i : selected;
};
// The callee that leads to what is zoomed to, else the one with the most time.
const down = () => {
  const low = first[selected], callees = data.children[selected];
  return callees > 0 ? firstEnding(start[zoom], low, low + callees - 1) : selected;
};
const moves = {
  ArrowUp: () => select(parent[selected]),
  ArrowDown: () => select(down()),
  ArrowLeft: () => select(neighbour(-1)),
  ArrowRight: () => select(neighbour(1)),
  Home: () => select(0),
  Enter: () => zoomTo(selected),
  Escape: () => zoomTo(0),
};
canvas.addEventListener('keydown', event => {
  const move = Object.hasOwn(moves, event.key) ? moves[event.key] : null;
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  pointed = -1;
  move();
});
canvas.addEventListener('pointermove', event => point(at(event)));
canvas.addEventListener('pointerleave', () => point(-1));
canvas.addEventListener('click', event => {
  const i = at(event);
  pointed = -1;
  if (i >= 0) zoomTo(i);
});
search.addEventListener('input', find);
search.addEventListener('keydown', event => {
  if (event.key === 'Enter') nextMatch();
  if (event.key === 'Escape') { search.value = ''; find(); }
});
byId('flame-reset').addEventListener('click', reset);
if (busyOnly) {
  busyOnly.addEventListener('change', () => {
    measure();
    if (0 >= total[zoom]) zoom = 0;
    pointed = -1;
    find();
    select(inView(selected) ? selected : 0);
  });
}
view.addEventListener('scroll', () => { pointed = -1; say(); request(); });

const readColours = () => {
  const style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue(name).trim();
  colours = Array.from({length: COLOURS}, (unused, i) => colour((changes ? '--d' : '--f') + i));
  ink = colour('--ink');
  card = colour('--card');
  draw();  // at once: paper does not wait for a frame
};
for (const query of ['(prefers-color-scheme: dark)', 'print']) {
  window.matchMedia(query).addEventListener('change', readColours);
}
new ResizeObserver(request).observe(view);
window.addEventListener('resize', request);
byId('flame').hidden = false;
readColours();
say();
})();
)js";

}  // namespace latido::report
