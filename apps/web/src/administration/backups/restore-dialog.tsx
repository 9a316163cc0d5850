import { type PortalBackup, preparePortalRestore, RESTORE_WORD } from '@keepwatch/contract/administration/backups';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyField } from '../../kit/copy-field.tsx';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import shared from '../page.module.css';
import { TypedWord, typedWord } from '../typed-word.tsx';
import { usePrepareRestore } from './backups.data.ts';
import styles from './backups.module.css';

type Commands = CallReply<typeof preparePortalRestore>['data']['commands'];

interface RestoreDialogProps {
  backup: PortalBackup;
  onClose: () => void;
}

/** Has a backup checked from its first byte to its last, and says how it replaces the database. */
export default function RestoreDialog({ backup, onClose }: RestoreDialogProps) {
  const [commands, setCommands] = useState<Commands | null>(null);
  if (commands !== null) return <HowTo backup={backup} commands={commands} onClose={onClose} />;
  return <CheckForm backup={backup} onClose={onClose} onChecked={setCommands} />;
}

function CheckForm({ backup, onClose, onChecked }: RestoreDialogProps & { onChecked: (commands: Commands) => void }) {
  const made = formatDateTime(backup.createdAt);
  const form = useCallForm(preparePortalRestore, {
    initial: { confirmation: '' },
    toBody: typedWord<typeof RESTORE_WORD>,
    send: usePrepareRestore(backup.name).mutateAsync,
    onDone: ({ data }) => onChecked(data.commands),
  });
  return (
    <FormDialog form={form} title={`Restore the backup of ${made}`} action="Check backup" onClose={onClose}>
      <p className={shared.hint}>
        It replaces the database of the portal: everything that was changed since {made} is not in it. The whole file is
        checked first; nothing is changed by that.
      </p>
      <TypedWord form={form} word={RESTORE_WORD} />
    </FormDialog>
  );
}

function HowTo({ backup, commands, onClose }: RestoreDialogProps & { commands: Commands }) {
  return (
    <Dialog staysAtEscape size="xl" title="The backup is whole" onClose={onClose}>
      <div className={styles.commands}>
        <p className={shared.hint}>
          The portal cannot replace the database that it works with. On its own machine, as the account that it runs as:
          stop the portal, then give these commands. The present database is not deleted: the restore moves it aside and
          says where it is.
        </p>
        {commands.map(({ label, command }) => (
          <CopyField key={label} label={label} text={command} />
        ))}
        <p className={shared.hint}>
          The stored secrets in it need the key{' '}
          {backup.keys.length === 0 ? 'that was in force then' : backup.keys.join(' and ')}. If System settings shows
          another one, set KEEPWATCH_SECRET to that key first.
        </p>
        <div>
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}
