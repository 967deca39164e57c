import { useState } from 'react';
import logo from '#brand/logo.svg';
import { takeNewVersion } from '../offline/install.ts';
import { Button } from '../ui/Button.tsx';
import strip from './OfflineStrip.module.css';

/** Offers the waiting version (PROD-41). */
export function NewVersion() {
  const [taking, setTaking] = useState(false);
  return (
    <div className={`${strip.strip} ${strip.tint}`} role="status">
      <img src={logo} alt="" width="24" height="24" />
      <span>
        <b>New version ready</b>
        {taking ? 'One moment…' : 'Now, or at the next start.'}
      </span>
      <Button
        look="quiet"
        aria-disabled={taking}
        onClick={() => {
          if (taking) return;
          setTaking(true);
          void takeNewVersion();
        }}
      >
        Update
      </Button>
    </div>
  );
}
