import type { IntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { Button } from '@mantine/core';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import { useRevokeToken } from './intake-tokens.data.ts';

/** Revokes a token, after one question: the backups that report with it do not do so any more. */
export function RevokeToken({ token }: { token: IntakeToken }) {
  const { mutate, isPending } = useRevokeToken();
  const { confirm, dialog } = useConfirm();
  const ask = async () => {
    const isSure = await confirm({
      title: `Revoke ${token.name}?`,
      text: `Tools using this token stop reporting for ${token.companyName} at once. This cannot be undone.`,
      confirmLabel: 'Revoke token',
      isDanger: true,
    });
    if (isSure) mutate(token);
  };
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        // As high as a line of the table, which cuts off what is higher.
        h={20}
        aria-label={`Revoke ${token.name}`}
        loading={isPending}
        onClick={() => void ask()}
      >
        Revoke
      </Button>
      {dialog}
    </>
  );
}
