// line.ts - the socket between an actor and the site.

type Run = (...parameters: unknown[]) => unknown;

let socket: WebSocket;
let tales = 0;
const unheard = new Map<number, () => void>();

/**
 * Tells the site, and resolves when it has heard: outside of the browser, whatever becomes of it.
 */
export function tell(told: unknown): Promise<void> {
  const tale = ++tales;
  socket.send(JSON.stringify({ tale, told }));
  return new Promise((resolve) => unheard.set(tale, resolve));
}

/**
 * Carries out the orders that come. A line that breaks is taken up again, because the process
 * behind it may have been killed; one that is open would keep a page out of the back/forward cache.
 */
export function listen(commands: Record<string, Run>): void {
  connect(commands);
  globalThis.addEventListener?.('pagehide', () => {
    socket.onclose = null;
    socket.close();
  });
  globalThis.addEventListener?.('pageshow', (event) => {
    if ((event as PageTransitionEvent).persisted) connect(commands);
  });
}

function connect(commands: Record<string, Run>): void {
  const { host, search } = self.location;
  const line = new WebSocket(`ws://${host}/${search}`);
  socket = line;
  line.onclose = () => connect(commands);
  line.onmessage = async ({ data }) => {
    const { heard, order, name, parameters } = JSON.parse(data);
    if (heard !== undefined) {
      unheard.get(heard)!();
      unheard.delete(heard);
      return;
    }
    const answer = (rest: object) => line.send(JSON.stringify({ order, ...rest }));
    try {
      answer({ value: await commands[name]!(...parameters) });
    } catch (error) {
      const { code, message, cause } = error as Error & { code?: string };
      answer({ error: { code, message: cause ? `${message} (${cause})` : message } });
    }
  };
}
