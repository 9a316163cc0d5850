import { FAULT_KINDS } from '@keepwatch/contract/faults/values';
import { CompanyFilter } from '../entities/company-filter.tsx';
import { MANAGED_FILTERS } from '../entities/daily-checks.ts';
import { KIND_WORDS } from '../entities/faults/fault-texts.ts';
import { type QueueFilters as Filters, QUEUE_STATES, queueFilters } from '../entities/queue.ts';
import { QueueSwitch } from '../entities/queue-switch.tsx';
import { SOURCE_GROUP_CHOICES } from '../entities/source-groups.ts';
import { ChoiceFilter, SingleFilter } from '../kit/filters/choice-filter.tsx';
import { FilterBar } from '../kit/filters/filter-bar.tsx';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';
import { ToggleButton } from '../kit/toggle-button.tsx';
import { STATE_WORDS } from './fault-texts.ts';

const STATE_CHOICES = QUEUE_STATES.map((value) => ({
  value,
  label: value === 'open' ? 'Open' : STATE_WORDS[value],
}));
const KIND_CHOICES = FAULT_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }));
const MANAGED_WORDS = { any: 'All', yes: 'Managed', no: 'Not managed' };
const MANAGED_CHOICES = MANAGED_FILTERS.map((value) => ({ value, label: MANAGED_WORDS[value] }));

interface QueueFiltersProps {
  filters: Filters;
  onChange: (patch: Partial<Filters>) => void;
}

/** Everything that narrows the queue, and whether it is by cause. */
export function QueueFilters({ filters, onChange }: QueueFiltersProps) {
  const { state, kind, company, source, managed, search, single, cause } = filters;
  const isByCause = !single && cause === '';
  const toggle = () => onChange({ single: isByCause, cause: '' });
  useShortcut('c', isByCause ? 'Show each fault' : 'Show one line a cause', toggle);
  return (
    <FilterBar isOneRow>
      <QueueSwitch at="faults" />
      <SingleFilter
        label="State"
        choices={STATE_CHOICES}
        value={state}
        neutral={[queueFilters.defaults.state]}
        onChange={(value) => onChange({ state: value })}
      />
      <ChoiceFilter
        label="Now"
        choices={KIND_CHOICES}
        values={kind}
        onChange={(values) => onChange({ kind: values })}
      />
      <CompanyFilter companyIds={company} onChange={(companyIds) => onChange({ company: companyIds })} />
      <ChoiceFilter
        label="Source"
        choices={SOURCE_GROUP_CHOICES}
        values={source}
        onChange={(values) => onChange({ source: values })}
      />
      <SingleFilter
        label="Managed"
        choices={MANAGED_CHOICES}
        value={managed}
        neutral={['any']}
        onChange={(value) => onChange({ managed: value })}
      />
      <ToggleButton isOn={isByCause} onChange={toggle}>
        By cause
      </ToggleButton>
      <SearchInput label="Search faults" value={search} onChange={(text) => onChange({ search: text })} />
    </FilterBar>
  );
}
