import type { Browser } from '@playwright/test';
import type { RunningServer } from '#testing/server.ts';
import { button, heading, open, PASSWORD, type Person, shoot, wanted } from './pictures.ts';

async function signInFrom(server: RunningServer, person: Person, agent: string): Promise<Person> {
  const answer = await fetch(`${server.url}/api/users/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify({ email: person.email, password: PASSWORD }),
  });
  return { ...person, ...(await answer.json()) };
}

/** The account pages of a player with three sessions. */
export async function accountPictures(
  browser: Browser,
  server: RunningServer,
  person: Person,
): Promise<void> {
  if (
    ![
      '32b-menu-open',
      '37-account-full',
      '37b-new-code',
      '37c-delete-account',
      '39-spare-card',
    ].some(wanted)
  )
    return;
  const here = await signInFrom(server, person, 'Mozilla/5.0 (Linux; Android 14) Chrome/131.0');
  await fetch(`${server.url}/api/users/sessions/`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${here.access}` },
  });
  await signInFrom(server, person, 'Mozilla/5.0 (Windows NT 10.0; rv:132.0) Firefox/132.0');
  await signInFrom(server, person, 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1) Safari/604.1');
  const age = (client: string, by: string) =>
    server.sql(
      `update sessions set created_at = created_at - $2::interval,
        last_used_at = last_used_at - $2::interval where client = $1`,
      [client, by],
    );
  await age('Firefox on Windows', '1 day');
  await age('Safari on iPhone', '9 days');

  const page = await open(browser, server, here);
  await page.goto(`${server.url}/profile`);
  await page.getByRole('table').waitFor();
  await page.waitForTimeout(1000);
  await button(page, 'Menu').press('Enter');
  await shoot(page, '32b-menu-open');
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await page.getByText('Safari on iPhone').waitFor();
  await shoot(page, '37-account-full', { full: true });
  await button(page, 'Get a new code').press('Enter');
  await shoot(page, '37b-new-code');
  await button(page, 'Cancel').press('Enter');
  await button(page, 'Delete my account').press('Enter');
  await page.getByText(/and your \d+ achievements/).waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await shoot(page, '37c-delete-account');
  await button(page, 'Cancel').click();
  await page.getByRole('link', { name: 'Print spare card' }).click();
  await heading(page, 'Spare card');
  await shoot(page, '39-spare-card');
  await page.context().close();
}
