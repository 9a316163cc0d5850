import { Button } from '@mantine/core';
import { formatDateTime } from '../../kit/format/dates.ts';
import type { RestoreApplication } from '../explorer/application.ts';
import type { Entry } from '../explorer/entry.ts';
import styles from '../explorer/explorer.module.css';
import { folderOf, type Hit } from './search.data.ts';

interface HitPlaceProps {
  application: RestoreApplication;
  hit: Hit;
  onOpenFolder: (path: readonly Entry[]) => void;
  onPoint: (datetime: string) => void;
}

/** Where the open search result is, and the way to the last restore point that has it. */
export function HitPlace({ application, hit, onOpenFolder, onPoint }: HitPlaceProps) {
  const { endedAt, objectName, path } = hit.found;
  return (
    <p className={styles.notice}>
      {[objectName, ...path].join(' / ')} ·{' '}
      {endedAt === null ? 'Still there at the last backup' : `Existed until ${formatDateTime(endedAt)}`}{' '}
      <Button variant="subtle" size="compact-sm" onClick={() => onOpenFolder(folderOf(application, hit))}>
        Open its folder
      </Button>
      {endedAt !== null && (
        <Button variant="subtle" size="compact-sm" onClick={() => onPoint(justBefore(endedAt))}>
          Go to the last restore point with it
        </Button>
      )}
    </p>
  );
}

/** The restore point at which it was missing is not the one that is looked for. */
export function justBefore(instant: string): string {
  return new Date(Date.parse(instant) - 1).toISOString();
}
