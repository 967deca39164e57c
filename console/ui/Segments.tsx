import { useId } from 'react';

/** Radio buttons in one frame. `chosen` is an index into `names`. */
export function Segments({
  legend,
  names,
  chosen,
  onChoose,
}: {
  legend: string;
  names: readonly string[];
  chosen: number;
  onChoose: (at: number) => void;
}) {
  const group = useId();
  return (
    <fieldset>
      <legend className="sr">{legend}</legend>
      <div className="seg">
        {names.map((name, at) => (
          <label key={name}>
            <input
              type="radio"
              name={group}
              checked={chosen === at}
              onChange={() => onChoose(at)}
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
