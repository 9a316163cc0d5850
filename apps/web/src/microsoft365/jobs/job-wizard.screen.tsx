import { useOrganizationNames } from '../../entities/organizations.data.ts';
import { jobWizard, o365Jobs, organizationWizard } from '../../entities/places.ts';
import { textField, useUrlState } from '../../kit/address/url-state.ts';
import type { FieldsOf } from '../../kit/place.ts';
import { ScreenLink, useGo, usePlaceParams } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { draftOf, newJob } from './job-draft.ts';
import { JobWizard } from './job-wizard.tsx';
import { useJob } from './jobs.data.ts';

const FIELDS = { job: textField(), organization: textField() } satisfies FieldsOf<typeof jobWizard>;

/** Creates a job in five steps, or changes the one of the address (specification "microsoft365", part 2). */
export default function JobWizardScreen() {
  const { step } = usePlaceParams(jobWizard);
  const [{ job, organization }] = useUrlState(FIELDS);
  return job === '' ? <NewJob step={step} organization={organization} /> : <EditJob step={step} id={job} />;
}

function NewJob({ step, organization }: { step: string; organization: string }) {
  const { data, error, refetch } = useOrganizationNames();
  const go = useGo();
  if (data === undefined && error !== null)
    return <ErrorState what="the organizations" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={8} />;
  if (data.length === 0)
    return (
      <EmptyState title="No organizations yet" text="A job backs up an organization: connect one first.">
        <ScreenLink to={organizationWizard.at({ _splat: '1' })}>Connect organization</ScreenLink>
      </EmptyState>
    );
  const only = data.length === 1 ? data[0]?.id : undefined;
  const asked = data.find(({ id }) => id === organization)?.id;
  return (
    <JobWizard
      key={organization}
      id={null}
      step={step}
      search={organization === '' ? {} : { organization }}
      initial={newJob(asked ?? only ?? null)}
      onDone={(id) => go(o365Jobs.at({ open: id }))}
    />
  );
}

function EditJob({ step, id }: { step: string; id: string }) {
  const { data, error, refetch } = useJob(id);
  const go = useGo();
  if (data === undefined && error !== null)
    return <ErrorState what="the job" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={8} />;
  return (
    <JobWizard
      key={id}
      id={id}
      step={step}
      search={{ job: id }}
      initial={draftOf(data)}
      onDone={() => go(o365Jobs.at({ open: id }))}
    />
  );
}
