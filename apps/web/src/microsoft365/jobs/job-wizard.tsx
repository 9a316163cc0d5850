import { editM365Job } from '@keepwatch/contract/microsoft365/jobs';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { useMemo, useState } from 'react';
import { jobWizard } from '../../entities/places.ts';
import { useGo } from '../../kit/screen-link.tsx';
import { useWizardForm } from '../../kit/wizard/use-wizard-form.ts';
import { type StepAddress, Wizard } from '../../kit/wizard/wizard.tsx';
import { useRepositories } from '../repositories/repositories.data.ts';
import { bodyOf, type JobDraft } from './job-draft.ts';
import { jobSteps } from './job-steps.tsx';
import { useProxies, useSaveJob } from './jobs.data.ts';

interface JobWizardProps {
  /** Of the job that is changed; `null`: a new one. */
  id: string | null;
  step: string;
  /** What the address says besides the step. */
  search: { job?: string; organization?: string };
  initial: JobDraft;
  onDone: (id: string) => void;
}

/** The form of a job in its steps. */
export function JobWizard({ id, step, search, initial, onDone }: JobWizardProps) {
  // What was entered stays: sent again, it replaces what the other person has changed.
  const save = useSaveJob(id, (version) => form.set('version', version));
  const [organizationId, setOrganizationId] = useState(initial.organizationId);
  const proxies = useProxies(organizationId);
  const repositories = useRepositories(organizationId === null ? [] : [organizationId]);
  // With one of each there is nothing to choose (specification "microsoft365", part 2): the step is skipped.
  const only = onlyOnes(proxies.data, repositories.data);
  const form = useWizardForm<typeof editM365Job, JobDraft, CallReply<typeof editM365Job>>(
    editM365Job,
    {
      initial,
      toBody: (values) => bodyOf({ ...values, ...only }),
      send: save.mutateAsync,
      onDone: ({ data }) => onDone(data.id),
    },
    { key: `job ${id ?? 'new'}`, isWithin: (path) => /\/o365\/jobs\/\d/.test(path) },
  );
  if (form.values.organizationId !== organizationId) setOrganizationId(form.values.organizationId);
  const isPlaceKnown = only !== null;
  const steps = useMemo(
    () => jobSteps({ isNew: id === null, isPlaceKnown, proxies, repositories, jobId: id }),
    [id, isPlaceKnown, proxies, repositories],
  );
  const at = useStepsOfAddress(step, search);
  return <Wizard form={form} steps={steps} action={id === null ? 'Create job' : 'Save job'} at={at} />;
}

/**
 * The one repository, where there is exactly one, and one proxy. The job is for any proxy, which is that one: bound to it, its runs could not go on when another
 * machine is added and this one ends, or has another name.
 */
function onlyOnes(
  proxies: ReturnType<typeof useProxies>['data'],
  repositories: ReturnType<typeof useRepositories>['data'],
): { proxyId: ''; repositoryId: string } | null {
  const [repository] = repositories ?? [];
  const isOnly = proxies?.length === 1 && repositories?.length === 1;
  return isOnly && repository !== undefined ? { proxyId: '', repositoryId: repository.id } : null;
}

/** `jobs/1` to `jobs/5`. */
function useStepsOfAddress(step: string, search: JobWizardProps['search']): StepAddress {
  const go = useGo();
  return { step, open: (next, options) => go(jobWizard.at({ step: next }, search), options) };
}
