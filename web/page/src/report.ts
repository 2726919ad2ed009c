//! The mode `report`: mounts a player where a failing trace's button "Play from here" was pressed. Another program
//! writes the report itself; only the elements `[data-nudge-player]` are changed.

import { button, download, h } from "./dom";
import type { Engine } from "./engine/engine";
import { parse_time, exact } from "./time";
import { without_engine } from "./no_engine";
import type { PageData, TraceData } from "./page_data";
import { PlayerView } from "./play/view";
import { described } from "./engine/protocol";
import { file_name, source_with_board } from "./source";
import { TraceText } from "./studio/trace_text";
import { show_trap } from "./trap";

/** Gives each element `[data-nudge-player="INDEX"]` a button, unless the report has one inside it. */
export function report_players(data: PageData, engine: () => Promise<Engine>): void {
  const rooms = [...document.querySelectorAll<HTMLElement>("[data-nudge-player]")];
  const at = address();
  for (const room of rooms) {
    const index = Number(room.dataset.nudgePlayer);
    const trace = data.traces[index];
    if (!trace) continue;
    const own = room.querySelector("button");
    const start = own ?? button("Play from here", () => {}, { class: "play-from-here" });
    if (!own) {
      room.classList.add("nudge");
      room.append(start);
    }
    start.hidden = false;
    const mount_at = (t: number) => void mount(data, engine, index, t, room);
    start.addEventListener("click", () => mount_at(trace.at ?? 0));
    if (at && at.index === index) mount_at(at.t ?? trace.at ?? 0);
  }
}

/** Parses the address `#trace=INDEX&t=4.0755s`. */
function address(): { index: number; t: number | null } | null {
  const fields = new URLSearchParams(location.hash.slice(1));
  const index = fields.get("trace");
  return index === null ? null : { index: Number(index), t: parse_time(fields.get("t") ?? "") };
}

async function mount(
  data: PageData, engine: () => Promise<Engine>, index: number, t: number, room: HTMLElement,
): Promise<void> {
  const trace = data.traces[index];
  room.classList.add("nudge");
  if (data.board === "pico" && data.elf === null) {
    room.replaceChildren(how_to_open(trace));
    return;
  }
  room.replaceChildren(h("p", { class: "loading", role: "status" }, "Starting the machine…"));
  try {
    const machine = await engine();
    const source = await source_with_board(data, index, machine);
    const view = new PlayerView(machine, "low", true, () => null);
    const { player } = view;
    const told = h("p", { class: "told", role: "alert" });
    player.on("told", (text) => (told.textContent = text));
    player.on("trap", (trap) => show_trap(trap, file_name(trace.name)));
    const moved = () => {
      if (!player.playing) history.replaceState(null, "", `#trace=${index}&t=${exact(player.state.t)}`);
    };
    const text = new TraceText(player);
    const save = button("Save the branch…", () => void save_branch(view, trace), { class: "save-branch", hidden: true });
    player.on("tracks", () => (save.hidden = player.track.number === 0));
    const element = h("div", { class: "player", tabindex: -1, role: "group", "aria-label": `Player of ${trace.name}` },
      view.face.element, h("div", { class: "player-side" }, view.transport.element, view.timeline.element, told, text.element,
        h("div", { class: "row-of-buttons" }, save, h("p", { class: "dim" }, (described ? "The keys of the board file press the buttons, " : "Q–Y and Z–N press the buttons, Space is RESET, ") +
          "P plays, . and , go by frames, F goes to the failure. A press in the past makes a branch."))),
      view.listener.element);
    element.addEventListener("keydown", (event) => {
      if (view.key_down(event)) event.stopPropagation();
    });
    element.addEventListener("keyup", (event) => view.key_up(event));
    room.replaceChildren(element);
    await player.open(source, t);
    player.on("moment", moved);
    player.on("playing", moved);
    element.focus({ preventScroll: true });
    room.dataset.ready = "yes";
  } catch (error) {
    await without_engine(data, (error as Error).message, index, room);
    room.dataset.ready = "without";
  }
}

/** Downloads a branch as a file. */
async function save_branch(view: PlayerView, trace: TraceData): Promise<void> {
  const { player } = view;
  player.pause();
  try {
    const saved = await player.question<{ trace: string }>("save");
    download(`${file_name(trace.name).replace(/\.trace$/, "")}-branch-${player.track.number}.trace`, saved.trace);
  } catch {
    // The player has reported the reason.
  }
}

/** Shows the command that opens the trace, for a page without the program. */
function how_to_open(trace: TraceData): HTMLElement {
  return h("p", {}, "This page does not carry the Pico's program. ",
    trace.elf_command ? "Open the trace with its program: " : "", trace.elf_command ? h("code", {}, trace.elf_command) : "");
}
