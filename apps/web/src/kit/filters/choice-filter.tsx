import { Panel } from '../panel/panel.tsx';
import { ChoiceList } from './choice-list.tsx';
import { FilterButton } from './filter-button.tsx';

export interface Choice<T extends string> {
  value: T;
  label: string;
}

interface ChoiceFilterProps<T extends string> {
  label: string;
  choices: readonly Choice<T>[];
  values: readonly T[];
  onChange: (values: readonly T[]) => void;
}

/** Any number of a few known values; none means all. */
export function ChoiceFilter<T extends string>({ label, choices, values, onChange }: ChoiceFilterProps<T>) {
  const chosen = choices.filter(({ value }) => values.includes(value));
  const toggle = (value: T) =>
    onChange(values.includes(value) ? values.filter((other) => other !== value) : [...values, value]);
  return (
    <Panel
      label={label}
      trigger={(props) => <FilterButton {...props} label={label} chosen={chosen.map((choice) => choice.label)} />}
    >
      {() => (
        <ChoiceList
          isFocused
          label={label}
          choices={choices}
          values={values}
          onToggle={toggle}
          onClear={() => onChange([])}
        />
      )}
    </Panel>
  );
}

interface SingleFilterProps<T extends string> {
  label: string;
  choices: readonly Choice<T>[];
  value: T;
  /** The values that narrow nothing, or no more than the list does anyway: the button is not marked then. */
  neutral: readonly T[];
  onChange: (value: T) => void;
}

/** Exactly one of a few known values; an empty one, where there is one, says nothing of the list. */
export function SingleFilter<T extends string>({ label, choices, value, neutral, onChange }: SingleFilterProps<T>) {
  const chosen = choices.filter((choice) => choice.value === value && choice.value !== '');
  return (
    <Panel
      label={label}
      trigger={(props) => (
        <FilterButton
          {...props}
          label={label}
          chosen={chosen.map((choice) => choice.label)}
          isNarrowed={!neutral.includes(value)}
        />
      )}
    >
      {(close) => (
        <ChoiceList
          isFocused
          isSingle
          label={label}
          choices={choices}
          values={[value]}
          onToggle={(next) => {
            close();
            onChange(next);
          }}
        />
      )}
    </Panel>
  );
}
