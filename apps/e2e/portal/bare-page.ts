import { once } from 'node:events';
import { createServer } from 'node:http';

/** About as much as a screen of the portal loads and draws, with nothing of the portal in it. */
const [FUNCTIONS, RULES, ROWS, ROWS_A_TASK] = [6_000, 2_500, 1_500, 150];

const lines = (count: number, lineOf: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => lineOf(n)).join('\n');

const SCRIPT = `${lines(FUNCTIONS, (n) => `const f${n} = (a, b) => ({ sum: a + b * ${n}, name: 'f' + a, list: [a, b, ${n}] });`)}
const all = [${lines(FUNCTIONS, (n) => `f${n},`)}];
let sum = 0;
for (let round = 0; round < 20; round += 1) for (const f of all) sum += f(round, sum % 7).list.length;
const draw = (from) => {
  for (let n = from; n < from + ${ROWS_A_TASK}; n += 1) {
    const row = Object.assign(document.createElement('div'), { className: 'r' + (n % ${RULES}) });
    for (const textContent of ['job ' + n, 'company ' + (n % 250), 'Failed', sum]) row.append(Object.assign(document.createElement('span'), { textContent }));
    document.body.append(row);
  }
  if (from + ${ROWS_A_TASK} < ${ROWS}) setTimeout(draw, 0, from + ${ROWS_A_TASK});
  else requestAnimationFrame(() => Object.assign(window, { drawnMs: performance.now() }));
};
draw(0);
`;
const STYLE = lines(
  RULES,
  (n) => `.r${n} { display: flex; padding: ${n % 9}px; border-bottom: 1px solid #ccc; color: rgb(${n % 255} 0 0) }`,
);
const PAGE = `<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"><script type="module" src="/script.js"></script>`;
const FILES: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': ['text/html', PAGE],
  '/script.js': ['text/javascript', SCRIPT],
  '/style.css': ['text/css', STYLE],
};

/** Serves a page that shows how fast the machine is: it sets `window.drawnMs` once it is drawn. It is served as long as the process lives. */
export async function serveBarePage(): Promise<string> {
  const server = createServer((request, reply) => {
    const [type, text] = FILES[request.url ?? ''] ?? ['text/plain', ''];
    reply.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=3600' }).end(text);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The bare page has no port.');
  return `http://127.0.0.1:${address.port}/`;
}
