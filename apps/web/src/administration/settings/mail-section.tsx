import type { Connection } from '@keepwatch/contract/connections/connections';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { type OutcomeTexts, TestOutcome } from '../../entities/connection/test-outcome.tsx';
import { ListSection } from '../../kit/list/list-section.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { inUse, ServiceInUse } from './service-in-use.tsx';
import { useTestMail } from './settings.data.ts';
import styles from './settings.module.css';

const ConnectionDialog = lazy(() => import('../../entities/connection/connection-dialog.tsx'));

const PORT = 'mail';

const OUTCOMES: OutcomeTexts = {
  works: 'The mail server took the test mail.',
  'wrong-credentials': 'The mail server refuses user or password. Enter them again.',
  'not-reachable': 'The mail server cannot be reached. Check address, port and certificate, or try again later.',
  'not-allowed': 'The mail server refuses this mail. Check sender and receiver.',
  'wrong-version': 'The mail server answers something that is not understood.',
};

/** With which mail server the portal sends, and whether a mail arrives. */
export function MailSection({ connections }: { connections: readonly Connection[] }) {
  const connection = inUse(connections, PORT);
  const [isOpen, setOpen] = useState(false);
  return (
    <ListSection title="Mail" text="Invitations, new passwords, alarms and support requests are mailed.">
      {connection === null ? (
        <EmptyState title="No mail server" text="Nothing is mailed until one is connected.">
          <Button onClick={() => setOpen(true)}>Set up mail</Button>
        </EmptyState>
      ) : (
        <div className={styles.body}>
          <ServiceInUse connection={connection} />
          <MailActions onEdit={() => setOpen(true)} />
        </div>
      )}
      <Suspense fallback={null}>
        {isOpen && <ConnectionDialog connection={connection} port={PORT} onClose={() => setOpen(false)} />}
      </Suspense>
    </ListSection>
  );
}

function MailActions({ onEdit }: { onEdit: () => void }) {
  const test = useTestMail();
  return (
    <>
      <div className={styles.actions}>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Send a test mail to me
        </Button>
        <Button variant="default" onClick={onEdit}>
          Change
        </Button>
      </div>
      <TestOutcome
        texts={OUTCOMES}
        noun="mail server"
        result={test.data?.data}
        isPending={test.isPending}
        error={test.error}
      />
    </>
  );
}
