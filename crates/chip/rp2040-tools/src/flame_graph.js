
"use strict";
// Bars are groups with data-x and data-w, in pixels of the whole graph. A bar that is clicked becomes as
// wide as the picture; its callers keep that width, and what does not stand on it goes.
const width = 1200, letter = 7;
const bars = [...document.querySelectorAll(".bar")];
const said = document.getElementById("said");
const before = said.textContent;
const place = (bar) => [Number(bar.dataset.x), Number(bar.dataset.w)];
const row = (bar) => Number(bar.querySelector("rect").getAttribute("y"));

function zoom(to) {
  const [left, span] = to ? place(to) : [0, width];
  for (const bar of bars) {
    const [x, w] = place(bar);
    const end = Math.min(x + w, left + span), begin = Math.max(x, left);
    // Half a hundredth: coordinates are rounded.
    const above = x >= left - 0.006 && x + w <= left + span + 0.006 && (!to || row(bar) <= row(to));
    const below = to && row(bar) > row(to) && end - begin > span - 0.02;
    bar.style.display = above || below ? "" : "none";
    if (!above && !below) continue;
    const shown = Math.max((end - begin) * width / span, 0);
    const at = (begin - left) * width / span;
    const rect = bar.querySelector("rect"), text = bar.querySelector("text");
    rect.setAttribute("x", at);
    rect.setAttribute("width", shown);
    text.setAttribute("x", at + 2);
    const letters = Math.floor(shown / letter);
    text.textContent = letters >= 3 ? bar.dataset.n.slice(0, letters) : "";
  }
}

function search() {
  const wanted = prompt("Functions whose name contains", "");
  if (wanted === null) return;
  let cycles = 0;
  const ends = [];
  // From the callers up: what stands on a bar that was found is within its cycles already.
  for (const bar of [...bars].sort((a, b) => row(b) - row(a))) {
    const found = wanted !== "" && bar.dataset.n.includes(wanted);
    bar.classList.toggle("found", found);
    const [x, w] = place(bar);
    const within = ends.some(([begin, end]) => x >= begin - 0.006 && x + w <= end + 0.006);
    if (found && !within) {
      ends.push([x, x + w]);
      cycles += Number(bar.dataset.c);
    }
  }
  said.textContent = wanted === "" ? before : `${wanted}: ${cycles} of ${before}`;
}

function key(id, act) {
  const text = document.getElementById(id);
  text.addEventListener("click", act);
  text.addEventListener("keydown", (event) => { if (event.key === "Enter") act(); });
}

document.getElementById("keys").style.display = "block";
bars.forEach((bar) => bar.addEventListener("click", () => zoom(bar)));
key("whole", () => zoom(null));
key("search", search);
