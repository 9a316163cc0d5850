import { exportLicensedUsers, LICENSE_CHANGES, USER_PARTS } from '@keepwatch/contract/microsoft365/licensing';
import { OrganizationChoice } from '../../entities/organization-choice.tsx';
import { o365Jobs, type o365LicensedUsers } from '../../entities/places.ts';
import {
  choiceField,
  flagField,
  listField,
  textField,
  useUrlState,
  type ValuesOf,
} from '../../kit/address/url-state.ts';
import type { DayRange } from '../../kit/date-range/date-range.ts';
import { dateRangeField } from '../../kit/date-range/date-range-field.ts';
import { DateRangePicker } from '../../kit/date-range/date-range-picker.tsx';
import { ExportButton } from '../../kit/export/export-button.tsx';
import { useCsvExport } from '../../kit/export/use-csv-export.ts';
import { Chip } from '../../kit/filters/chip.tsx';
import { ChoiceFilter } from '../../kit/filters/choice-filter.tsx';
import { SearchInput } from '../../kit/filters/search-input.tsx';
import { formatCounted } from '../../kit/format/numbers.ts';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import type { FieldsOf } from '../../kit/place.ts';
import { useAllows } from '../../kit/portal.tsx';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import styles from '../microsoft365.module.css';
import { LICENSE_RANGE, useLicenseDays } from './license-range.ts';
import { COMPACT_LICENSED_USERS, LICENSED_USER_COLUMNS, PART_TEXTS } from './licensed-user-columns.tsx';
import { LicensedUserPanel } from './licensed-user-panel.tsx';
import { LICENSED_USER_SORTS, LICENSING_KEY, type LicensedUsersQuery, useLicensedUsers } from './licensing.data.ts';

const FIELDS = {
  date: dateRangeField(LICENSE_RANGE),
  organization: textField(),
  part: listField(USER_PARTS),
  change: choiceField(['', ...LICENSE_CHANGES], ''),
  stale: flagField(),
  search: textField(),
  sort: choiceField(LICENSED_USER_SORTS, 'name'),
  open: textField(),
} satisfies FieldsOf<typeof o365LicensedUsers>;
type Values = ValuesOf<typeof FIELDS>;

const PART_CHOICES = USER_PARTS.map((value) => ({ value, label: PART_TEXTS[value] }));
const CHANGE_TEXTS = { new: 'New', released: 'Released' } as const;
const UNFILTERED = { organization: '', part: [], change: '', stale: false, search: '' } as const;

/** Who was licensed in a range of days, and why. A row opens its panel. */
export default function LicensedUsersScreen() {
  const [values, setValues] = useUrlState(FIELDS);
  const { date, organization, part, change, stale, search, sort, open } = values;
  const days = useLicenseDays(date);
  const query = queryOf(values, days);
  const pages = useLicensedUsers(query);
  useLive('m365-jobs.changed', LICENSING_KEY);
  return (
    <ListScreen
      label="Licensed users"
      what="the licensed users"
      columns={LICENSED_USER_COLUMNS}
      compact={COMPACT_LICENSED_USERS}
      pages={pages}
      rowId={({ _id }) => _id}
      sort={sort}
      onSort={(next) => setValues({ sort: next })}
      filters={
        <>
          <DateRangePicker value={date} onChange={(next) => setValues({ date: next })} />
          <OrganizationChoice
            organizationId={organization === '' ? null : organization}
            onChange={(id) => setValues({ organization: id ?? '' })}
          />
          <ChoiceFilter
            label="Backed up"
            choices={PART_CHOICES}
            values={part}
            onChange={(next) => setValues({ part: next })}
          />
          {change !== '' && <Chip label={CHANGE_TEXTS[change]} onRemove={() => setValues({ change: '' })} />}
          {stale && <Chip label="No backup for 7 days" onRemove={() => setValues({ stale: false })} />}
          <SearchInput label="Search users" value={search} onChange={(text) => setValues({ search: text })} />
        </>
      }
      end={<ListEnd query={query} count={pages.count} />}
      isNarrowed={organization !== '' || part.length > 0 || change !== '' || stale || search !== ''}
      noMatch={{ title: 'No matching user', text: 'Remove a filter to see more.', reset: 'Show all licensed users' }}
      onReset={() => setValues(UNFILTERED)}
      empty={<NoUsers />}
      open={{ id: open, change: (id) => setValues({ open: id }) }}
      panel={
        open !== '' && <LicensedUserPanel key={open} id={open} days={days} onClose={() => setValues({ open: '' })} />
      }
    />
  );
}

function queryOf({ organization, part, change, stale, search, sort }: Values, days: DayRange): LicensedUsersQuery {
  return {
    ...days,
    ...(organization === '' ? {} : { organizationId: organization }),
    ...(part.length === 0 ? {} : { parts: [...part] }),
    ...(change === '' ? {} : { change }),
    ...(stale ? { stale } : {}),
    ...(search === '' ? {} : { search }),
    sort,
  };
}

function ListEnd({ query, count }: { query: LicensedUsersQuery; count: number | null }) {
  const mayExport = useAllows(exportLicensedUsers.access);
  const exported = useCsvExport(exportLicensedUsers, {
    name: 'LicensedUsers',
    noun: count === 1 ? 'user' : 'users',
    input: { query },
    count,
  });
  return (
    <>
      <span className={styles.muted}>{formatCounted(count, 'user', 'users')}</span>
      {mayExport && <ExportButton exported={exported} count={count} />}
    </>
  );
}

function NoUsers() {
  return (
    <EmptyState
      title="No licensed users on these days"
      text="A user is licensed from the first backup of a mailbox, an archive, a OneDrive or chats until 31 days after the last."
    >
      <ScreenLink to={o365Jobs.at()}>Look at the jobs</ScreenLink>
    </EmptyState>
  );
}
