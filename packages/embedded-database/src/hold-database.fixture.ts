/** A program that starts the database of the folder in its first argument, says so, and runs until it is ended. */
import { startEmbeddedDatabase } from './embedded-database.ts';

const [dataDir = ''] = process.argv.slice(2);
try {
  const database = await startEmbeddedDatabase({ dataDir, log: () => undefined });
  process.once('SIGTERM', () => void database.stop().then(() => process.exit(0)));
  process.stdout.write(`${database.url}\n`);
} catch (error) {
  process.stdout.write(`${String(error)}\n`);
  process.exitCode = 1;
}
