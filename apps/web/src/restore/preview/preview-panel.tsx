import type { ItemPreview } from '@keepwatch/contract/restore/previews';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { SidePanel } from '../../kit/list/side-panel.tsx';
import type { RestoreApplication } from '../explorer/application.ts';
import { shownName } from '../explorer/entry.ts';
import type { OpenItem } from '../explorer/path.ts';
import type { ItemAct } from './item-act.ts';
import { ItemContent } from './item-content.tsx';
import { ItemParts } from './item-parts.tsx';
import { usePreview, useSavePart } from './item-preview.data.ts';
import styles from './preview.module.css';
import { isInThread, Thread } from './thread.tsx';

const VersionsDialog = lazy(() =>
  import('../versions/versions-dialog.tsx').then(({ VersionsDialog: part }) => ({ default: part })),
);

const ItemLifeline = lazy(() => import('../versions/item-lifeline.tsx'));

interface PreviewPanelProps {
  application: RestoreApplication;
  sessionId: string;
  item: OpenItem;
  onClose: () => void;
  onAct: (act: ItemAct) => void;
}

/** One item beside the list. Nothing in it runs or loads anything from outside, and looking at it is in the audit log. */
export function PreviewPanel({ application, sessionId, item, onClose, onAct }: PreviewPanelProps) {
  const { objectId, itemId } = item;
  const of = { objectId, itemId };
  const read = usePreview(sessionId, of);
  return (
    <SidePanel noun="item" read={read} titleOf={({ type, name }) => shownName(type, name)} onClose={onClose}>
      {(preview) => (
        <div className={styles.preview}>
          <Actions {...{ application, sessionId, item, preview, onAct }} />
          <Suspense fallback={<div className={styles.lifeline} />}>
            <ItemLifeline sessionId={sessionId} of={of} />
          </Suspense>
          <ItemContent sessionId={sessionId} of={of} preview={preview} />
          {isInThread(preview.type) && <Thread sessionId={sessionId} of={of} type={preview.type} />}
          <ItemParts
            sessionId={sessionId}
            of={of}
            preview={preview}
            onRestoreVersion={(earlierVersion) => onAct({ kind: 'restore', name: preview.name, earlierVersion })}
          />
          {preview.losses.map((loss) => (
            <p key={loss} className={styles.note}>
              {loss}
            </p>
          ))}
          <p className={styles.note}>Opening this item was recorded in the users logs.</p>
        </div>
      )}
    </SidePanel>
  );
}

interface ActionsProps extends Pick<PreviewPanelProps, 'application' | 'sessionId' | 'item' | 'onAct'> {
  preview: ItemPreview;
}

/** A file is saved as it is; of everything else the format is asked. */
function Actions({ application, sessionId, item, preview, onAct }: ActionsProps) {
  const { objectId, itemId } = item;
  const [isComparing, setComparing] = useState(false);
  const save = useSavePart(sessionId);
  const { name, parts } = preview;
  const [noRestore, noDownload] = [
    application.refusesRestore?.(item) ?? null,
    application.refusesDownload?.(item) ?? null,
  ];
  const file = parts.find(({ what, id }) => what === 'current' && id === 'file');
  const download = () =>
    file === undefined
      ? onAct({ kind: 'download', name })
      : save.mutate({ of: { objectId, itemId, part: file.id }, name: file.name });
  return (
    <div className={styles.actions}>
      <Button size="compact-sm" disabled={noRestore !== null} onClick={() => onAct({ kind: 'restore', name })}>
        Restore item…
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={noDownload !== null}
        loading={save.isPending}
        onClick={download}
      >
        {file === undefined ? 'Download item…' : 'Download file'}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setComparing(true)}>
        Versions…
      </Button>
      {[noRestore, noDownload].map((reason) =>
        reason === null ? null : (
          <p key={reason} className={styles.note} role="note">
            {reason}
          </p>
        ),
      )}
      {isComparing && (
        <Suspense>
          <VersionsDialog
            {...{ sessionId, item, preview }}
            onClose={() => setComparing(false)}
            onAct={(act) => {
              setComparing(false);
              onAct(act);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
