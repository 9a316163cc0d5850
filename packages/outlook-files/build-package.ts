import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Makes `dist`, which is what is published: Node runs no TypeScript from `node_modules`, while inside this repository everything runs
 * from source. `npm run build && npm publish ./dist`.
 */
const folder = import.meta.dirname;
rmSync(`${folder}/dist`, { recursive: true, force: true });
execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: folder, stdio: 'inherit' });
const manifest: Record<string, unknown> = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
const { devDependencies: _forTests, scripts: _forWork, ...rest } = manifest;
const published = { ...rest, exports: { './*': { types: './*.d.ts', default: './*.js' } } };
writeFileSync(`${folder}/dist/package.json`, `${JSON.stringify(published, null, 2)}\n`);
copyFileSync(`${folder}/README.md`, `${folder}/dist/README.md`);
