import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { MenuItem } from '../../kit/panel/menu-item.tsx';
import { useClock } from '../../kit/portal.tsx';
import styles from './ignore-choices.module.css';
import { type Ignored, ignoreChoices, untilDay } from './ignore-until.ts';

interface IgnoreChoicesProps {
  of: Ignored;
  onChoose: (until: string | null) => void;
}

/** Until when: tomorrow, next week, a day that the user picks, without an end. Arrow keys go from one to the next. */
export function IgnoreChoices({ of, onChoose }: IgnoreChoicesProps) {
  const now = useClock().now();
  const [day, setDay] = useState('');
  const until = untilDay(day, now);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (until !== null) onChoose(until);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are for the buttons in it */}
      <div onKeyDown={moveFocus}>
        {ignoreChoices(now, of).map((choice, place) => (
          <MenuItem key={choice.label} isFirst={place === 0} onClick={() => onChoose(choice.until)}>
            {choice.label}
          </MenuItem>
        ))}
      </div>
      <form className={styles.form} onSubmit={submit}>
        <TextInput
          type="date"
          label="Until a date"
          value={day}
          error={day !== '' && until === null ? 'Choose a day that is still to come.' : null}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={until === null}>
          Ignore
        </Button>
      </form>
    </>
  );
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const place = buttons.findIndex((button) => button.matches(':focus'));
  buttons.at((place + step) % buttons.length)?.focus();
}
