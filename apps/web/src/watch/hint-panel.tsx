import type { Hint } from '@keepwatch/contract/watch/hints';
import { Button } from '@mantine/core';
import { useConfirm } from '../kit/confirm/use-confirm.tsx';
import { Fact, Facts } from '../kit/facts/facts.tsx';
import { formatDateTime } from '../kit/format/dates.ts';
import { LinkedText } from '../kit/linked-text.tsx';
import { SidePanel } from '../kit/list/side-panel.tsx';
import { conditionText } from './condition-text.ts';
import { useDeleteHint } from './hints.data.ts';
import styles from './hints.module.css';

interface HintPanelProps {
  /** `undefined` while it is read. */
  hint: Hint | undefined;
  read: { error: unknown; refetch: () => unknown };
  onEdit: (hint: Hint) => void;
  onClose: () => void;
}

/** One hint beside the list, as technicians read it. */
export function HintPanel({ hint, read: { error, refetch }, onEdit, onClose }: HintPanelProps) {
  const read = { data: hint, error, refetch };
  return (
    <SidePanel noun="hint" read={read} titleOf={({ title }) => title} onClose={onClose}>
      {(hint) => (
        <>
          <LinkedText text={hint.text} />
          <Facts>
            <Fact term="Shown for">{conditionText(hint)}</Fact>
            <Fact term="Status">{hint.isActive ? 'On' : 'Off'}</Fact>
            <Fact term="Changed">{formatDateTime(hint.updatedAt)}</Fact>
          </Facts>
          <div className={styles.actions}>
            <Button variant="default" onClick={() => onEdit(hint)}>
              Edit hint
            </Button>
            <DeleteHint hint={hint} onDeleted={onClose} />
          </div>
        </>
      )}
    </SidePanel>
  );
}

function DeleteHint({ hint, onDeleted }: { hint: Hint; onDeleted: () => void }) {
  const { mutate, isPending } = useDeleteHint();
  const { confirm, dialog } = useConfirm();
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete ${hint.title}?`,
      text: 'Technicians no longer see it. To hide it for a while, edit it and switch it off.',
      confirmLabel: 'Delete hint',
      isDanger: true,
    });
    if (isSure) mutate(hint, { onSuccess: onDeleted });
  };
  return (
    <>
      <Button variant="default" loading={isPending} onClick={() => void ask()}>
        Delete
      </Button>
      {dialog}
    </>
  );
}
