import { DAILY_TYPES } from '@keepwatch/contract/microsoft365/jobs';
import { editMaintenancePlan, type MaintenancePlan } from '@keepwatch/contract/microsoft365/maintenance';
import { ChoiceField, FlagField } from '../../kit/form/choice-fields.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { DAY_WORDS } from '../jobs/job-words.ts';
import { useEditPlan } from './maintenance.data.ts';
import { PLAN_TITLES } from './maintenance-words.ts';

const DAYS = DAILY_TYPES.map((value) => ({
  value,
  label: value === 'Everyday' ? 'Every day' : DAY_WORDS[value],
}));
const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({ value: zone, label: zone }));
const DEPTHS = [
  { value: 'quick', label: 'Every file is there, some are read' },
  { value: 'full', label: 'Every byte is read' },
];

interface MaintenancePlanFormProps {
  /** Of the repository. */
  id: string;
  plan: MaintenancePlan;
  onClose: () => void;
}

/** Changes when a repository is verified or pruned. */
export function MaintenancePlanForm({ id, plan, onClose }: MaintenancePlanFormProps) {
  const { kind, nextRun: _, ...initial } = plan;
  const form = useCallForm(editMaintenancePlan, {
    initial,
    toBody: (values) => values,
    send: useEditPlan(id, kind).mutateAsync,
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={PLAN_TITLES[kind]} action="Save" onClose={onClose}>
      <FlagField form={form} name="isEnabled" label="By schedule" />
      <ChoiceField form={form} name="dailyType" label="On" choices={DAYS} />
      <TextField form={form} name="dailyTime" label="At" />
      <ChoiceField form={form} name="timeZone" label="Time zone" choices={TIME_ZONES} />
      {kind === 'verify' && <ChoiceField form={form} name="depth" label="Depth" choices={DEPTHS} />}
    </FormDialog>
  );
}
