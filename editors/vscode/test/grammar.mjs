// Checks that the grammar gives every line of every trace of the repository its scopes. `node test/grammar.mjs`.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const textmate = require('vscode-textmate');
const oniguruma = require('vscode-oniguruma');

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../../..');
const grammarFile = path.resolve(here, '../syntaxes/trace.tmLanguage.json');
/** Folders without traces of this repository, or with wrong ones. */
const SKIPPED = new Set(['target', 'node_modules', '.git', 'broken', 'fuzz']);
const TRACES_MIN = 200;
const SHOWN_MAX = 20;

/** Returns the traces and included files below a folder. */
function* traces(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) yield* traces(file);
    } else if (/\.(trace|inc)$/.test(entry.name)) {
      yield file;
    }
  }
}

const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(grammarFile, 'utf8'), grammarFile),
});
const grammar = await registry.loadGrammar('source.nudge-trace');

const faults = [];
let files = 0;
let lines = 0;
for (const file of traces(root)) {
  const text = fs.readFileSync(file, 'utf8');
  // A large file of Git LFS, or one that is wrong on purpose.
  if (file.endsWith('.trace') && !/^\uFEFF?(\s*(#.*)?\n)*\s*trace\s+1/.test(text)) continue;
  files += 1;
  let stack = textmate.INITIAL;
  text.split(/\r?\n/).forEach((line, number) => {
    const { tokens, ruleStack, stoppedEarly } = grammar.tokenizeLine(line, stack, 1000);
    stack = ruleStack;
    lines += 1;
    const unscoped = tokens.filter(
      (token) => token.scopes.length === 1 && line.slice(token.startIndex, token.endIndex).trim() !== '',
    );
    const depth = ruleStack.depth ?? 1;
    if (stoppedEarly || unscoped.length > 0 || depth > 1) {
      const words = unscoped.map((token) => line.slice(token.startIndex, token.endIndex).trim());
      faults.push(`${path.relative(root, file)}:${number + 1}: no scope for ${JSON.stringify(words)} in ${line}`);
    }
  });
}

/** Checks the scopes of one line. */
function check(line, expected) {
  const { tokens } = grammar.tokenizeLine(line, textmate.INITIAL);
  const found = tokens
    .map((token) => [line.slice(token.startIndex, token.endIndex), token.scopes.at(-1).split('.').slice(0, 2).join('.')])
    .filter(([text]) => text.trim() !== '');
  if (JSON.stringify(found) !== JSON.stringify(expected)) faults.push(`${line}: ${JSON.stringify(found)}`);
}
check('+1s tap B3 # press', [
  ['+1s', 'constant.numeric'],
  ['tap', 'keyword.control'],
  ['B3', 'variable.other'],
  ['# press', 'comment.line'],
]);
check('9s expect led STRIP 3 #ff8000 # orange', [
  ['9s', 'constant.numeric'],
  ['expect', 'keyword.control'],
  ['led', 'keyword.other'],
  ['STRIP', 'variable.other'],
  ['3', 'constant.numeric'],
  ['#ff8000', 'constant.other'],
  ['# orange', 'comment.line'],
]);
check('seed 7 # any', [
  ['seed', 'entity.name'],
  ['7', 'string.unquoted'],
  ['# any', 'comment.line'],
]);
check('1s tpa B3', [['1s tpa B3', 'source.nudge-trace']]);

if (files < TRACES_MIN) faults.push(`only ${files} traces were found`);
for (const fault of faults.slice(0, SHOWN_MAX)) console.error(fault);
if (faults.length > 0) {
  console.error(`${faults.length} faults`);
  process.exitCode = 1;
} else {
  console.log(`the grammar knows all ${lines} lines of ${files} traces`);
}
