import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type NewCompany, useCreateCompany } from '../entities/new-company.data.ts';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { DialogForm } from '../kit/dialog/dialog-form.tsx';
import { isSaidBeside, refusalOf } from '../kit/refusal.ts';

const FIELDS = [
  {
    name: 'name',
    label: 'Name',
    description: 'Companies from connected consoles are added automatically',
    required: true,
    maxLength: 200,
    'data-autofocus': true,
  },
  { name: 'email', label: 'E-mail', type: 'email', maxLength: 254 },
  { name: 'phone', label: 'Phone', type: 'tel', maxLength: 60 },
] as const satisfies readonly { name: keyof NewCompany; [attribute: string]: unknown }[];

const FIELD_NAMES = FIELDS.map(({ name }) => name);

interface CompanyDialogProps {
  onClose: () => void;
  /** Called with the id of the new company. */
  onAdded: (id: string) => void;
}

/** Adds a company that no console knows: one that reports through a token. */
export default function CompanyDialog({ onClose, onAdded }: CompanyDialogProps) {
  const { mutate, isPending, error } = useCreateCompany();
  const [company, setCompany] = useState({ name: '', email: '', phone: '' });
  return (
    <Dialog isForm size="md" title="Add a company" onClose={onClose}>
      <DialogForm
        onSubmit={() => mutate(filledIn(company), { onSuccess: ({ data }) => onAdded(data._id) })}
        error={isSaidBeside(error, FIELD_NAMES) ? null : error}
        actions={
          <Button type="submit" disabled={company.name.trim() === ''} loading={isPending}>
            Add company
          </Button>
        }
      >
        {FIELDS.map((field) => (
          <TextInput
            {...field}
            key={field.name}
            autoComplete="off"
            descriptionProps={{ size: 'md' }}
            value={company[field.name]}
            error={refusalOf(error, field.name)}
            onChange={(event) => setCompany({ ...company, [field.name]: event.currentTarget.value })}
          />
        ))}
      </DialogForm>
    </Dialog>
  );
}

/** Without what was left empty. */
function filledIn({ name, email, phone }: Record<keyof NewCompany, string>): NewCompany {
  const contact = {
    ...(email.trim() === '' ? {} : { email: email.trim() }),
    ...(phone.trim() === '' ? {} : { phone: phone.trim() }),
  };
  return { name: name.trim(), ...contact };
}
