/**
 * Makes a release of package.json's version: checks everything, writes the archive with the built
 * pages, the SBOM and the checksums into release/, and tags the commit.
 * npm run release
 * npm run release -- --no-check (if npm test has just passed on this commit)
 * Publishes nothing. If something is not ready, prints what to do and exits with code 1.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const OUT = join(ROOT, 'release');
/** Without the court, which is for development (P46). */
const BUILT = ['web/dist', 'console/dist', 'screen/dist'];

const out = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }).trim();
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' });

class NotReady extends Error {}

/**
 * CHANGELOG.md's section about a version, whose heading is `0.3.0 - 2026-11-23`.
 * @throws NotReady if it is missing or incomplete
 */
export function changesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m);
  const own = sections.find((section) => section.split(/\s/)[0] === version);
  if (own === undefined) throw new NotReady(`CHANGELOG.md has no section "## ${version}".`);
  if (!/^\S+ - \d{4}-\d\d-\d\d\n/.test(own))
    throw new NotReady(`The heading of ${version} in CHANGELOG.md has no date.`);
  if (version !== '0.1.0' && !own.includes('### Upgrading'))
    throw new NotReady(`The section ${version} of CHANGELOG.md has no block "### Upgrading".`);
  const open = sections.find((section) => section.startsWith('Unreleased'));
  if (open !== undefined && open.replace('Unreleased', '').trim() !== '')
    throw new NotReady('CHANGELOG.md has lines under "Unreleased": move them to the version.');
  return own.slice(own.indexOf('\n')).trim();
}

/**
 * The next version's migrations are checked against this release (REL-22).
 * @throws NotReady if RELEASED is not the last migration
 */
export function checkReleased(source: string, migrations: string[]): void {
  const last = migrations.toSorted().at(-1)?.replace(/\.ts$/, '');
  if (!source.includes(`RELEASED = '${last}'`))
    throw new NotReady(`Set RELEASED in server/db/migrate.ts to '${last}'.`);
}

function release(checked: boolean): void {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const tag = `v${version}`;
  if (out('git', 'status', '--porcelain') !== '')
    throw new NotReady('There are changes that are not committed. Commit them first.');
  if (out('git', 'tag', '--list', tag) !== '')
    throw new NotReady(`${tag} exists. Raise the version in package.json.`);
  const changes = changesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version);
  const db = join(ROOT, 'server/db');
  checkReleased(readFileSync(join(db, 'migrate.ts'), 'utf8'), readdirSync(join(db, 'migrations')));
  if (!checked) run('npm', 'test');
  run('node', 'scripts/build.ts');

  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT);
  const name = `backboard-${version}`;
  const folder = mkdtempSync(join(tmpdir(), 'backboard-release-'));
  try {
    const root = join(folder, name);
    mkdirSync(root);
    const tar = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 2 ** 28 });
    execFileSync('tar', ['-x', '-C', root], { input: tar });
    for (const built of BUILT) cpSync(join(ROOT, built), join(root, built), { recursive: true });
    const time = out('git', 'log', '-1', '--format=%cI');
    // Fixed order, owner and time: archives of one commit are identical.
    const packed = execFileSync(
      'tar',
      [
        ...['-C', folder, '--sort=name', '--owner=0', '--group=0', '--numeric-owner'],
        ...[`--mtime=${time}`, '-c', name],
      ],
      { maxBuffer: 2 ** 29 },
    );
    const archive = execFileSync('gzip', ['-9n'], { input: packed, maxBuffer: 2 ** 29 });
    writeFileSync(join(OUT, `${name}.tar.gz`), archive);
  } finally {
    rmSync(folder, { recursive: true });
  }
  writeFileSync(join(OUT, `${name}.sbom.json`), `${out('npm', 'run', '--silent', 'sbom')}\n`);
  writeFileSync(join(OUT, `${name}.changes.md`), `${changes}\n`);
  const files = ['tar.gz', 'sbom.json', 'changes.md'].map((end) => `${name}.${end}`);
  const sums = files.map((file) => {
    const hash = createHash('sha256').update(readFileSync(join(OUT, file)));
    return `${hash.digest('hex')}  ${file}`;
  });
  writeFileSync(join(OUT, 'SHA256SUMS'), `${sums.join('\n')}\n`);
  run('git', 'tag', '--annotate', '--message', `Backboard ${version}`, tag);
  console.log(
    `\n${sums.join('\n')}\n\n${tag} is tagged. Publish release/ and run: git push origin ${tag}`,
  );
}

if (import.meta.main)
  try {
    release(process.argv.includes('--no-check'));
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
