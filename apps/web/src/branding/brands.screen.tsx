import { accentShades } from '@keepwatch/contract/branding/accents';
import type { Brand } from '@keepwatch/contract/branding/brands';
import { brand, type brands } from '../entities/places.ts';
import { textField, useUrlState } from '../kit/address/url-state.ts';
import type { Column, CompactRows } from '../kit/data-table/column.ts';
import { queriedList } from '../kit/data-table/pages.ts';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { formatCounted } from '../kit/format/numbers.ts';
import { ListScreen } from '../kit/list/list-screen.tsx';
import type { FieldsOf } from '../kit/place.ts';
import { useGo } from '../kit/screen-link.tsx';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { styleVariables } from '../kit/style-variables.ts';
import styles from './branding.module.css';
import { useBrands } from './brands.data.ts';
import { LAYOUT_CHOICES } from './layout-choices.ts';

const FIELDS = { search: textField() } satisfies FieldsOf<typeof brands>;

const COLUMNS: readonly Column<Brand>[] = [
  { key: 'name', title: 'Name', width: 'minmax(160px, 1.5fr)', cell: ({ name }) => <span title={name}>{name}</span> },
  { key: 'domain', title: 'Host name', width: 'minmax(160px, 1.5fr)', cell: ({ domain }) => domain },
  {
    key: 'layout',
    title: 'Layout',
    width: 'minmax(160px, 1.2fr)',
    minTableWidthPx: 640,
    cell: ({ layout }) => LAYOUT_CHOICES.find(({ value }) => value === layout)?.label ?? layout,
  },
  { key: 'accent', title: 'Accent', width: '120px', minTableWidthPx: 560, cell: (row) => <Accent brand={row} /> },
];

/** On a phone: the host name below the name. */
const COMPACT: CompactRows<Brand> = {
  belowPx: 480,
  rowHeightPx: 56,
  headings: [],
  cell: ({ name, domain }) => (
    <span className={styles.compact}>
      <strong>{name}</strong>
      <span className={styles.muted}>{domain}</span>
    </span>
  ),
};

/** The brands that the user looks after. A row opens its editor. */
export default function BrandsScreen() {
  const [{ search }, setFilters] = useUrlState(FIELDS);
  const read = useBrands();
  const go = useGo();
  const rows = read.data?.data.filter((row) => fits(row, search));
  return (
    <ListScreen
      label="Brands"
      what="the brands"
      columns={COLUMNS}
      compact={COMPACT}
      pages={queriedList(read, rows, search)}
      rowId={({ id }) => String(id)}
      filters={<SearchInput label="Search brands" value={search} onChange={(text) => setFilters({ search: text })} />}
      end={<span className={styles.muted}>{formatCounted(rows?.length ?? 0, 'brand', 'brands')}</span>}
      isNarrowed={search !== ''}
      noMatch={{ title: 'No matching brand', text: `No brand contains “${search}”.`, reset: 'Show all brands' }}
      onReset={() => setFilters({ search: '' })}
      empty={<EmptyState title="No brands yet" text="The first start of the portal makes one." />}
      open={{ id: '', change: (id) => go(brand.at({ id })) }}
    />
  );
}

function Accent({ brand: { accent, layout } }: { brand: Brand }) {
  const colour = accent ?? accentShades({ accent: null, layout })[7] ?? '';
  return (
    <span className={styles.accent}>
      <span className={styles.swatch} style={styleVariables({ '--swatch': colour })} aria-hidden />
      {accent ?? 'Layout’s'}
    </span>
  );
}

function fits({ name, domain }: Brand, search: string): boolean {
  return `${name} ${domain}`.toLowerCase().includes(search.toLowerCase());
}
