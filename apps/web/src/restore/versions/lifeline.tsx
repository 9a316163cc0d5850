import type { ItemVersion } from '@keepwatch/contract/restore/versions';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import styles from './lifeline.module.css';

interface LifelineProps {
  versions: readonly ItemVersion[];
  /** How many its mailbox, drive, site or team has, and the first and the last of them. */
  restorePoints: number;
  firstBackupTime: string | null;
  lastBackupTime: string | null;
}

/** When an item was there, over all restore points of what it is in: a part of the line for each version, the shown one stronger. */
export function Lifeline({ versions, restorePoints, firstBackupTime, lastBackupTime }: LifelineProps) {
  if (firstBackupTime === null || lastBackupTime === null) return null;
  const text = lifelineText(versions, restorePoints);
  const [from, to] = [Date.parse(firstBackupTime), Date.parse(lastBackupTime)];
  return (
    <figure className={styles.lifeline}>
      <div
        className={styles.line}
        aria-hidden
        title={`${formatDateTime(firstBackupTime)} – ${formatDateTime(lastBackupTime)}`}
      >
        {versions.map((version) => {
          const part = partOf(version, from, to);
          return part === null ? null : (
            <span
              key={version.version}
              className={styles.part}
              data-shown={version.isShown || undefined}
              style={part}
            />
          );
        })}
      </div>
      <figcaption>{text}</figcaption>
    </figure>
  );
}

/** Where a version is on the line, in percent; a single restore point is the whole of it. */
export function partOf({ firstBackupTime, lastBackupTime }: ItemVersion, from: number, to: number) {
  if (firstBackupTime === null || lastBackupTime === null) return null;
  const at = (time: string) => (Date.parse(time) - from) / (to - from);
  const [start, end] = to > from ? [at(firstBackupTime), at(lastBackupTime)] : [0, 1];
  return { insetInlineStart: `${(start * 100).toFixed(2)}%`, width: `${((end - start) * 100).toFixed(2)}%` };
}

/** `In 41 of 60 restore points, in 3 versions · last on 11/18/26 02:14 AM`. */
export function lifelineText(versions: readonly ItemVersion[], restorePoints: number): string {
  const having = versions.reduce((sum, version) => sum + version.restorePoints, 0);
  if (having === 0) return 'In none of the restore points that are left.';
  const count = `In ${formatCount(having)} of ${formatCount(restorePoints)} restore points`;
  const many = versions.length > 1 ? `, in ${formatCount(versions.length)} versions` : '';
  return `${count}${many} · ${endText(versions)}`;
}

function endText(versions: readonly ItemVersion[]): string {
  if (versions.some(({ isCurrent }) => isCurrent)) return 'still there at the last backup';
  const [last] = versions
    .flatMap(({ lastBackupTime }) => lastBackupTime ?? [])
    .toSorted()
    .toReversed();
  return last === undefined ? 'no longer there' : `last on ${formatDateTime(last)}`;
}
