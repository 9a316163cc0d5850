import type { giveSmsPhone, resendSmsCode, signInWithSms } from '@keepwatch/contract/identity/sms-sign-in';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import type { Endpoint } from '@keepwatch/contract/wire/client';
import { useMutation } from '@tanstack/react-query';
import { usePortal } from '../../kit/portal.tsx';

// Without the schemas of their declarations: these pages are there before everything else.

const PATH = '/auth/login/{directory}/sms';
const WITH_SMS: Endpoint<typeof signInWithSms> = {
  method: 'POST',
  path: PATH,
  failure: 'Signing in failed, try again later.',
};
const failure = 'The code could not be sent, try again later.';
const RESEND: Endpoint<typeof resendSmsCode> = { method: 'POST', path: `${PATH}/resend`, failure };
const GIVE: Endpoint<typeof giveSmsPhone> = { method: 'POST', path: `${PATH}/phone`, failure };

/** The password that was right, with every code, and where the account is. */
export interface Credentials {
  directory: 'ad' | 'db';
  username: string;
  password: string;
}

/** Ends a sign-in with the code from the phone, and begins the session: after recovery codes were shown, where some have come. */
export function useSignInWithSms() {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: ({ directory, ...body }: Credentials & CallRequest<typeof signInWithSms>['body']) =>
      api.request<typeof signInWithSms>(WITH_SMS, { params: { directory }, body }),
    onSuccess: ({ token, user, recoveryCodes }) => recoveryCodes === null && session.start({ token, user }),
  });
}

/** Sends a code, again or for the first time. */
export function useResendSmsCode() {
  const { api } = usePortal();
  return useMutation({
    mutationFn: ({ directory, ...body }: Credentials & CallRequest<typeof resendSmsCode>['body']) =>
      api.request<typeof resendSmsCode>(RESEND, { params: { directory }, body }),
  });
}

/** Sends a code to the phone of who has to add a second factor. */
export function useGiveSmsPhone() {
  const { api } = usePortal();
  return useMutation({
    mutationFn: ({ directory, ...body }: Credentials & CallRequest<typeof giveSmsPhone>['body']) =>
      api.request<typeof giveSmsPhone>(GIVE, { params: { directory }, body }),
  });
}
