import { jerseyColours } from '#brand/jersey-colour.ts';
import {
  ALONE,
  BODY,
  DIGITS,
  FOLD,
  nameSize,
  SECOND_DIGIT,
  SIDES,
  TRIM,
  UNDER_THE_NAME,
} from '#brand/jersey-shape.ts';
import { A_PLAYER } from '#contract/rules/visibility.ts';
import { s, vars } from './dom.ts';

/** If all are null, the person is shown as "A player". */
export type Person = {
  username: string | null;
  avatar_color: string | null;
  jersey_number: string | null;
};

/** A person with a name has a jersey. */
export type Named = { [Field in keyof Person]: string };

export const isNamed = (person: Person): person is Named =>
  person.username !== null && person.avatar_color !== null && person.jersey_number !== null;

/** The name to show, in upper case as on the jersey. */
export const nameOf = ({ username }: Person): string =>
  username === null ? A_PLAYER : username.toUpperCase();

let clips = 0;

function digit(value: string, x: number): SVGElement {
  const d = DIGITS[Number(value)] ?? DIGITS[0];
  return s(
    'g',
    { transform: `translate(${x} 0)` },
    s('path', { d, class: 'jersey__cut' }),
    s('path', { d, class: 'jersey__num' }),
  );
}

/** A jersey, with the name if `named`. Screen readers skip it. */
export function jersey(person: Named, named = false): SVGElement {
  const { username, avatar_color: color, jersey_number: number } = person;
  clips += 1;
  const clip = `clip${clips}`;
  const shape = s(
    'g',
    { 'clip-path': `url(#${clip})` },
    s('path', { class: 'jersey__body', d: BODY }),
    s('path', { class: 'jersey__side', d: SIDES }),
    s('path', { class: 'jersey__fold', d: FOLD }),
    s('path', { class: 'jersey__trim', d: TRIM }),
  );
  const drawn = s(
    'svg',
    { class: 'jersey', viewBox: '0 0 200 220', 'aria-hidden': 'true' },
    s('clipPath', { id: clip }, s('path', { d: BODY })),
    shape,
    s('path', { class: 'jersey__edge', d: BODY }),
  );
  const { ink, trim } = jerseyColours(color);
  vars(drawn, { '--jersey-body': color, '--jersey-trim': trim, '--jersey-ink': ink });
  const name = username.toUpperCase();
  if (named)
    drawn.append(
      s(
        'text',
        {
          class: 'jersey__name',
          x: '100',
          y: '84',
          'text-anchor': 'middle',
          'font-size': String(nameSize(name)),
        },
        name,
      ),
    );
  const { x, y, scale } = named ? UNDER_THE_NAME : ALONE;
  drawn.append(
    s(
      'g',
      { transform: `translate(${x} ${y}) scale(${scale})` },
      digit(number.charAt(0), 0),
      digit(number.charAt(1), SECOND_DIGIT),
    ),
  );
  return drawn;
}
