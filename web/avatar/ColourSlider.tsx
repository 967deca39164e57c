import { type CSSProperties, useId, useState } from 'react';
import { hslToHex, hueOf } from '#brand/hue.ts';
import { colourName, hueName } from '#contract/rules/colour-name.ts';
import {
  AVATAR_LIGHTNESS,
  AVATAR_SATURATION,
  HUE_MAX,
  SHADE_LIGHTNESSES,
} from '#contract/rules/jersey.ts';
import styles from './ColourSlider.module.css';

function isOfHue(color: string, hue: number): boolean {
  return [AVATAR_LIGHTNESS, ...SHADE_LIGHTNESSES].some(
    (lightness) => hslToHex(hue, AVATAR_SATURATION, lightness) === color,
  );
}

type ColourSliderProps = {
  color: string;
  onChange: (color: string) => void;
};

/** Picks a hue and one of five shades (ACC-14). The parent sets `--player`, the thumb's colour. */
export function ColourSlider({ color, onChange }: ColourSliderProps) {
  const id = useId();
  // Keep the chosen hue, because rounding makes the hue of a pale shade ambiguous.
  const [chosen, setChosen] = useState(() => hueOf(color));
  const hue = isOfHue(color, chosen) ? chosen : hueOf(color);

  return (
    <>
      <div className={styles.hue}>
        <label htmlFor={id}>Avatar colour</label>
        <input
          id={id}
          type="range"
          min={0}
          max={HUE_MAX}
          value={hue}
          aria-valuetext={`${hueName(hue)}, hue ${hue}`}
          onChange={(event) => {
            const next = event.target.valueAsNumber;
            setChosen(next);
            onChange(hslToHex(next, AVATAR_SATURATION, AVATAR_LIGHTNESS));
          }}
        />
      </div>
      <div className={styles.shades} role="radiogroup" aria-label="Avatar colour shade">
        {SHADE_LIGHTNESSES.map((lightness) => {
          const shade = hslToHex(hue, AVATAR_SATURATION, lightness);
          return (
            <label key={lightness} style={{ '--shade': shade } as CSSProperties}>
              <input
                type="radio"
                name={`${id}-shade`}
                value={lightness}
                aria-label={`Lightness ${lightness}, ${colourName(hue, lightness)}`}
                checked={shade === color}
                onChange={() => {
                  setChosen(hue);
                  onChange(shade);
                }}
              />
            </label>
          );
        })}
      </div>
    </>
  );
}
