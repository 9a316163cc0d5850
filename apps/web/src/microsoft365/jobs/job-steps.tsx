import { CallFailed } from '@keepwatch/contract/wire/client';
import { lazy, type ReactNode, Suspense } from 'react';
import { OrganizationChoice } from '../../entities/organization-choice.tsx';
import { o365Repositories } from '../../entities/places.ts';
import { ChoiceField, FlagField, PickerField } from '../../kit/form/choice-fields.tsx';
import { RadioField } from '../../kit/form/radio-field.tsx';
import { TextAreaField, TextField } from '../../kit/form/text-fields.tsx';
import type { CallForm } from '../../kit/form/use-call-form.ts';
import { formatCounted } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import type { WizardStep } from '../../kit/wizard/wizard-steps.ts';
import styles from '../microsoft365.module.css';
import type { useRepositories } from '../repositories/repositories.data.ts';
import { retentionText } from '../repositories/repository-words.ts';
import type { JobDraft } from './job-draft.ts';
import { type useProxies, useProxyPools } from './jobs.data.ts';

const ItemPicker = lazy(() => import('./item-picker.tsx'));
const ScheduleFields = lazy(() => import('./schedule-fields.tsx'));

/** What the steps have from their wizard. */
interface JobContext {
  isNew: boolean;
  /** Of the job that is changed. */
  jobId: string | null;
  /** Whether there is exactly one proxy and one repository. */
  isPlaceKnown: boolean;
  proxies: ReturnType<typeof useProxies>;
  repositories: ReturnType<typeof useRepositories>;
}

type DraftForm = CallForm<JobDraft>;

/** The five steps of a job by their addresses. */
export function jobSteps(context: JobContext): readonly WizardStep<JobDraft>[] {
  return [
    {
      key: '1',
      title: 'Basics',
      fields: ['organizationId', 'name', 'description'],
      content: (form) => <Basics form={form} isNew={context.isNew} />,
    },
    {
      key: '2',
      title: 'What to back up',
      fields: ['backupType', 'selectedItems'],
      check: async ({ backupType, selectedItems: { results } }) => {
        if (backupType === 'SelectedItems' && results.length === 0) throw refusal('Choose at least one object.');
      },
      content: (form) => (
        <Later>
          <WhatToBackUp form={form} />
        </Later>
      ),
    },
    {
      key: '3',
      title: 'Exclusions',
      fields: ['excludedItems'],
      content: (form) => (
        <Later>
          <Exclusions form={form} />
        </Later>
      ),
    },
    {
      key: '4',
      title: 'Proxy and repository',
      fields: ['proxyId', 'repositoryId'],
      isSkipped: () => context.isPlaceKnown,
      content: (form) => <ProxyAndRepository form={form} context={context} />,
    },
    {
      key: '5',
      title: 'Schedule',
      fields: ['schedulePolicy', 'isEnabled'],
      content: (form) => (
        <Later>
          <ScheduleFields form={form} jobId={context.jobId} />
        </Later>
      ),
    },
  ];
}

/** A step whose code comes when it is opened. */
function Later({ children }: { children: ReactNode }) {
  return <Suspense fallback={<SkeletonRows rows={6} />}>{children}</Suspense>;
}

function refusal(message: string): CallFailed {
  return new CallFailed(422, { success: false, code: 'INVALID_INPUT', message });
}

function Basics({ form, isNew }: { form: DraftForm; isNew: boolean }) {
  return (
    <>
      {isNew && (
        <PickerField form={form} name="organizationId">
          {({ value, onChange }) => <OrganizationChoice organizationId={value} onChange={onChange} />}
        </PickerField>
      )}
      <TextField form={form} name="name" label="Name" />
      <TextAreaField form={form} name="description" label="Description" />
      <FlagField
        form={form}
        name="isTeamsChatsEnabled"
        label="Back up Teams chats"
        description="Chats of users. The organization must be connected with them."
      />
    </>
  );
}

const TYPES = [
  {
    value: 'EntireOrganization',
    label: 'The whole organization',
    description: 'All mailboxes, OneDrives, sites and teams, also those that are added later',
  },
  { value: 'SelectedItems', label: 'Selected objects', description: 'Users, groups, teams and sites that you choose' },
];

function WhatToBackUp({ form }: { form: DraftForm }) {
  const { backupType, organizationId, selectedItems } = form.values;
  return (
    <>
      <RadioField form={form} name="backupType" label="Back up" choices={TYPES} />
      {backupType === 'SelectedItems' && organizationId !== null && (
        <ItemPicker
          organizationId={organizationId}
          items={selectedItems.results}
          onChange={(items) => form.set('selectedItems.results', items)}
        />
      )}
    </>
  );
}

function Exclusions({ form }: { form: DraftForm }) {
  const { organizationId, excludedItems } = form.values;
  if (organizationId === null) return null;
  return (
    <>
      <p className={styles.note}>What you choose here is not backed up, even if it is part of something that is.</p>
      <ItemPicker
        organizationId={organizationId}
        items={excludedItems.results}
        onChange={(items) => form.set('excludedItems.results', items)}
      />
    </>
  );
}

function ProxyAndRepository({ form, context: { proxies, repositories } }: { form: DraftForm; context: JobContext }) {
  const pools = useProxyPools(form.values.organizationId);
  const error = proxies.error ?? repositories.error;
  if (error !== null)
    return (
      <ErrorState
        what="the proxies and repositories"
        error={error}
        onRetry={() => void Promise.all([proxies.refetch(), repositories.refetch()])}
      />
    );
  if (proxies.data === undefined || repositories.data === undefined) return <SkeletonRows rows={4} />;
  const { organizationId } = form.values;
  if (repositories.data.length === 0)
    return (
      <EmptyState title="No repository yet" text="The organization has no place to store its backups in.">
        <ScreenLink to={o365Repositories.at(organizationId === null ? {} : { organization: organizationId })}>
          Create repository
        </ScreenLink>
      </EmptyState>
    );
  return (
    <>
      <ChoiceField
        form={form}
        name="proxyId"
        label="Proxy"
        description="The worker that reads and writes. A job of one proxy waits while that is offline."
        choices={[
          { value: '', label: 'Any that is free' },
          ...(pools.data ?? []).map(({ id, name, proxyCount }) => ({
            value: id,
            label: `Any of the pool ${name} (${formatCounted(proxyCount, 'proxy', 'proxies')})`,
          })),
          ...proxies.data.map(proxyChoice),
        ]}
      />
      <ChoiceField
        form={form}
        name="repositoryId"
        label="Repository"
        choices={repositories.data.map(({ id, name, retentionPolicy }) => ({
          value: id,
          label: `${name} (${retentionText(retentionPolicy)})`,
        }))}
      />
    </>
  );
}

function proxyChoice({ id, name, isOnline }: NonNullable<JobContext['proxies']['data']>[number]) {
  return { value: id, label: isOnline ? name : `${name} (offline)` };
}
