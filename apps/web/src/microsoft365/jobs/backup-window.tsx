import { Button } from '@mantine/core';
import { formatCount } from '../../kit/format/numbers.ts';
import styles from './backup-window.module.css';
import { WeekGrid } from './week-grid.tsx';
import type { WeekHours } from './week-hours.ts';

interface BackupWindowProps {
  /** Whether it may run in each. */
  hours: WeekHours;
  onChange: (hours: WeekHours) => void;
}

/** Outside of office hours. */
const NIGHT = (hour: number) => hour >= 20 || hour < 6;

/** The hours of the week in which a job may run. */
export function BackupWindow({ hours, onChange }: BackupWindowProps) {
  return (
    <div className={styles.window}>
      <p className={styles.hint}>
        Runs in {formatCount(hours.filter((isOn) => isOn).length)} of {formatCount(hours.length)} hours. Drag over the
        hours, or use the arrow keys and the space bar.
      </p>
      <WeekGrid hours={hours} onChange={onChange} />
      <div className={styles.presets}>
        <Button
          variant="default"
          size="compact-xs"
          onClick={() => onChange(hours.map((_, place) => NIGHT(place % 24)))}
        >
          Nights (20:00 to 6:00)
        </Button>
        <Button
          variant="default"
          size="compact-xs"
          onClick={() => onChange(hours.map((_, place) => NIGHT(place % 24) || place >= 5 * 24))}
        >
          Nights and weekends
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => onChange(hours.map(() => true))}>
          Always
        </Button>
      </div>
    </div>
  );
}
