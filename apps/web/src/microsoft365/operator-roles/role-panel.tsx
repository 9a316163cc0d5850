import type { RestoreRoleDetail } from '@keepwatch/contract/restore/roles';
import { Button } from '@mantine/core';
import { operatorRoleWizard } from '../../entities/places.ts';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { SidePanel } from '../../kit/list/side-panel.tsx';
import { useGo } from '../../kit/screen-link.tsx';
import styles from '../microsoft365.module.css';
import { operatorsText } from './role-words.ts';
import { useDeleteRole, useRole } from './roles.data.ts';

/** One role beside the list, with what it selects and excludes by name. */
export function RolePanel({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <SidePanel noun="role" read={useRole(id)} titleOf={({ name }) => name} onClose={onClose}>
      {(role) => (
        <>
          <Actions role={role} onDeleted={onClose} />
          <Facts title="Role">
            <Fact term="Organization">{role.organizationName}</Fact>
            <Fact term="Operators">{operatorsText(role)}</Fact>
            <Fact term="May restore">
              {role.roleType === 'EntireOrganization' ? 'The whole organization' : namesOf(role.selectedItems)}
            </Fact>
            <Fact term="Excluded">{role.excludedItems.length === 0 ? null : namesOf(role.excludedItems)}</Fact>
            <Fact term="Description">{role.description || null}</Fact>
          </Facts>
        </>
      )}
    </SidePanel>
  );
}

const NAMED_MAX = 20;

function namesOf(items: RestoreRoleDetail['selectedItems']): string {
  const names = items.slice(0, NAMED_MAX).map(({ name, id }) => name || id);
  const more = items.length - names.length;
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;
}

function Actions({ role, onDeleted }: { role: RestoreRoleDetail; onDeleted: () => void }) {
  const go = useGo();
  const remove = useDeleteRole({ onDone: onDeleted });
  const { confirm, dialog } = useConfirm();
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete ${role.name}?`,
      text: `Its operators can no longer look into or restore backups of ${role.organizationName} by it. What they restored stays.`,
      confirmLabel: 'Delete role',
      isDanger: true,
    });
    if (isSure) remove.mutate(role);
  };
  return (
    <div className={styles.actions}>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => go(operatorRoleWizard.at({ step: '1' }, { role: role.id }))}
      >
        Edit
      </Button>
      <Button variant="default" color="red" size="compact-sm" loading={remove.isPending} onClick={() => void ask()}>
        Delete…
      </Button>
      {dialog}
    </div>
  );
}
