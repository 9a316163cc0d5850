import type { IntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { RevokeButton } from '../../kit/confirm/revoke-button.tsx';
import { useRevokeToken } from './intake-tokens.data.ts';

/** Revokes a token, after one question: the backups that report with it do not do so any more. */
export function RevokeToken({ token }: { token: IntakeToken }) {
  const { mutate, isPending } = useRevokeToken();
  return (
    <RevokeButton
      name={token.name}
      text={`Tools using this token stop reporting for ${token.companyName} at once. This cannot be undone.`}
      confirmLabel="Revoke token"
      isPending={isPending}
      revoke={() => mutate(token)}
    />
  );
}
