import type { Vendor } from './vendor.ts';
import { answerJson, startVendor } from './vendor.ts';

export interface MailSandbox extends Vendor {
  token: string;
  /** Bodies of the messages that were sent. */
  sent: string[];
  /** Whether the token is refused. */
  isClosed: boolean;
}

/** The invented mail service: its version, and messages for those who have the token. */
export async function startMailSandbox(): Promise<MailSandbox> {
  const sandbox = { token: 'token of the mail service', sent: [] as string[], isClosed: false };
  const vendor = await startVendor((request, reply) => {
    if (sandbox.isClosed || request.headers.authorization !== `Bearer ${sandbox.token}`)
      return answerJson(reply, {}, 401);
    if (request.target === '/about') return answerJson(reply, { version: '3.1' });
    if (request.target !== '/messages') return answerJson(reply, {}, 404);
    sandbox.sent.push(request.body);
    answerJson(reply, {});
  });
  return Object.assign(sandbox, vendor);
}
