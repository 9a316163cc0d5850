import { CONFLICTS, ONLY, type RestoreOptions } from '@keepwatch/contract/restore/explorer';
import { Checkbox, Group, NativeSelect, Radio, TextInput } from '@mantine/core';
import type { RestoreApplication, RestoreOption } from '../explorer/application.ts';
import styles from '../restore.module.css';
import type { DestinationChoice } from './destination.data.ts';
import { DestinationField } from './destination-field.tsx';

/** What a restore is asked for, without what it is a restore of. */
export interface Wish {
  /** Otherwise it goes back to where it was, whatever is written in the fields of another place. */
  isElsewhere: boolean;
  /** What the field shows. Empty: the same mailbox, OneDrive, site or team, in another folder. */
  to: string;
  /** What was chosen for it in the list of those that are backed up. */
  chosen: DestinationChoice | null;
  options: RestoreOptions;
}

/** As the contract has them where nothing is said. */
export const DEFAULT_OPTIONS: RestoreOptions = {
  conflict: 'skip',
  only: 'everything',
  markRestored: false,
  markRestoredAsUnread: false,
  excludeDeletedItems: false,
  excludeDrafts: false,
  documentVersion: 'All',
  earlierVersion: null,
  restorePermissions: false,
  folder: null,
};

const CONFLICT_WORDS = { skip: 'Leave it as it is', replace: 'Replace it', 'keep-both': 'Keep both' } as const;
const ONLY_WORDS = { everything: 'Everything', missing: 'What is missing', changed: 'What has changed' } as const;

type Flag = Exclude<RestoreOption, 'folder' | 'documentVersion'>;
const FLAG_WORDS: Readonly<Record<Flag, string>> = {
  markRestored: 'Mark as restored',
  markRestoredAsUnread: 'Mark restored messages as unread',
  excludeDeletedItems: 'Without the folder Deleted Items',
  excludeDrafts: 'Without drafts',
  restorePermissions: 'Share again as it was; no notifications are sent',
};

function withFlag(options: RestoreOptions, flag: Flag, isOn: boolean): RestoreOptions {
  const next = { ...options };
  next[flag] = isOn;
  return next;
}

interface RestoreFieldsProps {
  application: RestoreApplication;
  sessionId: string;
  wish: Wish;
  onChange: (wish: Wish) => void;
}

/** Where to, as the calls ask for it. */
export function placeOf({ isElsewhere, to, chosen, options }: Wish): { to: string | null; options: RestoreOptions } {
  if (!isElsewhere) return { to: null, options: { ...options, folder: null } };
  return { to: chosen?.label === to ? chosen.value : to.trim() || null, options };
}

/** Where to, and what becomes of what is there. */
export function RestoreFields({ application, sessionId, wish, onChange }: RestoreFieldsProps) {
  const { options } = wish;
  const set = (patch: Partial<RestoreOptions>) => onChange({ ...wish, options: { ...options, ...patch } });
  const has = (option: RestoreOption) => application.options.includes(option);
  const flags = (Object.keys(FLAG_WORDS) as Flag[]).filter(has);
  return (
    <fieldset className={styles.fields}>
      <Radio.Group
        label="Where to"
        value={wish.isElsewhere ? 'elsewhere' : 'original'}
        onChange={(place) => onChange({ ...wish, isElsewhere: place === 'elsewhere' })}
      >
        <Group gap="lg" mt={4}>
          <Radio value="original" label="Where it was" data-autofocus />
          <Radio value="elsewhere" label="Somewhere else" />
        </Group>
      </Radio.Group>
      {wish.isElsewhere && <OtherPlace {...{ application, sessionId, wish, onChange }} />}
      <NativeSelect
        label="Restore"
        value={options.only}
        data={ONLY.map((value) => ({ value, label: ONLY_WORDS[value] }))}
        onChange={(event) => set({ only: ONLY.find((known) => known === event.currentTarget.value) ?? 'everything' })}
      />
      <NativeSelect
        label="If an item is there and differs"
        value={options.conflict}
        data={CONFLICTS.map((value) => ({ value, label: CONFLICT_WORDS[value] }))}
        onChange={(event) =>
          set({ conflict: CONFLICTS.find((known) => known === event.currentTarget.value) ?? 'skip' })
        }
      />
      {has('documentVersion') && options.earlierVersion === null && (
        <Checkbox
          label="With earlier versions of files"
          checked={options.documentVersion === 'All'}
          onChange={(event) => set({ documentVersion: event.currentTarget.checked ? 'All' : 'Last' })}
        />
      )}
      {options.earlierVersion !== null && (
        <p className={styles.note}>The file becomes its version {options.earlierVersion}.</p>
      )}
      {flags.map((flag) => (
        <Checkbox
          key={flag}
          label={FLAG_WORDS[flag]}
          checked={options[flag]}
          onChange={(event) => set(withFlag(options, flag, event.currentTarget.checked))}
        />
      ))}
    </fieldset>
  );
}

/** Another mailbox, OneDrive, site or team, or another folder of the same: one of them must be said. */
function OtherPlace({ application, sessionId, wish, onChange }: RestoreFieldsProps) {
  const { options } = wish;
  const hasFolder = application.options.includes('folder');
  return (
    <>
      <DestinationField
        application={application}
        sessionId={sessionId}
        isRequired={!hasFolder || options.folder === null}
        text={wish.to}
        onChange={(to, chosen) => onChange({ ...wish, to, chosen })}
      />
      {hasFolder && (
        <TextInput
          label="Folder"
          description="Made at the top of the target if it is not there. Leave empty for the folder of the same name."
          maxLength={250}
          value={options.folder ?? ''}
          onChange={(event) => {
            const folder = event.currentTarget.value.trim() === '' ? null : event.currentTarget.value;
            onChange({ ...wish, options: { ...options, folder } });
          }}
        />
      )}
    </>
  );
}
