import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CompanyChoice } from '../../entities/company-choice.tsx';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { DialogForm } from '../../kit/dialog/dialog-form.tsx';
import styles from '../source-dialog.module.css';
import { useCreateToken } from './intake-tokens.data.ts';
import { NewTokenLines } from './new-token-lines.tsx';

/** Makes a token for one company and shows it, this one time, with the lines that use it. */
export default function TokenDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateToken();
  const created = create.data;
  return (
    <Dialog
      isForm
      size={created === undefined ? 'md' : 'xl'}
      title={created === undefined ? 'Create an intake token' : `Token ${created.data.name}`}
      onClose={onClose}
      staysAtEscape={created !== undefined}
    >
      {created === undefined ? (
        <TokenForm onCreate={create.mutate} isPending={create.isPending} error={create.error} />
      ) : (
        <NewTokenLines created={created} onDone={onClose} />
      )}
    </Dialog>
  );
}

interface TokenFormProps {
  onCreate: (token: { name: string; companyId: string }) => void;
  isPending: boolean;
  error: unknown;
}

function TokenForm({ onCreate, isPending, error }: TokenFormProps) {
  const [name, setName] = useState('');
  const [companyId, setCompanyId] = useState<string | null>(null);
  const submit = () => {
    if (companyId !== null) onCreate({ name: name.trim(), companyId });
  };
  return (
    <DialogForm
      onSubmit={submit}
      error={error}
      actions={
        <Button type="submit" disabled={name.trim() === '' || companyId === null} loading={isPending}>
          Create token
        </Button>
      }
    >
      <TextInput
        label="Name"
        descriptionProps={{ size: 'md' }}
        description="The server or job that will use it"
        required
        maxLength={200}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={styles.company}>
        <CompanyChoice companyId={companyId} onChange={setCompanyId} />
        <span className={styles.hint}>Its runs are assigned to this company.</span>
      </div>
    </DialogForm>
  );
}
