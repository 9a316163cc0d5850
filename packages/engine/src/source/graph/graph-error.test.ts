import { expect, test } from 'vitest';
import { graphErrorOf, isNotOffered, isSyncStateGone } from './graph-error.ts';

const refused = (status: number, code: string, message = 'No.') =>
  graphErrorOf(status, { error: { code, message, innerError: { 'request-id': 'r-1' } } }, 'GET /users/1');

test.each([
  [401, 'InvalidAuthenticationToken', 'credentials-refused', false],
  [403, 'ErrorAccessDenied', 'consent-missing', false],
  [404, 'ErrorItemNotFound', 'not-found', false],
  [404, 'MailboxNotEnabledForRESTAPI', 'source-gone', false],
  [429, 'TooManyRequests', 'source-unreachable', true],
  [503, 'serviceNotAvailable', 'source-unreachable', true],
  [500, 'InternalServerError', 'source-refused', true],
  [504, 'UnknownError', 'source-refused', true],
  [408, 'RequestTimeout', 'source-refused', true],
  [400, 'ErrorTimeoutExpired', 'source-refused', true],
  [423, 'resourceLocked', 'source-refused', false],
  // No later attempt mends what is full.
  [507, 'quotaLimitReached', 'source-full', false],
  [507, 'QuotaExceededException', 'source-full', false],
  [403, 'ErrorQuotaExceeded', 'source-full', false],
  // No later attempt mends one damaged item.
  [500, 'ErrorCorruptData', 'source-refused', false],
  [500, 'ErrorMimeContentInvalid', 'source-refused', false],
  [400, 'BadRequest', 'source-refused', false],
])('%i %s is %s, and may pass: %s', (status, graphCode, code, isRetryable) => {
  expect(refused(status, graphCode)).toMatchObject({ status, graphCode, code, isRetryable });
});

test('says what was asked, what came of it, by which request, and what to do', () => {
  const { message } = refused(403, 'ErrorAccessDenied', 'Access is denied.');
  expect(message).toMatch(
    /^Microsoft 365 answered 403 ErrorAccessDenied to GET \/users\/1 \(request r-1\): Access is denied\. Let an administrator/,
  );
});

test.each([undefined, null, '<html>', 7, {}, { error: 'x' }, { error: { code: 7 } }])(
  'reads a body that is %j as what it is: no explanation',
  (body) => {
    expect(graphErrorOf(502, body, 'GET /x')).toMatchObject({
      graphCode: '502',
      message: expect.stringContaining('no explanation'),
    });
  },
);

test('knows a lost place by status or code, and a call that is not offered from an item that is not there', () => {
  expect(isSyncStateGone(refused(410, 'Gone'))).toBe(true);
  expect(isSyncStateGone(refused(400, 'SyncStateInvalid'))).toBe(true);
  expect(isSyncStateGone(refused(400, 'resyncRequired'))).toBe(true);
  expect(isSyncStateGone(refused(404, 'ErrorItemNotFound'))).toBe(false);
  expect(isSyncStateGone(new Error('410'))).toBe(false);
  expect(isNotOffered(refused(400, 'BadRequest', "Resource not found for the segment 'exportItems'."))).toBe(true);
  expect(isNotOffered(refused(404, 'ErrorItemNotFound'))).toBe(false);
  expect(isNotOffered(refused(403, 'BadRequest'))).toBe(false);
});
