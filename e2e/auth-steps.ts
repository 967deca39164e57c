import type { Page, Route } from '@playwright/test';
import { codeIn } from '#testing/mail-sink.ts';
import type { RunningServer } from '#testing/server.ts';
import { expect, PASSWORD } from './fixtures.ts';

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

export async function expectStep(page: Page, name: string): Promise<void> {
  await expect(heading(page, name)).toBeVisible();
}

export async function enterEmail(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login');
  await enterEmail(page, email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs up as far as the step for the verification code. */
export async function register(page: Page, email: string): Promise<void> {
  await page.goto('/signup');
  await page.getByRole('checkbox').check();
  await enterEmail(page, email);
  await expectStep(page, 'Verification');
}

/** Signs up as far as the birth date, with the code from the mail. */
export async function verify(page: Page, server: RunningServer, email: string): Promise<void> {
  await register(page, email);
  const code = codeIn(await server.mail.next(email));
  await expect(page.getByLabel('Digit 1 of 6')).toBeFocused();
  await page.keyboard.type(code);
  await expectStep(page, 'Birthdate');
}

export async function chooseBirthdate(
  page: Page,
  [month, day, year]: [string, string, string] = ['September', '14', '2004'],
): Promise<void> {
  await page.getByLabel('Month').selectOption(month);
  await page.getByLabel('Day').selectOption(day);
  await page.getByLabel('Year').selectOption(year);
  await page.getByRole('button', { name: 'Continue' }).click();
}

export async function toProfileSetup(
  page: Page,
  server: RunningServer,
  email: string,
): Promise<void> {
  await verify(page, server, email);
  await chooseBirthdate(page);
  await expectStep(page, 'Profile setup');
}

export async function fillProfile(page: Page, username: string, password = PASSWORD) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: "Let's Play!" }).click();
}

/** Answers a request in place of the server. */
export const answerWith =
  (status: number, body: unknown = {}) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) });

/** The session's three keys in local storage. */
export function stored(page: Page): Promise<Record<string, string | null>> {
  return page.evaluate(() =>
    Object.fromEntries(
      ['access_token', 'refresh_token', 'user'].map((key) => [key, localStorage.getItem(key)]),
    ),
  );
}
