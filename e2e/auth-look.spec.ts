import type { Page } from '@playwright/test';
import type { RunningServer } from '#testing/server.ts';
import {
  answerWith,
  chooseBirthdate,
  enterEmail,
  expectStep,
  heading,
  register,
  toProfileSetup,
  verify,
} from './auth-steps.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  newEmail,
  signUp,
  test,
} from './fixtures.ts';

type Arrive = (page: Page, server: RunningServer) => Promise<void>;

const LONG = `${'a'.repeat(60)}@${'very-long-domain-name.'.repeat(4)}example.com`;

const STATES: [name: string, arrive: Arrive][] = [
  [
    'login',
    async (page) => {
      await page.goto('/login');
      await expectStep(page, 'Login');
    },
  ],
  [
    'login with a password, refused',
    async (page, server) => {
      const { email } = await signUp(server);
      await page.goto('/login');
      await enterEmail(page, email);
      await page.getByLabel('Password').fill('not this one');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
    },
  ],
  [
    'create account, with errors',
    async (page) => {
      await page.goto('/signup');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByText('Please agree')).toBeVisible();
    },
  ],
  [
    'create account, existing',
    async (page, server) => {
      const { email } = await signUp(server);
      await page.goto('/signup');
      await page.getByRole('checkbox').check();
      await enterEmail(page, email);
      await expect(page.getByRole('alert')).toBeVisible();
    },
  ],
  [
    'verification, refused, of a long address',
    async (page) => {
      await page.route('**/auth/check-email/', answerWith(200, { exists: true, verified: false }));
      await page.route('**/resend-verification/', answerWith(200));
      await page.goto('/login');
      await enterEmail(page, LONG);
      await expectStep(page, 'Verification');
      await page.keyboard.type('000000');
      await expect(page.getByText('This code is wrong')).toBeVisible();
    },
  ],
  [
    'verification, resent',
    async (page) => {
      await register(page, newEmail());
      await page.evaluate(() => history.replaceState({ ...history.state, sentAt: 0 }, ''));
      await page.reload();
      await page.getByRole('button', { name: 'Resend code' }).click();
      await expect(page.getByText('New verification code sent successfully!')).toBeVisible();
      await page.keyboard.type('48');
    },
  ],
  [
    'birth date, with an error',
    async (page, server) => {
      await verify(page, server, newEmail());
      await page.getByLabel('Month').selectOption('September');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByText('Date of birth is required')).toBeVisible();
    },
  ],
  [
    'profile setup, with errors',
    async (page, server) => {
      await toProfileSetup(page, server, newEmail());
      await page.getByLabel('Username').fill('Al');
      await page.getByLabel('Password').fill('swish');
      await page.getByRole('button', { name: "Let's Play!" }).click();
      await expect(page.getByText('at least 3 characters')).toBeVisible();
    },
  ],
  [
    'reset password, and its instructions',
    async (page) => {
      await page.goto('/login');
      await page.evaluate(
        (email) => history.replaceState({ step: 'reset-password', email }, ''),
        LONG,
      );
      await page.reload();
      await expectStep(page, 'Reset password');
      await expectAccessible(page);
      await page.route('**/auth/request-password-reset/', answerWith(200));
      await page.getByRole('button', { name: 'Reset password' }).click();
      await expectStep(page, 'Instructions sent!');
    },
  ],
  [
    'new password, with an error',
    async (page) => {
      await page.goto('/reset-password?email=maya%40example.com&token=secret');
      await page.getByLabel('New password').fill('one password');
      await page.getByLabel('Confirm password').fill('another one');
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByText('Passwords do not match')).toBeVisible();
    },
  ],
];

for (const [name, arrive] of STATES)
  test(`${name} has no axe violation, and fits 320 px and 200 % text`, async ({ page, server }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await arrive(page, server);
    await page.evaluate(() =>
      Promise.allSettled(document.getAnimations().map((one) => one.finished)),
    );
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await expectRoomForLargeText(page);
  });

test('steps slide; with reduced motion they only fade', async ({ page }) => {
  const slid = async () => {
    await page.evaluate(() => {
      const begin = document.startViewTransition.bind(document);
      const seen: string[] = [];
      Object.assign(window, { seen });
      document.startViewTransition = (update) => {
        const transition = begin(update);
        transition.ready.then(() => {
          for (const animation of document.getAnimations())
            if (
              animation instanceof CSSAnimation &&
              animation.effect instanceof KeyframeEffect &&
              animation.animationName.startsWith('slide')
            ) {
              const { duration } = animation.effect.getTiming();
              const way = animation.effect.getKeyframes().map(({ transform }) => transform);
              seen.push(`${duration} ${way.join(' ')}`);
            }
        });
        return transition;
      };
    });
    await page.getByRole('link', { name: 'Sign up' }).click();
    await expect(heading(page, 'Create account')).toBeFocused();
    const seen = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    await expect.poll(async () => (await seen()).length).toBe(2);
    return (await seen()).sort();
  };
  await page.goto('/login');
  expect(await slid()).toEqual(['192 none translateX(-300px)', '320 translateX(300px) none']);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/login');
  for (const one of await slid()) expect(one).toMatch(/^(72|120) .*translateX\(-?0px\)/);
});

test('touch targets are at least 44 px', async ({ page, server }) => {
  await verify(page, server, newEmail());
  await chooseBirthdate(page);
  await expectStep(page, 'Profile setup');
  for (const path of ['/login', '/signup', '/profile']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('a, button, select, input:not([type=checkbox], [type=radio])')]
        // Skip the links in the sentence about the terms: they are as high as a line.
        .filter((one) => !one.closest('label'))
        .map((one) => [one.textContent || one.getAttribute('name'), one.getBoundingClientRect()])
        .filter(([, box]) => box instanceof DOMRect && box.width > 0 && box.height < 44)
        .map(([name]) => name),
    );
    expect(small, path).toEqual([]);
  }
});
