import { useEffect, useRef, useState } from 'react';
import { reloadOnce } from '../web/ui/reload-once.ts';

const READ_EVERY_MS = 200;

/** Calls `onCode` with each QR code that the camera sees, trimmed, in lower case. */
export function Camera({ onCode }: { onCode: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const tell = useRef(onCode);
  tell.current = onCode;
  const [trouble, setTrouble] = useState<string | null>(null);

  useEffect(() => {
    let stream: MediaStream | null = null;
    let reading: ReturnType<typeof setInterval> | undefined;
    let over = false;
    const stop = () => {
      over = true;
      clearInterval(reading);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    const start = async () => {
      const reader = await import('jsqr').catch(() => null);
      // An update may have replaced the file.
      if (reader === null) {
        if (!(await reloadOnce()))
          setTrouble('The code reader cannot be loaded. Reload the page, or paste the code.');
        return;
      }
      const { default: jsqr } = reader;
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (over || !video.current) return stop();
      video.current.srcObject = stream;
      const canvas = document.createElement('canvas');
      const pen = canvas.getContext('2d', { willReadFrequently: true });
      let last = '';
      reading = setInterval(() => {
        const { videoWidth: width, videoHeight: height } = video.current ?? {
          videoWidth: 0,
          videoHeight: 0,
        };
        if (!pen || !video.current || width === 0) return;
        canvas.width = width;
        canvas.height = height;
        pen.drawImage(video.current, 0, 0);
        const { data } = pen.getImageData(0, 0, width, height);
        const code = jsqr(data, width, height, { inversionAttempts: 'dontInvert' })?.data;
        // Call once while a code stays in front of the camera.
        if (code === undefined || code === last) return;
        last = code;
        tell.current(code.trim().toLowerCase());
      }, READ_EVERY_MS);
    };
    start().catch(() => {
      stop();
      setTrouble('The camera cannot be used. Allow it in the browser, or paste the code.');
    });
    return stop;
  }, []);

  return (
    <div className="camera">
      {trouble === null ? (
        <video ref={video} autoPlay playsInline muted aria-label="Picture of the camera" />
      ) : (
        <p role="alert">{trouble}</p>
      )}
    </div>
  );
}
