import { useState } from 'react';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { ErrorState } from '../kit/states/error-state.tsx';
import { SkeletonRows } from '../kit/states/skeleton-rows.tsx';
import styles from './source-dialog.module.css';
import { SourceForm } from './source-form.tsx';
import { type Source, type SourceKind, useSourceKinds } from './sources.data.ts';

interface SourceDialogProps {
  /** `null`: a new one. */
  source: Source | null;
  onClose: () => void;
}

/** Connects a console, or changes the settings of one. */
export default function SourceDialog({ source, onClose }: SourceDialogProps) {
  const { data, error, refetch } = useSourceKinds();
  const [chosen, setChosen] = useState<string | null>(source?.kind ?? null);
  const only = data?.length === 1 ? data[0] : undefined;
  const kind = data?.find((candidate) => candidate.kind === chosen) ?? (source === null ? only : undefined);
  const title = source === null ? 'Connect a console' : `Edit ${source.name}`;
  return (
    <Dialog isForm size="md" title={title} onClose={onClose}>
      {data === undefined && error === null && (
        <div className={styles.waiting} aria-busy>
          <SkeletonRows rows={6} />
        </div>
      )}
      {error !== null && data === undefined && (
        <ErrorState what="the consoles" error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && kind === undefined && <Kinds kinds={data} onChoose={setChosen} />}
      {kind !== undefined && <SourceForm key={kind.kind} kind={kind} source={source} onClose={onClose} />}
    </Dialog>
  );
}

function Kinds({ kinds, onChoose }: { kinds: readonly SourceKind[]; onChoose: (kind: string) => void }) {
  if (kinds.length === 0) return <p className={styles.hint}>This portal has no connector for any console.</p>;
  return (
    <ul className={styles.kinds}>
      {kinds.map(({ kind, label }) => (
        <li key={kind}>
          <button type="button" className={styles.kind} onClick={() => onChoose(kind)}>
            {label}
          </button>
        </li>
      ))}
    </ul>
  );
}
