import { lazy, Suspense } from 'react';
import { o365Organizations, organizationWizard } from '../../entities/places.ts';
import { textField, useUrlState } from '../../kit/address/url-state.ts';
import type { FieldsOf } from '../../kit/place.ts';
import { useUser } from '../../kit/portal.tsx';
import { useGo, usePlaceParams } from '../../kit/screen-link.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { ConnectWizard } from './connect-wizard.tsx';
import { draftOf, newDraft } from './organization-draft.ts';
import { useOrganization } from './organizations.data.ts';

const FirstRepository = lazy(() => import('./first-repository.tsx'));

const FIELDS = { organization: textField() } satisfies FieldsOf<typeof organizationWizard>;

/** The step in which an organization gets its first repository. */
const REPOSITORY_STEP = 'repo';

/** Connects an organization step by step, or changes the one of the address (specification "microsoft365", part 2). */
export default function OrganizationWizardScreen() {
  const { _splat: address } = usePlaceParams(organizationWizard);
  const [{ organization }] = useUrlState(FIELDS);
  if (address === REPOSITORY_STEP)
    return (
      <Suspense fallback={<SkeletonRows rows={8} />}>
        <FirstRepository organizationId={organization} />
      </Suspense>
    );
  return organization === '' ? (
    <NewOrganization address={address} />
  ) : (
    <EditOrganization id={organization} address={address} />
  );
}

function NewOrganization({ address }: { address: string }) {
  const go = useGo();
  const { companyIds } = useUser();
  const [only] = companyIds?.length === 1 ? companyIds : [];
  return (
    <ConnectWizard
      id={null}
      address={address}
      initial={newDraft(only ?? null)}
      onDone={({ data }) => go(organizationWizard.at({ _splat: REPOSITORY_STEP }, { organization: data.id }))}
    />
  );
}

function EditOrganization({ id, address }: { id: string; address: string }) {
  const go = useGo();
  const { data, error, refetch } = useOrganization(id);
  if (data === undefined && error !== null)
    return <ErrorState what="the organization" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={8} />;
  return (
    <ConnectWizard
      key={id}
      id={id}
      address={address}
      initial={draftOf(data)}
      onDone={() => go(o365Organizations.at({ open: id }))}
    />
  );
}
