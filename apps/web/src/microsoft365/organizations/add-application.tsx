import { addApplication } from '@keepwatch/contract/microsoft365/applications';
import type { OrganizationDetail } from '@keepwatch/contract/microsoft365/organizations';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { SecretField, TextAreaField, TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useToasts } from '../../kit/portal.tsx';
import styles from '../microsoft365.module.css';
import { CodeSignIn } from './code-sign-in.tsx';
import { MissingPermissions } from './missing-permissions.tsx';
import { type Connected, useAddApplication, useCheckApplication, useDeviceCode } from './organizations.data.ts';

interface AddApplicationProps {
  organization: OrganizationDetail;
  onClose: () => void;
}

/** Adds an application that backs up beside the others: a new one, or an existing one. */
export default function AddApplication({ organization, onClose }: AddApplicationProps) {
  const [isNew, setNew] = useState(true);
  const [lacking, setLacking] = useState<{ connected: Connected; applicationId: string } | null>(null);
  const toasts = useToasts();
  const checkApplication = useCheckApplication(organization.id);
  const onDone = (connected: Connected, applicationId: string) => {
    toasts.success(`An application has been added to ${organization.name}.`);
    if (isNew || connected.missing.length === 0) onClose();
    else setLacking({ connected, applicationId });
  };
  const onChecked = (connected: Connected) => {
    if (lacking !== null && connected.missing.length > 0) return setLacking({ ...lacking, connected });
    toasts.success('Nothing is missing any more.');
    onClose();
  };
  return (
    <Dialog isForm size="md" title={`Add an application to ${organization.name}`} onClose={onClose}>
      {lacking !== null ? (
        <MissingPermissions
          connected={lacking.connected}
          onContinue={onClose}
          check={() => checkApplication(lacking.applicationId)}
          onChecked={onChecked}
        />
      ) : (
        <div className={styles.fields}>
          <p className={styles.note}>
            Microsoft limits how much one application may read. Several share the work, so that large organizations are
            backed up sooner; the tenant as a whole has limits, too.
          </p>
          {isNew ? (
            <NewApplication organization={organization} onDone={onDone} />
          ) : (
            <ExistingApplication organization={organization} onDone={onDone} />
          )}
          <Button variant="subtle" size="compact-sm" onClick={() => setNew(!isNew)}>
            {isNew ? 'Use an existing application' : 'Make a new application'}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

interface WayProps {
  organization: OrganizationDetail;
  onDone: (connected: Connected, applicationId: string) => void;
}

/** Made with the sign-in of an administrator, with a certificate of its own. */
function NewApplication({ organization: { id }, onDone }: WayProps) {
  const code = useDeviceCode({ organizationId: id });
  const addition = useAddApplication(id);
  const ask = () => {
    const userCode = code.data?.userCode;
    if (userCode !== undefined && !addition.isPending)
      addition.mutate({ userCode }, { onSuccess: (reply) => onDone(reply, '') });
  };
  return <CodeSignIn read={code} attempt={{ ask, isAsking: addition.isPending, error: addition.error }} />;
}

function ExistingApplication({ organization: { id, authType }, onDone }: WayProps) {
  const isSecret = authType === 'modernLegacy';
  const form = useCallForm(addApplication, {
    initial: { applicationId: '', applicationSecret: '', applicationCertificate: '', name: '' },
    secrets: ['applicationSecret', 'applicationCertificate'],
    send: useAddApplication(id).mutateAsync,
    onDone: (reply, { applicationId }) => onDone(reply, applicationId.trim()),
  });
  return (
    <Form form={form} actions={<SubmitButton form={form}>Add application</SubmitButton>}>
      <TextField isFocused form={form} name="applicationId" label="Application (client) ID" />
      {isSecret ? (
        <SecretField form={form} name="applicationSecret" label="Client secret" description="Its value, not its ID." />
      ) : (
        <TextAreaField
          form={form}
          name="applicationCertificate"
          label="Certificate and private key (PEM)"
          rows={6}
          placeholder="-----BEGIN CERTIFICATE-----"
        />
      )}
      <TextField form={form} name="name" label="Name" description="Shown here. Without one, its ID is." />
    </Form>
  );
}
