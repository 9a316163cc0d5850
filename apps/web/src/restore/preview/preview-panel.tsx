import { type ItemPreview, previewItem } from '@keepwatch/contract/restore/items';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import { SidePanel } from '../../kit/list/side-panel.tsx';
import { useApi } from '../../kit/portal.tsx';
import type { OpenItem } from '../explorer/path.ts';
import { RESTORE_KEY } from '../points/points.data.ts';
import { MailBody } from './mail-body.tsx';
import styles from './preview.module.css';

interface PreviewPanelProps {
  sessionId: string;
  item: OpenItem;
  onClose: () => void;
  /** Makes an earlier version of a file the current one; the label of the version. */
  onRestoreVersion: (name: string, version: string) => void;
  /** What else is done with it. */
  children?: ReactNode;
}

/** One item beside the list. Nothing in it runs or loads anything from outside, and looking at it is in the audit log. */
export function PreviewPanel({ sessionId, item, onClose, onRestoreVersion, children }: PreviewPanelProps) {
  const read = usePreview(sessionId, item);
  return (
    <SidePanel noun="item" read={read} titleOf={({ name }) => name || '(no subject)'} onClose={onClose}>
      {(preview) => (
        <div className={styles.preview}>
          {children}
          <People preview={preview} />
          {preview.html !== null && <MailBody html={preview.html} name={preview.name} />}
          {preview.html === null && preview.text !== null && <pre className={styles.text}>{preview.text}</pre>}
          {preview.isCut && <p className={styles.note}>Only the beginning is shown. Download it to read all of it.</p>}
          <Parts preview={preview} onRestoreVersion={onRestoreVersion} />
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

function usePreview(sessionId: string, { objectId, itemId }: OpenItem) {
  const api = useApi();
  return useQuery({
    queryKey: [...RESTORE_KEY, 'preview', sessionId, objectId, itemId],
    queryFn: ({ signal }) =>
      api.request(previewItem, { params: { restoreSessionId: sessionId }, query: { objectId, itemId } }, signal),
    select: (reply) => reply.data,
    // Each look is recorded: it is not read again while it is open.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const KINDS = { to: 'To', cc: 'Cc', bcc: 'Bcc' } as const;

function People({ preview: { from, recipients, sentAt, receivedAt } }: { preview: ItemPreview }) {
  return (
    <Facts hidesUnknown>
      <Fact term="From">{from === null ? null : personText(from)}</Fact>
      {(['to', 'cc', 'bcc'] as const).map((kind) => {
        const people = recipients.filter((recipient) => recipient.kind === kind);
        return (
          <Fact key={kind} term={KINDS[kind]}>
            {people.length === 0 ? null : people.map(personText).join(', ')}
          </Fact>
        );
      })}
      <Fact term="Sent">{sentAt === null ? null : formatDateTime(sentAt)}</Fact>
      <Fact term="Received">{receivedAt === null ? null : formatDateTime(receivedAt)}</Fact>
    </Facts>
  );
}

function personText({ name, address }: { name: string | null; address: string | null }): string {
  if (name === null || name === address) return address ?? '';
  return address === null ? name : `${name} <${address}>`;
}

/** Ids of earlier versions begin with it; what follows is the label of the version. */
const VERSION = 'versions/';

function Parts({
  preview: { parts, name },
  onRestoreVersion,
}: Pick<PreviewPanelProps, 'onRestoreVersion'> & { preview: ItemPreview }) {
  const attachments = parts.filter(({ what, isInline }) => what === 'attachment' && !isInline);
  const versions = parts.filter(({ what }) => what !== 'attachment');
  return (
    <>
      {attachments.length > 0 && (
        <section aria-label="Attachments">
          <h3 className={styles.heading}>Attachments</h3>
          <ul className={styles.parts}>
            {attachments.map((part) => (
              <li key={part.id}>
                {part.name} <span className={styles.size}>{formatBytes(part.sizeBytes)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {versions.length > 0 && (
        <section aria-label="Versions">
          <h3 className={styles.heading}>Versions</h3>
          <ul className={styles.parts}>
            {versions.map((part) => (
              <li key={part.id}>
                {part.what === 'current' ? 'Current' : `Version ${part.id.slice(VERSION.length)}`}{' '}
                <span className={styles.size}>
                  {part.modifiedAt === null ? '' : `${formatDateTime(part.modifiedAt)} · `}
                  {formatBytes(part.sizeBytes)}
                </span>
                {part.what === 'earlier-version' && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    onClick={() => onRestoreVersion(name, part.id.slice(VERSION.length))}
                  >
                    Restore this version…
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
