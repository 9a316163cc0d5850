import { hasFeature } from '@keepwatch/contract/microsoft365/engines';
import type { Microsoft365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { notFound } from '../../kit/api.ts';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes, formatCount, formatCounted } from '../../kit/format/numbers.ts';
import { SidePanel } from '../../kit/list/side-panel.tsx';
import styles from '../microsoft365.module.css';
import type { useRepositories } from './repositories.data.ts';
import { retentionText } from './repository-words.ts';
import { UsageBar } from './usage-bar.tsx';

const EditRepository = lazy(() => import('./edit-repository.tsx'));
const Maintenance = lazy(() => import('./maintenance.tsx'));
const DeleteRepository = lazy(() => import('./delete-repository.tsx'));

interface RepositoryPanelProps {
  id: string;
  read: ReturnType<typeof useRepositories>;
  onClose: () => void;
}

/** One repository beside the list: what is in it, and what can be done with it. */
export function RepositoryPanel({ id, read, onClose }: RepositoryPanelProps) {
  const data = read.data?.find((repository) => repository.id === id);
  const error = read.data !== undefined && data === undefined ? notFound('repository') : read.error;
  return (
    <SidePanel
      noun="repository"
      read={{ data, error, refetch: read.refetch }}
      titleOf={({ name }) => name}
      onClose={onClose}
    >
      {(repository) => (
        <>
          <Actions repository={repository} onDeleted={onClose} />
          <RepositoryFacts repository={repository} />
        </>
      )}
    </SidePanel>
  );
}

function Actions({ repository, onDeleted }: { repository: Microsoft365Repository; onDeleted: () => void }) {
  const [open, setOpen] = useState<'edit' | 'maintenance' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <div className={styles.actions}>
      <Button variant="default" size="compact-sm" onClick={() => setOpen('edit')}>
        Edit
      </Button>
      {hasFeature(repository.engine, 'maintenance') && (
        <Button variant="default" size="compact-sm" onClick={() => setOpen('maintenance')}>
          Verify and prune
        </Button>
      )}
      <Button variant="default" color="red" size="compact-sm" onClick={() => setOpen('delete')}>
        Remove…
      </Button>
      <Suspense fallback={null}>
        {open === 'edit' && <EditRepository repository={repository} onClose={close} />}
        {open === 'maintenance' && <Maintenance repository={repository} onClose={close} />}
        {open === 'delete' && <DeleteRepository repository={repository} onClose={close} onDeleted={onDeleted} />}
      </Suspense>
    </div>
  );
}

const nextText = (next: string | null) => (next === null ? 'Not planned' : formatDateTime(next));

function RepositoryFacts({ repository }: { repository: Microsoft365Repository }) {
  const { immutableDays, retentionPolicy, usedBytes, freeBytes, measuredAt, growthBytesPerDay, fullAt } = repository;
  return (
    <>
      <Facts title="Place">
        <Fact term="Organization">{repository.organizationName}</Fact>
        <Fact term="Place">
          <code className={styles.code}>{repository.path}</code>
        </Fact>
        <Fact term="Jobs">{formatCount(repository.jobCount)}</Fact>
      </Facts>
      <Facts title="Usage">
        <Fact term="Used">{formatBytes(usedBytes)}</Fact>
        <Fact term="Free">{freeBytes === null ? null : formatBytes(freeBytes)}</Fact>
        <Fact term="Capacity">
          <UsageBar repository={repository} />
        </Fact>
        <Fact term="Growth">{growthBytesPerDay === null ? null : `${formatBytes(growthBytesPerDay)} a day`}</Fact>
        <Fact term="Expected full">{fullAt === null ? null : formatDateTime(fullAt)}</Fact>
        <Fact term="Measured">{measuredAt === null ? 'not yet' : formatDateTime(measuredAt)}</Fact>
      </Facts>
      <Facts title="Protection">
        <Fact term="Retention">{retentionText(retentionPolicy)}</Fact>
        {hasFeature(repository.engine, 'maintenance') && (
          <>
            <Fact term="Next prune">{nextText(repository.nextPrune)}</Fact>
            <Fact term="Next verify">{nextText(repository.nextVerify)}</Fact>
          </>
        )}
        <Fact term="Immutable">
          {immutableDays === 0 ? 'No' : `for ${formatCounted(immutableDays, 'day', 'days')}`}
        </Fact>
        <Fact term="Password">
          {repository.needsPassword
            ? 'Lost. Edit the repository to enter it again'
            : repository.passwordDescription || null}
        </Fact>
      </Facts>
    </>
  );
}
