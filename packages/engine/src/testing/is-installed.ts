import { spawnSync } from 'node:child_process';

/** Whether somebody else's program is there. Where not it says so in a line that is seen, since tests that need it are skipped then. */
export function isInstalled(program: string, debianPackage: string): boolean {
  const isThere = spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
  if (!isThere)
    console.log(
      `SKIPPED: ${program} is not installed here (Debian package ${debianPackage}), and tests that read with it do not run.`,
    );
  return isThere;
}
