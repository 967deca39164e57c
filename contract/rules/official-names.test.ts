import { expect, test } from 'vitest';
import { looksOfficial } from './official-names.ts';

test.each([
  'admin',
  'Administrator',
  'API',
  'Backboard',
  'mod',
  'Moderator',
  'official',
  'operator',
  'owner',
  'Staff',
  'support',
  'system',
  'HoopNation',
  'hoop_nation',
  'H00pNat1on',
  'adm1n',
  'adm1n007',
  '0wner24',
  '5upport9',
  '4dm1n',
  'a-d-m-i-n',
  'admin_',
  'admin007',
  '5upp0rt',
  'Staaaff',
  'sstaff',
  'off1c1al',
  'offic1a1',
  'm0d',
  'Modd',
  'mmod',
  'Moood',
  'M00d',
  'mo-od',
])('P51: %s is not available', (name) => {
  expect(looksOfficial(name, 'HoopNation')).toBe(true);
});

test.each([
  'Maya_Banks',
  'Administer',
  'Modesto',
  'Mood',
  'mood_24',
  'Staffan',
  'Supporter',
  'Opera',
  'Api4U',
  '12345',
])('P51: %s is available', (name) => {
  expect(looksOfficial(name, 'HoopNation')).toBe(false);
});

test('P51: an ordinary name is not available if it looks like the brand', () => {
  expect(looksOfficial('Mood', 'Mood')).toBe(true);
  expect(looksOfficial('Mood', 'Mod')).toBe(true);
});
