import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { startServer } from '#testing/server.ts';
import config from '../playwright.config.ts';
import { FOLDER } from './pictures.ts';

// `npm run film` records docs/screenshots/court.webp: a game on the court and on the profile.

const COURT = { width: 1080, height: 760 };
const PHONE = { width: 390, height: 760 };
const SCALE = 0.62;
const GAP = 12;
const FRAME_MS = 125;
const SIZE_MAX = 1.5e6;

type Frame = { at: number; picture: Buffer };

async function record(page: Page): Promise<Frame[]> {
  const frames: Frame[] = [];
  const session = await page.context().newCDPSession(page);
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push({ at: performance.now(), picture: Buffer.from(data, 'base64') });
    void session.send('Page.screencastFrameAck', { sessionId });
  });
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
  return frames;
}

function playWell(page: Page): Promise<void> {
  return page.evaluate(() => {
    const look = () => {
      const at = Number.parseFloat(
        document.querySelector<HTMLElement>('.meter__ball')?.style.left ?? '0',
      );
      const button = document.activeElement;
      if (Math.abs(at - 50) < 8 && button?.textContent?.startsWith('Shoot'))
        button.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
      requestAnimationFrame(look);
    };
    look();
  });
}

async function pictureAt(frames: Frame[], at: number, width: number, height: number) {
  const frame = frames.findLast((one) => one.at <= at) ?? frames[0];
  return sharp(frame?.picture).resize(width, height, { fit: 'fill' }).png().toBuffer();
}

const server = await startServer({ SMTP_URL: '', DEMO: '1' });
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const open = async (viewport: typeof COURT) => {
    const context = await browser.newContext({ viewport, locale: 'en-GB' });
    return context.newPage();
  };
  const [court, profile] = await Promise.all([open(COURT), open(PHONE)]);

  await profile.goto(`${server.url}/login`);
  await profile.getByRole('textbox', { name: 'Email' }).fill('demo@backboard.example');
  await profile.getByRole('button', { name: 'Continue' }).click();
  await profile.getByLabel('Password').fill('courtside-demo');
  await profile.getByRole('button', { name: 'Sign in', exact: true }).click();
  const stats = profile.getByRole('region', { name: 'Player Stats' });
  await stats.waitFor();
  await stats.evaluate((panel) => panel.scrollIntoView({ block: 'center' }));

  await court.clock.install();
  await court.goto(`${server.url}/dev/court`);
  await court.getByRole('button', { name: 'Hold it up' }).waitFor();
  await court.waitForTimeout(1_000);

  const [left, right] = await Promise.all([record(court), record(profile)]);
  const from = performance.now();
  await court.waitForTimeout(1_500);
  await court.getByRole('button', { name: 'Hold it up' }).click();
  await court.waitForTimeout(1_500);
  await court.getByRole('button', { name: "Let's play!" }).click();
  await playWell(court);
  await court.waitForTimeout(5_000);
  await court.clock.fastForward(11_000);
  await court.getByRole('heading', { name: /^Score/ }).waitFor();
  await court.waitForTimeout(4_000);
  const to = performance.now();

  const size = ({ width, height }: typeof COURT) =>
    [Math.round(width * SCALE), Math.round(height * SCALE)] as const;
  const [courtSize, phoneSize] = [size(COURT), size(PHONE)];
  const film: Buffer[] = [];
  for (let at = from; at < to; at += FRAME_MS)
    film.push(
      await sharp({
        create: {
          width: courtSize[0] + GAP + phoneSize[0],
          height: courtSize[1],
          channels: 3,
          background: '#c9d2e0',
        },
      })
        .composite([
          { input: await pictureAt(left, at, ...courtSize), left: 0, top: 0 },
          { input: await pictureAt(right, at, ...phoneSize), left: courtSize[0] + GAP, top: 0 },
        ])
        .png()
        .toBuffer(),
    );
  const webp = await sharp(film, { join: { animated: true } })
    .webp({
      quality: 82,
      smartSubsample: true,
      effort: 5,
      loop: 0,
      delay: film.map(() => FRAME_MS),
    })
    .toBuffer();
  if (webp.length > SIZE_MAX) throw new Error(`The film has ${webp.length} bytes, too many.`);
  await writeFile(join(FOLDER, 'court.webp'), webp);
  console.log(`court.webp  ${film.length} pictures, ${(webp.length / 1024).toFixed(0)} KB`);
} finally {
  await browser.close();
  await server.close();
}
