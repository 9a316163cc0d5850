import { type ReactNode, useState } from 'react';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import styles from './connection.module.css';

interface Kind {
  kind: string;
  label: string;
  /** What it is used for, where there is more than one use. */
  purpose?: string;
}

interface KindDialogProps<K extends Kind> {
  title: string;
  /** The query that reads what can be connected. */
  read: { data: readonly K[] | undefined; error: unknown; refetch: () => unknown };
  /** What could not be loaded, within a sentence: `the consoles`. */
  what: string;
  /** Whether it is the kind of the connection that is changed; `null`: a new one, whose kind is chosen first. */
  isOf: ((kind: K) => boolean) | null;
  /** Where there is no kind to choose from. */
  none: string;
  onClose: () => void;
  /** The form of a kind. */
  children: (kind: K) => ReactNode;
}

/** The form of a connection's kind, in a dialog. */
export function KindDialog<K extends Kind>(props: KindDialogProps<K>) {
  const { title, read, what, isOf, none, onClose, children } = props;
  const { data, error, refetch } = read;
  const [chosen, setChosen] = useState<K | null>(null);
  const only = data?.length === 1 ? data[0] : undefined;
  const kind = isOf === null ? (chosen ?? only) : data?.find(isOf);
  return (
    <Dialog isForm size="md" title={title} onClose={onClose}>
      {data === undefined && error === null && (
        <div className={styles.waiting} aria-busy>
          <SkeletonRows rows={6} />
        </div>
      )}
      {data === undefined && error !== null && <ErrorState what={what} error={error} onRetry={() => void refetch()} />}
      {data !== undefined && kind === undefined && <Kinds kinds={data} none={none} onChoose={setChosen} />}
      {kind !== undefined && children(kind)}
    </Dialog>
  );
}

interface KindsProps<K extends Kind> {
  kinds: readonly K[];
  none: string;
  onChoose: (kind: K) => void;
}

function Kinds<K extends Kind>({ kinds, none, onChoose }: KindsProps<K>) {
  if (kinds.length === 0) return <p className={styles.hint}>{none}</p>;
  return (
    <ul className={styles.kinds}>
      {kinds.map((kind) => (
        <li key={`${kind.purpose} ${kind.kind}`}>
          <button type="button" className={styles.kind} onClick={() => onChoose(kind)}>
            {kind.label}
            {kind.purpose !== undefined && <span className={styles.hint}>{kind.purpose}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
