import { Button } from '@mantine/core';
import { FlagField } from '../../kit/form/choice-fields.tsx';
import { PasswordField, SecretField, TextAreaField, TextField } from '../../kit/form/text-fields.tsx';
import type { CallForm } from '../../kit/form/use-call-form.ts';
import styles from '../microsoft365.module.css';
import type { ConnectContext } from './connect-context.ts';
import type { OrganizationDraft } from './organization-draft.ts';
import { PermissionList } from './permission-list.tsx';

type DraftForm = CallForm<OrganizationDraft>;

const SERVICES = [
  { name: 'exchangeOnlineSettings', title: 'Exchange and Teams' },
  { name: 'sharePointOnlineSettings', title: 'SharePoint and OneDrive' },
] as const;

const UNCHANGED_TEXT = 'Leave empty to leave it as it is.';
const SECRET_TEXT =
  "The secret's value, not its ID. SharePoint refuses secrets for some content: a certificate reads all.";

/** What the sign-in needs. One press leads from basic to modern authentication, with everything as entered. */
export default function Credentials({ form, context }: { form: DraftForm; context: ConnectContext }) {
  const { authType, application } = form.values;
  const { choose, applicationName, isNew } = context;
  if (authType === 'basic')
    return (
      <BasicCredentials form={form} isNew={isNew} onModern={() => choose({ authType: 'modern', application: 'new' })} />
    );
  if (authType === 'modernLegacy') return <LegacyCredentials form={form} isNew={isNew} />;
  if (application === 'new') return <NewApplication form={form} applicationName={applicationName} />;
  return <ExistingApplication form={form} isNew={isNew} />;
}

/** Accounts with passwords. Most tenants refuse them, so the way to an application is beside them. */
function BasicCredentials({ form, isNew, onModern }: { form: DraftForm; isNew: boolean; onModern: () => void }) {
  const { isExchangeOnline, isTeamsOnline, isSharePointOnline } = form.values;
  const isOn = {
    exchangeOnlineSettings: isExchangeOnline || isTeamsOnline,
    sharePointOnlineSettings: isSharePointOnline,
  };
  return (
    <>
      <div className={styles.warning}>
        <p>
          Microsoft has turned off basic authentication for Exchange Online, and security defaults block it elsewhere.
          Accounts with MFA never work with it. An application does not have these limits.
        </p>
        <Button variant="default" size="compact-sm" onClick={onModern}>
          Continue with modern authentication
        </Button>
      </div>
      {SERVICES.filter(({ name }) => isOn[name]).map(({ name, title }) => (
        <fieldset key={name} className={styles.fields}>
          <legend>{title}</legend>
          <TextField form={form} name={`${name}.account`} label="Account" type="email" required />
          <PasswordField form={form} name={`${name}.password`} label="Password" autoComplete="off" required={isNew} />
        </fieldset>
      ))}
    </>
  );
}

/** An application with a secret. */
function LegacyCredentials({ form, isNew }: { form: DraftForm; isNew: boolean }) {
  return (
    <>
      <Tenant form={form} />
      <TextField form={form} name="exchangeOnlineSettings.applicationId" label="Application (client) ID" required />
      <SecretField
        form={form}
        name="exchangeOnlineSettings.applicationSecret"
        label="Client secret"
        required={isNew}
        description={isNew ? SECRET_TEXT : UNCHANGED_TEXT}
      />
      <PermissionList draft={form.values} />
    </>
  );
}

/** The application that the portal makes. */
function NewApplication({ form, applicationName }: { form: DraftForm; applicationName: string }) {
  return (
    <>
      <TextField
        form={form}
        name="exchangeOnlineSettings.newApplicationName"
        label="Name of the application"
        description="Shown in Microsoft Entra. Its certificate is made here and never leaves the portal."
        placeholder={applicationName}
      />
      <PermissionList draft={form.values} />
    </>
  );
}

/** An application that is there: with its certificate, or with a new one that an administrator allows. */
function ExistingApplication({ form, isNew }: { form: DraftForm; isNew: boolean }) {
  const { configureApplication } = form.values.exchangeOnlineSettings;
  return (
    <>
      <Tenant form={form} />
      <TextField form={form} name="exchangeOnlineSettings.applicationId" label="Application (client) ID" required />
      <FlagField
        form={form}
        name="exchangeOnlineSettings.configureApplication"
        label="Add a certificate and the missing permissions"
        description="You sign in as an administrator in the next step. Otherwise the application is used as it is."
      />
      {!configureApplication && (
        <TextAreaField
          form={form}
          name="exchangeOnlineSettings.applicationCertificate"
          label="Certificate and private key (PEM)"
          required={isNew}
          description={isNew ? undefined : UNCHANGED_TEXT}
          rows={6}
          placeholder="-----BEGIN CERTIFICATE-----"
        />
      )}
      <PermissionList draft={form.values} />
    </>
  );
}

function Tenant({ form }: { form: DraftForm }) {
  return (
    <TextField
      form={form}
      name="exchangeOnlineSettings.officeOrganizationName"
      label="Tenant"
      required
      description="Its domain, as contoso.onmicrosoft.com"
    />
  );
}
