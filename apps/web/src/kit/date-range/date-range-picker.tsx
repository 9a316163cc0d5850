import { Button } from '@mantine/core';
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs';
import { lazy, Suspense } from 'react';
import { Panel } from '../panel/panel.tsx';
import { useClock } from '../portal.tsx';
import { SkeletonRows } from '../states/skeleton-rows.tsx';
import { formatDays, formatRange, PRESETS } from './date-range.ts';
import styles from './date-range-picker.module.css';

const DateRangeChoices = lazy(() => import('./date-range-choices.tsx'));

interface DateRangePickerProps {
  /** Text that names the range; `null` where none is chosen yet. */
  value: string | null;
  /** Days that a link has set instead, as fixed days; empty: none. */
  days?: string;
  /** Of these days. */
  timeZone?: string;
  onChange: (value: string) => void;
  /** What the button says where nothing is chosen. */
  emptyLabel?: string;
  /** Hides presets that a report cannot span. */
  presets?: readonly string[];
}

/** Offers presets, a number of days, or two chosen days. */
export function DateRangePicker(props: DateRangePickerProps) {
  const { value, days = '', timeZone = 'UTC', onChange, emptyLabel = 'Select Date', presets = PRESETS } = props;
  const now = useClock().now();
  const chosen = days === '' ? value : days;
  const label = chosen === null ? emptyLabel : formatRange(chosen);
  return (
    <Panel
      label="Date range"
      trigger={(button) => (
        <Button
          {...button}
          className={styles.button}
          px={10}
          variant="default"
          leftSection={<IconCalendar size={15} stroke={1.6} aria-hidden />}
        >
          <span className={styles.label}>{days === '' ? label : formatDays(days, now, timeZone)}</span>
        </Button>
      )}
    >
      {(close) => (
        <Suspense fallback={<SkeletonRows rows={4} />}>
          <DateRangeChoices
            value={chosen}
            presets={presets}
            onChoose={(chosen) => {
              close();
              onChange(chosen);
            }}
          />
        </Suspense>
      )}
    </Panel>
  );
}
