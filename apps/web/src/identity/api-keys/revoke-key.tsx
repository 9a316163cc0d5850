import type { ApiKey } from '@keepwatch/contract/identity/api-keys';
import { RevokeButton } from '../../kit/confirm/revoke-button.tsx';
import { useRevokeKey } from './api-keys.data.ts';

/** Revokes a key, after one question: the programs that use it stop working. */
export function RevokeKey({ apiKey }: { apiKey: ApiKey }) {
  const { mutate, isPending } = useRevokeKey();
  return (
    <RevokeButton
      name={apiKey.name}
      text="Calls with this key are refused at once. This cannot be undone."
      confirmLabel="Revoke key"
      isPending={isPending}
      revoke={() => mutate(apiKey)}
    />
  );
}
