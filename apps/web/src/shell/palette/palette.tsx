import { Modal } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import type { Choice } from './choice.ts';
import styles from './palette.module.css';
import type { FrameActions } from './use-actions.ts';
import { useChoices } from './use-choices.ts';

/** Goes to any screen, company, job, organization or user, and does what can be done from everywhere: all from the keyboard. */
export default function Palette({ onClose, ...actions }: FrameActions & { onClose: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const { choices, error, isWaiting, remember } = useChoices(typed, actions);
  // The list may have become shorter since.
  const current = Math.min(place, choices.length - 1);
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    remember(choice);
    onClose();
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = placeAfter(event.key, current, choices.length);
    if (next !== null) {
      event.preventDefault();
      setPlace(next);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      choose(choices[current]);
    }
  };
  useShown(`${id}-${current}`);
  const isNothing = choices.length === 0;
  return (
    <Modal.Root opened onClose={onClose} size={560} yOffset="10dvh">
      <Modal.Overlay />
      <Modal.Content aria-label="Command palette">
        <Field
          typed={typed}
          list={`${id}-list`}
          current={isNothing ? undefined : `${id}-${current}`}
          onType={(text) => {
            setTyped(text);
            setPlace(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div id={`${id}-list`} className={styles.list} role="listbox" aria-label="Choices" aria-busy={isWaiting}>
          {groupsOf(choices).map(([group, members]) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
            <div key={group} role="group" aria-label={group}>
              <div className={styles.group} aria-hidden>
                {group}
              </div>
              {members.map(({ choice, at }) => (
                <Line
                  key={choice.key}
                  id={`${id}-${at}`}
                  choice={choice}
                  isCurrent={at === current}
                  onChoose={() => choose(choice)}
                />
              ))}
            </div>
          ))}
        </div>
        <p className={styles.note} role="status">
          {error !== null ? messageOf(error) : noteOf(choices.length, isWaiting)}
        </p>
      </Modal.Content>
    </Modal.Root>
  );
}

interface FieldProps {
  typed: string;
  /** Id of the list of choices. */
  list: string;
  /** Id of the current line. */
  current: string | undefined;
  onType: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function Field({ typed, list, current, onType, onKeyDown }: FieldProps) {
  return (
    <input
      className={styles.input}
      data-autofocus
      type="text"
      role="combobox"
      aria-label="Search screens, companies, jobs, organizations, users and actions"
      aria-expanded={current !== undefined}
      aria-controls={list}
      aria-autocomplete="list"
      aria-activedescendant={current}
      placeholder="Search or run an action"
      maxLength={100}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

interface LineProps {
  id: string;
  choice: Choice;
  isCurrent: boolean;
  onChoose: () => void;
}

/** The focus stays in the field, which names the current line: no line takes it. */
function Line({ id, choice: { label, detail }, isCurrent, onChoose }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div
      id={id}
      className={styles.line}
      role="option"
      aria-selected={isCurrent}
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className={styles.label}>{label}</span>
      {detail !== null && detail !== '' && <span className={styles.detail}>{detail}</span>}
    </div>
  );
}

function placeAfter(key: string, current: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (current + 1) % count;
  if (key === 'ArrowUp') return (current - 1 + count) % count;
  return null;
}

function groupsOf(choices: readonly Choice[]) {
  return [
    ...Map.groupBy(
      choices.map((choice, at) => ({ choice, at })),
      ({ choice }) => choice.group,
    ),
  ];
}

/** Keeps the current line in view. */
function useShown(id: string): void {
  // In a block: newer browsers return a promise from this, which React would take for what ends the effect.
  useEffect(() => {
    document.getElementById(id)?.scrollIntoView?.({ block: 'nearest' });
  }, [id]);
}

function noteOf(count: number, isWaiting: boolean): string {
  if (isWaiting) return 'Searching…';
  if (count === 0) return 'Nothing found.';
  return count === 1 ? '1 choice' : `${count} choices`;
}
