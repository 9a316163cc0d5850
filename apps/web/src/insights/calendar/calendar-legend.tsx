import cellStyles from '../../entities/calendar/cell.module.css';
import { CELL_LOOKS } from '../../entities/calendar/cell.ts';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { daysWord } from '../../kit/format/zones.ts';
import styles from './calendar-legend.module.css';

/** What the colours and glyphs mean. */
export function CalendarLegend() {
  const clock = useBackupClock();
  return (
    <ul className={styles.legend} aria-label="Legend">
      {[...CELL_LOOKS.values()]
        .filter(({ kind }) => kind !== 'empty')
        .map(({ kind, word, glyph }) => (
          <li key={kind} className={styles.item}>
            <span className={`${cellStyles.cell} ${styles.sample}`} data-kind={kind} aria-hidden>
              {glyph}
            </span>
            {word}
          </li>
        ))}
      <li className={styles.item}>Days {daysWord(clock)}</li>
    </ul>
  );
}
