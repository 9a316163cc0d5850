import { RESULTS } from '@keepwatch/contract/runs/values';
import { createHint, type Hint } from '@keepwatch/contract/watch/hints';
import { RESULT_LOOKS } from '../entities/result-badge.tsx';
import { SOURCE_GROUP_CHOICES } from '../entities/source-groups.ts';
import { ChoiceField, ChoicesField, FlagField } from '../kit/form/choice-fields.tsx';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { TextAreaField, TextField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { FittingRuns } from './fitting-runs.tsx';
import { bodyOf, draftOf, NEW_HINT } from './hint-draft.ts';
import { useSaveHint } from './hints.data.ts';
import { JobTypesField } from './job-types-field.tsx';

const ANY = { value: '', label: 'Any' };
const RESULT_CHOICES = [ANY, ...RESULTS.map((value) => ({ value, label: RESULT_LOOKS[value].word }))];

/** Writes a hint, and for which runs it is shown. */
export default function HintDialog({ hint, onClose }: { hint: Hint | null; onClose: () => void }) {
  const isNew = hint === null;
  const form = useCallForm(createHint, {
    initial: isNew ? NEW_HINT : draftOf(hint),
    toBody: bodyOf,
    send: useSaveHint(hint?._id ?? null).mutateAsync,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={isNew ? 'Add a hint' : 'Edit hint'}
      action={isNew ? 'Add hint' : 'Save hint'}
      onClose={onClose}
    >
      <TextField isFocused form={form} name="title" label="Title" />
      <TextAreaField
        form={form}
        name="text"
        label="What it means and what to do"
        description="Line breaks stay, addresses become links"
        rows={5}
      />
      <TextField
        form={form}
        name="words"
        label="The message contains"
        description={'All of these words; "quotes" around a phrase'}
      />
      <ChoiceField form={form} name="result" label="Result" choices={RESULT_CHOICES} />
      <ChoicesField form={form} name="sourceGroups" label="Only these sources" choices={SOURCE_GROUP_CHOICES} />
      <JobTypesField form={form} />
      <FlagField form={form} name="isActive" label="Shown to technicians" />
      <FittingRuns draft={form.values} />
    </FormDialog>
  );
}
