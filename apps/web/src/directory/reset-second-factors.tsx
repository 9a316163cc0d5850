import type { ListedUser } from '@keepwatch/contract/directory/users';
import { Button } from '@mantine/core';
import { useConfirm } from '../kit/confirm/use-confirm.tsx';
import { factorNames } from './factor-names.ts';
import { useResetSecondFactors, useUserSecondFactors } from './users.data.ts';

/** Removes the second factors of a user who has lost them. Nothing, where there are none. */
export function ResetSecondFactors({ user }: { user: ListedUser }) {
  const { data } = useUserSecondFactors(user._id);
  const { mutate, isPending } = useResetSecondFactors(user);
  const { confirm, dialog } = useConfirm();
  if (data === undefined || factorNames(data).length === 0) return null;
  const reset = async () => {
    const isSure = await confirm({
      title: `Reset the second factors of ${user.name}?`,
      text: `${user.name} then logs in with the password alone. Make sure that it is ${user.name} who asks for this. It cannot be undone.`,
      confirmLabel: 'Reset second factors',
      isDanger: true,
    });
    if (isSure) mutate();
  };
  return (
    <>
      <Button variant="default" size="compact-sm" loading={isPending} onClick={() => void reset()}>
        Reset second factors
      </Button>
      {dialog}
    </>
  );
}
