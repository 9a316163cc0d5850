import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { killHard, pidOf, startWholeProgram } from './whole-program.fixture.ts';

const isLinux = process.platform === 'linux';
if (!isLinux) console.warn('The test of a PostgreSQL that dies is skipped: it reads /proc.');

test.runIf(isLinux)(
  'PostgreSQL that dies is started again; meanwhile calls are answered with 503, and no role ends',
  async () => {
    const program = await startWholeProgram([process.execPath, 'bootstrap/run.js', 'serve']);
    const roles = () => ['role.ts api', 'role.ts worker'].map((role) => pidOf(program, role));
    const before = roles();
    for (const time of [1, 2]) {
      killHard(pidOf(program, 'bin/postgres -D'));
      const answers = await answersUntilReady(program.url);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503, 200]));
      const refused = answers.find(({ status }) => status === 503);
      expect(Number(refused?.retryAfter)).toBeGreaterThan(0);
      expect(JSON.parse(refused?.body ?? '')).toMatchObject({ success: false, code: 'BUSY' });
      expect(answers.every(({ health }) => health === 200)).toBe(true);
      const pause = time === 1 ? '0.5' : '1';
      await expect
        .poll(program.output)
        .toContain(`PostgreSQL ended with signal SIGKILL; starting it again in ${pause} s.`);
    }
    expect(roles()).toEqual(before);
    expect(program.output()).not.toContain('The role');
  },
  240_000,
);

/** The answers of a call that reads the database, one after the other, until database and queue answer again. */
async function answersUntilReady(url: string) {
  const answers: Array<{ status: number; retryAfter: string | null; body: string; health: number }> = [];
  let wasDown = false;
  for (;;) {
    const ready = (await fetch(`${url}/readyz`)).status === 200;
    if (ready && wasDown && answers.at(-1)?.status === 200) return answers;
    const reply = await fetch(`${url}/api/branding?domain=localhost`);
    // Readiness is looked at once in five seconds, and the database may be back by then.
    wasDown ||= reply.status === 503;
    const { status: health } = await fetch(`${url}/healthz`);
    const retryAfter = reply.headers.get('retry-after');
    answers.push({ status: reply.status, retryAfter, body: await reply.text(), health });
    await delay(50);
  }
}
