import { useState } from 'react';
import { Button, buttonClass } from '../ui/Button.tsx';
import { FormError } from '../ui/FormError.tsx';
import { CARD } from './card.ts';
import type { Picture } from './queries.ts';
import styles from './Week.module.css';

function canShare(file: File): boolean {
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [file] });
}

/**
 * A picture with Save, and Share if the phone has a share sheet. `alt` describes all of the
 * picture.
 */
export function SharePicture({ picture: { file, src }, alt }: { picture: Picture; alt: string }) {
  const [failed, setFailed] = useState(false);
  const shareable = canShare(file);

  async function share() {
    setFailed(false);
    try {
      await navigator.share({ files: [file] });
    } catch (error) {
      // AbortError: the player closed the share sheet.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setFailed(true);
    }
  }

  return (
    <div className={styles.picture}>
      <img src={src} {...CARD} alt={alt} />
      {failed && <FormError>The picture could not be shared. Save it, then share it.</FormError>}
      {shareable && <Button onClick={() => void share()}>Share</Button>}
      <a className={buttonClass(shareable ? 'quiet' : 'primary')} href={src} download={file.name}>
        Save picture
      </a>
    </div>
  );
}
