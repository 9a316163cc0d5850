import type { ProtectedPeople, UnprotectedGroup } from '@keepwatch/contract/microsoft365/protection';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  jobWizard,
  o365Jobs,
  o365LicensedUsers,
  o365Organizations,
  organizationWizard,
} from '../../entities/places.ts';
import { DashboardPanel, type Reading } from '../../kit/dashboard/dashboard-panel.tsx';
import { Figure } from '../../kit/facts/figure.tsx';
import { FigureButton } from '../../kit/figures/figure-button.tsx';
import { formatCount, formatCounted } from '../../kit/format/numbers.ts';
import { useAllows } from '../../kit/portal.tsx';
import { ScreenLink } from '../../kit/screen-link.tsx';
import styles from './dashboard.module.css';
import { FigureList } from './figure-list.ts';
import { isAddable, useAddPeople } from './protection.data.ts';
import { reasonText } from './protection-words.ts';

/** The three questions are beside each other, and as high. */
export const QUESTION_PX = 196;

/** Is everybody backed up, and if not, why. */
export function PeoplePanel({ reading }: { reading: Reading<ProtectedPeople> }) {
  return (
    <DashboardPanel
      title="Is everybody protected?"
      columns={4}
      bodyPx={QUESTION_PX}
      reading={reading}
      emptyText={emptyText}
    >
      {(people) => <People people={people} />}
    </DashboardPanel>
  );
}

function emptyText({ people, unread, uncounted, readTime }: ProtectedPeople): ReactNode {
  if (people > 0 || unread.some(({ message }) => message !== null)) return null;
  if (unread.length > 0) return 'The directory is read now. The figures are here within a minute or two.';
  if (readTime !== null) return 'No person of these organizations is licensed by Microsoft for mail or files.';
  if (uncounted > 0)
    return 'These organizations are backed up by a Veeam server. Their people are not counted here: see the server for who is protected.';
  return (
    <>
      {'No organization is connected yet. '}
      <ScreenLink to={organizationWizard.at({ _splat: '1' })}>Connect organization</ScreenLink>
    </>
  );
}

function People({ people: { people, unprotected, groups, unread, uncounted } }: { people: ProtectedPeople }) {
  const failed = unread.filter(({ message }) => message !== null);
  const isWhole = unprotected === 0;
  return (
    <div className={styles.padded}>
      <Figure
        label={isWhole ? 'People, all of them backed up' : 'People backed up in the last 31 days'}
        hint="People whom Microsoft licenses for mail or files"
        value={
          <>
            <ScreenLink className={styles.figure} to={o365LicensedUsers.at({ date: 'Today' })}>
              {formatCount(people - unprotected)}
            </ScreenLink>
            <span className={styles.of}>{` of ${formatCount(people)}`}</span>
          </>
        }
      />
      <div className={styles.meter} aria-hidden>
        <span style={{ flexGrow: people - unprotected, background: 'var(--status-success)' }} />
        <span style={{ flexGrow: unprotected, background: 'var(--status-failed)' }} hidden={isWhole} />
      </div>
      <ul className={styles.reasons}>
        {groups.map((group) => (
          <Group key={`${group.organizationId} ${group.reason} ${group.jobId}`} group={group} />
        ))}
        {failed.map(({ organizationId, organizationName, message }) => (
          <li key={organizationId} title={message ?? undefined}>
            <ScreenLink className={styles.stale} to={o365Organizations.at({ open: organizationId })}>
              {`${organizationName} could not be read`}
            </ScreenLink>
          </li>
        ))}
        {uncounted > 0 && (
          <li>
            <ScreenLink className={styles.stale} to={o365Organizations.at({})}>
              {formatCounted(uncounted, 'organization', 'organizations')} of a Veeam server not counted
            </ScreenLink>
          </li>
        )}
      </ul>
    </div>
  );
}

function Group({ group }: { group: UnprotectedGroup }) {
  const { people, organizationName } = group;
  const reason = reasonText(group);
  return (
    <li>
      <FigureButton
        className={styles.reason}
        dialog={(onClose) => (
          <FigureList figure={{ of: 'people', group }} title={`${organizationName}: ${reason}`} onClose={onClose} />
        )}
      >
        <strong>{formatCount(people)}</strong> {reason}
        <span className={styles.whose}>{organizationName}</span>
      </FigureButton>
      <WhatNext group={group} />
    </li>
  );
}

/** One press, where one is enough. */
function WhatNext({ group }: { group: UnprotectedGroup }) {
  const mayChange = useAllows('o365.jobs');
  const { mutate, isPending } = useAddPeople();
  if (!mayChange) return null;
  const { organizationId, jobId, jobName, people, reason } = group;
  if (isAddable(group))
    return (
      <Button
        variant="default"
        size="compact-xs"
        loading={isPending}
        title={`${reason === 'no-job' ? 'Add' : 'Back up'} ${formatCounted(people, 'person', 'people')}: ${jobName ?? ''}`}
        onClick={() => mutate(group)}
      >
        {reason === 'no-job' ? `Add to ${jobName ?? 'job'}` : 'Back up too'}
      </Button>
    );
  if (jobId === null)
    return <ScreenLink to={jobWizard.at({ step: '1' }, { organization: organizationId })}>Create job</ScreenLink>;
  return <ScreenLink to={o365Jobs.at({ open: jobId })}>Open job</ScreenLink>;
}
