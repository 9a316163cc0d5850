import { LineButton } from '../data-table/line-button.tsx';
import { useConfirm } from './use-confirm.tsx';

interface RevokeButtonProps {
  /** Of what is revoked. */
  name: string;
  /** What ends with it. */
  text: string;
  confirmLabel: string;
  isPending: boolean;
  revoke: () => void;
}

/** Revokes what a line of a table shows, after one question. */
export function RevokeButton({ name, text, confirmLabel, isPending, revoke }: RevokeButtonProps) {
  const { confirm, dialog } = useConfirm();
  const ask = async () => {
    if (await confirm({ title: `Revoke ${name}?`, text, confirmLabel, isDanger: true })) revoke();
  };
  return (
    <>
      <LineButton label={`Revoke ${name}`} isPending={isPending} onClick={() => void ask()}>
        Revoke
      </LineButton>
      {dialog}
    </>
  );
}
