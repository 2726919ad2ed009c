"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
};
const draw = (name, attributes = {}) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const plural = (count, word, more = `${word}s`) => `${count.toLocaleString("en")} ${count === 1 ? word : more}`;

const screens = data.screens;
screens.forEach((screen, nth) => {
  screen.nth = nth;
  screen.flaws ??= [];
  screen.text ??= [];
  screen.from = [];
  screen.unseen = data.traces > 0 && screen.png !== undefined && screen.seenBy === 0;
  screen.name = `${screen.kind}${screen.system ? ` (${screen.system})` : ""}`;
  screen.all = `${screen.name} ${screen.title} ${screen.text.join(" ")} ${screen.flaws.map((flaw) => flaw[1]).join(" ")}`.toLowerCase();
});
for (const screen of screens) {
  for (const [to, steps] of screen.ways) screens[to].from.push([screen.nth, steps]);
}
/** The screens along the shortest presses, first to last. */
const wayTo = (screen) => {
  const way = [screen];
  while (way[0].parent !== null && way.length < 200) way.unshift(screens[way[0].parent]);
  return way;
};

let panel = -1;
const picture = (screen) => {
  const png = panel < 0 ? screen.png : screen.others?.[panel];
  return png ? `data:image/png;base64,${png}` : "";
};
const [width, height] = data.panel.split("×").map(Number);
document.documentElement.style.setProperty("--panel", `${width}/${height}`);

// What is shown.
const shows = {
  all: ["all screens", () => true],
  flawed: ["with findings", (screen) => screen.flaws.length > 0],
  unseen: ["that no trace sees", (screen) => screen.unseen],
  rest: ["that stay", (screen) => screen.rest],
  passing: ["that pass by themselves", (screen) => !screen.rest],
  played: ["found by playing games", (screen) => screen.played],
  open: ["not tried yet", (screen) => screen.rest && !screen.tried],
};
for (const [value, [name, is]] of Object.entries(shows)) {
  const count = screens.filter(is).length;
  if (count > 0 || value === "all") $("show").append(make("option", { value }, `${name} (${count})`));
}
for (const name of data.sizes.length ? [data.panel, ...data.sizes] : []) {
  $("panel").append(make("option", { value: $("panel").length - 1 }, name));
}
$("panel-label").hidden = data.sizes.length === 0;
let selected = screens[0];
const isShown = (screen) => {
  const text = $("find").value.trim().toLowerCase();
  return shows[$("show").value][1](screen) && text.split(/\s+/).every((word) => screen.all.includes(word));
};

// The head.
const flaws = screens.reduce((sum, screen) => sum + screen.flaws.length, 0) + data.faults.length;
const unseen = screens.filter((screen) => screen.unseen).length;
const ways = screens.reduce((sum, screen) => sum + screen.ways.length, 0);
const sums = [[screens.length, "screens"], [ways, "ways between them"], [flaws, "findings", flaws > 0]];
if (data.traces > 0) sums.push([unseen, `that none of ${data.traces} traces sees`, false]);
sums.push([data.visits, "visits"], [Math.round(data.seconds / 3600), "hours on virtual boards"]);
for (const [count, word, bad] of sums) {
  $("sums").append(make("li", { class: bad ? "bad" : "" }, make("b", {}, count.toLocaleString("en")), ` ${word}`));
}
$("sums").append(make("li", {}, `Ended because ${data.end}.`));
$("made").textContent = data.madeBy.join(" · ");

// The map: a town for each system, a box for each kind of screen.
const cell = { x: width + 36, y: height + 92 };
const towns = new Map();
const hasSystems = screens.some((screen) => screen.system);
for (const screen of screens) {
  const town = screen.system || (hasSystems ? "without a game" : "all screens");
  if (!towns.has(town)) towns.set(town, new Map());
  const boxes = towns.get(town);
  if (!boxes.has(screen.kind)) boxes.set(screen.kind, []);
  boxes.get(screen.kind).push(screen);
}
const gap = 90;
/** Puts rectangles into columns no higher than `high`. */
const columns = (items, high) => {
  let [x, y, column, h] = [0, 0, 0, 0];
  for (const item of items) {
    if (y > 0 && y + item.h > high) [x, y, column] = [x + column + gap, 0, 0];
    [item.x, item.y] = [x, y];
    y += item.h + gap;
    column = Math.max(column, item.w);
    h = Math.max(h, item.y + item.h);
  }
  return { w: x + column, h };
};
/** Puts rectangles into columns so that all of them fit best into a frame of that shape. */
const pack = (items, aspect) => {
  const most = items.reduce((sum, item) => sum + item.h + gap, 0);
  let best = null;
  for (let part = 1; part <= 40; part += 1) {
    const high = (most * part) / 40;
    const { w, h } = columns(items, high);
    const need = Math.max(w / aspect, h);
    if (!best || need < best.need) best = { need, high };
  }
  return columns(items, best.high);
};
const boxes = [];
const layout = [];
const room = $("chart").getBoundingClientRect();
const shape = Math.max(0.3, room.width / Math.max(1, room.height));
for (const [name, kinds] of towns) {
  const inside = [];
  for (const [kind, members] of kinds) {
    const columns = Math.max(1, Math.round(Math.sqrt(members.length * 1.1)));
    const rows = Math.ceil(members.length / columns);
    inside.push({ kind, members, columns, w: Math.max(columns * cell.x + 40, kind.length * 46 + 60), h: rows * cell.y + 110 });
  }
  const size = pack(inside, Math.min(1.3, shape));
  layout.push({ name, inside, w: Math.max(size.w, name.length * 110) + 160, h: size.h + 330 });
}
const total = pack(layout, shape);
for (const town of layout) {
  $("boxes").append(draw("rect", { class: "town", x: town.x, y: town.y, width: town.w, height: town.h, rx: 60 }));
  const title = draw("text", { class: "town-name", x: town.x + 80, y: town.y + 165, "font-size": 150 });
  title.textContent = town.name;
  $("boxes").append(title);
  for (const box of town.inside) {
    [box.left, box.top] = [town.x + 80 + box.x, town.y + 250 + box.y];
    boxes.push(box);
    $("boxes").append(draw("rect", { class: "box", x: box.left, y: box.top, width: box.w, height: box.h, rx: 24 }));
    const name = draw("text", { class: "box-name", x: box.left + 30, y: box.top + 70, "font-size": 56 });
    name.textContent = box.kind;
    $("boxes").append(name);
    box.members.forEach((screen, nth) => {
      screen.box = box;
      screen.x = box.left + 38 + (nth % box.columns) * cell.x;
      screen.y = box.top + 100 + Math.floor(nth / box.columns) * cell.y;
    });
  }
}
const middle = (screen) => [screen.x + width / 2, screen.y + height / 2];
for (const screen of screens) {
  const { x, y } = screen;
  screen.image = draw("image", { class: "lcd", x, y, width, height });
  $("lcds").append(screen.image);
  const node = draw("g", { class: "node" });
  node.append(draw("rect", { class: "rim", x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 6 }));
  node.append(draw("rect", { x, y, width, height, fill: "transparent" }));
  const label = draw("text", { x, y: y + height + 30, "font-size": 22, fill: "currentColor" });
  // The number of a picture is as unlikely to be that of another one by half of its digits.
  const short = screen.title.replace(/\b([0-9a-f]{8})[0-9a-f]{8}$/, "$1");
  // Letters below a picture: 28 for 320 pixels.
  const most = Math.max(8, Math.floor((width + 24) / 12.28));
  const words = short.length > 2 * most - 2 ? `${short.slice(0, 2 * most - 3)}…` : short;
  const space = words.lastIndexOf(" ", most);
  const cut = words.length <= most ? words.length : space > most * 0.4 ? space : most;
  [words.slice(0, cut), words.slice(cut)].forEach((line, nth) => {
    const span = draw("tspan", { x, dy: nth * 26 });
    span.textContent = line.trim();
    label.append(span);
  });
  const title = draw("title");
  title.textContent = `${screen.name}: ${screen.title}`;
  node.append(label, title);
  node.addEventListener("click", () => { if (!moved) choose(screen); });
  node.addEventListener("dblclick", () => zoomTo(screen));
  screen.node = node;
  node.classList.toggle("passing", !screen.rest);
  node.classList.toggle("unseen", screen.unseen);
  node.classList.toggle("flawed", screen.flaws.length > 0);
  $("frames").append(node);
}
const bundles = new Map();
for (const screen of screens) {
  for (const [to] of screen.ways) {
    const other = screens[to];
    if (other.box === screen.box) continue;
    const key = [boxes.indexOf(screen.box), boxes.indexOf(other.box)].sort((a, b) => a - b).join();
    bundles.set(key, (bundles.get(key) ?? 0) + 1);
  }
}
const curve = ([x, y], [u, v], bend = 0.12) => {
  const [mx, my] = [(x + u) / 2 - (v - y) * bend, (y + v) / 2 + (u - x) * bend];
  return `M${x} ${y}Q${mx} ${my} ${u} ${v}`;
};
for (const [key, count] of bundles) {
  const [one, other] = key.split(",").map((nth) => boxes[nth]);
  const centre = (box) => [box.left + box.w / 2, box.top + 50];
  $("bundles").append(draw("path", { class: "bundle", d: curve(centre(one), centre(other)), "stroke-width": 4 + 5 * Math.log2(count) }));
}

// Zoom and pan.
const chart = $("chart");
const view = { x: 0, y: 0, k: 1 };
const apply = () => {
  $("world").setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.k})`);
  // Names stay readable from afar.
  document.querySelectorAll(".town-name").forEach((name) => name.setAttribute("font-size", Math.min(190, Math.max(110, 15 / view.k))));
  document.querySelectorAll(".dot").forEach((dot) => dot.setAttribute("r", Math.max(8, (dot.classList.contains("way") ? 6 : 4) / view.k)));
  document.querySelectorAll(".box-name").forEach((name) => name.setAttribute("font-size", Math.min(78, Math.max(46, 10 / view.k))));
};
const fit = (x, y, w, h, most = 2) => {
  const { width: wide, height } = chart.getBoundingClientRect();
  if (wide === 0) return;
  // Nothing lies below the legend.
  const high = height - (document.querySelector(".legend")?.offsetHeight ?? 0);
  view.k = Math.min(wide / w, high / h, most);
  [view.x, view.y] = [wide / 2 - (x + w / 2) * view.k, high / 2 - (y + h / 2) * view.k];
  apply();
};
const showAll = () => fit(-60, -60, total.w + 120, total.h + 120);
const zoom = (factor, at) => {
  const box = chart.getBoundingClientRect();
  // Without a pointer the screen that is chosen stays where it is, if it is in view.
  const [across, down] = middle(selected);
  const here = [across * view.k + view.x, down * view.k + view.y];
  const isSeen = here[0] > 0 && here[0] < box.width && here[1] > 0 && here[1] < box.height;
  const [x, y] = at ?? (isSeen ? here : [box.width / 2, box.height / 2]);
  const k = Math.min(3, Math.max(0.01, view.k * factor));
  [view.x, view.y] = [x - ((x - view.x) * k) / view.k, y - ((y - view.y) * k) / view.k];
  view.k = k;
  apply();
};
const zoomTo = (screen) => fit(screen.x - 400, screen.y - 300, width + 800, height + 600);
const bringIntoView = (screen) => {
  const box = chart.getBoundingClientRect();
  if (box.width === 0) return;
  const [x, y] = [screen.x * view.k + view.x, screen.y * view.k + view.y];
  const [w, h] = [width * view.k, height * view.k];
  if (x < 0 || x + w > box.width) view.x += box.width / 2 - x - w / 2;
  if (y < 0 || y + h > box.height) view.y += box.height / 2 - y - h / 2;
  apply();
};
chart.addEventListener("wheel", (event) => {
  event.preventDefault();
  const box = chart.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY / 400), [event.clientX - box.left, event.clientY - box.top]);
}, { passive: false });
const fingers = new Map();
let moved = false;
chart.addEventListener("pointerdown", (event) => {
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  if (fingers.size === 1) moved = false;
});
addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const now = [event.clientX, event.clientY];
  if (fingers.size === 1) {
    if (!moved && Math.hypot(now[0] - before[0], now[1] - before[1]) < 4) return;
    view.x += now[0] - before[0];
    view.y += now[1] - before[1];
  } else {
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
    const distance = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
    const box = chart.getBoundingClientRect();
    zoom(distance(now) / Math.max(1, distance(before)), [(now[0] + other[0]) / 2 - box.left, (now[1] + other[1]) / 2 - box.top]);
  }
  moved = true;
  chart.classList.add("drag");
  fingers.set(event.pointerId, now);
  apply();
});
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, (event) => {
    fingers.delete(event.pointerId);
    chart.classList.remove("drag");
  });
}
$("in").addEventListener("click", () => zoom(1.5));
$("out").addEventListener("click", () => zoom(1 / 1.5));
$("all").addEventListener("click", showAll);

// The screen that is chosen.
const lines = () => {
  $("lines").replaceChildren();
  const line = (one, other, kind) => {
    const [from, to] = [middle(one), middle(other)];
    $("lines").append(draw("path", { class: `line ${kind}`, d: curve(from, to, kind === "way" ? 0 : 0.12) }));
    $("lines").append(draw("circle", { class: `dot ${kind}`, cx: to[0], cy: to[1], r: kind === "way" ? 22 : 14 }));
  };
  selected.from.forEach(([nth]) => line(screens[nth], selected, "from"));
  selected.ways.forEach(([to]) => line(selected, screens[to], "to"));
  const way = wayTo(selected);
  way.slice(1).forEach((screen, nth) => line(way[nth], screen, "way"));
};
const keys = (steps) => steps.map((step) => make("kbd", {}, step));
const wayList = (list) => make("ul", { class: "ways" }, ...list.map(([nth, steps]) => {
  const other = screens[nth];
  return make("li", {},
    make("span", { class: "steps" }, ...keys(steps.slice(0, 4)), ...(steps.length > 4 ? [`+${steps.length - 4}`] : [])),
    make("img", { class: "lcd", alt: "", src: picture(other), loading: "lazy" }),
    make("button", { type: "button", title: other.title, onclick: () => { choose(other); $("detail").focus(); } }, `${other.name}: ${other.title}`));
}));
const detail = () => {
  const screen = selected;
  const parts = [make("h2", {}, screen.title || screen.name), make("p", { class: "kind" },
    `${screen.name} · ${plural(screen.presses.length, "press", "presses")} from power-on`)];
  if (picture(screen)) {
    parts.push(make("img", { class: "screen lcd", src: picture(screen), alt: `The LCD: ${screen.text.join("; ")}` }));
  } else {
    parts.push(make("p", { class: "note" }, "No picture: a second run did not show it."));
  }
  for (const [, what] of screen.flaws) parts.push(make("p", { class: "flaw" }, what));
  if (screen.unseen) parts.push(make("p", { class: "flaw unseen" }, "No trace sees this screen."));
  parts.push(make("h3", {}, screen.played ? "Presses, found by playing a game" : "Shortest presses"));
  parts.push(make("ol", { class: "keys" }, ...["power on", ...screen.presses].map((step) => make("li", {}, make("kbd", {}, step)))));
  if (!screen.rest) parts.push(make("p", { class: "note" }, "It passes by itself."));
  else if (!screen.tried) parts.push(make("p", { class: "note" }, "What presses do here was not tried: the budget ended before."));
  if (screen.text.length) parts.push(make("h3", {}, "Text on the LCD"), make("pre", {}, screen.text.join("\n")));
  if (screen.traces?.length) {
    const more = screen.seenBy - screen.traces.length;
    parts.push(make("h3", {}, `Seen by ${plural(screen.seenBy, "trace")}`),
      make("p", { class: "note" }, screen.traces.join(", ") + (more > 0 ? ` and ${more} more` : "")));
  }
  parts.push(make("h3", {}, `Leads to ${plural(screen.ways.length, "screen")}`), wayList(screen.ways));
  parts.push(make("h3", {}, `Reached from ${plural(screen.from.length, "screen")}`), wayList(screen.from.slice(0, 40)));
  $("detail").replaceChildren(...parts);
  $("detail").scrollTop = 0;
};
function choose(screen, quiet = false) {
  selected.node.classList.remove("on");
  selected.card?.classList.remove("on");
  selected = screen;
  screen.node.classList.add("on");
  screen.card?.classList.add("on");
  $("frames").append(screen.node);
  lines();
  apply();
  detail();
  if (!quiet) {
    bringIntoView(screen);
    history.replaceState(null, "", `#${screen.nth}`);
    $("said").textContent = `${screen.name}: ${screen.text.join(", ")}. ${screen.flaws.map((flaw) => flaw[1]).join(". ")}`;
  }
}

// Gallery and findings.
const gallery = () => {
  const parts = [];
  for (const town of layout) {
    for (const box of town.inside) {
      const members = box.members.filter(isShown);
      if (members.length === 0) continue;
      parts.push(make("h2", {}, `${town.name}: ${box.kind} (${members.length})`));
      parts.push(make("div", { class: "cards" }, ...members.map((screen) => {
        screen.card = make("button", { type: "button", class: "card", onclick: () => choose(screen) },
          make("img", { class: "lcd", src: picture(screen), alt: "", loading: "lazy" }), make("span", {}, screen.title));
        screen.card.classList.toggle("flawed", screen.flaws.length > 0);
        screen.card.classList.toggle("unseen", screen.unseen);
        screen.card.classList.toggle("on", screen === selected);
        return screen.card;
      })));
    }
  }
  $("gallery").replaceChildren(...(parts.length ? parts : [make("p", { class: "none" }, "No screen matches.")]));
};
const row = (screen, what) => make("tr", {},
  make("td", {}, make("img", { class: "lcd", src: picture(screen), alt: "", loading: "lazy" })),
  make("td", {}, make("button", { type: "button", onclick: () => choose(screen) }, `${screen.name}: ${screen.title}`), make("br"), what));
const table = (title, rows, none) => [make("h2", {}, `${title} (${rows.length})`),
  rows.length ? make("table", {}, make("tbody", {}, ...rows)) : make("p", { class: "none" }, none)];
const kinds = {
  "clipped": "Text that is clipped",
  "overlap": "Parts that overlap",
  "no-way-back": "Screens without a way back",
  "contrast": "Contrast below the limit",
  "small": "Text that is too small",
};
const findings = () => {
  const shown = screens.filter(isShown);
  const parts = [];
  const none = [];
  for (const [kind, title] of Object.entries(kinds)) {
    const rows = shown.flatMap((screen) => screen.flaws.filter((flaw) => flaw[0] === kind).map((flaw) => row(screen, flaw[1])));
    if (rows.length) parts.push(...table(title, rows, "none"));
    else none.push(title.toLowerCase());
  }
  if (none.length) parts.push(make("h2", {}, "Not found on any of these screens"), make("p", { class: "none" }, none.join(", ")));
  if (data.faults.length) {
    parts.push(...table("Faults of the firmware", data.faults.map(({ what, presses }) =>
      make("tr", {}, make("td", {}), make("td", {}, what, make("br"), ...keys(presses)))), "none"));
  }
  if (data.traces > 0) {
    const rows = shown.filter((screen) => screen.unseen).map((screen) => row(screen, make("span", { class: "steps" }, ...keys(screen.presses))));
    parts.push(...table("Screens that no trace sees", rows, "none"));
    const beyond = data.beyond.map(({ system, kind, title, traces }) => make("tr", {},
      make("td", {}, kind), make("td", {}, `${title}${system ? ` (${system})` : ""}`, make("br"), make("span", { class: "none" }, traces.join(", ")))));
    parts.push(...table("Screens that only traces see", beyond, "none"),
      make("p", { class: "none" }, "Faults, damaged flash, stuck buttons and long games lead to them, or another start."));
    if (data.leftOut.length) parts.push(make("p", { class: "none" }, `Traces that were not asked: ${data.leftOut.join("; ")}.`));
  }
  const eyes = (data.lowest ?? []).map(([eye, contrast, text, nth]) => make("tr", {}, make("td", {}, eye), make("td", {},
    `${contrast}:1, "${text}" on `, make("button", { type: "button", onclick: () => choose(screens[nth]) }, screens[nth].title))));
  if (eyes.length) parts.push(make("h2", {}, "Lowest contrast of what is read to play, for each eye"), make("table", {}, make("tbody", {}, ...eyes)));
  const pictured = screens.filter((screen) => screen.png).length;
  parts.push(make("p", { class: "none" }, `Pictures of ${data.panel} are read from the model of the LCD controller, behind the driver.` +
    (data.same === null ? "" : ` Drawn by the firmware's screens without the driver, ${data.same} of ${pictured} have the same pixels.`)));
  $("findings").replaceChildren(...parts);
};
const refresh = () => {
  for (const screen of screens) {
    const far = !isShown(screen);
    screen.node.classList.toggle("far", far);
    screen.image.classList.toggle("far", far);
    const href = picture(screen);
    if (screen.image.getAttribute("href") !== href) screen.image.setAttribute("href", href);
  }
  const mode = document.querySelector("[name=view]:checked").value;
  for (const name of ["map", "gallery", "findings"]) $(name).hidden = name !== mode;
  if (mode === "gallery") gallery();
  if (mode === "findings") findings();
};
const turn = (by) => {
  const shown = screens.filter(isShown);
  const at = shown.indexOf(selected);
  const next = at < 0 ? shown.find((screen) => by > 0 ? screen.nth > selected.nth : true) : shown[(at + by + shown.length) % shown.length];
  if (next) choose(next);
};
const go = (dx, dy) => {
  const [x, y] = middle(selected);
  let best = null;
  for (const screen of screens) {
    if (screen === selected || !isShown(screen)) continue;
    const [u, v] = middle(screen);
    const along = (u - x) * dx + (v - y) * dy;
    const beside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (along <= 0 || beside > along * 1.5) continue;
    const cost = along + 2 * beside;
    if (!best || cost < best.cost) best = { cost, screen };
  }
  if (best) choose(best.screen);
};
const mode = (name) => { document.querySelector(`[name=view][value=${name}]`).click(); };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches?.("input[type=search],select");
  if (event.key === "Escape" && typing) { event.target.blur(); return; }
  if (typing) return;
  const onMap = document.activeElement === chart || document.activeElement === document.body;
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (arrows[event.key] && onMap && !$("map").hidden) go(...arrows[event.key]);
  else if (event.key === "+" || event.key === "=") zoom(1.4);
  else if (event.key === "-") zoom(1 / 1.4);
  else if (event.key === "0") showAll();
  else if (event.key === "Enter" && document.activeElement === chart) { zoomTo(selected); $("detail").focus(); }
  else if (event.key === "n") turn(1);
  else if (event.key === "p") turn(-1);
  else if (event.key === "b") { if (selected.parent !== null) choose(screens[selected.parent]); }
  else if (event.key === "/") $("find").focus();
  else if (event.key === "m") mode("map");
  else if (event.key === "g") mode("gallery");
  else if (event.key === "l") mode("findings");
  else return;
  event.preventDefault();
});
$("find").addEventListener("input", refresh);
$("show").addEventListener("change", refresh);
$("eyes").addEventListener("change", () => { document.documentElement.dataset.eyes = $("eyes").value; });
$("panel").addEventListener("change", () => {
  panel = Number($("panel").value);
  $("drawn").hidden = panel < 0;
  $("drawn").textContent = panel < 0 ? "" : `These pictures are drawn by the firmware's screens on a panel of ${data.sizes[panel]}, without the driver and the controller. Which screens there are, texts and ways are those of ${data.panel}.`;
  refresh();
  detail();
});
$("controls").addEventListener("submit", (event) => event.preventDefault());
document.querySelectorAll("[name=view]").forEach((input) => input.addEventListener("change", () => { refresh(); if (input.value === "map") bringIntoView(selected); }));
$("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme:dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
const asked = () => screens[Number(location.hash.slice(1))] ?? screens[0];
addEventListener("hashchange", () => choose(asked()));
refresh();
showAll();
choose(asked(), true);
addEventListener("resize", () => { if (!$("map").hidden) showAll(); });
