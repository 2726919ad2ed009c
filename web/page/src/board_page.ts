//! The mode `board`: the board alone, to be played. A trace in the page plays by itself until a button is pressed;
//! the game then continues from there.

import { Face, type Status } from "./board/face";
import { control_of, is_free, labels, labels_of, type Control } from "./board/keys";
import type { Form } from "./board/layout";
import { Speaker } from "./board/speaker";
import { button, h } from "./dom";
import type { Engine } from "./engine/engine";
import { described } from "./engine/protocol";
import { BOARD_KEYS, show_keys } from "./help";
import { FileDrop } from "./drop";
import type { PageData } from "./page_data";
import { Hands } from "./play/hands";
import { Listener } from "./play/listen";
import { Player, type Source } from "./play/player";
import { source_with_board, use_board_of } from "./source";
import { show_trap } from "./trap";

/** Time for which the last screen of the self-playing trace stays, in milliseconds. */
const END_STANDS_MS = 4000;

export async function board_page(data: PageData, engine: Engine, room: HTMLElement): Promise<void> {
  document.title = data.title;
  await show_board(await source_with_board(data, 0, engine), engine, new Speaker(), room);
}

/** Shows the board of `source`, until files that are dropped on the page replace it. `words` is a note for the user. */
async function show_board(source: Source, engine: Engine, speaker: Speaker, room: HTMLElement, words = ""): Promise<void> {
  const gone = new AbortController();
  const { signal } = gone;
  const narrow = matchMedia("(max-width: 600px) and (orientation: portrait)");
  const wide = matchMedia("(max-height: 500px) and (orientation: landscape)");
  const player = new Player(engine);
  const hands = new Hands({
    press(pressed) {
      speaker.wake();
      void player.press(pressed);
    },
    release: (released) => void player.release(released),
    chord: (held, other) => void player.chord(held, other),
    move(control, movement) {
      speaker.wake();
      return player.move(control, movement);
    },
    position: (control) => player.state.controls?.[control],
  });
  let known = labels_of();
  let face: Face;
  const stage = h("div", { class: "stage" });
  const demo = h("p", { class: "demo-note", hidden: true }, "Plays by itself. Press any button to take over.");
  const note = h("p", { class: "told", role: "alert" });
  const loaded = h("p", { class: "loaded-note", role: "status" }, words);
  const drop = new FileDrop(engine, {
    source: () => ({ ...source, text: null }),
    async take(next, names) {
      gone.abort();
      speaker.play(0);
      await player.close();
      await use_board_of(next, engine);
      await show_board(next, engine, speaker, room, names);
    },
  }, signal);

  const show = () => {
    const { state, pixels } = player;
    if (pixels) face.draw(pixels);
    face.set_down(player.down);
    face.set_parts(state);
    face.set_powered(state.powered);
    face.set_sounding(player.sounding);
    const running = state.broken ? "STOPPED" : player.playing ? (state.powered ? "RUNNING" : "POWER OFF") : "PAUSED";
    const by_itself = player.is_trace && player.track.number === 0;
    const lines: Status[] = [
      ["BOARD", running, running !== "RUNNING"],
      ["SPEED", `${player.speed}×`, player.speed !== 1],
      ["SOUND", speaker.muted ? "MUTED" : "ON", speaker.muted],
      ["FLASH", "NOT KEPT", false],
      ["TRACE", by_itself ? "PLAYS" : "NOT RECORDED", by_itself],
    ];
    face.set_status(lines);
    demo.hidden = !by_itself;
  };
  const build = () => {
    const form: Form = narrow.matches ? "narrow" : wide.matches ? "wide" : "whole";
    face = new Face(form, known, act);
    hands.on_face(face);
    stage.style.setProperty("--ratio", String(face.layout.view.width / face.layout.view.height));
    stage.replaceChildren(face.element);
  };
  const toggle = () => (player.playing ? player.pause() : player.play());
  const frame = () => void player.step("frame", false);
  const mute = () => {
    speaker.mute(!speaker.muted);
    controls.querySelector(".mute")?.setAttribute("aria-pressed", String(speaker.muted));
    show();
  };
  function act(control: Control): void {
    if (control === "pause") toggle();
    else if (control === "frame") frame();
    else if (control === "power") void player.cycle_power();
    else if (control === "mute") mute();
    else if (control === "keys") show_keys(BOARD_KEYS, "");
    else hands.chord(control);
  }
  const controls = h("div", { class: "board-controls", role: "group", "aria-label": "The board" },
    button("Pause", () => toggle(), { class: "pause" }),
    button("Frame", () => frame()),
    button("Power", () => void player.cycle_power()),
    button("Mute", () => mute(), { class: "mute", "aria-pressed": "false" }),
    ...(described ? [] : [button("Undo", () => hands.chord("undo")), button("Help", () => hands.chord("help"))]),
    button("Keys", () => act("keys"), { class: "list-keys" }), drop.button);
  build();

  const listener = new Listener(player, () => face);
  room.replaceChildren(h("main", { class: "board-page" }, demo, stage, controls, drop.note, note, loaded, listener.element));
  player.on("moment", show);
  player.on("playing", () => {
    controls.querySelector(".pause")!.textContent = player.playing ? "Pause" : "Go on";
    show();
    const over = !player.playing && player.track?.end !== null && player.state.t >= player.end;
    if (over) setTimeout(() => { if (player.track.number === 0 && !player.playing && !signal.aborted) player.play(); }, END_STANDS_MS);
  });
  player.on("tones", (tones) => speaker.play_span(tones));
  player.on("told", (text) => (note.textContent = text));
  player.on("trap", (trap) => show_trap(trap, "board.trace"));
  for (const query of [narrow, wide]) query.addEventListener("change", () => { build(); show(); }, { signal });
  // A touch device shows the keys of a keyboard once there is one.
  const has_keyboard = () => document.documentElement.classList.add("has-keyboard");
  addEventListener("keydown", has_keyboard, { signal, capture: true });
  void labels().then((own) => { known = own; face.set_labels(own); });

  addEventListener("keydown", (event) => {
    if (hands.key_down(event) || !is_free(event) || event.repeat) return;
    const control = control_of(event.code);
    if (!control) return;
    event.preventDefault();
    act(control);
  }, { signal });
  addEventListener("keyup", (event) => hands.key_up(event), { signal });
  addEventListener("blur", () => hands.let_go(), { signal });
  const tick = () => {
    if (signal.aborted) return;
    player.frame();
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);

  await player.open(source, 0);
  player.play();
}
