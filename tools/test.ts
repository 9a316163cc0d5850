import { close, step, testStep } from './run-step.ts';

/**
 * `npm test`: everything. `npm run soak`: the same, with many more draws of what is tried at random (soak.ts), every screen in each of its
 * looks instead of one, and Lighthouse.
 */
const isSoak = process.argv.includes('--soak');
if (isSoak) process.env['SOAK'] = 'true';

const results = [
  await step('types', 'npx', ['tsc', '--noEmit']),
  await step('lint', 'npx', ['biome', 'check', '--error-on-warnings']),
  await testStep('dependencies and unit tests', 'vitest', ['--config', 'tools/unit.vitest.config.ts']),
  await testStep('sandbox and connectors, whole', 'vitest', ['--config', 'tools/sandbox.vitest.config.ts']),
  await testStep('engine, on a real PostgreSQL', 'vitest', [], 'packages/engine'),
  await testStep('Outlook files', 'vitest', [], 'packages/outlook-files'),
  await testStep('server, on a real PostgreSQL', 'vitest', [], 'apps/server'),
  await testStep('screens', 'vitest', ['.test.tsx'], 'apps/web'),
  await step('build of the browser application', 'node', ['bootstrap/run.js', 'build']),
  await testStep('first load and scrolling, timed', 'playwright', ['--project=timed'], 'apps/e2e', { PORTALS: 'huge' }),
  await testStep(
    'journeys in a real browser',
    'playwright',
    ['--project=journeys', '--project=microsoft365', '--project=views', ...(isSoak ? [] : ['--project=screens'])],
    'apps/e2e',
    {
      PORTALS: 'demonstration,microsoft365',
    },
  ),
];
if (isSoak)
  results.push(
    await testStep(
      'every screen in every layout, and Lighthouse',
      'playwright',
      ['--project=screens', '--project=lighthouse'],
      'apps/e2e',
      { PORTALS: 'microsoft365' },
    ),
  );
close(results);
