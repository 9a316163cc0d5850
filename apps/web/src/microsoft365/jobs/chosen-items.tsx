import { Button, Checkbox, CloseButton } from '@mantine/core';
import { useMemo } from 'react';
import type { Column } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import { wholeList } from '../../kit/data-table/pages.ts';
import { formatCounted } from '../../kit/format/numbers.ts';
import styles from './item-picker.module.css';
import type { SelectedItem } from './job-draft.ts';

interface ChosenItemsProps {
  items: readonly SelectedItem[];
  onChange: (items: readonly SelectedItem[]) => void;
  /** Without their parts. */
  isWhole?: boolean;
}

type Part = 'mailbox' | 'archiveMailbox' | 'oneDrive' | 'personalSite' | 'sites' | 'teams';
type Type = SelectedItem['type'];

/** What of each kind can be in or out. */
const PARTS: Readonly<Record<Type, readonly (readonly [Part, string])[]>> = {
  User: [
    ['mailbox', 'Mailbox'],
    ['archiveMailbox', 'Archive'],
    ['oneDrive', 'OneDrive'],
  ],
  Group: [
    ['mailbox', 'Mailbox'],
    ['sites', 'Site'],
  ],
  Team: [],
  Site: [],
  PersonalSites: [],
  PartialOrganization: [
    ['mailbox', 'Mail'],
    ['oneDrive', 'OneDrive'],
    ['sites', 'Sites'],
    ['teams', 'Teams'],
  ],
};
const TYPE_WORDS: Readonly<Record<Type, string>> = {
  User: 'User',
  Group: 'Group',
  Team: 'Team',
  Site: 'Site',
  PersonalSites: 'All personal sites',
  PartialOrganization: 'Parts of the organization',
};

/** What was chosen, with which parts of it; each can be removed again. */
export function ChosenItems({ items, onChange, isWhole = false }: ChosenItemsProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `items` is all that the cells read
  const columns = useMemo(
    () => columnsOf(items, onChange).filter(({ key }) => !(isWhole && key === 'parts')),
    [items, isWhole],
  );
  const pages = useMemo(() => wholeList(items), [items]);
  if (items.length === 0) return <p className={styles.none}>Nothing chosen yet.</p>;
  return (
    <>
      <div className={styles.bar}>
        <strong>{formatCounted(items.length, 'object chosen', 'objects chosen')}</strong>
        <Button variant="subtle" size="compact-sm" onClick={() => onChange([])}>
          Clear
        </Button>
      </div>
      <div className={styles.chosen} data-few={items.length <= 4 || undefined}>
        <DataTable label="Chosen objects" columns={columns} pages={pages} rowId={keyOf} empty={null} />
      </div>
    </>
  );
}

function keyOf({ type, id }: SelectedItem): string {
  return `${type} ${id ?? ''}`;
}

function columnsOf(items: readonly SelectedItem[], onChange: ChosenItemsProps['onChange']): Column<SelectedItem>[] {
  const change = (changed: SelectedItem) =>
    onChange(items.map((item) => (keyOf(item) === keyOf(changed) ? changed : item)));
  return [
    {
      key: 'name',
      title: 'Chosen',
      width: 'minmax(120px, 1fr)',
      cell: ({ name, type }) => <span title={name}>{name === '' ? TYPE_WORDS[type] : name}</span>,
    },
    { key: 'type', title: 'Kind', width: '72px', cell: ({ type, id }) => (id === null ? '' : TYPE_WORDS[type]) },
    {
      key: 'parts',
      title: 'With',
      width: 'minmax(190px, 1.4fr)',
      cell: (item) => (
        <span className={styles.parts}>
          {PARTS[item.type].map(([part, label]) => (
            <Checkbox
              key={part}
              size="xs"
              label={label}
              aria-label={`${label} of ${item.name}`}
              checked={item[part]}
              onChange={(event) => change({ ...item, [part]: event.currentTarget.checked })}
            />
          ))}
        </span>
      ),
    },
    {
      key: 'remove',
      title: '',
      width: '36px',
      cell: (item) => (
        <CloseButton
          size="sm"
          aria-label={`Remove ${item.name || TYPE_WORDS[item.type]}`}
          onClick={() => onChange(items.filter((other) => keyOf(other) !== keyOf(item)))}
        />
      ),
    },
  ];
}
