import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { type ComponentPropsWithRef, useEffect, useRef } from 'react';
import styles from './choice-list.module.css';
import type { ListBox } from './use-list-box.ts';

export interface ListedChoice<T extends string = string> {
  value: T;
  label: string;
  /** What distinguishes it from others with the same label: the company of a job. */
  detail?: string | undefined;
}

interface ChoiceOptionsProps extends ComponentPropsWithRef<'div'> {
  label: string;
  choices: readonly ListedChoice[];
  values: readonly string[];
  isMultiple: boolean;
  listBox: ListBox;
  onChoose: (value: string) => void;
}

/** The list box of a picker, and its options. */
export function ChoiceOptions(props: ChoiceOptionsProps) {
  const { label, choices, values, isMultiple, listBox, onChoose, ...others } = props;
  return (
    <div
      {...others}
      id={listBox.id}
      role="listbox"
      className={styles.options}
      aria-label={label}
      aria-multiselectable={isMultiple}
      onMouseDown={keepFocus}
    >
      {choices.map((choice) => (
        <Option
          key={choice.value}
          id={listBox.idOf(choice.value)}
          choice={choice}
          isChosen={values.includes(choice.value)}
          isCurrent={listBox.current === choice.value}
          onChoose={() => onChoose(choice.value)}
        />
      ))}
    </div>
  );
}

/** A pointer takes the focus from nothing: the keys go on. */
const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault();

interface OptionProps {
  id: string;
  choice: ListedChoice;
  isChosen: boolean;
  isCurrent: boolean;
  onChoose: () => void;
}

function Option({ id, choice: { label, detail }, isChosen, isCurrent, onChoose }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) void element.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the element with the focus has the keys
    <div
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      data-current={isCurrent || undefined}
      aria-selected={isChosen}
      className={styles.choice}
      title={detail === undefined ? label : `${label}, ${detail}`}
      onClick={onChoose}
    >
      <IconCheck size={14} aria-hidden className={styles.check} data-hidden={!isChosen || undefined} />
      <span className={styles.label}>{label}</span>
      {/* The comma is for those who hear it. */}
      {detail !== undefined && (
        <span className={styles.detail}>
          <span className="visually-hidden">, </span>
          {detail}
        </span>
      )}
    </div>
  );
}
