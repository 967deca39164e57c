/** Frequencies in hertz. */
const TONES = { square: 880, hit: 440 };
const LENGTH_S = 0.09;

let audio: AudioContext | null = null;

/** Plays a tone; a miss is silent. Call this in a press handler, as browsers require. */
export function playTone(outcome: 'square' | 'hit' | 'miss'): void {
  if (typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  if (outcome === 'miss') return;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = TONES[outcome];
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + LENGTH_S);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + LENGTH_S);
}
