import { close, step, testStep } from './run-step.ts';

/** `npm run check`: types, lint, import rules, unit tests that need no database, browser or other program (test-files.ts). Fast. */
close([
  await step('types', 'npx', ['tsc', '--noEmit']),
  await step('lint', 'npx', ['biome', 'check', '--error-on-warnings']),
  await testStep('dependencies and unit tests', 'vitest', ['--config', 'tools/unit.vitest.config.ts']),
]);
