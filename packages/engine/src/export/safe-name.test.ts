import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NamesInFolder, safeName } from './safe-name.ts';

describe('A name that is made safe', () => {
  test.each([
    ['Report.pdf', 'Report.pdf'],
    ['Ärger / 日本.txt', 'Ärger _ 日本.txt'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['..\\..\\windows\\system32', '.._.._windows_system32'],
    ['C:\\autoexec.bat', 'C__autoexec.bat'],
    ['/etc/passwd', '_etc_passwd'],
    ['a\0b', 'a_b'],
    ['\0', '_'],
    ['.', '_'],
    ['..', '_'],
    ['...', '_'],
    ['. . .', '_'],
    ['', '_'],
    ['   ', '_'],
    ['end. . ', 'end'],
    [' front', 'front'],
    ['CON', '_CON'],
    ['con.txt', '_con.txt'],
    ['Nul .tar.gz', '_Nul .tar.gz'],
    ['COM1', '_COM1'],
    ['com¹.log', '_com¹.log'],
    ['LPT9.x', '_LPT9.x'],
    ['CONIN$', '_CONIN$'],
    ['console', 'console'],
    ['COM10', 'COM10'],
    // Right-to-left override: it would be shown as `invoice_exe.pdf`.
    ['invoice_\u202efdp.exe', 'invoice__fdp.exe'],
    ['a\u200bb', 'a_b'],
    // Joiners within a word and an emoji belong to the spelling; elsewhere they would hide.
    ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.txt', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.txt'],
    ['\u{1f469}\u200d\u{1f4bb}.png', '\u{1f469}\u200d\u{1f4bb}.png'],
    ['\u200dfront\u200c.txt', '_front_.txt'],
    ['line\nbreak\r\n', 'line_break__'],
    ['e\u0301', '\u00e9'],
    ['\ud800half', '_half'],
    ['.htaccess', '.htaccess'],
  ])('%j becomes %j', (name, expected) => {
    expect(safeName(name)).toBe(expected);
  });

  test.each([
    ['x'.repeat(400), 'x'.repeat(200)],
    [`${'x'.repeat(400)}.docx`, `${'x'.repeat(195)}.docx`],
    [`${'日'.repeat(200)}.txt`, `${'日'.repeat(65)}.txt`],
    [`${'😀'.repeat(100)}`, '😀'.repeat(50)],
    [`${'x'.repeat(300)}.${'e'.repeat(300)}`, 'x'.repeat(200)],
    [`${'.'.repeat(300)}a`, '.a'],
  ])('of too many bytes is cut between characters, and keeps its extension', (name, expected) => {
    const safe = safeName(name);
    expect(safe).toBe(expected);
    expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
    expect(safe).not.toMatch(/^\.*$/);
  });

  const anyName = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({
      unit: fc.constantFrom('.', ' ', '/', '\\', '\0', 'a', 'CON', 'nul', ':', '\u202e', '日', '~'),
      maxLength: 120,
    }),
  );

  test('leads nowhere, is accepted by every system, and is safe as it is, whatever it was', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const safe = safeName(name);
        expect(safe).not.toMatch(/[\\/:*?"<>|\p{Cc}\p{Cf}]/u);
        expect(safe).not.toMatch(/^\.*$|[. ]$/);
        expect(safe).not.toMatch(/^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i);
        expect(safe.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
        expect(safeName(safe)).toBe(safe);
      }),
      { numRuns: 500 },
    );
  });
});

describe('The names in a folder', () => {
  test('are each there once, also for systems that do not distinguish capitals from small letters', () => {
    const names = new NamesInFolder();
    const given = [
      'Report.pdf',
      'report.PDF',
      'Report (2).pdf',
      'REPORT.pdf',
      '..',
      '.',
      'a/b',
      'a:b',
      'e\u0301',
      '\u00e9',
    ];
    const reserved = given.map((name) => names.reserve(name));
    expect(reserved.slice(0, 4)).toEqual(['Report.pdf', 'report (2).PDF', 'Report (2) (2).pdf', 'REPORT (3).pdf']);
    expect(new Set(reserved.map((name) => name.toLowerCase())).size).toBe(given.length);
  });

  test('are found quickly among 20,000 that are the same', () => {
    const names = new NamesInFolder();
    const reserved = new Set(Array.from({ length: 20_000 }, () => names.reserve('Scan.pdf')));
    expect(reserved.size).toBe(20_000);
    expect(reserved).toContain('Scan (20000).pdf');
  });

  test('fit into a path of every system with their numbers', () => {
    const names = new NamesInFolder();
    for (let count = 0; count < 12; count += 1) {
      const name = names.reserve(`${'x'.repeat(400)}.docx`);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(name).toMatch(/\.docx$/);
    }
  });
});
