import type { Connection } from '@keepwatch/contract/connections/connections';
import { Button } from '@mantine/core';
import { useCheck, type useConnections, useDelete } from '../entities/connection/connections.data.ts';
import { TestOutcome } from '../entities/connection/test-outcome.tsx';
import { useConfirm } from '../kit/confirm/use-confirm.tsx';
import { SidePanel } from '../kit/list/side-panel.tsx';
import { ConnectionFacts } from './connection-facts.tsx';
import styles from './connectors.module.css';
import { OwnScreenLink } from './own-screen-link.tsx';

interface ConnectionPanelProps {
  id: string;
  read: ReturnType<typeof useConnections>;
  onEdit: (connection: Connection) => void;
  onClose: () => void;
}

/** One connection beside the list: its health, its settings, and what can be done with it. */
export function ConnectionPanel({ id, read, onEdit, onClose }: ConnectionPanelProps) {
  const { data, error, refetch } = read;
  const connection = data?.find(({ _id }) => _id === id);
  return (
    <SidePanel
      noun="connection"
      read={{ data: connection, error, refetch }}
      titleOf={({ name }) => name}
      onClose={onClose}
    >
      {(found) => (
        <>
          <Actions connection={found} onEdit={() => onEdit(found)} onClose={onClose} />
          <ConnectionFacts connection={found} />
        </>
      )}
    </SidePanel>
  );
}

interface ActionsProps {
  connection: Connection;
  onEdit: () => void;
  onClose: () => void;
}

function Actions({ connection, onEdit, onClose }: ActionsProps) {
  const check = useCheck(connection._id);
  const remove = useDelete({ onDone: onClose });
  const { confirm, dialog } = useConfirm();
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete ${connection.name}?`,
      text: 'The portal no longer uses it, and its settings and credentials are deleted. This cannot be undone.',
      confirmLabel: 'Delete connection',
      isDanger: true,
    });
    if (isSure) remove.mutate(connection);
  };
  return (
    <>
      <div className={styles.actions}>
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          Test
        </Button>
        {connection.isManagedHere ? (
          <>
            <Button variant="default" onClick={onEdit}>
              Edit
            </Button>
            <Button variant="default" color="red" loading={remove.isPending} onClick={() => void ask()}>
              Delete…
            </Button>
          </>
        ) : (
          <OwnScreenLink port={connection.port} />
        )}
      </div>
      <TestOutcome result={check.data?.data} isPending={check.isPending} error={check.error} />
      {dialog}
    </>
  );
}
