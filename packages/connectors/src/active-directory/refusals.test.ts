import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../base/connector-error.ts';
import { directoryError, isWorthAnother, reasonOf } from './refusals.ts';

/** An answer of a controller as the client throws it. */
function answered(code: number, message: string): Error {
  return Object.assign(new Error(`${message} Code: 0x${code.toString(16)}`), { code });
}

const refusedBind = (data: string) =>
  answered(49, `80090308: LdapErr: DSID-0C0903A9, comment: AcceptSecurityContext error, data ${data}, v1db1`);

describe('a refusal of Active Directory', () => {
  it.each([
    ['52e', 'wrong-credentials'],
    ['525', 'wrong-credentials'],
    ['530', 'not-now'],
    ['531', 'not-now'],
    ['532', 'must-change'],
    ['533', 'disabled'],
    ['701', 'account-expired'],
    ['773', 'must-change'],
    ['775', 'locked'],
    ['77a', 'wrong-credentials'],
  ])('of a bind with data %s means %s', (data, reason) => {
    expect(reasonOf(refusedBind(data))).toBe(reason);
  });

  it.each([
    [
      19,
      '0000052D: Constraint violation - check_password_restrictions: the password is too short.',
      'password-refused',
    ],
    [
      19,
      '0000052D: AtrErr: DSID-03191083, #1: problem 1005 (CONSTRAINT_ATT_TYPE), data 0, Att 9005a',
      'password-refused',
    ],
    [53, '0000052D: SvcErr: DSID-031A12D2, problem 5003 (WILL_NOT_PERFORM), data 0', 'password-refused'],
    [53, '0000001F: SvcErr: DSID-031A12D2, problem 5003 (WILL_NOT_PERFORM), data 0', 'password-refused'],
    [19, "00000056: Constraint violation: The old password specified doesn't match!", 'wrong-credentials'],
    [19, '00000775: Password change not permitted, account locked out!', 'locked'],
    [53, "00002035: setup_io: it's not allowed to set the NT hash password directly'", null],
    [50, '00002098: Object has no write property access', null],
  ])('with code %i and "%s" means %s', (code, message, reason) => {
    expect(reasonOf(answered(code, message))).toBe(reason);
  });

  it('of the own account says that it may not do that, and anything else is no refusal of a person', () => {
    expect(directoryError(answered(50, '00002098: no access'), 'The unlock')).toMatchObject({ kind: 'not-allowed' });
    expect(directoryError(new Error('ECONNRESET'), 'The unlock')).toMatchObject({ kind: 'not-reachable' });
    expect(directoryError(answered(1, '00002020: odd'), 'The unlock')).toMatchObject({ kind: 'bad-reply' });
  });

  it('is the same at every controller, but a controller that is busy or gone is not', () => {
    expect([refusedBind('52e'), answered(50, 'x')].map(isWorthAnother)).toEqual([false, false]);
    expect([new Error('ECONNREFUSED'), answered(51, 'busy'), answered(52, 'gone')].map(isWorthAnother)).toEqual([
      true,
      true,
      true,
    ]);
    expect(isWorthAnother(new ConnectorError('wrong-credentials', 'x'))).toBe(false);
  });
});
