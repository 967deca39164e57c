import { figure, type Measurement, median } from '../report.ts';
import { type Size, USUAL } from './seed.ts';
import { openTestBed, type TestBed } from './test-bed.ts';

export type Settings = { rounds: number; seconds: number; flags: string[] };
export type Say = (line: string) => void;
export type Part = (settings: Settings, say: Say) => Promise<Measurement[]>;

/** Measures the sides in turn, so that other load affects all alike. Returns each side's values. */
export async function inTurns<Side extends string>(
  { rounds }: Settings,
  say: Say,
  sides: Record<Side, () => Promise<number>>,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[];
  const values = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Side,
    number[]
  >;
  for (let round = 1; round <= rounds; round += 1)
    for (const name of names) {
      const value = await sides[name]();
      values[name].push(value);
      say(`round ${round} of ${rounds}, ${name}: ${figure(value)}`);
    }
  return values;
}

export const ratios = (ours: number[], other: number[]) =>
  ours.map((value, at) => value / (other[at] ?? 0));
export const both = (ours: string, a: number[], other: string, b: number[]) =>
  `${ours} ${figure(median(a))}, ${other} ${figure(median(b))}`;

/** Runs `work` on a fresh test bed. */
export async function withTestBed(
  { flags }: Settings,
  work: (bed: TestBed) => Promise<Omit<Measurement, 'postgres'>[]>,
  options: Parameters<typeof openTestBed>[1] = {},
  size: Size = USUAL,
): Promise<Measurement[]> {
  const bed = await openTestBed(size, { flags, ...options });
  try {
    await bed.refreshTokens();
    const measurements = await work(bed);
    return measurements.map((one) => ({ ...one, postgres: bed.postgres }));
  } finally {
    await bed.stop();
  }
}
