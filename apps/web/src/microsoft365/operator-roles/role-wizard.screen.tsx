import { createRestoreRole } from '@keepwatch/contract/restore/roles';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { useMemo, useState } from 'react';
import { useOrganizationNames } from '../../entities/organizations.data.ts';
import { operatorRoles, operatorRoleWizard, organizationWizard } from '../../entities/places.ts';
import { textField, useUrlState } from '../../kit/address/url-state.ts';
import type { FieldsOf } from '../../kit/place.ts';
import { ScreenLink, useGo, usePlaceParams } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { useWizardForm } from '../../kit/wizard/use-wizard-form.ts';
import { type StepAddress, Wizard } from '../../kit/wizard/wizard.tsx';
import { bodyOf, draftOf, newRole, type RoleDraft } from './role-draft.ts';
import { roleSteps } from './role-steps.tsx';
import { useRole, useSaveRole } from './roles.data.ts';

const FIELDS = { role: textField(), organization: textField() } satisfies FieldsOf<typeof operatorRoleWizard>;

/** Creates a restore operator role in five steps, or changes the one of the address (specification "microsoft365", part 2). */
export default function RoleWizardScreen() {
  const [{ role, organization }] = useUrlState(FIELDS);
  return role === '' ? <NewRole organization={organization} /> : <EditRole id={role} />;
}

function NewRole({ organization }: { organization: string }) {
  const { data, error, refetch } = useOrganizationNames();
  if (data === undefined && error !== null)
    return <ErrorState what="the organizations" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={8} />;
  if (data.length === 0)
    return (
      <EmptyState title="No organizations yet" text="A role is for the backups of an organization: connect one first.">
        <ScreenLink to={organizationWizard.at({ _splat: '1' })}>Connect organization</ScreenLink>
      </EmptyState>
    );
  const only = data.length === 1 ? data[0]?.id : undefined;
  const asked = data.find(({ id }) => id === organization)?.id;
  const search = organization === '' ? {} : { organization };
  return <RoleWizard key={organization} id={null} search={search} initial={newRole(asked ?? only ?? null)} />;
}

function EditRole({ id }: { id: string }) {
  const { data, error, refetch } = useRole(id);
  if (data === undefined && error !== null)
    return <ErrorState what="the role" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={8} />;
  return <RoleWizard key={id} id={id} search={{ role: id }} initial={draftOf(data)} />;
}

interface RoleWizardProps {
  /** Of the role that is changed; `null`: a new one. */
  id: string | null;
  /** What the address says besides the step. */
  search: { role?: string; organization?: string };
  initial: RoleDraft;
}

function RoleWizard({ id, search, initial }: RoleWizardProps) {
  const { step } = usePlaceParams(operatorRoleWizard);
  const go = useGo();
  const [organizationId, setOrganizationId] = useState(initial.organizationId);
  const save = useSaveRole(id, organizationId);
  const form = useWizardForm<typeof createRestoreRole, RoleDraft, CallReply<typeof createRestoreRole>>(
    createRestoreRole,
    {
      initial,
      toBody: bodyOf,
      send: save.mutateAsync,
      onDone: ({ data }) => go(operatorRoles.at({ open: data.id })),
    },
    { key: `restore role ${id ?? 'new'}`, isWithin: (path) => /\/o365\/restore-operator-roles\/\d/.test(path) },
  );
  if (form.values.organizationId !== organizationId) setOrganizationId(form.values.organizationId);
  const steps = useMemo(() => roleSteps({ isNew: id === null }), [id]);
  const at: StepAddress = {
    step,
    open: (next, options) => go(operatorRoleWizard.at({ step: next }, search), options),
  };
  return <Wizard form={form} steps={steps} action={id === null ? 'Create role' : 'Save role'} at={at} />;
}
