// socket.ts - the socket between an actor and the site.

type Run = (...parameters: unknown[]) => unknown;

let socket: WebSocket;
let reports = 0;
const unacknowledged = new Map<number, () => void>();

/** Sends a report, and resolves when the site has it. It then survives the end of the browser. */
export function report(content: unknown): Promise<void> {
  const number = ++reports;
  socket.send(JSON.stringify({ report: number, content }));
  return new Promise((resolve) => unacknowledged.set(number, resolve));
}

/**
 * Carries out the commands of the site. It connects again after a failure, because the process of
 * the socket may have been killed. It closes the socket with the page, because an open socket keeps
 * a page out of the back/forward cache.
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
  const own = new WebSocket(`ws://${host}/${search}`);
  socket = own;
  own.onclose = () => connect(commands);
  own.onmessage = async ({ data }) => {
    const { acknowledged, command, name, parameters } = JSON.parse(data);
    if (acknowledged !== undefined) {
      unacknowledged.get(acknowledged)!();
      unacknowledged.delete(acknowledged);
      return;
    }
    const answer = (rest: object) => own.send(JSON.stringify({ command, ...rest }));
    try {
      answer({ value: await commands[name]!(...parameters) });
    } catch (error) {
      const { code, message, cause } = error as Error & { code?: string };
      answer({ error: { code, message: cause ? `${message} (${cause})` : message } });
    }
  };
}
