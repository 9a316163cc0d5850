import { expect, test, vi } from 'vitest';
import { openComponent } from '../../testing/open-component.tsx';
import { MenuItem } from './menu-item.tsx';
import { Panel } from './panel.tsx';

const rectOf = (left: number, top: number, width: number, height: number) => new DOMRect(left, top, width, height);

function Menu() {
  return (
    <Panel
      label="Actions"
      trigger={(props) => (
        <button type="button" {...props}>
          Open
        </button>
      )}
    >
      {(close) => <MenuItem onClick={close}>Resolve</MenuItem>}
    </Panel>
  );
}

function Nested() {
  const open = (name: string) => (props: object) => (
    <button type="button" {...props}>
      {name}
    </button>
  );
  return (
    <Panel label="Outer" trigger={open('Open')}>
      {() => (
        <Panel label="Inner" trigger={open('More')}>
          {() => (
            <>
              <button type="button">Apply</button>
              <input aria-label="Name" />
            </>
          )}
        </Panel>
      )}
    </Panel>
  );
}

/** Opens the menu under a button at this place, as a panel of 200 by 100 in a window of 1000 by 600. */
async function openAt(button: DOMRect) {
  vi.stubGlobal('innerWidth', 1_000);
  vi.stubGlobal('innerHeight', 600);
  const { page, person } = openComponent(Menu);
  const trigger = await page.findByRole('button', { name: 'Open' });
  trigger.getBoundingClientRect = () => button;
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(200);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(100);
  await person.click(trigger);
  const { style } = page.getByRole('dialog', { name: 'Actions' });
  vi.unstubAllGlobals();
  return { page, person, trigger, left: style.left, top: style.top };
}

test('hangs under its button', async () => {
  expect(await openAt(rectOf(100, 50, 80, 30))).toMatchObject({ left: '100px', top: '84px' });
});

test('stays inside the window at its edge', async () => {
  expect(await openAt(rectOf(950, 50, 40, 30))).toMatchObject({ left: '792px' });
});

test('opens upwards if there is not enough space below', async () => {
  expect(await openAt(rectOf(100, 560, 80, 30))).toMatchObject({ top: '456px' });
});

test('closes with its action and gives the focus back', async () => {
  const { page, person, trigger } = await openAt(rectOf(100, 50, 80, 30));
  expect(trigger.getAttribute('aria-expanded')).toBe('true');
  await person.click(page.getByRole('button', { name: 'Resolve' }));
  expect(page.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(trigger);
  expect(trigger.getAttribute('aria-expanded')).toBe('false');
});

test('gets the focus when it opens: its first field, else its first button', async () => {
  const { page, person } = openComponent(Nested);
  await person.click(await page.findByRole('button', { name: 'Open' }));
  expect(document.activeElement).toBe(page.getByRole('button', { name: 'More' }));
  await person.click(page.getByRole('button', { name: 'More' }));
  await person.keyboard('rz');
  expect(page.getByLabelText('Name')).toHaveProperty('value', 'rz');
});

test('Escape closes the panel within a panel first', async () => {
  const { page, person } = openComponent(Nested);
  await person.click(await page.findByRole('button', { name: 'Open' }));
  await person.click(page.getByRole('button', { name: 'More' }));
  await person.keyboard('{Escape}');
  expect(page.getAllByRole('dialog')).toHaveLength(1);
  expect(document.activeElement).toBe(page.getByRole('button', { name: 'More' }));
  await person.keyboard('{Escape}');
  expect(page.queryByRole('dialog')).toBeNull();
});
