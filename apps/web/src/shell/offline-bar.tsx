import { formatTimeOfDay } from '../kit/format/dates.ts';
import { useLostAt } from '../kit/portal.tsx';
import styles from './offline-bar.module.css';

/** Says that the server does not answer, and of when the figures on the page are. */
export function OfflineBar() {
  const lostAt = useLostAt();
  return (
    <div role="status" aria-label="Connection">
      {lostAt !== null && <p className={styles.bar}>Offline, showing {formatTimeOfDay(lostAt)}</p>}
    </div>
  );
}
