import { type Ability, abilitiesOf } from '@keepwatch/contract/abilities';
import { createApiKey } from '@keepwatch/contract/identity/api-keys';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyField } from '../../kit/copy-field.tsx';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { ChoiceField, ChoicesField } from '../../kit/form/choice-fields.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { PasswordField, TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { useUser } from '../../kit/portal.tsx';
import { OwnPassword, useFirstPassword } from '../proof.tsx';
import { abilityText } from './ability-text.ts';
import { type NewKey, useCreateKey } from './api-keys.data.ts';
import styles from './key-dialog.module.css';

/** Makes a key and shows its token, this one time. */
export default function KeyDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<NewKey | null>(null);
  if (created === null) return <KeyForm onCreated={setCreated} onClose={onClose} />;
  return <CreatedKey created={created} onClose={onClose} />;
}

const TERMS = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

function KeyForm({ onCreated, onClose }: { onCreated: (key: NewKey) => void; onClose: () => void }) {
  const own = abilitiesOf(useUser().acl.map(({ role }) => role));
  const initial: { name: string; abilities: readonly Ability[]; days: string; password: string } = {
    password: useFirstPassword(),
    name: '',
    abilities: [],
    days: '90',
  };
  const form = useCallForm(createApiKey, {
    initial,
    secrets: ['password'],
    toBody: ({ password, name, abilities, days }) => ({
      password,
      name: name.trim(),
      abilities: [...abilities],
      days: Number(days),
    }),
    send: useCreateKey().mutateAsync,
    onDone: onCreated,
  });
  return (
    <FormDialog form={form} title="Create an API key" action="Create key" onClose={onClose}>
      <TextField isFocused form={form} name="name" label="Name" description="The program that will use it" />
      <ChoicesField
        form={form}
        name="abilities"
        label="Abilities"
        description="No more than the program needs"
        choices={own.map((ability) => ({ value: ability, label: abilityText(ability) }))}
      />
      <ChoiceField form={form} name="days" label="Expires" choices={TERMS} />
      <OwnPassword otherwise="You log in through an identity provider and cannot make keys: they would go on after your account there has ended.">
        <PasswordField form={form} name="password" label="Current password" autoComplete="current-password" />
      </OwnPassword>
    </FormDialog>
  );
}

/** Escape does not close it: the token cannot be read again. */
function CreatedKey({ created: { data, token }, onClose }: { created: NewKey; onClose: () => void }) {
  return (
    <Dialog staysAtEscape size="md" title={`API key ${data.name}`} onClose={onClose}>
      <div className={styles.created}>
        <p>Copy it now: it is not shown again. It expires on {formatDateTime(data.expiresAt)}.</p>
        <CopyField label="Key" text={token} />
        <CopyField label="Header" text={`Authorization: Bearer ${token}`} />
        <div>
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}
