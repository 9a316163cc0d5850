import { editSource } from '@keepwatch/contract/sources/sources';
import { SettingFields } from '../entities/connection/setting-fields.tsx';
import { sealedFields } from '../entities/connection/settings-draft.ts';
import { focusField, TestedForm } from '../entities/connection/tested-form.tsx';
import { useSettingsTest } from '../entities/connection/use-settings-test.ts';
import { NumberField, TextField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { OUTCOME_TEXTS } from './outcome-texts.ts';
import { draftOf, formOf } from './source-draft.ts';
import { type Source, type SourceKind, useSaveSource, useTestSource } from './sources.data.ts';

interface SourceFormProps {
  kind: SourceKind;
  source: Source | null;
  onClose: () => void;
}

/** The form that the connector's manifest describes. Changed settings are saved only once they were seen to work. */
export function SourceForm({ kind, source, onClose }: SourceFormProps) {
  const stored = source?.settings ?? null;
  const form = useCallForm(editSource, {
    initial: formOf(kind, source),
    secrets: sealedFields(kind),
    toBody: (values) => draftOf(values, kind, source),
    send: useSaveSource(kind.kind, source?._id ?? null).mutateAsync,
    onDone: onClose,
  });
  const test = useSettingsTest({
    kind,
    typed: form.values.settings,
    stored,
    send: useTestSource(kind.kind, source?._id ?? null),
    onRefused: form.refuse,
  });
  return (
    <TestedForm
      form={form}
      test={test}
      texts={OUTCOME_TEXTS}
      noun="console"
      action={source === null ? 'Connect' : 'Save'}
    >
      <TextField
        isFocused
        form={form}
        name="name"
        label="Name"
        description="Name shown in the portal"
        ref={focusField}
      />
      <SettingFields form={form} kind={kind} stored={stored} />
      <NumberField required form={form} name="syncIntervalMinutes" label="Sync interval in minutes" unit="minutes" />
    </TestedForm>
  );
}
