import { Button, TextInput } from '@mantine/core';
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs';
import { type FormEvent, useState } from 'react';
import { Panel } from '../panel/panel.tsx';
import { useClock } from '../portal.tsx';
import {
  countDays,
  fixedDays,
  fixedRange,
  formatRange,
  formatUtcDays,
  lastDays,
  PRESETS,
  RANGE_DAYS_MAX,
} from './date-range.ts';
import styles from './date-range-picker.module.css';

interface DateRangePickerProps {
  /** Text that names the range; `null` where none is chosen yet. */
  value: string | null;
  /** UTC days that a link has set instead, as fixed days; empty: none. */
  utcDays?: string;
  onChange: (value: string) => void;
  /** Hides presets that a report cannot span. */
  presets?: readonly string[];
}

/** Offers presets, a number of days, or two chosen days. */
export function DateRangePicker({ value, utcDays = '', onChange, presets = PRESETS }: DateRangePickerProps) {
  const now = useClock().now();
  const chosen = utcDays === '' ? value : utcDays;
  const label = chosen === null ? 'Select Date' : formatRange(chosen);
  return (
    <Panel
      label="Date range"
      trigger={(props) => (
        <Button
          {...props}
          className={styles.button}
          px={10}
          variant="default"
          leftSection={<IconCalendar size={15} stroke={1.6} aria-hidden />}
        >
          <span className={styles.label}>{utcDays === '' ? label : formatUtcDays(utcDays, now)}</span>
        </Button>
      )}
    >
      {(close) => (
        <Choices
          value={chosen}
          presets={presets}
          onChoose={(chosen) => {
            close();
            onChange(chosen);
          }}
        />
      )}
    </Panel>
  );
}

interface ChoicesProps {
  value: string | null;
  presets: readonly string[];
  onChoose: (value: string) => void;
}

function Choices({ value, presets, onChoose }: ChoicesProps) {
  return (
    <div className={styles.choices}>
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
