import type { OrganizationDetail } from '@keepwatch/contract/microsoft365/organizations';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import styles from '../microsoft365.module.css';
import { useRemoveApplication } from './organizations.data.ts';

const AddApplication = lazy(() => import('./add-application.tsx'));

type Application = OrganizationDetail['applications'][number];

/** The applications of an organization. Those that back up beside the first come and go here. */
export function OrganizationApplications({ organization }: { organization: OrganizationDetail }) {
  const { applications } = organization;
  const [isAdding, setAdding] = useState(false);
  const { confirm, dialog } = useConfirm();
  const removal = useRemoveApplication(organization.id);
  const [first, ...further] = applications.filter(({ purpose }) => purpose === 'backup');
  const remove = async ({ applicationId, name }: Application) => {
    const question = {
      title: `Remove ${name}?`,
      text: 'Backups go on without it, and may take longer. Its registration stays in the tenant: delete it at Microsoft.',
      confirmLabel: 'Remove application',
      isDanger: true,
    };
    if (await confirm(question)) removal.mutate(applicationId);
  };
  return (
    <>
      {applications.map((application) => (
        <Facts key={`${application.purpose} ${application.applicationId}`} title={titleOf(application, first)}>
          <Fact term="Name">{application.name}</Fact>
          <Fact term="Application ID">
            <code className={styles.code}>{application.applicationId}</code>
          </Fact>
          <Fact term="Expires">
            {application.certificateExpiresAt === null ? null : formatDateTime(application.certificateExpiresAt)}
          </Fact>
          {further.includes(application) && (
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              aria-label={`Remove ${application.name}`}
              loading={removal.isPending && removal.variables === application.applicationId}
              onClick={() => void remove(application)}
            >
              Remove…
            </Button>
          )}
        </Facts>
      ))}
      {first !== undefined && (
        <div className={styles.actions}>
          <Button variant="default" size="compact-sm" onClick={() => setAdding(true)}>
            Add an application…
          </Button>
        </div>
      )}
      <Suspense fallback={null}>
        {isAdding && <AddApplication organization={organization} onClose={() => setAdding(false)} />}
      </Suspense>
      {dialog}
    </>
  );
}

function titleOf(application: Application, first: Application | undefined): string {
  if (application.purpose === 'restore') return 'Application that restores';
  return application === first ? 'Application that reads' : 'Further application that reads';
}
