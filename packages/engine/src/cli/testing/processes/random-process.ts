import type { Random } from '../../../testing/random.ts';
import type { CommandLine, Ended } from '../command-line.ts';

const YEAR_MS = 365 * 86_400_000;
const CLOCKS_MS = [0, 0, YEAR_MS, -YEAR_MS];
const WRONG_CLOCK = new URL('wrong-clock.fixture.ts', import.meta.url).href;
/** Before that no program has read its options. */
const BEGIN_MS = 150;

export type Work = 'backup' | 'prune' | 'restore';

export interface ProcessEnd extends Ended {
  work: Work;
  skewMs: number;
}

export const KILLED = 137;

/** So early in its usual time no program has ended. */
const EARLY = 0.3;

/** Starts programs whose clock may be wrong, and that are killed at a random moment of their work. */
export class RandomProcesses {
  private readonly commandLine: CommandLine;
  private readonly environment: Record<string, string>;
  private readonly random: Random;
  /** How long each took when it was left alone. */
  private readonly usualMs: Record<Work, number> = { backup: 2_500, prune: 1_500, restore: 2_500 };
  /** Killed early for certain, so that no run does without a kill; `null` once that happened. */
  private victim: Work | null;

  constructor(commandLine: CommandLine, environment: Record<string, string>, random: Random) {
    this.commandLine = commandLine;
    this.environment = environment;
    this.random = random;
    this.victim = random.pick(['backup', 'restore']);
  }

  /** By a right clock, to its end. */
  run(args: readonly string[]): Promise<Ended> {
    return this.commandLine.run([...args, '--json'], this.environment);
  }

  /** By any clock; two of three are killed. */
  async start(work: Work, args: readonly string[]): Promise<ProcessEnd> {
    const skewMs = this.random.pick(CLOCKS_MS);
    const isVictim = work === this.victim;
    const afterMs = BEGIN_MS + this.random.below(Math.ceil(this.usualMs[work] * (isVictim ? EARLY : 1.1)));
    const isToDie = this.random.below(3) > 0 || isVictim;
    const clock = { NODE_OPTIONS: `--import ${WRONG_CLOCK}`, CLOCK_AHEAD_MS: String(skewMs) };
    const beganMs = performance.now();
    const started = this.commandLine.start([...args, '--json'], { ...this.environment, ...clock });
    // Not a wait for something: the moment of the kill is what varies.
    const timer = isToDie ? setTimeout(() => started.signal('SIGKILL'), afterMs) : undefined;
    const ended = await started.ended;
    clearTimeout(timer);
    if (isVictim && ended.exitCode === KILLED) this.victim = null;
    if (ended.exitCode === 0) this.usualMs[work] = performance.now() - beganMs;
    return { ...ended, work, skewMs };
  }
}
