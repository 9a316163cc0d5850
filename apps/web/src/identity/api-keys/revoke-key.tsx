import type { ApiKey } from '@keepwatch/contract/identity/api-keys';
import { Button } from '@mantine/core';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import { useRevokeKey } from './api-keys.data.ts';

/** Revokes a key, after one question: the programs that use it stop working. */
export function RevokeKey({ apiKey }: { apiKey: ApiKey }) {
  const { mutate, isPending } = useRevokeKey();
  const { confirm, dialog } = useConfirm();
  const ask = async () => {
    const isSure = await confirm({
      title: `Revoke ${apiKey.name}?`,
      text: 'Calls with this key are refused at once. This cannot be undone.',
      confirmLabel: 'Revoke key',
      isDanger: true,
    });
    if (isSure) mutate(apiKey);
  };
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        // As high as a line of the table, which cuts off what is higher.
        h={20}
        aria-label={`Revoke ${apiKey.name}`}
        loading={isPending}
        onClick={() => void ask()}
      >
        Revoke
      </Button>
      {dialog}
    </>
  );
}
