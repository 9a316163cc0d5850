import { expect, test } from 'vitest';
import { openComponent } from '../../testing/open-component.tsx';
import { choiceField, flagField, listField, textField, useUrlState } from './url-state.ts';

const FIELDS = {
  search: textField(),
  state: choiceField(['pending', 'resolved', 'all'], 'pending'),
  result: listField(['Failed', 'Warning'], ['Failed']),
  company: listField('any'),
  anomaly: flagField(true),
};

function Probe() {
  const [state, change] = useUrlState(FIELDS);
  return (
    <>
      <output aria-label="State">{JSON.stringify(state)}</output>
      <button type="button" onClick={() => change({ state: 'all', search: 'a&b' })}>
        change
      </button>
      <button type="button" onClick={() => change({ state: 'pending', search: '' })}>
        reset
      </button>
      <button type="button" onClick={() => change({ result: [], anomaly: false }, { push: true })}>
        push
      </button>
    </>
  );
}

async function probe(query: string) {
  const opened = openComponent(Probe, { query });
  const read = () => JSON.parse(opened.page.getByLabelText('State').textContent ?? '');
  await opened.page.findByLabelText('State');
  const click = (name: string) => opened.person.click(opened.page.getByRole('button', { name }));
  return { ...opened, read, click };
}

test('has the defaults where the address says nothing', async () => {
  const { read } = await probe('');
  expect(read()).toEqual({ search: '', state: 'pending', result: ['Failed'], company: [], anomaly: true });
});

test('reads the address, and passes over what is no choice', async () => {
  const { read } = await probe('?state=nonsense&result=Warning&result=Success&company=1&company=2&anomaly=false&x=y');
  expect(read()).toEqual({ search: '', state: 'pending', result: ['Warning'], company: ['1', '2'], anomaly: false });
});

test('writes a change into the address and leaves defaults out of it', async () => {
  const { click, read, address } = await probe('?company=1');
  await click('change');
  expect(read()).toMatchObject({ state: 'all', search: 'a&b', company: ['1'] });
  expect(address()).toBe('/monitoring/test?company=1&search=a%26b&state=all');
  await click('reset');
  expect(address()).toBe('/monitoring/test?company=1');
});

test('keeps an empty list apart from one that is not set', async () => {
  const { click, read, address } = await probe('');
  await click('push');
  expect(read()).toMatchObject({ result: [], anomaly: false });
  expect(address()).toBe('/monitoring/test?result=&anomaly=false');
});

test('goes back over a change that was pushed, not over one that replaced', async () => {
  const { click, read, router, page } = await probe('');
  await click('change');
  await click('push');
  router.history.back();
  await page.findByText(/"anomaly":true/);
  expect(read()).toMatchObject({ state: 'all', anomaly: true });
});
