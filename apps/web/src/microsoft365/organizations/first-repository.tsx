import { Button } from '@mantine/core';
import { useState } from 'react';
import { jobWizard, o365Organizations } from '../../entities/places.ts';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { useGo } from '../../kit/screen-link.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import styles from '../microsoft365.module.css';
import { type RecoverySheetParts, useNewRepositoryForm } from '../repositories/new-repository-form.ts';
import { RecoverySheet } from '../repositories/recovery-sheet.tsx';
import { RepositoryFields } from '../repositories/repository-fields.tsx';
import { useOrganization } from './organizations.data.ts';

/** The last step of connecting an organization: where its backups are stored. It leads on to the first job. */
export default function FirstRepository({ organizationId }: { organizationId: string }) {
  const { data, error, refetch } = useOrganization(organizationId);
  if (data === undefined && (error !== null || organizationId === ''))
    return <ErrorState what="the organization" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={8} />;
  return <RepositoryStep organizationId={organizationId} name={data.name} />;
}

function RepositoryStep({ organizationId, name }: { organizationId: string; name: string }) {
  const [parts, setParts] = useState<RecoverySheetParts | null>(null);
  const go = useGo();
  const form = useNewRepositoryForm({ organizationId, name, onMade: setParts });
  if (parts !== null)
    return (
      <div className={styles.page}>
        <RecoverySheet {...parts} onDone={() => go(jobWizard.at({ step: '1' }, { organization: organizationId }))} />
      </div>
    );
  return (
    <div className={styles.page}>
      <h2>Repository for {name}</h2>
      <p className={styles.note}>
        Its backups are stored here. The place is tested before it is used: written, read, listed and deleted in.
      </p>
      <Form
        form={form}
        actions={
          <>
            <Button variant="default" onClick={() => go(o365Organizations.at({ open: organizationId }))}>
              Skip for now
            </Button>
            <SubmitButton form={form}>Create repository</SubmitButton>
          </>
        }
      >
        <RepositoryFields form={form} />
      </Form>
    </div>
  );
}
