// A sample of the tests in Firefox, where it is installed. No sound is tested there: without a sound device its
// AudioContext stays suspended.
import { tests as board } from "./board.mjs";
import { tests as studio } from "./studio.mjs";

const SAMPLE = [
  [board, "it is played by keys and sounds"],
  [studio, "a drag over the timeline goes through time"],
  [studio, "without a network"],
];

/** The tests run one after the other: a page in a background tab does not run. */
export const one_by_one = true;

export const tests = SAMPLE.map(([tests, name]) => {
  const found = tests.find(([other]) => other === name);
  if (!found) throw new Error(`there is no test "${name}"`);
  const [, test, options] = found;
  return [name, test, { ...options, browser: "firefox" }];
});
