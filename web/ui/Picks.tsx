import styles from './Picks.module.css';

export type PickOf<Value extends string> = { value: Value; name: string; text: string };

type PicksProps<Value extends string> = {
  legend: string;
  picks: readonly PickOf<Value>[];
  value: Value | undefined;
  onPick: (value: Value) => void;
  isOff?: (value: Value) => boolean;
  describedBy?: string | undefined;
};

/**
 * A list of radio buttons, each explained by a sentence. They are native, so the arrow keys work
 * (LOOK-71).
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
