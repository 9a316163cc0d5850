import type { IntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { RevokeButton } from '../../kit/confirm/revoke-button.tsx';
import { LineButton } from '../../kit/data-table/line-button.tsx';
import { useDeleteTestRuns } from './first-report.data.ts';
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

/** Removes the test runs that were sent with a token. */
export function RemoveTestRuns({ token: { _id, name } }: { token: IntakeToken }) {
  const { mutate, isPending } = useDeleteTestRuns(_id);
  return (
    <LineButton label={`Remove the test run of ${name}`} isPending={isPending} onClick={() => mutate()}>
      Remove test run
    </LineButton>
  );
}
