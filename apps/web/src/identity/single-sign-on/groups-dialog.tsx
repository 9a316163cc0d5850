import { ROLE_TEXTS } from '@keepwatch/contract/directory/role-texts';
import {
  editGroups,
  GROUP_ROLES,
  type GroupLine,
  type IdentityProvider,
} from '@keepwatch/contract/identity/identity-providers';
import { Button, TextInput } from '@mantine/core';
import { CompanyFilter } from '../../entities/company-filter.tsx';
import { ChoicesInput } from '../../kit/form/choice-fields.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import styles from './groups-dialog.module.css';
import { useEditGroups } from './identity-providers.data.ts';

const NEW_LINE: GroupLine = { group: '', roles: [], companyIds: null };
const CHOICES = GROUP_ROLES.map((role) => ({ value: role, label: ROLE_TEXTS[role] }));

interface GroupsDialogProps {
  provider: IdentityProvider;
  onClose: () => void;
}

/** Which roles and companies the groups of an identity provider give, line by line. */
export default function GroupsDialog({ provider, onClose }: GroupsDialogProps) {
  const form = useCallForm(editGroups, {
    initial: { groups: provider.groups.length === 0 ? [NEW_LINE] : provider.groups },
    send: useEditGroups(provider._id).mutateAsync,
    onDone: onClose,
  });
  const { groups } = form.values;
  const set = (next: readonly GroupLine[]) => form.set('groups', next);
  const put = (index: number, line: GroupLine) => set(groups.with(index, line));
  return (
    <FormDialog form={form} title={`Groups of ${provider.name}`} action="Save groups" onClose={onClose}>
      <p className={styles.hint}>
        The first line counts whose group the user is in. A user who is in none of them cannot log in.
      </p>
      {groups.map((line, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          key={index}
          line={line}
          number={index + 1}
          problemOf={(field) => form.problem(`groups.${index}.${field}`)}
          onChange={(changed) => put(index, changed)}
          onUp={index === 0 ? null : () => set(groups.with(index - 1, line).with(index, groups[index - 1] ?? line))}
          onRemove={() => set(groups.toSpliced(index, 1))}
        />
      ))}
      <Button variant="default" onClick={() => set([...groups, NEW_LINE])}>
        Add a group
      </Button>
    </FormDialog>
  );
}

interface LineProps {
  line: GroupLine;
  number: number;
  problemOf: (field: keyof GroupLine) => string | undefined;
  onChange: (line: GroupLine) => void;
  onUp: (() => void) | null;
  onRemove: () => void;
}

function Line({ line, number, problemOf, onChange, onUp, onRemove }: LineProps) {
  return (
    <fieldset className={styles.line} aria-label={`Line ${number}`}>
      <TextInput
        label="Group"
        description="As the identity provider sends it: a name, or in Microsoft Entra the object id"
        value={line.group}
        maxLength={200}
        error={problemOf('group')}
        onChange={(event) => onChange({ ...line, group: event.currentTarget.value })}
      />
      <ChoicesInput
        label="Roles"
        choices={CHOICES}
        problem={problemOf('roles')}
        value={line.roles}
        onChange={(roles) => onChange({ ...line, roles: GROUP_ROLES.filter((role) => roles.includes(role)) })}
      />
      <div className={styles.actions}>
        <CompanyFilter
          companyIds={line.companyIds ?? []}
          onChange={(ids) => onChange({ ...line, companyIds: ids.length === 0 ? null : [...ids] })}
        />
        <span className={styles.hint}>{line.companyIds === null ? 'All companies' : 'These companies alone'}</span>
        <span className={styles.problem}>{problemOf('companyIds')}</span>
      </div>
      <div className={styles.actions}>
        {onUp !== null && (
          <Button variant="subtle" aria-label={`Move line ${number} up`} onClick={onUp}>
            Move up
          </Button>
        )}
        <Button variant="subtle" color="red" aria-label={`Remove line ${number}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </fieldset>
  );
}
