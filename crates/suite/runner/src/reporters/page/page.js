"use strict";
(() => {
  const { all, make, walk } = nudgeList;

  // The filter looks at what a row says; its text is gathered once.
  const rows = all(".row").map((row) => ({
    row,
    kind: ["pass", "skip"].find((kind) => row.classList.contains(kind)) ?? "fail",
    text: all(".name, h3, .more", row).map((part) => part.textContent).join("\n").toLowerCase(),
  }));
  const form = document.getElementById("filter");
  const text = document.getElementById("text");
  const none = document.getElementById("none");
  const filter = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kind = form.elements.kind.value;
    let shown = 0;
    for (const entry of rows) {
      const fits = (kind === "all" || kind === entry.kind)
        && words.every((word) => entry.text.includes(word));
      entry.row.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    none.hidden = shown > 0;
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();

  walk(text, ".row.fail", ".row");

  // What differs, so large that one pixel is seen: a part of each picture, around the place that
  // differs first, then around the pointer.
  const LOUPE = { columns: 40, rows: 30, zoom: 6 };
  const loupe = (box, sides) => {
    const { columns, rows, zoom } = LOUPE;
    const [x, y, width, height] = (box.dataset.differs ?? "").split(" ").map(Number);
    const row = make("div", { className: "loupe", hidden: true });
    const views = all("figure", sides).map((figure) => {
      const canvas = make("canvas", { width: columns * zoom, height: rows * zoom });
      const caption = figure.querySelector("figcaption").textContent;
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", `${caption}, enlarged`);
      row.append(make("figure", {}, canvas, make("figcaption", { textContent: `${caption}, enlarged` })));
      return { canvas, image: figure.querySelector("img") };
    });
    const show = (left, top) => {
      row.hidden = false;
      for (const { canvas, image } of views) {
        const from = (at, length, of) => Math.round(Math.max(0, Math.min(at - length / 2, of - length)));
        const context = canvas.getContext("2d");
        context.imageSmoothingEnabled = false;
        context.clearRect(0, 0, canvas.width, canvas.height);
        context.drawImage(image, from(left, columns, image.naturalWidth), from(top, rows, image.naturalHeight),
          columns, rows, 0, 0, canvas.width, canvas.height);
      }
    };
    sides.addEventListener("pointermove", (event) => {
      const image = event.target.closest(".pic")?.querySelector("img");
      if (!image) return;
      const area = image.getBoundingClientRect();
      show((event.clientX - area.left) * image.naturalWidth / area.width,
        (event.clientY - area.top) * image.naturalHeight / area.height);
    });
    if (width <= columns && height <= rows) {
      Promise.all(views.map(({ image }) => image.decode()))
        .then(() => show(x + width / 2, y + height / 2), () => {});
    }
    return row;
  };

  // Pictures to compare: side by side without this script, in four ways with it.
  const compare = (box) => {
    const sides = make("div", { className: "sides" }, ...box.children);
    const source = (kind) => sides.querySelector(`.${kind} img`).src;
    const caption = (kind) => sides.querySelector(`.${kind} figcaption`).textContent;
    const small = (text) => text[0].toLowerCase() + text.slice(1);
    const stack = make("div", { className: "stack" });
    const slider = make("input", { type: "range", min: 0, max: 100, value: 50 });
    const ends = make("div", { className: "ends" }, make("span"), make("span"));
    const over = make("div", { className: "over", hidden: true }, stack, slider, ends);
    let mode = "sides";
    const draw = () => {
      const [, above] = all("img", stack);
      const edge = stack.querySelector(".edge");
      if (!above) return;
      const value = Number(slider.value);
      above.style.clipPath = mode === "swipe" ? `inset(0 ${100 - value}% 0 0)` : "";
      above.style.opacity = mode === "onion" ? value / 100 : 1;
      edge.hidden = mode !== "swipe";
      edge.style.left = `${value}%`;
    };
    slider.addEventListener("input", draw);
    stack.addEventListener("pointermove", (event) => {
      if (mode !== "swipe") return;
      const area = stack.getBoundingClientRect();
      slider.value = (event.clientX - area.left) * 100 / area.width;
      draw();
    });
    const show = (chosen) => {
      mode = chosen;
      for (const button of modes.children) {
        button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
      }
      sides.hidden = mode !== "sides";
      over.hidden = mode === "sides";
      slider.hidden = ends.hidden = mode === "diff";
      // Swiping, what the LCD showed lies left of the edge; shining through, the slider's
      // right end is all of it.
      const [actual, expected] = [small(caption("actual")), small(caption("expected"))];
      const [left, right] = mode === "swipe" ? [`◂ ${actual}`, `${expected} ▸`] : [expected, actual];
      ends.firstChild.textContent = left;
      ends.lastChild.textContent = right;
      slider.setAttribute("aria-label", mode === "onion"
        ? "How much of the actual picture lies over the expected one"
        : "How far the actual picture covers the expected one");
      if (mode === "sides") return;
      const image = (kind) => make("img", { src: source(kind), alt: caption(kind) });
      if (mode === "diff") stack.replaceChildren(image("diff"));
      else stack.replaceChildren(image("expected"), image("actual"), make("div", { className: "edge" }));
      const framed = sides.querySelector(".differs");
      if (framed) stack.append(framed.cloneNode());
      draw();
    };
    const modes = make("div", { className: "modes" });
    modes.setAttribute("role", "group");
    modes.setAttribute("aria-label", "How to compare");
    const names = { sides: "Side by side", swipe: "Swipe", onion: "Onion skin", diff: "Difference" };
    for (const [name, label] of Object.entries(names)) {
      const button = make("button", { type: "button", textContent: label });
      button.dataset.mode = name;
      button.addEventListener("click", () => show(name));
      modes.append(button);
    }
    box.classList.add("live");
    box.replaceChildren(modes, sides, over, loupe(box, sides));
    show("sides");
  };
  // Those of a closed report wait until it is opened: a page of many failures opens at once.
  for (const box of all(".compare")) {
    const details = box.closest("details");
    if (details.open) compare(box);
    else details.addEventListener("toggle", () => compare(box), { once: true });
  }

  // The script that plays comes behind this one.
  for (const button of all(".play button")) button.hidden = false;
})();
