import type { Region } from '@keepwatch/contract/microsoft365/organizations';
import { AUTH_TYPES, REGIONS } from '@keepwatch/contract/microsoft365/organizations';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { lazy, Suspense } from 'react';
import { DeviceCode } from '../../entities/device-code.tsx';
import { ChoiceField, FlagField } from '../../kit/form/choice-fields.tsx';
import { RadioField } from '../../kit/form/radio-field.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import type { CallForm } from '../../kit/form/use-call-form.ts';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import type { WizardStep } from '../../kit/wizard/wizard-steps.ts';
import styles from '../microsoft365.module.css';
import { CompanyStep } from './company-step.tsx';
import type { ConnectContext } from './connect-context.ts';
import { needsDeviceCode, type OrganizationDraft } from './organization-draft.ts';
import { OrganizationSummary } from './organization-summary.tsx';
import { AUTH_WORDS, REGION_WORDS } from './organization-words.ts';

const Credentials = lazy(() => import('./credentials.tsx'));

type Step = WizardStep<OrganizationDraft>;
type DraftForm = CallForm<OrganizationDraft>;

const REGION_CHOICES = REGIONS.map((value: Region) => ({ value, label: REGION_WORDS[value] }));

const AUTH_CHOICES = [
  {
    value: 'modern',
    label: `${AUTH_WORDS.modern}, recommended`,
    description: 'An application in your tenant, which the portal makes for you. Works with MFA and security defaults.',
  },
  {
    value: 'modernLegacy',
    label: AUTH_WORDS.modernLegacy,
    description: 'An application that you have made yourself, with a client secret.',
  },
  {
    value: 'basic',
    label: AUTH_WORDS.basic,
    description: 'Microsoft has turned it off. What you enter stays when you go on with modern authentication.',
  },
];

const APPLICATION_CHOICES = [
  { value: 'new', label: 'Create a new application', description: 'Two minutes, and no work in the Microsoft portal.' },
  { value: 'existing', label: 'Use an existing application', description: 'Its permissions are checked one by one.' },
];

/** The steps of the wizard by their addresses; which of them are on the way depends on what was entered. */
export function connectSteps(context: ConnectContext): readonly Step[] {
  return [
    {
      key: '1',
      title: 'Basics',
      fields: ['companyObjId', 'name'],
      check: async (values) => assertService(values),
      content: (form) => <Basics form={form} isNew={context.isNew} />,
    },
    {
      key: '3',
      title: 'Region and sign-in',
      fields: ['region', 'authType'],
      content: (form) => <Authentication form={form} choose={context.choose} />,
    },
    {
      key: '4',
      title: 'Credentials',
      fields: ['exchangeOnlineSettings', 'sharePointOnlineSettings'],
      check: async (values) => assertApplication(values),
      content: (form) => (
        <Suspense fallback={<SkeletonRows rows={6} />}>
          <Credentials form={form} context={context} />
        </Suspense>
      ),
    },
    {
      key: '5',
      title: 'Sign in at Microsoft',
      fields: ['companyObjId'],
      isSkipped: (values) => !needsDeviceCode(values),
      content: (form) => <SignIn form={form} context={context} />,
    },
  ];
}

function assertService(values: OrganizationDraft): void {
  const { isExchangeOnline, isSharePointOnline, isTeamsOnline } = values;
  if (!isExchangeOnline && !isSharePointOnline && !isTeamsOnline) throw refusal('Choose at least one service.');
}

/** Before an administrator signs in for it. */
function assertApplication({ authType, application, exchangeOnlineSettings }: OrganizationDraft): void {
  const isMissing = application === 'existing' && exchangeOnlineSettings.applicationId.trim() === '';
  if (authType === 'modern' && isMissing) throw refusal('Enter the application (client) ID.');
}

function refusal(message: string): CallFailed {
  return new CallFailed(422, { success: false, code: 'INVALID_INPUT', message });
}

function Basics({ form, isNew }: { form: DraftForm; isNew: boolean }) {
  return (
    <>
      {isNew && <CompanyStep form={form} />}
      <TextField
        form={form}
        name="name"
        label="Name"
        description="Name in the portal. Leave empty for the name of the tenant at Microsoft."
      />
      <fieldset className={styles.fields}>
        <legend>Services to back up</legend>
        <FlagField form={form} name="isExchangeOnline" label="Exchange Online" />
        <FlagField form={form} name="isSharePointOnline" label="SharePoint Online and OneDrive" />
        <FlagField form={form} name="isTeamsOnline" label="Microsoft Teams" />
        <FlagField
          form={form}
          name="isTeamsChatsOnline"
          label="Teams chats"
          description="Chats of users. Microsoft may charge for reading them."
        />
      </fieldset>
    </>
  );
}

function Authentication({ form, choose }: { form: DraftForm; choose: ConnectContext['choose'] }) {
  return (
    <>
      <ChoiceField
        form={form}
        name="region"
        label="Region"
        description="The cloud of Microsoft that the tenant is in"
        choices={REGION_CHOICES}
      />
      <RadioField
        form={form}
        name="authType"
        label="Sign-in of the backup"
        choices={AUTH_CHOICES}
        onChoose={(value) => choose({ authType: AUTH_TYPES.find((auth) => auth === value) ?? 'modern' })}
      />
      {form.values.authType === 'modern' && (
        <RadioField form={form} name="application" label="Application" choices={APPLICATION_CHOICES} />
      )}
    </>
  );
}

function SignIn({ form, context }: { form: DraftForm; context: ConnectContext }) {
  const { read, applicationName, isNew } = context;
  // The wizard's own form: that of the step does not show a code as refused that was not entered yet.
  const { values, isSending, failure, submit } = context.form;
  return (
    <>
      {values.companyObjId === null && isNew && <CompanyStep form={form} />}
      <OrganizationSummary values={values} applicationName={applicationName} />
      {(values.companyObjId !== null || !isNew) && (
        <DeviceCode read={read} attempt={{ ask: submit, isAsking: isSending, error: failure }} />
      )}
    </>
  );
}
