import { expect, test } from 'vitest';
import { endsTheObject } from '../../model/engine-error.ts';
import { bodyOfReply } from './whole-list.ts';

test('A reply that is no object is a refusal of that call alone, which a later run may mend', () => {
  const reply = () => bodyOfReply({ status: 200, headers: {}, body: '<html>' });
  expect(reply).toThrow(expect.objectContaining({ code: 'source-refused', isRetryable: true }));
  try {
    reply();
  } catch (error) {
    expect(endsTheObject(error)).toBe(false);
  }
});
