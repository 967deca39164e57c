import type { Command } from 'commander';
import { type PushStatus, pushStatus, rotateAnswer } from '#contract/wire/push.ts';
import { type AskingOptions, api, askingLeaf, group, leaf, type Options } from './command.ts';
import { answer, confirm, count, inert, localTime, table } from './terminal.ts';

/** Notifications: whether they arrive, and the key pair that signs them. */
export function pushCommands(program: Command): void {
  const push = group(
    program,
    'push',
    'Notifications: what waits, the push services, and the key pair.',
    `push status
     push rotate`,
  );

  leaf(
    push,
    'status',
    'Shows what waits to be sent, what was sent in the last 24 hours, and the devices and the last error of each push service.',
    `push status
     push status --json`,
  ).action(async ({ json }: Options) => {
    answer(!!json, await api().get(pushStatus, 'push/'), statusText);
  });

  askingLeaf(
    push,
    'rotate',
    'Replaces the key pair that signs notifications. Devices subscribe with the new pair the next time their app opens; until then, for at most 60 days, the old pair signs for them.',
    `push rotate
     push rotate --yes`,
  ).action(async ({ json, yes }: AskingOptions) => {
    await confirm(!!yes, 'Replace the key pair of notifications?');
    answer(
      !!json,
      await api().post(rotateAnswer, 'push/rotate/', {}),
      ({ old_devices }) =>
        `Notifications have a new key pair. Devices that still have an earlier one: ${old_devices}.`,
    );
  });
}

function errorText(error: PushStatus['hosts'][number]['last_error']): string {
  if (error === null) return '–';
  return `${error.status === null ? 'no answer' : `answered ${error.status}`}, ${localTime(error.at)}`;
}

function statusText({ on, waiting, sent, key, hosts }: PushStatus): string {
  const devices =
    key && key.old_devices > 0 ? `, ${count(key.old_devices, 'device')} with an earlier one` : '';
  const lines = [
    ['Sending', on ? 'on' : 'off: see PUSH and VAPID_SUBJECT'],
    ['Waiting', `${count(waiting.notices, 'notice')}, ${count(waiting.messages, 'message')}`],
    ['Sent', `${count(sent, 'notice')} in the last 24 hours`],
    ['Key pair', key === null ? 'none yet' : `since ${localTime(key.since)}${devices}`],
  ] as const;
  return [
    ...lines.map(([name, text]) => `${name.padEnd(10)} ${text}`),
    '',
    table(
      ['HOST', 'DEVICES', 'WAITING', 'LAST ERROR'],
      hosts.map((one) => [
        inert(one.host),
        String(one.devices),
        String(one.waiting),
        errorText(one.last_error),
      ]),
      'No device is on.',
    ),
  ].join('\n');
}
