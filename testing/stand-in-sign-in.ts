type Button = { authorization_endpoint: string; client_id: string; redirect_uri: string };

/**
 * Signs in as `person` at the stand-in, as a browser does. Returns the callback URL with the code.
 * `extra` is added to the first request's query.
 */
export async function chooseAtStandIn(
  button: Button,
  person: { sub: string },
  extra: Record<string, string> = {},
): Promise<URL> {
  const cookies = new Map<string, string>();
  const visit = async (url: URL, init: RequestInit = {}): Promise<URL> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { ...init, headers: { cookie }, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return new URL(answer.headers.get('location') ?? '', url);
  };
  const start = new URL(button.authorization_endpoint);
  start.search = String(
    new URLSearchParams({
      response_type: 'code',
      scope: 'openid email profile',
      prompt: 'select_account',
      access_type: 'offline',
      state: 'n0nce./profile',
      client_id: button.client_id,
      redirect_uri: button.redirect_uri,
      ...extra,
    }),
  );
  const form = new URLSearchParams({ person: person.sub });
  const resume = await visit(await visit(start), { method: 'POST', body: form });
  return visit(resume);
}
