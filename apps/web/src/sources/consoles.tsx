import { Button } from '@mantine/core';
import { useConfirm } from '../kit/confirm/use-confirm.tsx';
import { ListSection } from '../kit/list/list-section.tsx';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { ErrorState } from '../kit/states/error-state.tsx';
import { SkeletonRows } from '../kit/states/skeleton-rows.tsx';
import { ConsoleRow } from './console-row.tsx';
import { type Source, useSourceActions, type useSources } from './sources.data.ts';
import styles from './sources.module.css';

interface ConsolesProps {
  reading: ReturnType<typeof useSources>;
  onConnect: () => void;
  onEdit: (source: Source) => void;
  onUnmatched: () => void;
}

/** The connected consoles: how the last reading of each went, and what can be done about it. */
export function Consoles({ reading, onConnect, onEdit, onUnmatched }: ConsolesProps) {
  const { data, error, refetch } = reading;
  return (
    <ListSection
      title="Consoles"
      text="Jobs, runs, repositories and computers are synced from these consoles."
      action={data !== undefined && data.length > 0 && <Button onClick={onConnect}>Connect a console</Button>}
    >
      {data === undefined && error !== null && (
        <ErrorState what="the consoles" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Waiting />}
      {data?.length === 0 && (
        <EmptyState
          title="No console connected"
          text="Connect the console that runs your customers' backups: address and API key are all it takes. Its jobs and their last runs appear within minutes."
        >
          <Button onClick={onConnect}>Connect a console</Button>
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && <List sources={data} onEdit={onEdit} onUnmatched={onUnmatched} />}
    </ListSection>
  );
}

/** As high as one console, so that nothing moves when the first one appears. */
function Waiting() {
  return (
    <div className={styles.waiting} aria-busy>
      <SkeletonRows rows={1} />
    </div>
  );
}

function List({
  sources,
  onEdit,
  onUnmatched,
}: { sources: readonly Source[] } & Omit<ConsolesProps, 'onConnect' | 'reading'>) {
  const { sync, enable, disconnect } = useSourceActions();
  const { confirm, dialog } = useConfirm();
  const askToDisconnect = async (source: Source) => {
    const isSure = await confirm({
      title: `Disconnect ${source.name}?`,
      text: 'Syncing stops, its credentials are deleted and its jobs are no longer monitored. Their history stays.',
      confirmLabel: 'Disconnect',
      isDanger: true,
    });
    if (isSure) disconnect.mutate(source);
  };
  return (
    <ul className={styles.consoles}>
      {sources.map((source) => (
        <ConsoleRow
          key={source._id}
          source={source}
          onSync={() => sync.mutate(source)}
          onEnable={(isEnabled) => enable.mutate({ target: source, isEnabled })}
          onEdit={() => onEdit(source)}
          onDisconnect={() => void askToDisconnect(source)}
          onUnmatched={onUnmatched}
        />
      ))}
      {dialog}
    </ul>
  );
}
