import type { ReactNode } from 'react';
import { useUser } from '../kit/portal.tsx';

/** What is sent by users who have no password: the server asks for a sign-in of the last minutes in its place. */
const NO_PASSWORD = '-';

/** What the field of the own password has at first. */
export function useFirstPassword(): string {
  return useUser().hasPassword === false ? NO_PASSWORD : '';
}

interface OwnPasswordProps {
  /** What users read who have none. */
  otherwise?: string;
  children: ReactNode;
}

const SIGN_IN_AGAIN =
  'You log in through an identity provider. If your sign-in is older than ten minutes, log out and log in again first.';

/** The field of the own password, for users who have one. */
export function OwnPassword({ otherwise = SIGN_IN_AGAIN, children }: OwnPasswordProps) {
  return useUser().hasPassword === false ? <p>{otherwise}</p> : children;
}
