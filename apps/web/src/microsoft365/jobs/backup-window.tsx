import { Button } from '@mantine/core';
import styles from './backup-window.module.css';

interface BackupWindowProps {
  /** 168 hours from Monday 0:00 on: whether it may run in each. */
  hours: readonly boolean[];
  onChange: (hours: readonly boolean[]) => void;
}

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** Outside of office hours. */
const NIGHT = (hour: number) => hour >= 20 || hour < 6;

/** The hours of the week in which a job may run. A day's name switches all of its hours. */
export function BackupWindow({ hours, onChange }: BackupWindowProps) {
  const set = (isIn: (place: number) => boolean, isOn: boolean) =>
    onChange(hours.map((before, place) => (isIn(place) ? isOn : before)));
  return (
    <div className={styles.window}>
      <div className={styles.scroll}>
        <table>
          <caption className="visually-hidden">Hours in which it may run</caption>
          <tbody>
            {DAYS.map((day, row) => {
              const isAllOn = HOURS.every((hour) => hours[row * 24 + hour]);
              return (
                <tr key={day}>
                  <th scope="row">
                    <button type="button" onClick={() => set((place) => Math.floor(place / 24) === row, !isAllOn)}>
                      {day}
                    </button>
                  </th>
                  {HOURS.map((hour) => (
                    <td key={hour}>
                      <input
                        type="checkbox"
                        title={`${day} ${hour}:00`}
                        aria-label={`${day} ${hour}:00`}
                        checked={hours[row * 24 + hour] === true}
                        onChange={(event) => set((place) => place === row * 24 + hour, event.currentTarget.checked)}
                      />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
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
