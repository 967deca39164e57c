import styles from './Segments.module.css';

type SegmentsProps<Value extends string> = {
  legend: string;
  names: Record<Value, string>;
  values: readonly Value[];
  value: Value;
  onChoose: (value: Value) => void;
};

/**
 * A choice between values side by side. Shows nothing if there is only one value. Native radio
 * buttons make the arrow keys work.
 */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { legend, names, values, value, onChoose } = props;
  if (values.length < 2) return null;
  return (
    <fieldset>
      <legend className="sr">{legend}</legend>
      <div className={styles.segments}>
        {values.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name={legend}
              value={one}
              checked={one === value}
              onChange={() => onChoose(one)}
            />
            {names[one]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
