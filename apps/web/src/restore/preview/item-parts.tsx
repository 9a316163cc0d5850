import type { ItemPreview } from '@keepwatch/contract/restore/previews';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { ItemContent } from './item-content.tsx';
import { type Looked, usePreview, useSavePart } from './item-preview.data.ts';
import styles from './preview.module.css';

/** Ids of earlier versions begin with it; what follows is the label of the version. */
export const VERSION = 'versions/';

/** Of a file with hundreds of versions the panel lists the newest: all of them are in the dialog of versions. */
const VERSIONS_SHOWN = 5;

interface ItemPartsProps {
  sessionId: string;
  of: Looked;
  preview: ItemPreview;
  /** Makes an earlier version of a file the current one; by the label of the version. */
  onRestoreVersion: (version: string) => void;
}

type Part = ItemPreview['parts'][number];

/** What of an item is a file of its own: attachments, and the versions that SharePoint stored of a file. Each opens and downloads. */
export function ItemParts({ sessionId, of, preview: { parts }, onRestoreVersion }: ItemPartsProps) {
  const attachments = parts.filter(({ what, isInline }) => what === 'attachment' && !isInline);
  const versions = parts.filter(({ what }) => what === 'earlier-version');
  const save = useSavePart(sessionId);
  const [opened, setOpened] = useState<string | null>(null);
  const actions = (part: Part) => (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={opened === part.id}
        onClick={() => setOpened(opened === part.id ? null : part.id)}
      >
        {opened === part.id ? 'Hide' : 'Show'}
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={save.isPending && save.variables.of.part === part.id}
        onClick={() => save.mutate({ of: { ...of, part: part.id }, name: part.name })}
      >
        Download
      </Button>
    </>
  );
  const shown = (part: Part) =>
    opened === part.id && <OpenedPart sessionId={sessionId} of={{ ...of, part: part.id }} />;
  return (
    <>
      <PartList title="Attachments" parts={attachments}>
        {(part) => (
          <>
            {part.name} <span className={styles.size}>{formatBytes(part.sizeBytes)}</span> {actions(part)}
            {shown(part)}
          </>
        )}
      </PartList>
      <PartList title="Earlier versions" parts={versions.slice(0, VERSIONS_SHOWN)}>
        {(part) => (
          <>
            Version {part.id.slice(VERSION.length)} <span className={styles.size}>{aboutOf(part)}</span> {actions(part)}
            <Button variant="subtle" size="compact-sm" onClick={() => onRestoreVersion(part.id.slice(VERSION.length))}>
              Restore this version…
            </Button>
            {shown(part)}
          </>
        )}
      </PartList>
      {versions.length > VERSIONS_SHOWN && (
        <p className={styles.note}>{versions.length - VERSIONS_SHOWN} earlier ones are under Versions…</p>
      )}
    </>
  );
}

function aboutOf({ modifiedAt, sizeBytes }: Part): string {
  return `${modifiedAt === null ? '' : `${formatDateTime(modifiedAt)} · `}${formatBytes(sizeBytes)}`;
}

interface PartListProps {
  title: string;
  parts: readonly Part[];
  children: (part: Part) => React.ReactNode;
}

function PartList({ title, parts, children }: PartListProps) {
  if (parts.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className={styles.heading}>{title}</h3>
      <ul className={styles.parts}>
        {parts.map((part) => (
          <li key={part.id}>{children(part)}</li>
        ))}
      </ul>
    </section>
  );
}

function OpenedPart({ sessionId, of }: { sessionId: string; of: Looked }) {
  const { data, error } = usePreview(sessionId, of);
  if (error !== null) return <p className={styles.note}>{messageOf(error)}</p>;
  if (data === undefined) return <SkeletonRows rows={3} />;
  return (
    <div className={styles.opened}>
      <ItemContent sessionId={sessionId} of={of} preview={{ ...data, type: 'file' }} />
    </div>
  );
}
