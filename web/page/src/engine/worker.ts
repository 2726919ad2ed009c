//! The engine's thread, so that a slow replay does not block the page.

import { Post, type ToHost } from "./host";

/** The part of a worker's scope that this file uses. */
interface Scope {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToHost>) => void) | null;
}

const scope = globalThis as unknown as Scope;
const post = new Post((message) => {
  const pixels = "pixels" in message ? message.pixels : null;
  scope.postMessage(message, pixels ? [pixels.buffer as ArrayBuffer] : []);
});
scope.onmessage = (event) => post.take(event.data);
