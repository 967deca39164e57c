/** The smallest font size of a name on a poster, in cqw. */
const SMALLEST = 4.6;
/** A name's font sizes on one line and on two. */
const SIZES = [
  { lines: 1, largest: 11, smallest: 7.6 },
  { lines: 2, largest: 6.2, smallest: SMALLEST },
];
const STEP = 0.2;
/** A capital's width in the display face as a share of the font size, rounded up. */
const LETTER = 0.5;
const WIDTH = 85;

/** The largest size at which a name fits on a poster, in cqw. */
export function nameSize(name: string): number {
  const words = name.split(/\s+/);
  for (const { lines, largest, smallest } of SIZES)
    for (let size = largest; size > smallest; size -= STEP) {
      const room = WIDTH / (LETTER * size);
      let [needed, used] = [1, 0];
      for (const { length } of words)
        if (used > 0 && used + 1 + length > room) [needed, used] = [needed + 1, length];
        else used += used === 0 ? length : length + 1;
      if (needed <= lines && words.every(({ length }) => length <= room)) return size;
    }
  return SMALLEST;
}
