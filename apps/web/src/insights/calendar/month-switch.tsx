import { ActionIcon, Button } from '@mantine/core';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import { addMonths, formatMonth, type Month } from '../../entities/calendar/month.ts';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import styles from './month-switch.module.css';

interface MonthSwitchProps {
  month: Month;
  /** The month of today; there is nothing to see after it. */
  current: Month;
  onChange: (month: Month) => void;
  /** A neighbour is being reached for: `-1` or `1`. */
  onReach: (months: number) => void;
}

/** The month before, the one after, and back to today's; `[`, `]` and `t` do the same. */
export function MonthSwitch({ month, current, onChange, onReach }: MonthSwitchProps) {
  const isCurrent = month === current;
  const isLast = month >= current;
  const move = (months: number) => onChange(addMonths(month, months));
  useShortcut('[', 'Previous month', () => move(-1));
  useShortcut(']', 'Next month', () => move(1), isLast);
  useShortcut('t', 'This month', () => onChange(current), isCurrent);
  return (
    <div className={styles.switch}>
      <ActionIcon
        variant="default"
        aria-label="Previous month"
        title="Previous month ([)"
        onPointerEnter={() => onReach(-1)}
        onFocus={() => onReach(-1)}
        onClick={() => move(-1)}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <h2 className={styles.month} aria-live="polite">
        {formatMonth(month)}
      </h2>
      <ActionIcon
        variant="default"
        aria-label="Next month"
        title="Next month (])"
        disabled={isLast}
        onPointerEnter={() => !isLast && onReach(1)}
        onFocus={() => !isLast && onReach(1)}
        onClick={() => move(1)}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
      <Button variant="default" title="This month (t)" disabled={isCurrent} onClick={() => onChange(current)}>
        Today
      </Button>
    </div>
  );
}
