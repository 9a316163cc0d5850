import { type Connection, type ConnectorKind, editConnection } from '@keepwatch/contract/connections/connections';
import { FlagField } from '../../kit/form/choice-fields.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useSaveConnection, useTestSettings } from './connections.data.ts';
import { SettingFields } from './setting-fields.tsx';
import { initialSettings, sealedFields, settingsToSend } from './settings-draft.ts';
import { focusField, TestedForm } from './tested-form.tsx';
import { useSettingsTest } from './use-settings-test.ts';

interface ConnectionFormProps {
  kind: ConnectorKind;
  connection: Connection | null;
  onClose: () => void;
  onSaved: (id: string) => void;
}

/** The form that the connector's manifest describes. Changed settings are saved only once they were seen to work. */
export function ConnectionForm({ kind, connection, onClose, onSaved }: ConnectionFormProps) {
  const stored = connection?.settings ?? null;
  const id = connection?._id ?? null;
  const form = useCallForm(editConnection, {
    initial: {
      name: connection?.name ?? '',
      isEnabled: connection?.isEnabled ?? true,
      settings: initialSettings(kind, stored),
    },
    secrets: sealedFields(kind),
    toBody: ({ name, isEnabled, settings }) => ({
      name: name.trim(),
      isEnabled,
      settings: settingsToSend(kind, settings, stored),
    }),
    send: useSaveConnection(kind, id).mutateAsync,
    onDone: ({ data }) => {
      onClose();
      onSaved(data._id);
    },
  });
  const test = useSettingsTest({
    kind,
    typed: form.values.settings,
    stored,
    send: useTestSettings(kind, id),
    onRefused: form.refuse,
  });
  return (
    <TestedForm form={form} test={test} action={connection === null ? 'Connect' : 'Save'}>
      <TextField
        isFocused
        form={form}
        name="name"
        label="Name"
        description="Name shown in the portal"
        ref={focusField}
      />
      <SettingFields form={form} kind={kind} stored={stored} />
      {connection !== null && (
        <FlagField form={form} name="isEnabled" label="Switched on" description="The portal uses this connection" />
      )}
    </TestedForm>
  );
}
