import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { messageOf } from '../../kit/api.ts';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import styles from './company-section.module.css';

interface CompanySectionProps<T> {
  title: string;
  /** Beside the title: how many there are. */
  note?: string | undefined;
  /** At the end of the heading: a link to all of it, a button. */
  actions?: ReactNode;
  /** As wide as the page, where others are beside each other. */
  isWide?: boolean;
  reading: { data: T | undefined; error: unknown; refetch: () => unknown };
  /** Says why there is nothing, and leads on; `null` where there is something. */
  empty?: (data: T) => ReactNode;
  children: (data: T) => ReactNode;
}

/** One part of the page of a company. It loads, fails and is tried again alone. */
export function CompanySection<T>(props: CompanySectionProps<T>) {
  const { title, note, actions, isWide = false, reading } = props;
  const id = useId();
  const { data, error } = reading;
  return (
    <section className={styles.section} data-wide={isWide || undefined} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span className={styles.note}>{note}</span>}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      <div className={styles.body} aria-busy={data === undefined && error === null}>
        <Body {...props} />
      </div>
    </section>
  );
}

function Body<T>({ title, reading: { data, error, refetch }, empty, children }: CompanySectionProps<T>) {
  if (data === undefined && error === null) return <SkeletonRows rows={3} />;
  if (data === undefined)
    return (
      <div className={styles.empty} role="alert">
        <p>{messageOf(error)}</p>
        <Button variant="default" size="compact-sm" aria-label={`Try again: ${title}`} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  const nothing = empty?.(data) ?? null;
  return (
    <>
      {error !== null && (
        <p className={styles.outdated} role="alert">
          Not up to date: {messageOf(error)}
        </p>
      )}
      {nothing === null ? children(data) : <div className={styles.empty}>{nothing}</div>}
    </>
  );
}
