import { formatDateTime } from '../kit/format/dates.ts';
import { hasUnassigned, type Sync } from './last-sync.data.ts';
import styles from './last-sync.module.css';
import { UnassignedRuns } from './unassigned-runs.tsx';

const SENTENCES: Readonly<Record<Sync['status'], string>> = {
  SUCCEEDED: 'All sources were read completely.',
  PARTIAL: 'Some data could not be read.',
  FAILED: 'The sources could not be read.',
  RUNNING: 'The sources are being read.',
  NEVER: 'No source has been read yet.',
};
/** Said instead where runs that were read belong to no job for certain. */
const READ_BUT = 'All sources were read, but:';

/** What the last sync did not read, and which runs it could not place. */
export default function LastSyncDetails({ sync, title }: { sync: Sync; title: string }) {
  return (
    <div className={styles.details}>
      <h2>{title}</h2>
      <p className={styles.note}>Last sync: {sync.lastSync === null ? 'never' : formatDateTime(sync.lastSync)}</p>
      {sync.failed.length === 0 ? (
        <p className={styles.note}>{sentenceOf(sync)}</p>
      ) : (
        <>
          <p className={styles.note}>Could not be read:</p>
          <ul className={styles.failed}>
            {sync.failed.map((failed) => (
              <li key={`${failed.source} ${failed.entity} ${failed.externalId}`}>
                <strong>{failed.entity}</strong> of {failed.source}: {failed.reason}
              </li>
            ))}
          </ul>
        </>
      )}
      {hasUnassigned(sync) && <UnassignedRuns sync={sync} />}
    </div>
  );
}

function sentenceOf(sync: Sync): string {
  return sync.status === 'SUCCEEDED' && hasUnassigned(sync) ? READ_BUT : SENTENCES[sync.status];
}
