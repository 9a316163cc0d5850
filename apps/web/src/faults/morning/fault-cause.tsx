import type { Fault } from '@keepwatch/contract/faults/faults';
import { Switch } from '@mantine/core';
import { nameOfJob } from '../../entities/job-name.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import { CAUSE_WHY, causeTitle, sharedText } from '../fault-texts.ts';
import styles from './fault-cause.module.css';

/** So many are named; the others are counted. */
const NAMED_MAX = 8;

interface FaultCauseProps {
  fault: Fault;
  /** It, and the others of its cause that are to be decided. */
  sharing: readonly Fault[];
  /** The others of it that other people work on; `null`: none. */
  withOthers: string | null;
  isAll: boolean;
  onAll: (isAll: boolean) => void;
  canEdit: boolean;
}

/** With whom the fault shares its cause and why, and whether what is done is done to all of them. */
export function FaultCause({ fault, sharing, withOthers, isAll, onAll, canEdit }: FaultCauseProps) {
  const hasOthers = sharing.length > 1;
  if (!hasOthers && withOthers === null) return null;
  const others = sharing.slice(1);
  const companies = new Set(sharing.flatMap(({ companyId }) => companyId ?? [])).size;
  const left = others.length - NAMED_MAX;
  return (
    <section className={styles.cause} aria-label="Cause">
      <h3>
        {fault.cause.subject === null ? 'The same message elsewhere' : causeTitle(fault)}:{' '}
        {sharedText(sharing.length, companies)}
      </h3>
      <p className={styles.why}>One cause: {CAUSE_WHY[fault.cause.why]}.</p>
      {withOthers !== null && <p className={styles.why}>{`${withOthers}: left out.`}</p>}
      {canEdit && hasOthers && (
        <Switch
          label={`Apply to all ${formatCount(sharing.length)} of this cause (a)`}
          checked={isAll}
          onChange={(event) => onAll(event.currentTarget.checked)}
        />
      )}
      <ul className={styles.others}>
        {others.slice(0, NAMED_MAX).map((other) => (
          <li key={other._id}>{nameOfJob(other)}</li>
        ))}
        {left > 0 && <li>{`and ${formatCount(left)} more`}</li>}
      </ul>
    </section>
  );
}
