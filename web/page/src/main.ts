//! The entry of the page: reads the page's data, loads the engine once, and starts the mode.

import { board_page } from "./board_page";
import { h } from "./dom";
import { Engine } from "./engine/engine";
import { without_engine } from "./no_engine";
import { page_data, type PageData } from "./page_data";
import { report_players } from "./report";
import { studio } from "./studio/studio";

let loaded: Promise<Engine> | null = null;
/** Loads the engine on the first call; later calls return the same one. */
const engine = () => (loaded ??= Engine.load());

async function start(data: PageData): Promise<void> {
  if (data.mode === "report") {
    report_players(data, engine);
    return;
  }
  document.documentElement.dataset.mode = data.mode;
  let room = document.getElementById("nudge");
  if (!room) {
    room = h("div", { id: "nudge" });
    document.body.append(room);
  }
  room.replaceChildren(h("p", { class: "loading", role: "status" }, "Starting the machine…"));
  try {
    const machine = await engine();
    await (data.mode === "board" ? board_page : studio)(data, machine, room);
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    await without_engine(data, (error as Error).message, null, room);
    document.documentElement.dataset.ready = "without";
  }
}

const data = page_data();
if (data) void start(data);
