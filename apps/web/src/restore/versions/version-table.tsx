import { Button } from '@mantine/core';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import type { ItemAct } from '../preview/item-act.ts';
import { useSavePart } from '../preview/item-preview.data.ts';
import type { Side } from './versions.data.ts';
import styles from './versions.module.css';

type Pair = readonly [older: string, newer: string];

interface VersionTableProps {
  sessionId: string;
  sides: readonly Side[];
  restorePoints: number;
  chosen: Pair | null;
  onChoose: (pair: Pair) => void;
  onAct: (act: ItemAct) => void;
}

/** When each version was there, how large it is and who made it; two are chosen to be seen beside each other. */
export function VersionTable({ sides, restorePoints, chosen, onChoose, ...acting }: VersionTableProps) {
  const [left = '', right = ''] = chosen ?? [];
  const canChoose = sides.length > 1;
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            {canChoose && (
              <>
                <th scope="col">Left</th>
                <th scope="col">Right</th>
              </>
            )}
            <th scope="col">Seen in restore points</th>
            <th scope="col">Modified</th>
            <th scope="col">By</th>
            <th scope="col" className={styles.number}>
              Size
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sides.map((side) => (
            <tr key={side.key} data-shown={side.isShown || undefined}>
              {canChoose && (
                <>
                  <td className={styles.choice} data-side="Left">
                    <Choice
                      label={`Left: ${titleOf(side)}`}
                      name="left"
                      isOn={left === side.key}
                      onChoose={() => onChoose([side.key, right])}
                    />
                  </td>
                  <td className={styles.choice} data-side="Right">
                    <Choice
                      label={`Right: ${titleOf(side)}`}
                      name="right"
                      isOn={right === side.key}
                      onChoose={() => onChoose([left, side.key])}
                    />
                  </td>
                </>
              )}
              <td className={styles.seen}>{seenText(side, restorePoints)}</td>
              <td>{side.modifiedAt === null ? '–' : formatDateTime(side.modifiedAt)}</td>
              <td className={styles.by} title={side.by ?? undefined}>
                {side.by ?? '–'}
              </td>
              <td className={styles.number}>{formatBytes(side.sizeBytes)}</td>
              <td className={styles.actions}>
                <Acts side={side} {...acting} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  name: string;
  isOn: boolean;
  onChoose: () => void;
}

function Choice({ label, name, isOn, onChoose }: ChoiceProps) {
  return <input type="radio" name={name} aria-label={label} checked={isOn} onChange={onChoose} />;
}

/** An earlier restore point has its own session, in which the item is restored or saved as it was there. */
function Acts({ side, sessionId, onAct }: { side: Side } & Pick<VersionTableProps, 'sessionId' | 'onAct'>) {
  const save = useSavePart(sessionId);
  const { name, label, seen, of } = side;
  if (label !== null)
    return (
      <>
        <Act onClick={() => onAct({ kind: 'restore', name, earlierVersion: label })}>Restore…</Act>
        <Act onClick={() => save.mutate({ of: { ...of, part: side.key }, name })}>Download</Act>
      </>
    );
  const at = seen?.lastBackupTime ?? null;
  if (at === null) return null;
  return (
    <>
      <Act onClick={() => onAct({ kind: 'restore', name, at })}>Restore…</Act>
      <Act onClick={() => onAct({ kind: 'download', name, at })}>Download…</Act>
    </>
  );
}

function Act({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button variant="subtle" size="compact-sm" onClick={onClick}>
      {children}
    </Button>
  );
}

/** `03/12/26 02:14 AM`, `version 3.0`: what a side is called. */
export function titleOf({ seen, label }: Side): string {
  if (label !== null) return `version ${label}`;
  return seen?.lastBackupTime == null ? 'no restore point' : formatDateTime(seen.lastBackupTime);
}

function seenText({ seen, label, isShown }: Side, restorePoints: number): string {
  if (seen === null) return `Version ${label}, stored by SharePoint`;
  const { firstBackupTime: first, lastBackupTime: last } = seen;
  if (first === null || last === null) return 'In none that is left';
  const times = first === last ? formatDateTime(first) : `${formatDateTime(first)} – ${formatDateTime(last)}`;
  return `${times} · ${seen.restorePoints} of ${restorePoints}${isShown ? ' · shown' : ''}`;
}
