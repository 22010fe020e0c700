export interface SelectOption {
  id: string;
  text: string;
  group?: string;
}

interface SelectProps {
  label: string;
  options: readonly SelectOption[];
  value: string;
  title?: string;
  onSelect: (id: string) => void;
}

/** A drop-down list. The browser's own: the toolkit's list is clipped by the narrow side bar that it would open in. */
export function Select(props: SelectProps) {
  const groups = [...new Set(props.options.map(({ group }) => group))];
  return (
    <select
      className="select"
      aria-label={props.label}
      title={props.title ?? props.label}
      value={props.value}
      onChange={(event) => props.onSelect(event.currentTarget.value)}
    >
      {groups.map((group) => {
        const options = props.options
          .filter((option) => option.group === group)
          .map(({ id, text }) => (
            <option key={id} value={id}>
              {text}
            </option>
          ));
        return group === undefined ? (
          options
        ) : (
          <optgroup key={group} label={group}>
            {options}
          </optgroup>
        );
      })}
    </select>
  );
}
