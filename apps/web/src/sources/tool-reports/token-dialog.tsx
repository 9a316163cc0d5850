import { createIntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { useState } from 'react';
import { CompanyChoice } from '../../entities/company-choice.tsx';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { PickerField } from '../../kit/form/choice-fields.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { type NewToken, useCreateToken } from './intake-tokens.data.ts';
import { NewTokenLines } from './new-token-lines.tsx';

/** Makes a token for one company and shows it, this one time, with the lines that use it. */
export default function TokenDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<NewToken | null>(null);
  if (created === null) return <TokenForm onCreated={setCreated} onClose={onClose} />;
  return (
    <Dialog isForm staysAtEscape size="xl" title={`Token ${created.data.name}`} onClose={onClose}>
      <NewTokenLines created={created} onDone={onClose} />
    </Dialog>
  );
}

function TokenForm({ onCreated, onClose }: { onCreated: (token: NewToken) => void; onClose: () => void }) {
  const form = useCallForm(createIntakeToken, {
    initial: { name: '', companyId: null },
    send: useCreateToken().mutateAsync,
    onDone: onCreated,
  });
  return (
    <FormDialog form={form} title="Create an intake token" action="Create token" onClose={onClose}>
      <TextField isFocused form={form} name="name" label="Name" description="The server or job that will use it" />
      <PickerField form={form} name="companyId" description="Its runs are assigned to this company.">
        {({ value, onChange }) => <CompanyChoice companyId={value} onChange={onChange} />}
      </PickerField>
    </FormDialog>
  );
}
