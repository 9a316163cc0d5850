import type { ItemPreview } from '@keepwatch/contract/restore/previews';
import { useMemo } from 'react';
import { messageOf } from '../../kit/api.ts';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { ItemContent } from '../preview/item-content.tsx';
import { type Looked, usePreview } from '../preview/item-preview.data.ts';
import { linesOf } from './lines-of.ts';
import { differenceOf, type PairedLine } from './text-difference.ts';
import { titleOf } from './version-table.tsx';
import type { Side } from './versions.data.ts';
import styles from './versions.module.css';

interface VersionPairProps {
  sessionId: string;
  older: Side;
  newer: Side;
}

/** Two versions beside each other: of texts the difference line by line, of everything else what each of them is. */
export function VersionPair({ sessionId, older, newer }: VersionPairProps) {
  const [left, right] = [usePreview(sessionId, older.of), usePreview(sessionId, newer.of)];
  const error = left.error ?? right.error;
  if (error !== null)
    return (
      <p className={styles.failed} role="alert">
        {messageOf(error)}
      </p>
    );
  if (left.data === undefined || right.data === undefined) return <SkeletonRows rows={8} />;
  const sides = [
    { side: older, preview: left.data, place: 'Left' },
    { side: newer, preview: right.data, place: 'Right' },
  ] as const;
  return (
    <>
      <div className={styles.pair}>
        {sides.map(({ side, preview, place }) => (
          <section key={place} aria-label={`${place}: ${titleOf(side)}`}>
            <h3>{titleOf(side)}</h3>
            <p className={styles.place}>{[...side.path, side.name].join(' / ')}</p>
            <Content sessionId={sessionId} of={side.of} preview={preview} />
          </section>
        ))}
      </div>
      <Difference older={left.data} newer={right.data} />
    </>
  );
}

/** Without its text, which is in the difference. */
function Content({ sessionId, of, preview }: { sessionId: string; of: Looked; preview: ItemPreview }) {
  const shown = linesOf(preview) === null ? preview : { ...preview, html: null, text: null, type: 'message' };
  return <ItemContent sessionId={sessionId} of={of} preview={shown} />;
}

function Difference({ older, newer }: { older: ItemPreview; newer: ItemPreview }) {
  const lines = useMemo(() => {
    const [left, right] = [linesOf(older), linesOf(newer)];
    return left === null || right === null ? null : differenceOf(left, right);
  }, [older, newer]);
  if (lines === null) return null;
  const rows = shortened(lines);
  const changed = lines.filter(({ isSame }) => !isSame).length;
  return (
    <section aria-label="Difference">
      <p className={styles.summary} role="status">
        {changed === 0 ? 'The text is the same in both.' : `${changed} of ${lines.length} lines differ.`}
      </p>
      <table className={styles.difference}>
        <tbody>
          {rows.slice(0, ROWS_MAX).map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </tbody>
      </table>
      {rows.length > ROWS_MAX && <p className={styles.summary}>Only the first {ROWS_MAX} lines are shown.</p>}
    </section>
  );
}

type Shown = { key: string; line: PairedLine } | { key: string; hidden: number };

/** More than a person reads, and few enough for a browser to lay out at once. */
const ROWS_MAX = 2_000;
/** Lines around a change that are shown with it. */
const AROUND = 3;

/** The changes with a few lines around each; how many lines are between them. */
function shortened(lines: readonly PairedLine[]): Shown[] {
  const isNear = lines.map(() => false);
  for (const [at, { isSame }] of lines.entries())
    if (!isSame) isNear.fill(true, Math.max(0, at - AROUND), at + AROUND + 1);
  const shown: Shown[] = [];
  let hidden = 0;
  for (const [at, line] of lines.entries()) {
    if (isNear[at] !== true) hidden += 1;
    if (isNear[at] === true && hidden > 0) shown.push({ key: `hidden ${at}`, hidden });
    if (isNear[at] !== true) continue;
    hidden = 0;
    shown.push({ key: String(at), line });
  }
  if (hidden > 0) shown.push({ key: 'hidden', hidden });
  return shown;
}

function Row({ row }: { row: Shown }) {
  if ('hidden' in row)
    return (
      <tr>
        <td colSpan={2} className={styles.hidden}>
          {row.hidden === 1 ? '1 line is the same' : `${row.hidden} lines are the same`}
        </td>
      </tr>
    );
  const { isSame, older, newer } = row.line;
  return (
    <tr data-changed={!isSame || undefined}>
      <td data-what={older === null ? 'none' : isSame ? undefined : 'removed'}>
        {older !== null && !isSame ? <del>{older || ' '}</del> : older}
      </td>
      <td data-what={newer === null ? 'none' : isSame ? undefined : 'added'}>
        {newer !== null && !isSame ? <ins>{newer || ' '}</ins> : newer}
      </td>
    </tr>
  );
}
