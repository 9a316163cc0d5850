import type { Connection } from '@keepwatch/contract/connections/connections';
import { ConnectionForm } from './connection-form.tsx';
import { useConnectorKinds } from './connections.data.ts';
import { KindDialog } from './kind-dialog.tsx';

interface ConnectionDialogProps {
  /** `null`: a new one. */
  connection: Connection | null;
  /** What a new one is for, where that is known. */
  port?: string;
  onClose: () => void;
  onSaved?: (id: string) => void;
}

/** Connects an outside system of any port that has no screen of its own, or changes a connection. */
export default function ConnectionDialog({ connection, port, onClose, onSaved }: ConnectionDialogProps) {
  const read = useConnectorKinds();
  return (
    <KindDialog
      title={connection === null ? 'Add a connection' : `Edit ${connection.name}`}
      read={{
        ...read,
        data: read.data?.filter((kind) => kind.isManagedHere && (port === undefined || kind.port === port)),
      }}
      what="the kinds of connections"
      isOf={connection === null ? null : ({ port, kind }) => port === connection.port && kind === connection.kind}
      none="This portal has no connector that is set up here. Consoles are connected in Sources."
      onClose={onClose}
    >
      {(kind) => (
        <ConnectionForm
          key={`${kind.port} ${kind.kind}`}
          kind={kind}
          connection={connection}
          onClose={onClose}
          onSaved={(id) => onSaved?.(id)}
        />
      )}
    </KindDialog>
  );
}
