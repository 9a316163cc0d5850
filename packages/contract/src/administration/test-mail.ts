import { testOutcome } from '../connections/connections.ts';
import { declareCall } from '../wire/call.ts';
import { itemOf } from '../wire/replies.ts';

export const sendTestMail = declareCall({
  method: 'POST',
  path: '/admin/test-mail',
  access: 'admin.settings',
  audit: 'mail.test',
  ...itemOf(testOutcome),
  failure: 'The test mail could not be sent, try again later.',
  summary: 'Sends a mail to the address of the signed-in user, and says what the mail server answered.',
});
