// The module's interface (docs/web-engine.md) for node.
import { readFileSync } from "node:fs";

export class Engine {
  constructor(file) {
    const module = new WebAssembly.Module(readFileSync(file));
    const imports = WebAssembly.Module.imports(module);
    if (imports.length > 0) throw new Error(`the module imports ${JSON.stringify(imports)}`);
    this.exports = new WebAssembly.Instance(module, {}).exports;
  }

  // Copies the bytes into memory of the engine.
  hand(bytes) {
    const ptr = this.exports.nudge_alloc(bytes.length);
    if (ptr === 0 && bytes.length > 0) throw new Error(`no memory for ${bytes.length} bytes`);
    new Uint8Array(this.exports.memory.buffer, ptr, bytes.length).set(bytes);
    return { ptr, len: bytes.length };
  }

  // Returns the answer, which may be an error.
  ask(request) {
    const { ptr, len } = this.hand(new TextEncoder().encode(JSON.stringify(request)));
    const answer = this.exports.nudge_call(ptr, len);
    this.exports.nudge_free(ptr, len);
    const length = new DataView(this.exports.memory.buffer).getUint32(answer, true);
    return JSON.parse(new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, answer + 4, length)));
  }

  // Returns the answer; throws if it is an error.
  call(request) {
    const answer = this.ask(request);
    if (answer.error) throw new Error(`${request.do}: ${JSON.stringify(answer.error)}`);
    return answer;
  }

  pixels(session) {
    const at = this.exports.nudge_pixels(session);
    return new Uint8Array(this.exports.memory.buffer, at, 320 * 240 * 4).slice();
  }
}
