import { rotatePair } from '../push/keys.ts';
import { readPushStatus } from '../push/status.ts';
import { change, type Noun, read } from './command.ts';

/** The commands `push …` (PUSH-45). */
export const push: Noun = {
  area: 'system',
  topics: [],
  commands: [
    read('GET /api/operator/push/', {
      summary: 'Show what waits to be sent, and the push services',
      role: 'key',
      work: readPushStatus,
    }),
    change('POST /api/operator/push/rotate/', {
      summary: 'Replace the key pair of notifications; the old one signs for 60 days',
      role: 'key',
      work: async (asked) => {
        await rotatePair(asked);
        const { key } = await readPushStatus(asked);
        return {
          answer: { old_devices: key?.old_devices ?? 0 },
          audit: { what: 'Replaced the key pair of notifications' },
          log: ['push_keys_rotated', {}],
        };
      },
    }),
  ],
};
