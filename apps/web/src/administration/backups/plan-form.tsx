import { type BackupPlan, editBackupPlan } from '@keepwatch/contract/administration/backups';
import { FlagField } from '../../kit/form/choice-fields.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { NumberField, TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useEditPlan } from './backups.data.ts';

/** When backups are made by themselves, and how many stay. */
export function PlanForm({ plan }: { plan: BackupPlan }) {
  const form = useCallForm(editBackupPlan, {
    initial: { ...plan, keep: String(plan.keep) },
    send: useEditPlan().mutateAsync,
    toBody: ({ isOn, at, keep }) => ({ isOn, at: at.trim(), keep: Number(keep) }),
  });
  return (
    <Form form={form} actions={<SubmitButton form={form}>Save schedule</SubmitButton>}>
      <FlagField form={form} name="isOn" label="Back up every day" />
      <TextField form={form} name="at" label="Time (UTC)" description="Such as 02:00." />
      <NumberField form={form} name="keep" label="Backups to keep" description="The oldest are deleted." />
    </Form>
  );
}
