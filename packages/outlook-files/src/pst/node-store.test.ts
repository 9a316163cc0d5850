import { array, assert, nat, property, uniqueArray } from 'fast-check';
import { expect, it } from 'vitest';
import { GrowingArray } from './growing-array.ts';
import { NODE_TYPE } from './node-ids.ts';
import { NodeStore } from './node-store.ts';

it('returns nodes in the order of their ids, with all their fields', () => {
  assert(
    property(uniqueArray(nat(0xffff_ffff), { maxLength: 300 }), (ids) => {
      const nodes = new NodeStore();
      ids.forEach((id, index) => {
        nodes.add({ id, data: index * 4, subnodes: index, parent: 0x122 });
      });
      const expected = ids.map((id, index) => ({ id, data: index * 4, subnodes: index, parent: 0x122 }));
      expect([...nodes.entries()]).toEqual(expected.sort((a, b) => a.id - b.id));
    }),
  );
});

it('continues the ids of each kind behind those in use', () => {
  const nodes = new NodeStore();
  const first = nodes.allocateId(NODE_TYPE.normalMessage);
  expect([first, nodes.allocateId(NODE_TYPE.normalMessage)]).toEqual([0x200004, 0x200024]);
  nodes.add({ id: 0x300004, data: 0, subnodes: 0, parent: 0 });
  expect(nodes.allocateId(NODE_TYPE.normalMessage)).toBe(0x300024);
  expect(nodes.nextIndexes[NODE_TYPE.normalMessage]).toBe(0x300024 / 32 - 4 / 32 + 1);
});

it('stores numbers in an array that grows, and rejects places outside of it', () => {
  assert(
    property(array(nat(0xffff), { maxLength: 500 }), (values) => {
      const numbers = new GrowingArray((length) => new Uint16Array(length));
      for (const value of values) {
        numbers.push(value);
      }
      expect(values.map((_, index) => numbers.at(index))).toEqual(values);
      expect(() => numbers.at(values.length)).toThrow(RangeError);
    }),
  );
});
