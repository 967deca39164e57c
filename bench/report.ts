import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.ts';

export type Measurement = {
  work: string;
  /** The measured numbers, as text. */
  figures: string;
  values: number[];
  unit: '×' | '/s' | 's' | 'ms' | 'MiB';
  goal: { least: number } | { most: number };
  postgres: string;
};

export const median = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor((sorted.length - 1) / 2);
  const [low = Number.NaN, high = low] = [
    sorted[middle],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return (low + high) / 2;
};

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
export const figure = (value: number) =>
  value >= 100 ? whole.format(value) : value.toFixed(value >= 10 ? 1 : 2);

const HEAD = '| Work | Measured | Median (lowest to highest) | Goal | Met | When |';
const FILE = join(ROOT, 'bench', 'results.md');
const BEGIN = '<!-- npm run bench -->';
const END = '<!-- end of npm run bench -->';

function isMet({ values, goal }: Measurement): boolean {
  const value = median(values);
  return 'least' in goal ? value >= goal.least : value <= goal.most;
}

/** A line of the table. `when`: date and commit. `others`: cores that other programs used. */
export function lineOf(measurement: Measurement, when: string, others: number): string {
  const { work, figures, values, unit, goal, postgres } = measurement;
  const [bound, wanted] = 'least' in goal ? ['≥', goal.least] : ['≤', goal.most];
  const spread = `${figure(Math.min(...values))} to ${figure(Math.max(...values))}`;
  const cells = [
    work,
    figures,
    `${figure(median(values))} ${unit} (${spread})`,
    `${bound} ${figure(wanted)} ${unit}`,
    isMet(measurement) ? 'yes' : '**no**',
    `${when}, ${postgres}, other load ${others.toFixed(1)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Date and commit, with a plus if measured files have changed since. */
export function stamp(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT }).toString().trim();
  const changed = git('status', '--porcelain', '--', 'server', 'contract', 'bench/*.ts') !== '';
  return `${new Date().toISOString().slice(0, 10)}, ${git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`;
}

/** Writes lines into results.md. Each replaces the line with the same work. */
export function keep(lines: string[]): void {
  const text = readFileSync(FILE, 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  const [table = '', after = ''] = rest.split(END);
  const workOf = (line: string) => line.split('|')[1]?.trim();
  const old = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
  const fresh = new Map(lines.map((line) => [workOf(line), line]));
  const merged = old.map((line) => {
    const replaced = fresh.get(workOf(line)) ?? line;
    fresh.delete(workOf(line));
    return replaced;
  });
  const rows = [HEAD, HEAD.replace(/[^|]+/g, ' --- '), ...merged, ...fresh.values()];
  writeFileSync(FILE, `${before}${BEGIN}\n\n${rows.join('\n')}\n\n${END}${after}`);
  execFileSync('biome', ['format', '--write', FILE], { cwd: ROOT, stdio: 'ignore' });
}
