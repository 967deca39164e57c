import type { Work } from '#contract/rules/work.ts';
import { findProof } from './nonce.ts';

/* Runs in a thread of its own: the search takes seconds (P79c). */

self.onmessage = ({ data }: MessageEvent<Work>) => self.postMessage(findProof(data));
