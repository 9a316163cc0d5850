import type { Connection, SettingField } from '@keepwatch/contract/connections/connections';
import { useConnectorKinds } from '../entities/connection/connections.data.ts';
import { HealthBadge } from '../entities/connection/health-badge.tsx';
import { isSealed } from '../entities/connection/settings-draft.ts';
import { Fact, Facts } from '../kit/facts/facts.tsx';
import { formatDateTime, formatRelative } from '../kit/format/dates.ts';
import { useClock } from '../kit/portal.tsx';
import styles from './connectors.module.css';
import { usedBy } from './used-by.ts';

/** What is known of a connection: whether it works, and its settings. */
export function ConnectionFacts({ connection }: { connection: Connection }) {
  const now = useClock().now();
  const { label, purpose, health, port, kind } = connection;
  const kinds = useConnectorKinds();
  const fields = kinds.data?.find((known) => known.port === port && known.kind === kind)?.settings ?? [];
  return (
    <>
      <Facts title="Health">
        <Fact term="State">
          <HealthBadge connection={connection} />
        </Fact>
        <Fact term="Since">{health === null ? null : formatDateTime(health.since)}</Fact>
        <Fact term="Last check">
          {health === null ? null : (
            <span title={formatDateTime(health.checkedAt)}>{formatRelative(health.checkedAt, now)}</span>
          )}
        </Fact>
        <Fact term="Message">{health === null ? null : <span className={styles.reason}>{health.message}</span>}</Fact>
      </Facts>
      <Facts title="Use">
        <Fact term="System">{label}</Fact>
        <Fact term="Used for">{purpose}</Fact>
        <Fact term="Used by">{usedBy(connection)}</Fact>
      </Facts>
      {fields.length > 0 && (
        <Facts title="Settings">
          {fields.map((field) => (
            <Fact key={field.name} term={field.label}>
              {shownValue(field, connection.settings[field.name] ?? '')}
            </Fact>
          ))}
        </Facts>
      )}
    </>
  );
}

/** A stored value as people read it; `null` where there is none. Secrets are never here. */
function shownValue(field: SettingField, value: string) {
  if (isSealed(field)) return <span className={styles.muted}>Encrypted, never shown</span>;
  if (field.kind === 'flag') return value === 'true' ? 'Yes' : 'No';
  if (field.kind === 'choice') return field.options?.find((option) => option.value === value)?.label ?? (value || null);
  return value === '' ? null : <span className={styles.reason}>{value}</span>;
}
