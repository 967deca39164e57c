/** Says what is blocked, and what to allow. `host`: `play.example.com`. */
export const blockedText = (host: string) =>
  `This browser blocks cookies and stored data for ${host}. Allow them in the settings of the browser, then load the page again.`;
