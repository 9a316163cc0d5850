import { exportLicensing } from '@keepwatch/contract/microsoft365/licensing';
import { useMemo } from 'react';
import { type o365Licensing, organizationWizard } from '../../entities/places.ts';
import { choiceField, textField, useUrlState } from '../../kit/address/url-state.ts';
import { dateRangeField } from '../../kit/date-range/date-range-field.ts';
import { DateRangePicker } from '../../kit/date-range/date-range-picker.tsx';
import { ExportButton } from '../../kit/export/export-button.tsx';
import { useCsvExport } from '../../kit/export/use-csv-export.ts';
import { SearchInput } from '../../kit/filters/search-input.tsx';
import { formatBytes, formatCounted } from '../../kit/format/numbers.ts';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import type { FieldsOf } from '../../kit/place.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import styles from '../microsoft365.module.css';
import { LICENSE_RANGE, useLicenseDays } from './license-range.ts';
import {
  LICENSING_KEY,
  LICENSING_SORTS,
  type LicensingQuery,
  useLicensing,
  useLicensingTotal,
} from './licensing.data.ts';
import { compactLicensing, licensingColumns } from './licensing-columns.tsx';

const FIELDS = {
  date: dateRangeField(LICENSE_RANGE),
  search: textField(),
  sort: choiceField(LICENSING_SORTS, 'companyName'),
} satisfies FieldsOf<typeof o365Licensing>;

/** The licences that each organization used in a range of days. */
export default function LicensingScreen() {
  const [{ date, search, sort }, setValues] = useUrlState(FIELDS);
  const days = useLicenseDays(date);
  const filter = { ...days, ...(search === '' ? {} : { search }) };
  const pages = useLicensing({ ...filter, sort });
  const columns = useMemo(() => licensingColumns(date), [date]);
  const compact = useMemo(() => compactLicensing(date), [date]);
  useLive('m365-jobs.changed', LICENSING_KEY);
  return (
    <ListScreen
      label="Licensing"
      what="the licences"
      columns={columns}
      compact={compact}
      pages={pages}
      rowId={({ _id }) => _id}
      sort={sort}
      onSort={(next) => setValues({ sort: next })}
      filters={
        <>
          <DateRangePicker value={date} onChange={(next) => setValues({ date: next })} />
          <SearchInput label="Search organizations" value={search} onChange={(text) => setValues({ search: text })} />
        </>
      }
      end={<ListEnd query={{ ...filter, sort }} count={pages.count} />}
      isNarrowed={search !== ''}
      noMatch={{
        title: 'No matching organization',
        text: `No organization or company name contains “${search}”.`,
        reset: 'Show all organizations',
      }}
      onReset={() => setValues({ search: '' })}
      empty={
        <EmptyState title="No organizations yet" text="Licences are counted once an organization is backed up.">
          <ScreenLink to={organizationWizard.at({ _splat: '1' })}>Connect organization</ScreenLink>
        </EmptyState>
      }
    />
  );
}

function ListEnd({ query, count }: { query: LicensingQuery; count: number | null }) {
  const { data: total } = useLicensingTotal(query);
  const exported = useCsvExport(exportLicensing, {
    name: 'Licensing',
    noun: count === 1 ? 'organization' : 'organizations',
    input: { query },
    count,
  });
  return (
    <>
      {total !== undefined && (
        <span className={styles.muted}>
          {formatCounted(total.licensedUsers, 'licensed user', 'licensed users')}
          <span className={styles.spacious}>{` · ${formatBytes(total.bytes)}`}</span>
        </span>
      )}
      <ExportButton exported={exported} count={count} />
    </>
  );
}
