import { beginPhone, beginPhoneRemoval, confirmPhone, removePhone } from '@keepwatch/contract/identity/phones';
import { requireOwnPassword } from '../../directory/outside-users.ts';
import { invalid, notFound } from '../../foundation/errors.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { changeOwn } from '../change-own.ts';
import { requireCurrentPassword } from '../require-current-password.ts';
import { endEnrolment, enrol } from './enrolment.ts';
import { requireMobileNumber } from './mobile-numbers.ts';
import { ownKey } from './own-key.ts';
import { masked, numberOf, removePhoneOf, storePhone } from './phones.ts';
import { type CodePurpose, type Receiver, sendSmsCode, spendSmsCode } from './sms-codes.ts';
import type { SmsServices } from './sms-service.ts';
import type { UserKey } from './user-key.ts';

/** The calls with which users add, change and remove their phone: with the password and a code. */
export function phoneCalls(services: SmsServices): Route[] {
  const send = async (context: ChangingContext, user: UserKey, receiver: Receiver) => {
    await sendSmsCode(context, services, user, receiver);
    await changeOwn(context, { kind: 'user', id: user.id }, async () => ({ result: null }));
    return { data: { phone: masked(receiver.number) } };
  };
  const requireCode = async (context: ChangingContext, user: UserKey, purpose: CodePurpose, code: string) => {
    const number = await spendSmsCode(context, services, user, { purpose, code });
    if (number === null) throw invalid([{ path: 'body.code', message: 'is wrong, or too old; ask for a new one' }]);
    return number;
  };
  return [
    answer(beginPhone, async (context, { params, body }) => {
      const user = ownKey(context, params.id);
      // The code is asked for with the password, which who signs in elsewhere does not have.
      await requireOwnPassword(context.database, user);
      await requireCurrentPassword(context, services, body.password);
      const given = { number: body.mobilePhone, path: 'body.mobilePhone' };
      const number = await requireMobileNumber(context, services, user, given);
      return send(context, user, { purpose: 'new-phone', number });
    }),

    answer(confirmPhone, async (context, { params, body }) => {
      const user = ownKey(context, params.id);
      const number = await requireCode(context, user, 'new-phone', body.code);
      const recoveryCodes = await changeOwn(context, { kind: 'user', id: user.id }, async (connection) => {
        await storePhone(connection, user, number, context.now());
        return { result: await enrol(connection, user, context.actor.sessionHash) };
      });
      return { data: { recoveryCodes } };
    }),

    answer(beginPhoneRemoval, async (context, { params, body }) => {
      const user = ownKey(context, params.id);
      await requireCurrentPassword(context, services, body.password);
      const number = await numberOf(context.database, user);
      if (number === null) throw notFound('phone');
      return send(context, user, { purpose: 'remove-phone', number });
    }),

    answer(removePhone, async (context, { params, body }) => {
      const user = ownKey(context, params.id);
      await requireCode(context, user, 'remove-phone', body.code);
      await changeOwn(context, { kind: 'user', id: user.id }, async (connection) => {
        if (!(await removePhoneOf(connection, user))) throw notFound('phone');
        await endEnrolment(connection, user);
        return { result: null };
      });
      return {};
    }),
  ];
}
