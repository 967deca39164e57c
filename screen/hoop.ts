import { s } from './dom.ts';

/** The sign's number: the digits at the end of the machine's name, else its first letter. */
export const hoopNumber = (machine: string): string =>
  /\d+$/.exec(machine)?.[0].slice(-3) ?? machine.charAt(0).toUpperCase();

/** Text sizes for one to three characters, in units of the sign, which is 100 wide. */
const SIZES = [48, 48, 34];

/**
 * A machine's sign, in place of a jersey: a game without a name belongs to its hoop (HAND-53). The
 * sign is the same for everybody without a name (HAND-54). It has a ball if `machine` is null,
 * which means that the machine is unknown.
 */
export function hoop(machine: string | null): SVGElement {
  const number = machine === null ? '' : hoopNumber(machine);
  return s(
    'svg',
    { class: 'hoopsign', viewBox: '0 0 100 106', 'aria-hidden': 'true' },
    s('path', {
      class: 'hoopsign__board',
      d: 'M14 8H86A8 8 0 0 1 94 16V66A8 8 0 0 1 86 74H14A8 8 0 0 1 6 66V16A8 8 0 0 1 14 8Z',
    }),
    s('path', { class: 'hoopsign__rim', d: 'M30 88H70' }),
    s('path', { class: 'hoopsign__net', d: 'M34 92 41 103H59L66 92M45 92 48 103M55 92 52 103' }),
    machine === null
      ? s('circle', { class: 'hoopsign__ball', cx: '50', cy: '41', r: '13' })
      : s(
          'text',
          {
            class: 'hoopsign__number',
            x: '50',
            y: '58',
            'text-anchor': 'middle',
            'font-size': String(SIZES[number.length - 1]),
          },
          number,
        ),
  );
}
