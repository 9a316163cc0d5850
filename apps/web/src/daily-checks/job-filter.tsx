import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { messageOf } from '../kit/api.ts';
import { ChoiceList } from '../kit/filters/choice-list.tsx';
import { FilterButton } from '../kit/filters/filter-button.tsx';
import { Panel } from '../kit/panel/panel.tsx';
import { useJobChoices } from './job-filter.data.ts';
import styles from './job-filter.module.css';

interface JobFilterProps {
  /** `jobInstanceUid`s; none means all. */
  jobs: readonly string[];
  /** Jobs of these companies are offered; none means all. */
  companyIds: readonly string[];
  onChange: (jobs: readonly string[]) => void;
}

const PAUSE_MS = 200;

/** Any number of jobs, found by name on the server. */
export function JobFilter(props: JobFilterProps) {
  const { jobs } = props;
  const chosen = jobs.length === 0 ? [] : [jobs.length === 1 ? '1 job' : `${jobs.length} jobs`];
  return (
    <Panel label="Jobs" trigger={(button) => <FilterButton {...button} label="Job" chosen={chosen} />}>
      {() => <Choices {...props} />}
    </Panel>
  );
}

function Choices({ jobs, companyIds, onChange }: JobFilterProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const { data, error } = useJobChoices(search, companyIds);
  const choices = (data?.data ?? []).map(({ jobInstanceUid, jobName, companyName }) => ({
    value: jobInstanceUid,
    label: companyName === null ? jobName : `${jobName} · ${companyName}`,
  }));
  const toggle = (job: string) => onChange(jobs.includes(job) ? jobs.filter((other) => other !== job) : [...jobs, job]);
  return (
    <div className={styles.choices}>
      <TextInput
        type="search"
        aria-label="Search jobs by name"
        placeholder="Search jobs by name"
        autoFocus
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={styles.list}>
        <ChoiceList label="Jobs" choices={choices} values={jobs} onToggle={toggle} onClear={() => onChange([])} />
      </div>
      <p className={styles.note} aria-live="polite">
        {error !== null ? messageOf(error) : data?.count === 0 ? 'No job has this in its name.' : ''}
      </p>
    </div>
  );
}
