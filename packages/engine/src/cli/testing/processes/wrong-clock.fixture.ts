/**
 * Loaded before a program (`node --import`): its clock is `CLOCK_AHEAD_MS` ahead of this machine's, behind it where that is negative. Only what asks
 * for the present is changed, so that instants from elsewhere stay what they are.
 */
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0);

globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + aheadMs] : given, newTarget),
  get: (target, name) => (name === 'now' ? () => target.now() + aheadMs : Reflect.get(target, name)),
});
