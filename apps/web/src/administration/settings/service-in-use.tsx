import type { Connection, ConnectorKind } from '@keepwatch/contract/connections/connections';
import { useConnectorKinds } from '../../entities/connection/connections.data.ts';
import { HealthBadge } from '../../entities/connection/health-badge.tsx';
import { isSealed } from '../../entities/connection/settings-draft.ts';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import styles from './settings.module.css';

/** The connection of a port that the portal uses: the first by name of those that are switched on. */
export function inUse(connections: readonly Connection[], port: string): Connection | null {
  const own = connections.filter((connection) => connection.port === port);
  return own.find(({ isEnabled }) => isEnabled) ?? own[0] ?? null;
}

/** What is in force, whether it works, and the settings that are no secrets. */
export function ServiceInUse({ connection }: { connection: Connection }) {
  const { name, label, health, port, kind } = connection;
  const kinds = useConnectorKinds();
  const fields = kinds.data?.find((known) => known.port === port && known.kind === kind)?.settings ?? [];
  return (
    <>
      <Facts>
        <Fact term="Connection">
          <span className={styles.value}>
            {name} ({label})
          </span>
        </Fact>
        <Fact term="Comes from">Set up here, for this provider</Fact>
        <Fact term="State">
          <HealthBadge connection={connection} />
        </Fact>
        {fields.map((field) => (
          <Fact key={field.name} term={field.label}>
            {shownValue(field, connection)}
          </Fact>
        ))}
      </Facts>
      {health?.state === 'failing' && (
        <p className={styles.bad}>
          Failing since {formatDateTime(health.since)}: {health.message}
        </p>
      )}
    </>
  );
}

function shownValue(field: ConnectorKind['settings'][number], { settings }: Connection) {
  if (isSealed(field)) return 'Encrypted, never shown';
  const value = settings[field.name] ?? '';
  return value === '' ? null : <span className={styles.value}>{value}</span>;
}
