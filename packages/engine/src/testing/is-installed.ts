import { spawnSync } from 'node:child_process';

/** Whether a program of another vendor is installed. If not, it says so in a visible line, since the tests that need it are skipped then. */
export function isInstalled(program: string, debianPackage: string): boolean {
  const isThere = spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
  if (!isThere)
    console.log(
      `SKIPPED: ${program} is not installed here (Debian package ${debianPackage}), and tests that read with it do not run.`,
    );
  return isThere;
}
