import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../kit/dialog/dialog-form.tsx';
import { refusalOf } from '../kit/refusal.ts';
import { SettingInput } from './setting-input.tsx';
import styles from './source-dialog.module.css';
import {
  draftOf,
  formOf,
  intervalRefusal,
  keepsSecrets,
  missingSettings,
  type SourceForm,
  settingsOf,
} from './source-draft.ts';
import { type Source, type SourceKind, useSaveSource, useTestSource } from './sources.data.ts';
import { TestOutcome } from './test-outcome.tsx';

interface SourceFormFieldsProps {
  kind: SourceKind;
  source: Source | null;
  onClose: () => void;
}

/** The form that the connector's manifest describes. Changed settings are saved only once they were seen to work. */
export function SourceFormFields({ kind, source, onClose }: SourceFormFieldsProps) {
  const [form, setForm] = useState<SourceForm>(() => formOf(kind, source));
  const [areChanged, setChanged] = useState(source === null);
  const test = useTestSource();
  const save = useSaveSource(kind.kind, source?._id ?? null);
  const secret = source === null ? 'new' : keepsSecrets(form, kind, source) ? 'stored' : 'required-again';
  const isTested = !areChanged || test.data?.data.outcome === 'works';
  const isComplete = missingSettings(form, kind, source).length === 0;
  const isReady = isTested && form.name.trim() !== '' && intervalRefusal(form.syncIntervalMinutes) === null;
  const setSetting = (name: string, value: string | undefined) => {
    const { [name]: _, ...others } = form.settings;
    setForm({ ...form, settings: value === undefined ? others : { ...others, [name]: value } });
    setChanged(true);
    // What was found out is about other settings now.
    test.reset();
  };
  const runTest = () =>
    test.mutate({
      kind: kind.kind,
      settings: settingsOf(form, kind, source),
      ...(source === null ? {} : { sourceId: source._id }),
    });
  const submit = () => {
    if (!isTested) runTest();
    else save.mutate(draftOf(form, kind, source), { onSuccess: onClose });
  };
  return (
    <DialogForm
      onSubmit={submit}
      error={save.error}
      actions={
        <>
          {!isReady && areChanged && <span className={styles.testFirst}>Test the connection to continue.</span>}
          <TestButton isNext={!isTested} isDisabled={!isComplete} isPending={test.isPending} onTest={runTest} />
          <Button type={isTested ? 'submit' : 'button'} disabled={!isReady} loading={save.isPending}>
            {source === null ? 'Connect' : 'Save'}
          </Button>
        </>
      }
    >
      <TextInput
        label="Name"
        descriptionProps={{ size: 'md' }}
        description="Name shown in the portal"
        required
        maxLength={200}
        data-autofocus
        ref={focus}
        value={form.name}
        error={refusalOf(save.error, 'name')}
        onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
      />
      {kind.settings.map((field) => (
        <SettingInput
          key={field.name}
          field={field}
          secret={secret}
          value={form.settings[field.name]}
          error={refusalOf(save.error ?? test.error, `settings.${field.name}`)}
          onChange={(value) => setSetting(field.name, value)}
        />
      ))}
      <TextInput
        label="Sync interval in minutes"
        inputMode="numeric"
        required
        maxLength={4}
        value={form.syncIntervalMinutes}
        error={intervalRefusal(form.syncIntervalMinutes) ?? refusalOf(save.error, 'syncIntervalMinutes')}
        onChange={(event) => setForm({ ...form, syncIntervalMinutes: event.currentTarget.value })}
      />
      <TestOutcome result={test.data?.data} isPending={test.isPending} error={test.error} />
    </DialogForm>
  );
}

interface TestButtonProps {
  /** Testing is the next step: it is what Enter does, which does nothing where the form's own button is disabled. */
  isNext: boolean;
  isDisabled: boolean;
  isPending: boolean;
  onTest: () => void;
}

function TestButton({ isNext, isDisabled, isPending, onTest }: TestButtonProps) {
  const step = isNext
    ? ({ type: 'submit' } as const)
    : ({ type: 'button', variant: 'default', onClick: onTest } as const);
  return (
    <Button {...step} disabled={isDisabled} loading={isPending}>
      Test
    </Button>
  );
}

/** The form comes once its fields are known: the dialog was open before, and has given the focus to its button. */
function focus(field: HTMLInputElement | null): void {
  field?.focus();
}
