import type { RoleItem } from '@keepwatch/contract/restore/roles';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { lazy, Suspense } from 'react';
import { OrganizationChoice } from '../../entities/organization-choice.tsx';
import { PickerField } from '../../kit/form/choice-fields.tsx';
import { RadioField } from '../../kit/form/radio-field.tsx';
import { TextAreaField, TextField } from '../../kit/form/text-fields.tsx';
import type { CallForm } from '../../kit/form/use-call-form.ts';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import type { WizardStep } from '../../kit/wizard/wizard-steps.ts';
import styles from '../microsoft365.module.css';
import { Operators } from './operators.tsx';
import type { RoleDraft } from './role-draft.ts';

const RoleItemPicker = lazy(() => import('./role-item-picker.tsx'));

type DraftForm = CallForm<RoleDraft>;

/** The five steps of a role by their addresses. */
export function roleSteps({ isNew }: { isNew: boolean }): readonly WizardStep<RoleDraft>[] {
  return [
    {
      key: '1',
      title: 'Basics',
      fields: ['name', 'description'],
      content: (form) => (
        <>
          <TextField form={form} name="name" label="Name" />
          <TextAreaField form={form} name="description" label="Description" />
        </>
      ),
    },
    {
      key: '2',
      title: 'Organization',
      fields: ['organizationId'],
      check: async ({ organizationId }) => {
        if (organizationId === null) throw refusal('Choose an organization.');
      },
      content: (form) => <Organization form={form} isNew={isNew} />,
    },
    {
      key: '3',
      title: 'Operators',
      fields: ['operators'],
      content: (form) => (
        <Operators
          ids={form.values.operators.map(({ id }) => id)}
          problem={form.problem('operators')}
          onChange={(ids) =>
            form.set(
              'operators',
              ids.map((id) => ({ id })),
            )
          }
        />
      ),
    },
    {
      key: '4',
      title: 'What they may restore',
      fields: ['roleType', 'selectedItems'],
      check: async ({ roleType, selectedItems }) => {
        if (roleType === 'SpecificObjects' && selectedItems.length === 0) throw refusal('Choose at least one object.');
      },
      content: (form) => <WhatToRestore form={form} />,
    },
    {
      key: '5',
      title: 'Exclusions',
      fields: ['excludedItems'],
      content: (form) => (
        <>
          <p className={styles.note}>
            Operators neither see nor restore what you choose here, even if it is part of something they may restore.
          </p>
          <Items form={form} items={form.values.excludedItems} onChange={(items) => form.set('excludedItems', items)} />
        </>
      ),
    },
  ];
}

function refusal(message: string): CallFailed {
  return new CallFailed(422, { success: false, code: 'INVALID_INPUT', message });
}

/** A role stays with its organization: what it selects is there. */
function Organization({ form, isNew }: { form: DraftForm; isNew: boolean }) {
  if (!isNew) return <p className={styles.note}>The organization of a role cannot be changed.</p>;
  const choose = (organizationId: string | null) => {
    form.set('organizationId', organizationId);
    form.set('selectedItems', []);
    form.set('excludedItems', []);
  };
  return (
    <PickerField form={form} name="organizationId">
      {({ value }) => <OrganizationChoice feature="restore" organizationId={value} onChange={choose} />}
    </PickerField>
  );
}

const TYPES = [
  {
    value: 'SpecificObjects',
    label: 'Selected objects',
    description: 'Users, groups with their members, teams and sites that you choose',
  },
  {
    value: 'EntireOrganization',
    label: 'The whole organization',
    description: 'Everything that is backed up, also what is added later',
  },
];

function WhatToRestore({ form }: { form: DraftForm }) {
  const { roleType, selectedItems } = form.values;
  return (
    <>
      <RadioField form={form} name="roleType" label="Operators may restore" choices={TYPES} />
      {roleType === 'SpecificObjects' && (
        <Items form={form} items={selectedItems} onChange={(items) => form.set('selectedItems', items)} />
      )}
    </>
  );
}

interface ItemsProps {
  form: DraftForm;
  items: readonly RoleItem[];
  onChange: (items: readonly RoleItem[]) => void;
}

function Items({ form, items, onChange }: ItemsProps) {
  const { organizationId } = form.values;
  if (organizationId === null) return null;
  return (
    <Suspense fallback={<SkeletonRows rows={6} />}>
      <RoleItemPicker organizationId={organizationId} items={items} onChange={onChange} />
    </Suspense>
  );
}
