import type { ItemPreview } from '@keepwatch/contract/restore/previews';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import type { OpenItem } from '../explorer/path.ts';
import type { ItemAct } from '../preview/item-act.ts';
import styles from '../restore.module.css';
import { Lifeline } from './lifeline.tsx';
import { VersionPair } from './version-pair.tsx';
import { VersionTable } from './version-table.tsx';
import { firstPair, type Side, sidesOf, useVersions } from './versions.data.ts';

interface VersionsDialogProps {
  sessionId: string;
  item: OpenItem;
  preview: ItemPreview;
  onClose: () => void;
  onAct: (act: ItemAct) => void;
}

/** All versions of an item over the restore points, two of them beside each other, and the way back to any of them. */
export function VersionsDialog({ sessionId, item, preview, onClose, onAct }: VersionsDialogProps) {
  const { data, error } = useVersions(sessionId, item);
  return (
    <Dialog title={`Versions of ${preview.name}`} size="1120px" onClose={onClose}>
      {error !== null && (
        <p className={styles.error} role="alert">
          {messageOf(error)}
        </p>
      )}
      {error === null && data === undefined && <SkeletonRows rows={8} />}
      {data !== undefined && (
        <Versions
          sessionId={sessionId}
          sides={sidesOf(item, data.data, preview)}
          restorePoints={data.restorePoints}
          lifeline={<Lifeline versions={data.data} {...data} />}
          onAct={onAct}
        />
      )}
    </Dialog>
  );
}

interface VersionsProps extends Pick<VersionsDialogProps, 'sessionId' | 'onAct'> {
  sides: readonly Side[];
  restorePoints: number;
  lifeline: ReactNode;
}

function Versions({ sessionId, sides, restorePoints, lifeline, onAct }: VersionsProps) {
  const [chosen, setChosen] = useState(() => firstPair(sides));
  const sideOf = (key: string | undefined) => sides.find((side) => side.key === key);
  const [older, newer] = [sideOf(chosen?.[0]), sideOf(chosen?.[1])];
  return (
    <div className={styles.step}>
      {lifeline}
      <VersionTable {...{ sides, restorePoints, chosen, sessionId, onAct }} onChoose={setChosen} />
      {older !== undefined && newer !== undefined && older !== newer ? (
        <VersionPair sessionId={sessionId} older={older} newer={newer} />
      ) : (
        <p className={styles.note}>
          {sides.length < 2
            ? 'No restore point has another version of it.'
            : 'Choose two different versions to see them side by side.'}
        </p>
      )}
    </div>
  );
}
