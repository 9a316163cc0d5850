import { editSource } from '@keepwatch/contract/sources/sources';
import { Button } from '@mantine/core';
import { Form } from '../kit/form/form.tsx';
import { NumberField, TextField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { SettingField } from './setting-field.tsx';
import styles from './source-dialog.module.css';
import { draftOf, formOf, keepsSecrets, missingSettings, secretsOf, settingsOf } from './source-draft.ts';
import { type Source, type SourceKind, useSaveSource, useTestSource } from './sources.data.ts';
import { TestOutcome } from './test-outcome.tsx';

interface SourceFormProps {
  kind: SourceKind;
  source: Source | null;
  onClose: () => void;
}

/** The form that the connector's manifest describes. Changed settings are saved only once they were seen to work. */
export function SourceForm({ kind, source, onClose }: SourceFormProps) {
  const form = useCallForm(editSource, {
    initial: formOf(kind, source),
    secrets: secretsOf(kind),
    toBody: (values) => draftOf(values, kind, source),
    send: useSaveSource(kind.kind, source?._id ?? null).mutateAsync,
    onDone: onClose,
  });
  const test = useSettingsTest(kind, source, settingsOf(form.values, kind, source), form.refuse);
  const isReady = test.isPassed && form.isValid;
  const secret = source === null ? 'new' : keepsSecrets(form.values, kind, source) ? 'stored' : 'required-again';
  return (
    <Form
      form={form}
      onSubmit={test.isPassed ? form.submit : test.run}
      actions={
        <>
          {!isReady && test.isNeeded && <span className={styles.testFirst}>Test the connection to continue.</span>}
          <TestButton
            isNext={!test.isPassed}
            isDisabled={missingSettings(form.values, kind, source).length > 0}
            isPending={test.isPending}
            onTest={test.run}
          />
          <Button type={test.isPassed ? 'submit' : 'button'} disabled={!isReady} loading={form.isSending}>
            {source === null ? 'Connect' : 'Save'}
          </Button>
        </>
      }
    >
      <TextField isFocused form={form} name="name" label="Name" description="Name shown in the portal" ref={focus} />
      {kind.settings.map((field) => (
        <SettingField key={field.name} form={form} field={field} secret={secret} />
      ))}
      <NumberField required form={form} name="syncIntervalMinutes" label="Sync interval in minutes" unit="minutes" />
      <TestOutcome result={test.result} isPending={test.isPending} error={test.error} />
    </Form>
  );
}

/** The test of these settings. What was found out about others does not count. */
function useSettingsTest(
  kind: SourceKind,
  source: Source | null,
  settings: Record<string, string>,
  onRefused: (error: unknown) => void,
) {
  const { mutate, data, error, isPending, variables } = useTestSource();
  const isNeeded = source === null || !isSame(settings, settingsOf(formOf(kind, source), kind, source));
  const isOfThese = variables !== undefined && isSame(variables.settings, settings);
  const result = isOfThese ? data?.data : undefined;
  const sourceId = source === null ? {} : { sourceId: source._id };
  return {
    isNeeded,
    isPassed: !isNeeded || result?.outcome === 'works',
    isPending,
    result,
    error: isOfThese ? error : null,
    run: () => mutate({ kind: kind.kind, settings, ...sourceId }, { onError: onRefused }),
  };
}

function isSame(one: Record<string, string>, other: Record<string, string>): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
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
