import { describe, expect, it } from 'vitest';
import { parseVspcSettings } from './settings.ts';

const key = { apiKey: 'secret-key' };
const url = 'https://vspc.example.com:1280';

describe('the address', () => {
  it.each([url, `${url}/`, `${url}/api/v3`, `${url}/api/v3/`, `  ${url}/API/V3//  `])('accepts %j', (given) => {
    expect(parseVspcSettings({ url: given, ...key }, false).baseUrl.href).toBe(`${url}/api/v3/`);
  });

  it('keeps the path of a console behind a proxy, and drops query and fragment', () => {
    const { baseUrl } = parseVspcSettings({ url: 'https://proxy.example.com/console?x=1#y', ...key }, false);
    expect(baseUrl.href).toBe('https://proxy.example.com/console/api/v3/');
  });

  it.each(['', 'vspc.example.com', 'ftp://a.b', 'file:///etc/passwd', 'https://me:pw@vspc.example.com'])(
    'refuses %j',
    (given) => {
      expect(() => parseVspcSettings({ url: given, ...key }, true)).toThrow(/^Address: expected/);
    },
  );

  it('accepts an unencrypted one only where private addresses are allowed', () => {
    expect(() => parseVspcSettings({ url: 'http://10.0.0.1', ...key }, false)).toThrow(/https/);
    expect(parseVspcSettings({ url: 'http://10.0.0.1', ...key }, true).baseUrl.href).toBe('http://10.0.0.1/api/v3/');
  });
});

describe('who signs in', () => {
  it('accepts a key, or both user name and password, the password as it is', () => {
    expect(parseVspcSettings({ url, apiKey: ' k ' }, false).credentials).toEqual({ apiKey: 'k' });
    const { credentials } = parseVspcSettings({ url, username: 'u', password: ' p ' }, false);
    expect(credentials).toEqual({ username: 'u', password: ' p ' });
  });

  it.each<Record<string, string>>([{}, { username: 'u' }, { password: 'p' }, { apiKey: '  ' }])(
    'refuses %j',
    (given) => {
      expect(() => parseVspcSettings({ url, ...given }, false)).toThrow(/Enter an API key/);
    },
  );

  it('refuses a key that no header can carry, without quoting it', () => {
    const given = { url, apiKey: 'secret\nX-Injected: 1' };
    expect(() => parseVspcSettings(given, false)).toThrow(/API key/);
    expect(() => parseVspcSettings(given, false)).not.toThrow(/secret|Injected/);
  });
});

describe('the thumbprint', () => {
  it('is optional, and must be valid when it is given', () => {
    expect(parseVspcSettings({ url, ...key, thumbprint: ' ' }, false).thumbprint).toBeNull();
    expect(parseVspcSettings({ url, ...key, thumbprint: 'ab:'.repeat(20) }, false).thumbprint).toBe('AB'.repeat(20));
    expect(() => parseVspcSettings({ url, ...key, thumbprint: 'abc' }, false)).toThrow(/40 .* or 64/);
  });
});
