import { expect, it } from 'vitest';
import { conversationIndex } from './conversation.ts';
import { globalObjectId } from './global-object-id.ts';

const date = new Date('2026-03-04T05:06:07Z');

it('gives items of one topic one conversation, whatever the case of its letters', () => {
  const id = (topic: string) => conversationIndex(topic, date).subarray(6).toString('hex');
  expect(id('Offer')).toBe(id('OFFER'));
  expect(id('Offer')).not.toBe(id('Order'));
});

it('begins a conversation with the five high bytes of its time', () => {
  const index = conversationIndex('Offer', date);
  const ticks = BigInt(date.getTime()) * 10_000n + 116_444_736_000_000_000n;
  expect([index.length, index[0]]).toEqual([22, 1]);
  expect(index.subarray(1, 6).toString('hex')).toBe(ticks.toString(16).padStart(16, '0').slice(0, 10));
});

it('wraps the id of a meeting that another program made', () => {
  const id = globalObjectId('abc@example.com');
  expect(id.readUInt32LE(36)).toBe(id.length - 40);
  expect(id.subarray(40).toString('latin1')).toBe('vCal-Uid\x01\0\0\0abc@example.com\0');
});

it('uses the id of a meeting from Outlook unchanged', () => {
  const uid = globalObjectId('abc').toString('hex').toUpperCase();
  expect(globalObjectId(uid).toString('hex').toUpperCase()).toBe(uid);
});
