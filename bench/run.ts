/**
 * Measures the server on this computer.
 * npm run bench (all parts, about half an hour)
 * npm run bench -- profile refresh (some of PARTS)
 * `--rounds 5`: how many times each value is measured. `--seconds 5`: for how long each time.
 * `--keep` writes the table into bench/results.md. `--cpu-prof` saves the server's profile in
 * .cache/bench.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { PARTS } from './load/parts.ts';
import { LOAD_CORE } from './load/test-bed.ts';
import { otherLoad } from './processes.ts';
import { keep, lineOf, stamp } from './report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    keep: { type: 'boolean', default: false },
    'cpu-prof': { type: 'boolean', default: false },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = names.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}
// This process makes the load. Its children set their own affinity.
execFileSync('taskset', ['-cp', LOAD_CORE, String(process.pid)], { stdio: 'ignore' });

const settings = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  flags: values['cpu-prof'] ? ['--cpu-prof', '--cpu-prof-dir=.cache/bench'] : [],
};
const when = stamp();
const lines: string[] = [];
for (const [at, name] of names.entries()) {
  const say = (line: string) => console.log(`${name} (${at + 1} of ${names.length}): ${line}`);
  const others = otherLoad();
  const measurements = (await PARTS[name]?.(settings, say)) ?? [];
  const load = others();
  for (const measurement of measurements) {
    lines.push(lineOf(measurement, when, load));
    console.log(lines.at(-1));
  }
  if (values.keep) keep(lines);
}
console.log(`\n${lines.join('\n')}`);
