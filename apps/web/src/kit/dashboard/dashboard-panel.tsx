import { type ReactNode, useId } from 'react';
import { messageOf } from '../api.ts';
import { SkeletonRows } from '../states/skeleton-rows.tsx';
import { styleVariables } from '../style-variables.ts';
import styles from './dashboard-panel.module.css';

/** What a panel needs of a query. */
export interface Reading<T> {
  data: T | undefined;
  error: unknown;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface DashboardPanelProps<T> {
  title: string;
  /** Id by which a figure links to the panel. */
  anchor?: string;
  /** Beside the title: a count, a unit. */
  note?: ReactNode;
  /** At the end of the heading. */
  actions?: ReactNode;
  reading: Reading<T>;
  /** Height of what is under the heading: the same while it loads, when it fails and when it is there. */
  bodyPx: number;
  /** The same on a screen so narrow that its parts are below each other. */
  narrowBodyPx?: number;
  /** There it is higher where its text takes more lines: it has no list to scroll. */
  growsNarrow?: boolean;
  /** Columns of the dashboard's twelve, where it is wide. */
  columns: 4 | 6 | 8 | 12;
  /** Says why the panel is empty, and leads on where that helps; `null` if it is not. */
  emptyText?: (data: T) => ReactNode;
  children: (data: T) => ReactNode;
}

/** One panel of the dashboard. It loads, fails and is tried again on its own. */
export function DashboardPanel<T>(props: DashboardPanelProps<T>) {
  const { title, anchor, note, actions, reading, bodyPx, narrowBodyPx = bodyPx, columns } = props;
  const id = useId();
  const isOutdated = reading.error !== null && reading.data !== undefined;
  return (
    <section id={anchor} tabIndex={-1} className={styles.panel} data-columns={columns} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span className={styles.note}>{note}</span>}
        <div className={styles.actions}>
          {isOutdated && <Failure error={reading.error} onRetry={reading.refetch} isBrief />}
          {actions}
        </div>
      </header>
      <div
        className={styles.body}
        style={styleVariables({ '--body': `${bodyPx}px`, '--narrow-body': `${narrowBodyPx}px` })}
        data-stale={reading.isPlaceholderData || undefined}
        data-grows={props.growsNarrow || undefined}
        aria-busy={reading.data === undefined && reading.error === null}
      >
        <Body {...props} />
      </div>
    </section>
  );
}

function Body<T>({ reading, bodyPx, emptyText, children }: DashboardPanelProps<T>) {
  const { data, error, refetch } = reading;
  if (data === undefined) {
    return error === null ? (
      <SkeletonRows rows={Math.floor(bodyPx / SKELETON_ROW_PX)} />
    ) : (
      <Failure error={error} onRetry={refetch} />
    );
  }
  const reason = emptyText?.(data) ?? null;
  return reason === null ? children(data) : <p className={styles.empty}>{reason}</p>;
}

const SKELETON_ROW_PX = 34;

/** `isBrief`: beside figures that are still shown, but no longer of this moment. */
function Failure({ error, onRetry, isBrief = false }: { error: unknown; onRetry: () => unknown; isBrief?: boolean }) {
  return (
    <div className={isBrief ? styles.outdated : styles.failure} role="alert">
      <span className={styles.failureText} title={isBrief ? messageOf(error) : undefined}>
        {isBrief ? 'Not up to date' : messageOf(error)}
      </span>
      <button type="button" className={styles.retry} onClick={() => void onRetry()}>
        Try again
      </button>
    </div>
  );
}
