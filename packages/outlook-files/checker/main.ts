import { reportPst } from './check.ts';

/** `node main.ts file.pst`: prints counts and findings; exit code 0 without findings, 1 with, 2 for a wrong call. */
async function main(path: string | undefined): Promise<number> {
  if (!path) {
    console.error('Usage: node main.ts file.pst');
    return 2;
  }
  const { findings, checked } = await reportPst(path);
  console.log(
    checked
      ? `${checked.bytes} bytes, ${checked.nodes} nodes, ${checked.blocks} blocks`
      : 'The file cannot be read as a PST.',
  );
  for (const { rule, section, where, message } of findings)
    console.log(`${rule} [MS-PST ${section}] ${where}: ${message}`);
  console.log(findings.length === 0 ? 'No findings.' : `${findings.length} findings.`);
  return findings.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv[2]);
