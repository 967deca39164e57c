import { startServer } from '#testing/server.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';

const PAGES = [
  {
    path: '/privacy',
    title: 'Privacy Policy',
    sections: [
      'Information Collection and Use',
      'Cookies',
      'Service Providers',
      'Security',
      'Children’s Privacy',
      'Changes to This Privacy Policy',
      'Contact Us',
    ],
  },
  {
    path: '/terms',
    title: 'Terms and Conditions',
    sections: [
      'Accounts and Membership',
      'Links to Other Websites',
      'Changes to These Terms',
      'Acceptance of These Terms',
      'Contact Us',
    ],
  },
];

for (const { path, title, sections } of PAGES)
  test(`${path} has its sections, its date and the operator's address`, async ({
    page,
    server,
  }) => {
    const config = await (await fetch(`${server.url}/api/config/`)).json();
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(sections);
    await expect(page.getByRole('time')).toHaveText('2021-07-27');
    await expect(page.getByRole('link', { name: config.support_email })).toHaveAttribute(
      'href',
      `mailto:${config.support_email}`,
    );
    await expect(page.getByRole('article')).toContainText(config.brand);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await expectRoomForLargeText(page);
  });

test('ACC-30: BRAND_NAME is in page titles and in the manifest, escaped', async ({ page }) => {
  const brand = 'Hoops & <Co>';
  const server = await startServer({ BRAND_NAME: brand });
  try {
    for (const [path, title] of [
      ['/login', 'Login'],
      ['/signup', 'Create account'],
      ['/terms', 'Terms and Conditions'],
    ]) {
      await page.goto(`${server.url}${path}`);
      await expect(page).toHaveTitle(`${title} · ${brand}`);
    }
    for (const path of ['/login', '/profile', '/index.html', '/profile.html']) {
      const [, title] =
        /<title>(.*?)<\/title>/.exec(await (await fetch(server.url + path)).text()) ?? [];
      expect(title).toMatch(/(^| · )Hoops &amp; &lt;Co&gt;$/);
    }
    const manifest = await (await fetch(`${server.url}/manifest.webmanifest`)).json();
    expect(manifest).toMatchObject({ name: brand, short_name: brand, start_url: '/profile' });
  } finally {
    // First leave the page, which would report that the server is gone.
    await page.goto('about:blank');
    await server.close();
  }
});

test('PROD-03 an unknown address shows the error page with a way back', async ({
  page,
  server,
  expectNoise,
}) => {
  expectNoise(/status of 404/);
  await page.goto('/no/such/page');
  await expect(
    page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' }),
  ).toBeVisible();
  await expect(page.getByText('404 Not Found')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await page.getByRole('link', { name: 'Back to login' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await signInAs(page, server, await signUp(server));
  await page.goto('/no/such/page');
  await page.getByRole('link', { name: 'To my profile' }).click();
  await expect(page).toHaveURL(/\/profile$/);
});
