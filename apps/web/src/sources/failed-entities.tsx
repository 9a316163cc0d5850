import { formatCount } from '../kit/format/numbers.ts';
import type { Source } from './sources.data.ts';
import styles from './sources.module.css';

/** Enough to see what is wrong; a console that refuses everything fails with the same reason a thousand times. */
const SHOWN_MAX = 100;

/** Lists what the last sync could not ingest, and why. */
export function FailedEntities({ failed }: { failed: Source['failed'] }) {
  const hidden = failed.length - SHOWN_MAX;
  return (
    <details className={styles.failed}>
      <summary>{failed.length === 1 ? '1 entity failed' : `${formatCount(failed.length)} entities failed`}</summary>
      <ul>
        {failed.slice(0, SHOWN_MAX).map((entity, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list comes whole and an entity may fail twice
          <li key={place}>
            <strong>{entity.entity}</strong>
            {entity.externalId !== null && <code> {entity.externalId}</code>}: {entity.reason}
          </li>
        ))}
        {hidden > 0 && <li>… and {formatCount(hidden)} more.</li>}
      </ul>
    </details>
  );
}
