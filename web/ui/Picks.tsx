import styles from './Picks.module.css';

export type PickOf<Value extends string> = { value: Value; name: string; text: string };

type PicksProps<Value extends string> = {
  /** The accessible name of the group. */
  legend: string;
  picks: readonly PickOf<Value>[];
  /** The chosen value; undefined if nothing is chosen. */
  value: Value | undefined;
  onPick: (value: Value) => void;
  /** Whether a pick is disabled. */
  isOff?: (value: Value) => boolean;
  /** The id of the text that says why. */
  describedBy?: string | undefined;
};

/**
 * A choice between values that need a sentence each, one below the other. Native radio buttons make
 * the arrow keys work (LOOK-71).
 */
export function Picks<Value extends string>(props: PicksProps<Value>) {
  const { legend, picks, value, onPick, isOff = () => false, describedBy } = props;
  return (
    <fieldset aria-describedby={describedBy}>
      <legend className="sr">{legend}</legend>
      <div className={styles.picks}>
        {picks.map((one) => (
          <label key={one.value} className={styles.pick}>
            <input
              type="radio"
              name={legend}
              value={one.value}
              checked={one.value === value}
              disabled={isOff(one.value)}
              onChange={() => onPick(one.value)}
            />
            <b>{one.name}</b>
            <small>{one.text}</small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
