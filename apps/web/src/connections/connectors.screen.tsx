import type { Connection } from '@keepwatch/contract/connections/connections';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useConnections } from '../entities/connection/connections.data.ts';
import { CONDITION_LOOKS, CONDITIONS, type Condition, conditionOf } from '../entities/connection/health-badge.tsx';
import type { connectors } from '../entities/places.ts';
import { listField, textField, useUrlState } from '../kit/address/url-state.ts';
import { queriedList } from '../kit/data-table/pages.ts';
import { ChoiceFilter } from '../kit/filters/choice-filter.tsx';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { formatCounted } from '../kit/format/numbers.ts';
import { ListScreen } from '../kit/list/list-screen.tsx';
import { useLive } from '../kit/live/use-live.ts';
import type { FieldsOf } from '../kit/place.ts';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { COMPACT_CONNECTIONS, CONNECTION_COLUMNS } from './connection-columns.tsx';
import { ConnectionPanel } from './connection-panel.tsx';
import styles from './connectors.module.css';

const ConnectionDialog = lazy(() => import('../entities/connection/connection-dialog.tsx'));

const FIELDS = {
  search: textField(),
  health: listField(CONDITIONS),
  open: textField(),
} satisfies FieldsOf<typeof connectors>;

const HEALTH_CHOICES = CONDITIONS.map((value) => ({ value, label: CONDITION_LOOKS[value].word }));

/** The connected outside systems of every port. A row opens its panel. */
export default function ConnectorsScreen() {
  const [filters, setFilters] = useUrlState(FIELDS);
  const { search, health, open } = filters;
  /** `null`: a new one. */
  const [edited, setEdited] = useState<Connection | null | undefined>();
  const read = useConnections();
  useLive('connections.changed', ['connections', 'list']);
  const rows = read.data?.filter((connection) => fits(connection, search, health));
  const isNarrowed = search !== '' || health.length > 0;
  const isEmpty = read.data?.length === 0;
  const isGone = open !== '' && read.data?.some(({ _id }) => _id === open) === false;
  const add = () => setEdited(null);
  return (
    <ListScreen
      label="Connections"
      what="the connections"
      columns={CONNECTION_COLUMNS}
      compact={COMPACT_CONNECTIONS}
      pages={queriedList(read, rows, JSON.stringify([search, health]))}
      rowId={({ _id }) => _id}
      filters={
        <>
          <SearchInput label="Search connections" value={search} onChange={(text) => setFilters({ search: text })} />
          <ChoiceFilter
            label="Health"
            choices={HEALTH_CHOICES}
            values={health}
            onChange={(values) => setFilters({ health: values })}
          />
        </>
      }
      end={!isEmpty && <ListEnd count={rows?.length ?? 0} onAdd={add} />}
      isNarrowed={isNarrowed && !isEmpty}
      noMatch={{
        title: 'No matching connection',
        text: search === '' ? 'Remove a filter to see more.' : `No connection contains “${search}”.`,
        reset: 'Show all connections',
      }}
      isBroken={isGone}
      onReset={() => setFilters({ search: '', health: [], open: '' })}
      empty={<NoConnections onAdd={add} />}
      open={{ id: open, change: (id) => setFilters({ open: id }) }}
      panel={
        open !== '' &&
        !isGone && (
          <ConnectionPanel
            key={open}
            id={open}
            read={read}
            onEdit={setEdited}
            onClose={() => setFilters({ open: '' })}
          />
        )
      }
    >
      {edited !== undefined && (
        <Suspense fallback={null}>
          <ConnectionDialog
            connection={edited}
            onClose={() => setEdited(undefined)}
            onSaved={(id) => setFilters({ open: id })}
          />
        </Suspense>
      )}
    </ListScreen>
  );
}

function ListEnd({ count, onAdd }: { count: number; onAdd: () => void }) {
  return (
    <>
      <span className={styles.total}>{formatCounted(count, 'connection', 'connections')}</span>
      <Button variant="default" onClick={onAdd}>
        Add connection
      </Button>
    </>
  );
}

function NoConnections({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      title="No connections yet"
      text="Outside systems that the portal uses are listed here, with whether they work."
    >
      <Button variant="default" onClick={onAdd}>
        Add connection
      </Button>
    </EmptyState>
  );
}

function fits(connection: Connection, search: string, health: readonly Condition[]): boolean {
  const words = [connection.name, connection.label, connection.purpose].join(' ').toLowerCase();
  const isFound = words.includes(search.toLowerCase());
  return isFound && (health.length === 0 || health.includes(conditionOf(connection)));
}
