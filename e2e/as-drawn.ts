import type { Page } from '@playwright/test';

/** The folder for pictures to compare with the design. Without it, no pictures are taken. */
const FOLDER = process.env.PICTURES;
const BOTH = [
  [390, 844],
  [1280, 800],
] as const;

/**
 * Takes a picture at each size: of the whole page at the narrow one, of the window at the wide one.
 */
export async function picture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  const size = page.viewportSize();
  for (const [width, height] of BOTH) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `${FOLDER}/${name}-${width}.png`, fullPage: width === 390 });
  }
  if (size) await page.setViewportSize(size);
}

/** Takes a picture of the whole page at its current size. */
export async function pictureAsIs(page: Page, name: string): Promise<void> {
  if (FOLDER !== undefined)
    await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: true });
}
