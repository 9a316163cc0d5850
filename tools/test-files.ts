/**
 * What a test needs is in its file's name. `x.test.ts` needs nothing but the process it runs in, an HTTP server of its own
 * included, and takes part in `npm run check`. `x.server.test.ts` and `x.suite.test.ts` talk for seconds to a whole sandbox or
 * start a program. `x.test.tsx` shows a screen. All tests of `apps/server` may have the PostgreSQL of their run. Those of the Outlook
 * files write and read back whole mailboxes, with other people's programs where they are installed.
 */
export const UNIT_TESTS = [
  'tools/**/*.test.ts',
  'bootstrap/**/*.test.js',
  'packages/!(outlook-files)/src/**/*.test.ts',
];
export const WEB_UNIT_TESTS = ['apps/web/**/*.test.ts'];
export const SANDBOX_TESTS = ['packages/*/src/**/*.{server,suite}.test.ts'];
/** Of these, the engine's have a PostgreSQL of their run: their own step instead of the sandbox's. */
export const ENGINE_TESTS = ['packages/engine/src/**/*.server.test.ts'];
export const OUTLOOK_TESTS = ['packages/outlook-files/{src,checker}/**/*.test.ts'];
export const SCREEN_TESTS = ['apps/web/src/**/*.test.tsx'];
export const SERVER_TESTS = ['apps/server/src/**/*.test.ts'];
