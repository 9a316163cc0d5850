import type { DirectoryObject } from '@keepwatch/contract/microsoft365/organizations';
import { Button, SegmentedControl } from '@mantine/core';
import { type KeyboardEvent, useMemo, useState } from 'react';
import type { Column } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import { SearchInput } from '../../kit/filters/search-input.tsx';
import { formatCounted } from '../../kit/format/numbers.ts';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { ChosenItems } from './chosen-items.tsx';
import styles from './item-picker.module.css';
import type { SelectedItem } from './job-draft.ts';
import { KINDS, type Kind, selectedOf, useObjects } from './objects.data.ts';

interface ItemPickerProps {
  organizationId: string;
  items: readonly SelectedItem[];
  onChange: (items: readonly SelectedItem[]) => void;
  /** Objects are chosen with all that is theirs, one by one. */
  isWhole?: boolean;
}

const KIND_CHOICES = KINDS.map((value) => ({ value, label: `${value}s` }));
const WORDS: Readonly<Record<Kind, [one: string, many: string]>> = {
  User: ['user', 'users'],
  Group: ['group', 'groups'],
  Team: ['team', 'teams'],
  Site: ['site', 'sites'],
};

/** Chooses users, groups, teams and sites of an organization, however many there are, and lists what was chosen. */
export default function ItemPicker({ organizationId, items, onChange, isWhole = false }: ItemPickerProps) {
  const [kind, setKind] = useState<Kind>('User');
  const [search, setSearch] = useState('');
  const [site, setSite] = useState<DirectoryObject | null>(null);
  const pages = useObjects({ organizationId, kind, search, siteId: site?.id ?? null });
  const isChosen = (type: SelectedItem['type'], id: string | null) =>
    items.some((item) => item.type === type && item.id === id);
  const toggle = (type: SelectedItem['type'], object: DirectoryObject | null) => {
    const id = object?.id ?? null;
    const without = items.filter((item) => item.type !== type || item.id !== id);
    onChange(without.length < items.length ? without : [...items, selectedOf(type, object)]);
  };
  // Rows are drawn again only with other columns.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `items` is all that these functions read
  const columns = useMemo(() => columnsOf(kind, isChosen, toggle, setSite), [kind, items]);
  const [one, many] = WORDS[kind];
  return (
    <div className={styles.picker}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps Enter from the form around it */}
      <div className={styles.bar} onKeyDown={searchOnly}>
        <SegmentedControl
          aria-label="Kind"
          data={KIND_CHOICES}
          value={kind}
          onChange={(next) => {
            setKind(KINDS.find((known) => known === next) ?? 'User');
            setSite(null);
          }}
        />
        <SearchInput label={`Search ${many}`} value={search} onChange={setSearch} />
        <span className={styles.count}>{formatCounted(pages.count, one, many)}</span>
      </div>
      {kind === 'Site' && (
        <div className={styles.bar}>
          {site !== null && (
            <Button variant="subtle" size="compact-sm" onClick={() => setSite(null)}>
              ‹ All sites, not only those of {site.name}
            </Button>
          )}
          {!isWhole && (
            <Button
              variant={isChosen('PersonalSites', null) ? 'light' : 'default'}
              size="compact-sm"
              aria-pressed={isChosen('PersonalSites', null)}
              onClick={() => toggle('PersonalSites', null)}
            >
              All personal sites
            </Button>
          )}
        </div>
      )}
      <div className={styles.list}>
        <DataTable
          label={`${kind}s of the organization`}
          what={`the ${many}`}
          columns={columns}
          pages={pages}
          rowId={({ id }) => id}
          rowsWord={many}
          onOpen={(object) => toggle(kind, object)}
          empty={
            <EmptyState
              title={`No ${many}`}
              text={search === '' ? `The organization has no ${many}.` : `No ${one} contains “${search}”.`}
            />
          }
        />
      </div>
      <ChosenItems items={items} isWhole={isWhole} onChange={onChange} />
    </div>
  );
}

/** Enter searches; it does not go on to the next step. */
function searchOnly(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

function columnsOf(
  kind: Kind,
  isChosen: (kind: Kind, id: string) => boolean,
  toggle: (kind: Kind, object: DirectoryObject) => void,
  openSite: (site: DirectoryObject) => void,
): readonly Column<DirectoryObject>[] {
  return [
    {
      key: 'chosen',
      title: '',
      width: '24px',
      cell: (object) => (
        <input
          type="checkbox"
          className={styles.check}
          tabIndex={-1}
          aria-label={`Choose ${object.name}`}
          checked={isChosen(kind, object.id)}
          onChange={() => toggle(kind, object)}
        />
      ),
    },
    { key: 'name', title: 'Name', width: 'minmax(120px, 1fr)', cell: ({ name }) => <span title={name}>{name}</span> },
    {
      key: 'address',
      title: kind === 'Site' ? 'Address' : 'E-mail',
      width: 'minmax(120px, 1.4fr)',
      cell: ({ address }) => <span title={address ?? undefined}>{address}</span>,
    },
    ...(kind === 'Site'
      ? [
          {
            key: 'children',
            title: '',
            width: '92px',
            cell: (object: DirectoryObject) =>
              object.hasChildren && (
                <Button
                  variant="subtle"
                  size="compact-xs"
                  aria-label={`Subsites of ${object.name}`}
                  onClick={() => openSite(object)}
                >
                  Subsites
                </Button>
              ),
          },
        ]
      : []),
  ];
}
