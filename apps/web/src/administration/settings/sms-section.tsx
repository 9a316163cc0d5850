import type { Connection } from '@keepwatch/contract/connections/connections';
import { Button } from '@mantine/core';
import { useCheck } from '../../entities/connection/connections.data.ts';
import { TestOutcome } from '../../entities/connection/test-outcome.tsx';
import { connectors } from '../../entities/places.ts';
import { ListSection } from '../../kit/list/list-section.tsx';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { inUse, ServiceInUse } from './service-in-use.tsx';
import styles from './settings.module.css';

const PORT = 'sms-codes';

/** The service that sends codes by SMS. */
export function SmsSection({ connections }: { connections: readonly Connection[] }) {
  const connection = inUse(connections, PORT);
  return (
    <ListSection title="SMS" text="Codes for the sign-in are sent to phones.">
      {connection === null ? (
        <EmptyState title="No SMS service" text="Users cannot add a phone until one is connected.">
          <ScreenLink to={connectors.at()}>Connect one</ScreenLink>
        </EmptyState>
      ) : (
        <div className={styles.body}>
          <ServiceInUse connection={connection} />
          <SmsActions connection={connection} />
        </div>
      )}
    </ListSection>
  );
}

function SmsActions({ connection: { _id: id } }: { connection: Connection }) {
  const check = useCheck(id);
  return (
    <>
      <div className={styles.actions}>
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          Test
        </Button>
        <ScreenLink to={connectors.at({ open: id })}>Change it in Connectors</ScreenLink>
      </div>
      <TestOutcome noun="service" result={check.data?.data} isPending={check.isPending} error={check.error} />
    </>
  );
}
