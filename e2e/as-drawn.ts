import type { Page } from '@playwright/test';

/** Where pictures go that are compared with the design; none without the variable. */
const FOLDER = process.env.PICTURES;
const BOTH = [
  [390, 844],
  [1280, 800],
] as const;

/** A picture of the page at both sizes, of the whole page at the narrow one. */
export async function picture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  const size = page.viewportSize();
  for (const [width, height] of BOTH) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `${FOLDER}/${name}-${width}.png`, fullPage: width === 390 });
  }
  if (size) await page.setViewportSize(size);
}

/** A picture of the page as it is. */
export async function pictureAsIs(page: Page, name: string): Promise<void> {
  if (FOLDER !== undefined)
    await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: true });
}
