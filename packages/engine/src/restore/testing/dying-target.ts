import { KILLED } from './memory-mailbox.ts';

/**
 * A target at one of whose calls the program dies, before or after the work is done: no later call reaches it.
 * @param at the call, counted from 1; @param isAfter whether that one still takes place
 */
export function dyingTarget<Target extends object>(target: Target, at: number, isAfter: boolean): Target {
  let calls = 0;
  return new Proxy(target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        calls += 1;
        if (calls > at || (calls === at && !isAfter)) throw KILLED;
        const result: unknown = member.apply(target, given);
        if (calls < at || !(result instanceof Promise)) return result;
        return result.then(() => {
          throw KILLED;
        });
      };
    },
  });
}
