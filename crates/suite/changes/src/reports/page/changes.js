"use strict";
(() => {
  const { all, make, walk } = nudgeList;

  const groups = all(".group").map((group) => ({
    group,
    text: all(".what, .more", group).map((part) => part.textContent).join("\n").toLowerCase(),
  }));
  const text = document.getElementById("text");
  const filter = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { group, text: of } of groups) {
      group.hidden = !words.every((word) => of.includes(word));
      shown += group.hidden ? 0 : 1;
    }
    document.getElementById("none").hidden = shown > 0 || groups.length === 0;
  };
  const form = document.getElementById("filter");
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();

  walk(text, ".group", ".group");

  // The pixels of a picture, once it is decoded.
  const canvas = (width, height) => make("canvas", { width, height });
  const pixels = async (image) => {
    await image.decode();
    const onto = canvas(image.naturalWidth, image.naturalHeight);
    const context = onto.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, onto.width, onto.height);
  };
  // The picture after in dim grey, with what differs in the colour of the box.
  const difference = (before, after) => {
    const onto = canvas(after.width, after.height);
    const context = onto.getContext("2d");
    const data = context.createImageData(after.width, after.height);
    for (let at = 0; at < data.data.length; at += 4) {
      const same = [0, 1, 2].every((part) => before.data[at + part] === after.data[at + part]);
      const [red, green, blue] = after.data.slice(at, at + 3);
      const grey = (red * 299 + green * 587 + blue * 114) / 3000;
      data.data.set(same ? [grey, grey, grey, 255] : [255, 32, 128, 255], at);
    }
    context.putImageData(data, 0, 0);
    return onto;
  };

  // A pair of pictures: side by side without this script; with it also swiped, in turns, and as the
  // difference, and a small region enlarged.
  const compare = async (box) => {
    const images = all("img", box);
    if (images.length < 2) return;
    const data = await Promise.all(images.map(pixels));
    const differs = difference(...data);
    const sides = make("div", { className: "sides" }, ...box.children);
    const stage = make("div", { className: "sides", hidden: true });
    const slider = make("input", { type: "range", min: 0, max: 100, value: 50, hidden: true });
    slider.setAttribute("aria-label", "How far the picture before covers the one after");
    let turns = 0;
    const lcd = (...inside) => make("div", { className: "lcd" }, ...inside, make("i", { className: "box" }));
    const figure = (caption, ...inside) => make("figure", { className: "wide" },
      lcd(...inside), make("figcaption", { textContent: caption }));
    const copy = (side) => make("img", { src: images[side].src, alt: images[side].alt });
    const show = (chosen) => {
      clearInterval(turns);
      for (const button of modes.children) {
        if (button.dataset.mode) button.setAttribute("aria-pressed", String(button.dataset.mode === chosen));
      }
      sides.hidden = chosen !== "sides";
      stage.hidden = !sides.hidden;
      slider.hidden = chosen !== "swipe";
      if (chosen === "swipe") {
        const above = copy(0);
        above.className = "over";
        const edge = make("div", { className: "edge" });
        stage.replaceChildren(figure("◂ before, after ▸", copy(1), above, edge));
        slider.oninput = () => {
          above.style.clipPath = `inset(0 ${100 - slider.value}% 0 0)`;
          edge.style.left = `${slider.value}%`;
        };
        stage.querySelector(".lcd").onpointermove = (event) => {
          const area = event.currentTarget.getBoundingClientRect();
          slider.value = (event.clientX - area.left) * 100 / area.width;
          slider.oninput();
        };
        slider.oninput();
      } else if (chosen === "turns") {
        const above = copy(0);
        above.className = "over";
        const shown = figure("before", copy(1), above);
        stage.replaceChildren(shown);
        turns = setInterval(() => {
          above.hidden = !above.hidden;
          shown.querySelector("figcaption").textContent = above.hidden ? "after" : "before";
        }, 700);
      } else if (chosen === "diff") {
        stage.replaceChildren(figure("what differs", differs));
      }
    };
    const modes = make("div", { className: "modes" });
    modes.setAttribute("role", "group");
    modes.setAttribute("aria-label", "How to compare");
    const names = { sides: "Side by side", swipe: "Swipe", turns: "In turns", diff: "Difference" };
    for (const [name, label] of Object.entries(names)) {
      const button = make("button", { type: "button", textContent: label });
      button.dataset.mode = name;
      button.addEventListener("click", () => show(name));
      modes.append(button);
    }
    const boxes = make("button", { type: "button", textContent: "Box" });
    boxes.setAttribute("aria-pressed", String(box.dataset.boxes !== "off"));
    boxes.addEventListener("click", () => {
      const off = box.dataset.boxes !== "off";
      box.dataset.boxes = off ? "off" : "on";
      boxes.setAttribute("aria-pressed", String(!off));
    });
    modes.append(boxes);
    box.classList.add("live");
    box.replaceChildren(modes, sides, stage, slider);

    // What is small is enlarged, with some of what is around it.
    const [x, y, width, height] = box.dataset.region.split(",").map(Number);
    if (width <= 160 && height <= 60) {
      const left = Math.max(0, x - 6), top = Math.max(0, y - 6);
      const wide = Math.min(320 - left, width + 12), high = Math.min(240 - top, height + 12);
      const times = Math.max(2, Math.min(8, Math.floor(300 / wide)));
      const loupe = (from, caption) => {
        const onto = canvas(wide * times, high * times);
        const context = onto.getContext("2d");
        context.imageSmoothingEnabled = false;
        context.drawImage(from, left, top, wide, high, 0, 0, onto.width, onto.height);
        onto.setAttribute("role", "img");
        onto.setAttribute("aria-label", `${caption}, ${times} times as large`);
        return make("figure", {}, onto, make("figcaption", { textContent: `${caption}, ${times}×` }));
      };
      box.append(make("div", { className: "loupes" }, loupe(images[0], "before"),
        loupe(images[1], "after"), loupe(differs, "what differs")));
    }
    show("sides");
  };
  // Closed ones are made live when they are opened.
  for (const details of all(".group details")) {
    const pair = details.querySelector(".pair");
    const live = () => {
      if (pair && details.open && !pair.dataset.begun) {
        pair.dataset.begun = "yes";
        compare(pair);
      }
    };
    details.addEventListener("toggle", live);
    live();
  }
})();
