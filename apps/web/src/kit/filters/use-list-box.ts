import { type KeyboardEvent, useId, useState } from 'react';

/** A list box and which of its options the keys are at. */
export interface ListBox {
  /** Id of the list. */
  id: string;
  /** The value that Enter chooses; `null` while none is current. */
  current: string | null;
  /** Id of an option: the element with the focus names the current one by it. */
  idOf: (value: string) => string;
  /** Of the element that keeps the focus: Up and Down walk, Enter chooses. Says whether the key was one of these. */
  onKeyDown: (event: KeyboardEvent) => boolean;
  /** None is current, as after a change of what is listed. */
  reset: () => void;
}

/**
 * A list whose options are walked with the arrow keys while the focus stays where it is: on the list itself, or in the field that searches it
 * (WAI-ARIA Authoring Practices: listbox, combobox). After the last option comes the first.
 */
export function useListBox(choices: readonly { value: string }[], onChoose: (value: string) => void): ListBox {
  const id = useId();
  const values = choices.map(({ value }) => value);
  const [walkedTo, setCurrent] = useState<string | null>(null);
  // One that is not listed any more is not current.
  const current = walkedTo !== null && values.includes(walkedTo) ? walkedTo : null;
  const onKeyDown = (event: KeyboardEvent): boolean => {
    // Enter then ends a word that is being composed, in Japanese for example.
    if (event.nativeEvent.isComposing) return false;
    const next = valueAfter(event.key, values, current);
    if (next !== undefined) setCurrent(next);
    else if (event.key === 'Enter' && current !== null) onChoose(current);
    else return false;
    event.preventDefault();
    return true;
  };
  return { id, current, idOf: (value) => `${id}-${value}`, onKeyDown, reset: () => setCurrent(null) };
}

function valueAfter(key: string, values: readonly string[], current: string | null): string | undefined {
  const at = current === null ? -1 : values.indexOf(current);
  if (key === 'ArrowDown') return values[at + 1] ?? values[0];
  if (key === 'ArrowUp') return values[at - 1] ?? values.at(-1);
  return undefined;
}
