import { QRCodeSVG } from 'qrcode.react';

/** White modules around the code; readers need this many (spec 2). */
const MARGIN = 4;
/** A uuid at level H takes 37 modules; with the margin a code is this many wide. */
export const CODE_MODULES = 37 + 2 * MARGIN;

/** The code alone: the uuid, level H, with its margin, in the colour of the text around it. */
export function PlayerCode({ uuid }: { uuid: string }) {
  return (
    <QRCodeSVG
      value={uuid}
      level="H"
      marginSize={MARGIN}
      fgColor="currentColor"
      bgColor="transparent"
      role="img"
      aria-label="Player QR code"
    />
  );
}
