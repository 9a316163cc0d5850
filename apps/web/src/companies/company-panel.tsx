import type { CompanyRow } from '@keepwatch/contract/directory/companies';
import { CloseButton } from '@mantine/core';
import { useId } from 'react';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';
import { ErrorState } from '../kit/states/error-state.tsx';
import { SkeletonRows } from '../kit/states/skeleton-rows.tsx';
import { useCompany } from './companies.data.ts';
import { CompanyFacts } from './company-facts.tsx';
import { CompanyLinks } from './company-links.tsx';
import styles from './company-panel.module.css';

/** One company beside the list: its contact data, its names elsewhere, and links to its runs. */
export function CompanyPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useCompany(id);
  const headingId = useId();
  useShortcut('Escape', 'Close the company', onClose);
  return (
    <aside className={styles.panel} aria-labelledby={headingId} aria-busy={data === undefined && error === null}>
      <header className={styles.head}>
        <h2 id={headingId} aria-live="polite">
          {data?.name ?? 'Company'}
        </h2>
        <CloseButton aria-label="Close the company" onClick={onClose} />
      </header>
      {data !== undefined && <Details company={data} />}
      {data === undefined && error === null && <SkeletonRows rows={8} />}
      {data === undefined && error !== null && (
        <ErrorState what="this company" error={error} onRetry={() => void refetch()} />
      )}
    </aside>
  );
}

function Details({ company }: { company: CompanyRow }) {
  return (
    <div className={styles.body}>
      <CompanyLinks company={company} />
      <CompanyFacts company={company} />
    </div>
  );
}
