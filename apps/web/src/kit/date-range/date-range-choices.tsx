import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { countDays, fixedDays, fixedRange, formatRange, lastDays, RANGE_DAYS_MAX } from './date-range.ts';
import styles from './date-range-picker.module.css';

interface ChoicesProps {
  value: string | null;
  presets: readonly string[];
  onChoose: (value: string) => void;
}

/** Presets, a number of days, or two chosen days: loaded once the button is pressed. The first field gets the focus, as in every panel. */
export default function DateRangeChoices({ value, presets, onChoose }: ChoicesProps) {
  const choices = useRef<HTMLDivElement>(null);
  useEffect(() => choices.current?.querySelector('input')?.focus({ preventScroll: true }), []);
  return (
    <div ref={choices} className={styles.choices}>
      <div className={styles.presets}>
        {presets.map((preset) => (
          <button
            key={preset}
            type="button"
            className={styles.preset}
            aria-pressed={preset === value}
            onClick={() => onChoose(preset)}
          >
            {formatRange(preset)}
          </button>
        ))}
      </div>
      <div className={styles.own}>
        <NumberOfDays onChoose={onChoose} />
        <OwnRange value={value} onChoose={onChoose} />
      </div>
    </div>
  );
}

const TOO_LONG = `At most ${RANGE_DAYS_MAX} days`;

/** At most 3 digits (specification, part 5), and no more days than the server accepts. */
function NumberOfDays({ onChoose }: { onChoose: (value: string) => void }) {
  const [days, setDays] = useState('');
  const isTooLong = Number(days) > RANGE_DAYS_MAX;
  const canApply = Number(days) > 0 && !isTooLong;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canApply) onChoose(lastDays(Number(days)));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        label="Last number of days"
        inputMode="numeric"
        error={isTooLong && TOO_LONG}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value.replace(/\D/g, '').slice(0, 3))}
      />
      <Button type="submit" variant="default" disabled={!canApply}>
        Apply days
      </Button>
    </form>
  );
}

function OwnRange({ value, onChoose }: { value: string | null; onChoose: (value: string) => void }) {
  const [first, last] = fixedDays(value ?? '') ?? ['', ''];
  const [from, setFrom] = useState(first);
  const [to, setTo] = useState(last);
  const isWhole = from !== '' && to !== '';
  const isTooLong = isWhole && countDays(from, to) > RANGE_DAYS_MAX;
  const canApply = isWhole && !isTooLong;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canApply) onChoose(fixedRange(from, to));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        type="date"
        label="From"
        min="2000-01-01"
        max="2099-12-31"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="To"
        min="2000-01-01"
        max="2099-12-31"
        error={isTooLong && TOO_LONG}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={!canApply}>
        Apply range
      </Button>
    </form>
  );
}
