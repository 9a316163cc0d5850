import { AUDIT_ACTIONS } from '@keepwatch/contract/audit/actions';
import { exportUserLogs, LOG_COUNT_MAX, listUserLogs } from '@keepwatch/contract/audit/user-logs';
import { ordersOf } from '@keepwatch/contract/wire/sorts';
import type { userLogs } from '../entities/places.ts';
import { ACTIONS, userLogsFilters } from '../entities/user-logs.ts';
import { choiceField, textField, useHasUnknown, useUrlState } from '../kit/address/url-state.ts';
import { DateRangePicker } from '../kit/date-range/date-range-picker.tsx';
import { ExportButton } from '../kit/export/export-button.tsx';
import { useCsvExport } from '../kit/export/use-csv-export.ts';
import { ChoiceFilter } from '../kit/filters/choice-filter.tsx';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { formatCount } from '../kit/format/numbers.ts';
import { ListScreen } from '../kit/list/list-screen.tsx';
import type { FieldsOf } from '../kit/place.ts';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { useNow } from '../kit/use-now.ts';
import { TargetChip, UserChip } from './user-log-chips.tsx';
import { USER_LOG_COLUMNS } from './user-log-columns.tsx';
import { UserLogPanel } from './user-log-panel.tsx';
import { userLogQueryOf, useUserLogs } from './user-logs.data.ts';

const FIELDS = {
  ...userLogsFilters.fields,
  sort: choiceField(ordersOf(listUserLogs), '-at'),
  open: textField(),
} satisfies FieldsOf<typeof userLogs>;

const ACTION_CHOICES = ACTIONS.map((value) => ({ value, label: AUDIT_ACTIONS[value] }));

/** What users did. A row opens its panel. */
export default function UserLogsScreen() {
  const [values, setValues] = useUrlState(FIELDS);
  const { date, action, user, target, search, sort, open } = values;
  const today = useNow((now) => now.toDateString());
  const query = userLogQueryOf(values, new Date(today));
  const pages = useUserLogs(query, sort);
  const exported = useCsvExport(exportUserLogs, {
    name: 'UsersLogs',
    noun: pages.count === 1 ? 'entry' : 'entries',
    input: { query: { ...query, sort } },
    count: pages.count,
  });
  const isNarrowed = [action, user, target].some(({ length }) => length > 0) || search !== '';
  return (
    <ListScreen
      label="Users logs"
      what="the users logs"
      columns={USER_LOG_COLUMNS}
      pages={pages}
      rowId={(entry) => entry._id}
      sort={sort}
      onSort={(next) => setValues({ sort: next })}
      filters={
        <>
          <DateRangePicker value={date} onChange={(next) => setValues({ date: next })} />
          <ChoiceFilter
            label="Action"
            choices={ACTION_CHOICES}
            values={action}
            onChange={(next) => setValues({ action: next })}
          />
          <UserChip ids={user} onRemove={() => setValues({ user: [] })} />
          <TargetChip ids={target} onRemove={() => setValues({ target: [] })} />
          <SearchInput label="Search logs" value={search} onChange={(text) => setValues({ search: text })} />
        </>
      }
      end={
        <>
          <span>{countText(pages.count ?? 0)}</span>
          <ExportButton exported={exported} count={pages.count} />
        </>
      }
      isNarrowed={isNarrowed}
      noMatch={{
        title: 'No matching entry',
        text: 'Remove a filter or choose other days to see more.',
        reset: 'Remove the filters',
      }}
      isBroken={useHasUnknown(FIELDS)}
      onReset={() => setValues(userLogsFilters.defaults)}
      empty={
        <EmptyState
          title="No entries on these days"
          text="What users do is listed here. Choose other days to see more."
        />
      }
      open={{ id: open, change: (id) => setValues({ open: id }) }}
      panel={open !== '' && <UserLogPanel key={open} id={open} onClose={() => setValues({ open: '' })} />}
    />
  );
}

function countText(count: number): string {
  if (count === 1) return '1 entry';
  return `${formatCount(count)}${count === LOG_COUNT_MAX ? ' or more' : ''} entries`;
}
